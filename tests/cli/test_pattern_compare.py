"""patterns compare, as typed: figures for a reader, JSON for a program, errors that name the variants."""

from __future__ import annotations

from typing import Any

import pytest

from command_shell import Shell


def run(number: int, variant: str, *, asks: bool, wins: bool) -> dict[str, Any]:
    steps: list[dict[str, Any]] = (
        [{"action": "확인"}, {"action": "환불", "tools": ["창구"]}]
        if asks
        else [{"action": "건너뜀"}, {"action": "거절"}]
    )
    outcome = "success" if wins else "failure"
    return {"type": "episode", "id": f"e{number}", "goal": "g", "variant": variant, "outcome": outcome} | {
        "task": f"t{number % 12}",
        "steps": steps,
    }


@pytest.fixture
def shop(shell: Shell) -> Shell:
    records = []
    for number in range(96):
        variant = ("v1", "나")[number // 12 % 2]
        asks = number % 4 == 0 if variant == "v1" else number % 4 != 0
        records.append(run(number, variant, asks=asks, wins=asks != (number % 11 == 0)))
    shell.ok("import", shell.write("runs.jsonl", *records))
    return shell


def test_two_variants_are_shown_with_what_was_compared_and_what_changed(shop: Shell) -> None:
    shop.ok("patterns", "mine")
    text = shop.ok("patterns", "compare", "v1", "나").stdout
    assert "A v1: 48 episodes of 12 tasks" in text
    assert "B 나: 48 episodes of 12 tasks" in text
    assert "within 12 tasks that both ran, 96 episodes" in text
    assert "Success, B less A: +0." in text
    assert "  확인 → 환불" in text
    assert "cause" not in text
    found = shop.json("patterns", "compare", "v1", "나")
    assert found["success"]["within"] == {"by": "task", "tasks": 12, "domains": 0, "episodes": 96}
    assert found["success"]["interval"][0] > 0
    changed = [change for change in found["patterns"] if change["changed"]]
    assert changed
    assert changed == found["patterns"][: len(changed)]
    assert all(change["frequency"]["p"] <= 0.05 for change in changed)
    assert found == shop.json("patterns", "compare", "v1", "나")


def test_before_mining_success_alone_is_compared(shop: Shell) -> None:
    text = shop.ok("patterns", "compare", "v1", "나").stdout
    assert "Success, B less A: +0." in text
    assert "patterns mine" in text
    assert shop.json("patterns", "compare", "v1", "나")["patterns"] == []


def test_variants_that_met_nowhere_are_not_compared(shop: Shell) -> None:
    apart = [
        {**run(200 + n, "v3", asks=True, wins=True), "task": f"x{n}", "domain": "elsewhere"} for n in range(4)
    ]
    shop.ok("import", shop.write("more.jsonl", *apart))
    assert "No task and no domain holds both" in shop.ok("patterns", "compare", "v1", "v3").stdout


def test_a_variant_that_is_not_there_is_answered_with_those_that_are(shop: Shell) -> None:
    for line in (["v1", "v9"], ["v9", "나"], ["v1", "v1"], ["", "v1"]):
        result = shop.run("patterns", "compare", *line)
        assert result.exit_code in {1, 2}
        assert result.stdout == ""
    assert "'v1' (48), '나' (48)" in shop.run("patterns", "compare", "v1", "v9").stderr


def test_hostile_names_are_shown_escaped(shell: Shell) -> None:
    hostile = "v\x1b[2J1"
    records = [run(n, (hostile, "b")[n // 12 % 2], asks=n % 3 > 0, wins=n % 3 > 0) for n in range(48)]
    shell.ok("import", shell.write("runs.jsonl", *records))
    shell.ok("patterns", "mine")
    assert "\x1b" not in shell.ok("patterns", "compare", hostile, "b").stdout
    assert "\x1b" not in shell.run("patterns", "compare", hostile, "c").stderr
