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
