"""`graphmem procedures` lists and shows learned ways, with how often they worked."""

from __future__ import annotations

import unicodedata

from command_shell import Shell


def fill(shell: Shell) -> None:
    refund = {"id": "p1", "name": "환불 처리", "steps": ["주문 조회", "환불"], "when": "배송 지연"}
    counts = {"successes": 3, "failures": 1}
    other = {"type": "procedure", "id": "p2", "name": "x", "steps": ["a"]}
    shell.ok("import", shell.write("p.jsonl", {"type": "procedure", **refund, **counts}, other))


def test_procedures_are_listed_with_their_counts_and_confidence(shell: Shell) -> None:
    fill(shell)
    found = shell.json("procedures", "list")
    assert [item["id"] for item in found] == ["p1", "p2"]
    assert (found[0]["successes"], found[0]["failures"]) == (3, 1)
    assert found[0]["confidence"] == round(4 / 6, 6)
    assert found[1]["confidence"] == 0.5
    assert "주문 조회 → 환불" in shell.ok("procedures", "list").stdout
    assert len(shell.json("procedures", "list", "--limit", "1")) == 1


def test_a_name_is_found_however_it_is_composed(shell: Shell) -> None:
    fill(shell)
    (found,) = shell.json("procedures", "list", "--name", unicodedata.normalize("NFD", "환불 처리"))
    assert found["id"] == "p1"


def test_one_is_shown_with_its_steps_and_its_situation(shell: Shell) -> None:
    fill(shell)
    text = shell.ok("procedures", "show", "p1").stdout
    outcomes = "3 success, 0 partial, 1 failure"
    for part in ("1. 주문 조회", "2. 환불", "when: 배송 지연", outcomes, "confidence: 0.667"):
        assert part in text
    assert shell.run("procedures", "show", "nobody").exit_code == 1


def test_an_empty_tenant_says_where_it_looked(shell: Shell) -> None:
    fill(shell)
    assert shell.json("--tenant", "empty", "procedures", "list") == []
    assert "tenant 'empty'" in shell.ok("--tenant", "empty", "procedures", "list").stderr


def test_the_success_rate_is_shown_with_its_interval(shell: Shell) -> None:
    fill(shell)
    used, unused = shell.json("procedures", "list")
    assert used["success_rate"] == 0.75
    assert used["success_interval"] == [0.300642, 0.954413]
    assert (unused["success_rate"], unused["success_interval"]) == (None, None)
    assert "success rate: 0.750 (95 % interval 0.301-0.954)" in shell.ok("procedures", "show", "p1").stdout
    assert "0.301-0.954" in shell.ok("procedures", "list").stdout


def test_a_newer_version_takes_the_place_of_the_older_one_which_stays_readable(shell: Shell) -> None:
    fill(shell)
    steps = ["주문 조회", "승인", "환불"]
    newer = {"type": "procedure", "id": "p3", "name": "환불 처리", "steps": steps, "supersedes": "p1"}
    shell.ok("import", shell.write("q.jsonl", newer))
    assert [item["id"] for item in shell.json("procedures", "list")] == ["p2", "p3"]
    assert [item["id"] for item in shell.json("procedures", "list", "--superseded")] == ["p1", "p2", "p3"]
    for name in ("p1", "p3"):
        assert [item["id"] for item in shell.json("procedures", "history", name)] == ["p3", "p1"]
    assert "replaces: p1" in shell.ok("procedures", "show", "p3").stdout
    assert "주문 조회 → 환불" in shell.ok("procedures", "history", "p3").stdout


def test_a_procedure_of_one_user_is_not_shown_to_others(shell: Shell) -> None:
    own = {"type": "procedure", "id": "p1", "name": "배포", "steps": ["빌드"], "user": "ada"}
    shell.ok("import", shell.write("p.jsonl", own))
    assert [item["user_id"] for item in shell.json("--user", "ada", "procedures", "list")] == ["ada"]
    assert shell.json("--user", "bob", "procedures", "list") == []
    assert shell.run("--user", "bob", "procedures", "show", "p1").exit_code == 1
    assert "of user: ada alone" in shell.ok("--user", "ada", "procedures", "show", "p1").stdout
