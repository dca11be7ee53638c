"""remember, recall, context, forget, consolidate, concepts: their JSON, their text, their refusals."""

from __future__ import annotations

import json

import pytest

from command_shell import Shell

HOSTILE = "\x1b]0;owned\x07 [bold red]x[/] \x9b2J \u202egnp.exe"


def test_remember_prints_id_and_kind(shell: Shell) -> None:
    assert shell.json("remember", "Ada prefers e-mail", "--kind", "preference", "--id", "m1") == {
        "id": "m1",
        "kind": "preference",
    }
    assert shell.ok("remember", "a fact", "--id", "m2").stdout == "fact m2\n"


def test_recall_prints_what_the_table_of_commands_says(shell: Shell) -> None:
    shell.ok("remember", "Ada prefers e-mail", "--id", "m1", "--at", "2026-03-01T09:00:00Z")
    (item,) = shell.json("recall", "e-mail")
    assert list(item) == ["id", "kind", "text", "score", "at", "why"]
    assert (item["id"], item["kind"], item["text"]) == ("m1", "fact", "Ada prefers e-mail")
    assert item["at"] == "2026-03-01T09:00:00Z"
    assert 0 <= item["score"] <= 1
    assert all(reason.keys() == {"signal", "score", "share", "words"} for reason in item["why"])


def test_recall_keeps_limit_kind_and_time(shell: Shell) -> None:
    for name, kind in (("f1", "fact"), ("f2", "fact"), ("l1", "lesson")):
        shell.ok("remember", f"refund order {name}", "--kind", kind, "--id", name, "--at", "2026-03-01T09:00:00Z")
    shell.ok("remember", "refund order later", "--id", "f3", "--valid-from", "2026-03-01T09:00:00Z")
    assert len(shell.json("recall", "refund order", "--limit", "1")) == 1
    assert [item["id"] for item in shell.json("recall", "refund order", "--kind", "lesson")] == ["l1"]
    before = {item["id"] for item in shell.json("recall", "refund order", "--as-of", "2025-01-01T00:00:00Z")}
    assert before == {"f1", "f2"}
    assert len(shell.json("recall", "refund order", "--as-of", "1772500000000", "--kind", "lesson")) == 1


def test_korean_goes_in_and_comes_out_whole(shell: Shell) -> None:
    shell.ok("remember", "서울에서 환불 요청을 처리했다", "--id", "환불-1")
    result = shell.ok("recall", "환불을")
    assert "서울에서 환불 요청을 처리했다" in result.stdout
    assert "환불-1" in result.stdout
    assert shell.json("recall", "환불")[0]["text"] == "서울에서 환불 요청을 처리했다"


def test_explain_says_why(shell: Shell) -> None:
    shell.ok("remember", "Ada prefers e-mail")
    assert "shares" in shell.ok("recall", "e-mail", "--explain").stdout


@pytest.mark.parametrize("command", [["recall", "owned"], ["context", "owned"], ["recall", "owned", "--explain"]])
def test_stored_text_can_neither_steer_the_terminal_nor_format_it(shell: Shell, command: list[str]) -> None:
    shell.ok("remember", f"owned {HOSTILE}")
    for line in (command, [*command, "--json"]):
        said = shell.ok(*line).stdout
        assert not {character for character in said if character in "\x1b\x9b\x07\u202e"}
        assert "[bold red]x[/]" in said
    if "--explain" not in command:
        document = json.loads(shell.ok(*command, "--json").stdout)
        items = document if isinstance(document, list) else document["items"]
        assert items[0]["text"] == f"owned {HOSTILE}"


def test_context_is_a_block_with_its_items(shell: Shell) -> None:
    shell.ok("remember", "refund order 99 to Ada", "--id", "m1")
    block = shell.json("context", "refund order 99")
    assert list(block) == ["text", "strategy", "items"]
    assert "refund order 99 to Ada" in block["text"]
    assert [item["id"] for item in block["items"]] == ["m1"]
    assert shell.ok("context", "refund order 99").stdout.rstrip("\n") == block["text"]
    assert shell.json("context", "refund order 99", "--budget", "0")["items"] == []


def test_each_line_of_stdin_gets_its_answer(shell: Shell) -> None:
    given = (
        'refund 환불\n{"text":"a lesson","kind":"lesson","id":"l1"}\n{"text":"x","tenant":"other"}\n\n"quoted"\n'
    )
    result = shell.run("remember", "-", "--kind", "fact", stdin=given)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert answers[0]["kind"] == "fact"
    assert answers[1] == {"id": "l1", "kind": "lesson"}
    assert "tenant" in answers[2]["error"]
    assert answers[3]["kind"] == "fact"
    found = shell.lines("recall", "-", stdin='환불\n{"text":"lesson","kinds":["lesson"],"limit":1}\n')
    assert found[0][0]["text"] == "refund 환불"
    assert [item["id"] for item in found[1]] == ["l1"]
    blocks = shell.lines("context", "-", stdin='{"text":"refund","budget":0}\nrefund\n')
    assert [bool(block["items"]) for block in blocks] == [False, True]


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        (("recall", "-"), "limit", '"3"'),
        (("recall", "-"), "limit", "2.5"),
        (("recall", "-"), "kinds", "5"),
        (("recall", "-"), "kinds", '"fact"'),
        (("recall", "-"), "as_of", "[]"),
        (("recall", "-"), "as_of", '"2026-03-01T09:00:00"'),
        (("context", "-"), "budget", '"5"'),
        (("episodes", "similar", "-"), "limit", "true"),
        (("episodes", "similar", "-"), "min_similarity", '"high"'),
        (("episodes", "similar", "-"), "domain", "[]"),
        (("remember", "-"), "about", '"환불"'),
    ],
)
def test_a_field_of_the_wrong_form_is_that_lines_error_alone(
    shell: Shell, line: tuple[str, ...], field: str, value: str
) -> None:
    shell.ok("remember", "환불 요청")
    result = shell.run(*line, stdin=f'{{"text":"환불","{field}":{value}}}\n{{"text":"환불","{field}":null}}\n')
    refused, answered = map(json.loads, result.stdout.splitlines())
    assert field in refused["error"]
    assert "error" not in answered
    assert result.exit_code == 1


