"""`graphmem consolidate --plan` shows every kind of change, as tables and as JSON, and changes nothing."""

from __future__ import annotations

from command_shell import Shell


def fill(shell: Shell) -> None:
    found = [{"action": "조회", "errors": ["결제 시간초과"]}]
    causes = [{"effect": "결제 시간초과", "cause": "풀 고갈"}]
    first = {"type": "episode", "id": "e1", "goal": "주문 조회", "session": "s", "steps": found, "causes": causes}
    second = {"type": "episode", "id": "e2", "goal": "결제 시간초과를 고친다", "session": "s", "steps": []}
    alike = {"type": "episode", "id": "e3", "goal": "결제 시간초과를 고친다", "steps": []}
    times = {
        "e1": {"started_at": "2026-03-01T09:00:00Z", "ended_at": "2026-03-01T09:10:00Z"},
        "e2": {"started_at": "2026-03-01T09:30:00Z", "ended_at": "2026-03-01T09:40:00Z"},
    }
    told = {"at": "2026-03-01T08:00:00Z", "user": "ada"}
    said = {"type": "message", "id": "m1", **told, "text": "푸시하기 전에는 항상 테스트를 돌려."}
    records = [{**one, **times.get(str(one["id"]), {})} for one in (first, second, alike)]
    shell.ok("import", shell.write("p.jsonl", *records, said))


def test_a_plan_shows_causes_order_likeness_and_procedures(shell: Shell) -> None:
    fill(shell)
    plan = shell.json("consolidate", "--plan")
    assert [(one["cause"], one["effect"]) for one in plan["causes"]] == [("풀 고갈", "결제 시간초과")]
    assert {(one["type"], one["episode"], one["next"]) for one in plan["order"]} == {
        ("FOLLOWED_BY", "e1", "e2"),
        ("LED_TO", "e1", "e2"),
    }
    assert [one["steps"] for one in plan["taught"]] == [["테스트를 돌려", "푸시"]]
    text = shell.ok("consolidate", "--plan").stdout
    for word in ("풀 고갈", "LED_TO", "FOLLOWED_BY", "테스트를 돌려 → 푸시", "ada"):
        assert word in text
    assert shell.json("procedures", "list") == []


def test_an_applied_plan_leaves_nothing_to_do(shell: Shell) -> None:
    fill(shell)
    shell.ok("consolidate")
    assert [item["origin"] for item in shell.json("procedures", "list")] == ["told"]
    again = shell.json("consolidate", "--plan")
    assert not any(again[name] for name in ("causes", "order", "taught"))
