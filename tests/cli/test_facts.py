"""`graphmem facts` shows what is known, what was, what held at a moment, and what contradicts itself."""

from __future__ import annotations

import unicodedata

import pytest

from command_shell import Shell

HOMES = (("서울", "2019"), ("부산", "2021"), ("서울", "2024"))


@pytest.fixture
def moved(shell: Shell) -> Shell:
    """민수 lived in Seoul, in Busan and in Seoul again, told from the end."""
    for place, year in reversed(HOMES):
        said = ("--subject", "민수", "--predicate", "lives in", "--object", place)
        shell.ok("remember", f"민수는 {place}에 산다", *said, "--valid-from", f"{year}-01-01T00:00:00Z")
    shell.ok("remember", "민수는 차를 좋아한다", "--subject", "민수", "--predicate", "likes", "--object", "차")
    return shell


@pytest.mark.parametrize("predicate", ["lives_in", "거주지"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_history_tells_every_home_in_order(moved: Shell, predicate: str, form: str) -> None:
    found = moved.json("facts", "history", unicodedata.normalize(form, "민수"), predicate)  # type: ignore[arg-type]
    assert [(one["object"], one["valid_from"][:4]) for one in found] == [*HOMES]
    assert [one["valid_to"] and one["valid_to"][:4] for one in found] == ["2021", "2024", None]
    text = moved.ok("facts", "history", "민수", predicate).stdout
    assert [line.split()[-2] for line in text.splitlines()[1:]] == ["서울에", "부산에", "서울에"]


def test_the_list_tells_what_stands(moved: Shell) -> None:
    assert {one["object"] for one in moved.json("facts", "list")} == {"서울", "차"}
    assert len(moved.json("facts", "list", "--superseded")) == 4
    assert [one["object"] for one in moved.json("facts", "list", "--predicate", "likes")] == ["차"]
    assert "민수는 차를 좋아한다" in moved.ok("facts", "list").stdout


@pytest.mark.parametrize(
    ("moment", "place"), [("2020", ["서울"]), ("2022", ["부산"]), ("2025", ["서울"]), ("2018", [])]
)
def test_as_of_tells_what_held_then_and_nothing_else(moved: Shell, moment: str, place: list[str]) -> None:
    at = f"{moment}-06-01T00:00:00Z"
    found = moved.json("facts", "as-of", at, "--predicate", "lives_in", "--subject", "민수")
    assert [one["object"] for one in found] == place
    recalled = moved.json("recall", "민수 서울 부산 산다", "--as-of", at, "--kind", "fact")
    homes = [one for one in recalled if "산다" in one["text"]]
    assert [one["text"] for one in homes] == [f"민수는 {one}에 산다" for one in place]


def test_what_excludes_each_other_at_one_time_is_shown(moved: Shell) -> None:
    assert moved.json("facts", "contradictions") == []
    said = ("--subject", "지아", "--predicate", "works_at", "--valid-from", "2020-01-01T00:00:00Z")
    moved.ok("remember", "지아는 한빛에 다닌다", *said, "--object", "한빛")
    moved.ok("remember", "지아는 누리에 다닌다", *said, "--object", "누리")
    (found,) = moved.json("facts", "contradictions")
    assert (found["subject"], found["predicate"]) == ("지아", "works_at")
    assert sorted(one["object"] for one in found["facts"]) == ["누리", "한빛"]
    assert "지아는 누리에 다닌다" in moved.ok("facts", "contradictions").stdout
    assert moved.json("facts", "contradictions", "--subject", "민수") == []


def test_an_empty_tenant_says_where_it_looked(moved: Shell) -> None:
    for command in (["list"], ["history", "민수"], ["as-of", "2026-01-01T00:00:00Z"], ["contradictions"]):
        assert "tenant 'empty'" in moved.ok("--tenant", "empty", "facts", *command).stderr
    assert moved.run("facts", "as-of", "yesterday").exit_code == 2
