"""patterns mine, list and report with their filters, as typed."""

from __future__ import annotations

from typing import Any

import pytest

from command_shell import Shell


def run(name: str, action: str, day: int, **fields: Any) -> dict[str, Any]:
    begun = f"2026-03-{day:02}T09:00:00Z"
    return {"type": "episode", "id": name, "goal": "g", "outcome": "success", "started_at": begun, **fields} | {
        "steps": [{"action": action, **fields.get("step", {})}]
    }


@pytest.fixture
def shop(shell: Shell) -> Shell:
    records: list[dict[str, Any]] = [{"type": "relation", "head": "Timeout", "relation": "is_a", "tail": "오류"}]
    for n in range(3):
        refund = {"action": "환불", "tools": ["결제창"]}
        network = {"action": "call", "errors": ["Timeout"]}
        records += [
            {
                **run(f"r{n}", "환불", 1 + n, task="refund", domain="쇼핑"),
                "goal": "주문을 환불해 주세요",
                "steps": [refund],
            },
            {**run(f"n{n}", "call", 11 + n, task=f"n{n}", domain="ops"), "steps": [network]},
        ]
    shell.ok("import", shell.write("runs.jsonl", *records))
    shell.ok("patterns", "mine")
    return shell


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], {"환불 uses 결제창", "call raises Timeout"}),
        (["--about", "오류"], {"call raises Timeout"}),
        (["--about", "timeout", "--domain", "ops"], {"call raises Timeout"}),
        (["--tool", "결제창"], {"환불 uses 결제창"}),
        (["--goal", "환불"], {"환불 uses 결제창"}),
        (["--task", "refund"], {"환불 uses 결제창"}),
        (["--since", "2026-03-05T00:00:00Z"], {"call raises Timeout"}),
        (["--until", "2026-03-05T00:00:00+09:00"], {"환불 uses 결제창"}),
        (["--polarity", "positive"], set()),
        (["--tier", "candidate", "--task", "n1", "--since", "2026-03-12T09:00:00Z"], {"call raises Timeout"}),
        (["--task", "n1", "--since", "2026-03-12T09:00:01Z"], set()),
    ],
    ids=lambda words: " ".join(sorted(words)),
)
def test_list_and_report_show_what_the_filters_let_through(
    shop: Shell, options: list[str], found: set[str]
) -> None:
    listed = {pattern["title"] for pattern in shop.json("patterns", "list", *options)}
    assert listed == found
    report = shop.ok("patterns", "report", "--format", "md", *options).stdout
    for title in ("결제창", "Timeout"):
        assert (title in report) == any(title in one for one in found)


def test_mining_can_be_limited_and_leaves_other_patterns_alone(shop: Shell) -> None:
    before = shop.json("patterns", "list")
    assert "mined in" not in shop.ok("patterns", "list").stdout
    assert shop.json("patterns", "mine", "--task", "refund")["episodes"] == 3
    assert shop.json("patterns", "mine", "--since", "2026-03-02T00:00:00Z")["episodes"] == 5
    report = shop.json("patterns", "mine", "--domain", "ops", "--until", "2026-03-13T09:00:00Z")
    assert (report["episodes"], report["patterns"], report["removed"]) == (3, 1, 0)
    after = shop.json("patterns", "list")
    assert [pattern for pattern in after if pattern["scope"] is None] == before
    limited = next(pattern for pattern in after if pattern["scope"] and "ops" in pattern["scope"])
    assert limited["scope"] == '{"domain":"ops","until":"2026-03-13T09:00:00+00:00"}'
    query = shop.json("patterns", "show", limited["id"], "--cypher")
    assert query["parameters"]["until"] == "2026-03-13T09:00:00+00:00"
    assert "e.started_at <= datetime($until)" in query["cypher"]
    table = shop.ok("patterns", "list").stdout
    assert "mined in" in table
    assert limited["scope"] in table
    assert "mined in: " in shop.ok("patterns", "show", limited["id"]).stdout


@pytest.mark.parametrize(
    "options",
    [["--polarity", "up"], ["--since", "yesterday"], ["--until", "2026-03-01"], ["--about", ""]],
    ids=str,
)
def test_a_filter_that_is_refused_is_named(shop: Shell, options: list[str]) -> None:
    result = shop.run("patterns", "list", *options)
    assert result.exit_code in {1, 2}
    assert options[0].removeprefix("--") in result.stderr
