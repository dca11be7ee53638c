"""A window that moves leaves no patterns behind; windows with an end are kept apart."""

from __future__ import annotations

from datetime import UTC, datetime

import graphmem


def day(number: int) -> datetime:
    return datetime(2026, 3, number, tzinfo=UTC)


def scopes(memory: graphmem.GraphMemory) -> list[str]:
    return sorted({str(pattern.scope) for pattern in memory.patterns.list(limit=1_000)})


def test_a_later_window_that_is_open_retires_the_earlier_ones(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        graphmem.Episode.model_validate(
            {"id": f"e{number}", "goal": "g", "domain": "상담", "started_at": day(number)}
            | {"ended_at": day(number), "steps": [{"action": "조회"}, {"action": "환불"}]}
        )
        for number in range(1, 13)
    )
    memory.patterns.mine()
    memory.patterns.mine(since=day(1), until=day(6))
    memory.patterns.mine(since=day(1), domain="상담")
    assert memory.patterns.mine(since=day(2)).added == 1
    report = memory.patterns.mine(since=day(4))
    assert (report.added, report.removed) == (1, 1)
    kept = scopes(memory)
    assert len(kept) == 4
    assert not any("2026-03-02" in scope for scope in kept)
    assert memory.patterns.mine(since=day(3)).removed == 0