def test_a_text_that_begins_with_a_dash_comes_after_two_dashes(shell: Shell) -> None:
    assert shell.run("remember", "-x is a flag").exit_code == 2
    shell.ok("remember", "--", "-x is a flag")
    assert shell.json("recall", "flag")[0]["text"] == "-x is a flag"


def test_forget_removes_one_item(shell: Shell) -> None:
    shell.ok("remember", "to be forgotten", "--id", "m1")
    assert shell.json("forget", "fact", "m1") == {"forgotten": {"kind": "fact", "id": "m1"}}
    assert not shell.json("recall", "forgotten")
    again = shell.run("forget", "fact", "m1")
    assert again.exit_code == 1
    assert "m1" in again.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (["remember", "", "--id", "m9"], 2),
        (["remember", "x", "--kind", "opinion"], 2),
        (["remember", "x", "--id", "a/b"], 2),
        (["remember", "x", "--subject", "Ada", "--kind", "lesson"], 2),
        (["remember", "other content", "--id", "m1"], 1),
        (["remember", "x", "--supersedes", "missing"], 1),
        (["forget", "house", "m1"], 2),
    ],
)
def test_what_is_refused_is_told_in_one_line_without_the_text(shell: Shell, line: list[str], code: int) -> None:
    shell.ok("remember", "first content", "--id", "m1")
    result = shell.run(*line)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
    assert "content" not in result.stderr.replace("with other content", "")


def test_consolidate_counts_what_it_did(shell: Shell) -> None:
    shell.write(
        "run.jsonl", {"type": "episode", "id": "e1", "goal": "g", "steps": [{"action": "a", "tools": ["http"]}]}
    )
    shell.ok("import", "run.jsonl")
    plan = shell.json("consolidate", "--plan")
    done = shell.json("consolidate")
    names = {"promoted", "merged", "superseded", "linked", "moved", "model_calls"}
    assert names <= plan.keys()
    assert names <= done.keys()
    assert done["episodes"] == plan["episodes"] == 1
    assert shell.json("consolidate")["episodes"] == 0


def test_consolidate_shows_what_texts_teach_and_what_is_refused(shell: Shell) -> None:
    shell.ok("concepts", "relate", "포유류", "is_a", "고래")
    said = ["A router is a kind of device.", "So a router is a kind of device."]
    said += ["고래는 포유류의 일종이다.", "고래가 포유류의 일종이다."]
    lines = [
        {
            "type": "message",
            "id": f"m{day}",
            "session": f"s{day}",
            "text": text,
            "at": f"2026-03-0{day + 1}T09:00:00Z",
        }
        for day, text in enumerate(said)
    ]
    shell.write("said.jsonl", *lines)
    shell.ok("import", "said.jsonl")
    shown = shell.ok("consolidate", "--plan").stdout
    assert "router is_a device" in shown
    assert "고래 is_a 포유류 is_a 고래" in shown
    done = shell.json("consolidate")
    assert (done["relations"], done["refused"]) == (1, 1)
    assert done["refusals"][0]["why"] == "고래 is_a 포유류 is_a 고래"
    assert "Nothing new" in shell.ok("consolidate").stderr


def test_concepts_are_related_shown_and_unfolded(shell: Shell) -> None:
    relation = shell.json("concepts", "relate", "Timeout", "is_a", "NetworkError")
    assert (relation["head"], relation["relation"], relation["tail"]) == ("Timeout", "is_a", "NetworkError")
    shell.ok("concepts", "relate", "환불지연", "is_a", "Timeout")
    shown = shell.json("concepts", "show", "timeout")
    assert shown["name"] == "Timeout"
    assert {said["tail"] for said in shown["relations"]} == {"NetworkError", "Timeout"}
    tree = shell.json("concepts", "tree", "Timeout")
    assert [node["name"] for node in tree["above"]] == ["NetworkError"]
    assert [node["name"] for node in tree["below"]] == ["환불지연"]
    assert shell.ok("concepts", "tree", "Timeout").stdout == "Timeout\n  is a NetworkError\n  <- 환불지연\n"
    assert {concept["name"] for concept in shell.json("concepts", "list")} == {
        "Timeout",
        "NetworkError",
        "환불지연",
    }


@pytest.mark.parametrize("command", ["merges", "candidates"])
def test_where_no_names_were_joined_stderr_says_where_was_looked(shell: Shell, command: str) -> None:
    shell.ok("concepts", "relate", "서버", "is_a", "machine")
    assert "tenant 'default'" in shell.ok("concepts", command).stderr
    assert shell.json("concepts", command, "--json") == []


def test_a_cycle_and_an_unknown_relation_are_usage_errors(shell: Shell) -> None:
    shell.ok("concepts", "relate", "a", "is_a", "b")
    cycle = shell.run("concepts", "relate", "b", "is_a", "a")
    assert cycle.exit_code == 2
    assert "cycle" in cycle.stderr
    assert shell.run("concepts", "relate", "b", "likes", "a").exit_code == 2
    assert shell.run("concepts", "show", "nothing").exit_code == 1
