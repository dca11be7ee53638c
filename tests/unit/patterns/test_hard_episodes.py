"""Episodes of a size that breaks naive mining: recorded, mined within the budget, and what was capped is said."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.models.episode import Episode, Step
from graphmem.models.pattern import Tier
from graphmem.patterns.mine import MiningReport
from graphmem.patterns.service import PatternsService
from workspaces import desk

BUDGET_SECONDS = 300.0
"""Far above what the run needs on a loaded machine; naive growth would need years."""

CHAIN = ("본인 확인을", "환불 요청", "닫기")


def usual(number: int) -> Episode:
    steps = tuple(Step(action=action, tools=("고객 조회",)) for action in CHAIN)
    return Episode(id=f"usual-{number}", goal="환불", outcome="success", steps=steps)


def long(steps: int = 10_000) -> Episode:
    chance = random.Random(5)
    names = [*CHAIN, *(f"action {number}" for number in range(40))]
    return Episode(
        id="long",
        goal="g",
        outcome="failure",
        steps=tuple(Step(action=chance.choice(names), tools=("sh",)) for _ in range(steps)),
    )


def repeating(times: int = 5_000) -> Episode:
    steps = tuple(Step(action="환불 요청", tools=("고객 조회",)) for _ in range(times))
    return Episode(id="repeating", goal="g", outcome="failure", steps=(*steps, Step(action="닫기")))


def many_tools(tools: int = 500) -> Episode:
    step = Step(action="환불 요청", tools=("고객 조회", *(f"tool {place}" for place in range(tools - 1))))
    return Episode(id="tools", goal="g", outcome="failure", steps=(step, Step(action="닫기")))


def titles(patterns: PatternsService) -> dict[str, Any]:
    found = [one for tier in get_args(Tier) for one in patterns.list(tier=tier, limit=10_000)]
    return {one.title: set(one.episodes) for one in found}


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> tuple[PatternsService, MiningReport, dict[str, Any]]:
    """The patterns with the hard episodes, the report of the run, and the patterns without them."""
    workspace = desk(tmp_path_factory.mktemp("hard")).workspace()
    episodes, patterns = EpisodesService(workspace), PatternsService(workspace)
    episodes.add_many(usual(number) for number in range(20))
    patterns.mine()
    before = titles(patterns)
    episodes.add_many([long(), repeating(), many_tools()])
    return patterns, patterns.mine(time_budget_seconds=BUDGET_SECONDS), before


def test_all_is_searched_and_what_was_capped_is_said(mined: Any) -> None:
    _, report, _ = mined
    assert report.episodes == 23
    assert report.incomplete is None
    assert report.to_dict()["capped"] == report.capped == 1


def test_the_patterns_of_the_others_stay(mined: Any) -> None:
    patterns, _, before = mined
    after = titles(patterns)
    assert before
    for title, episodes in before.items():
        assert episodes <= after[title]


def test_the_hard_episodes_count_where_a_pattern_occurs_in_them(mined: Any) -> None:
    patterns, _, _ = mined
    after = titles(patterns)
    assert any("long" in episodes for episodes in after.values())
    assert any("repeating" in episodes for episodes in after.values())
    assert any("tools" in episodes for episodes in after.values())


def test_partitions_find_the_same(mined: Any) -> None:
    patterns, report, _ = mined
    again = patterns.mine(partitions=3)
    assert (again.patterns, again.added, again.removed, again.capped) == (report.patterns, 0, 0, report.capped)


def test_episodes_that_share_hundreds_of_tools_are_mined_and_what_is_left_out_is_said(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    workspace = desk(tmp_path_factory.mktemp("tools")).workspace()
    EpisodesService(workspace).add_many(
        many_tools().model_copy(update={"id": f"tools-{number}"}) for number in range(3)
    )
    patterns = PatternsService(workspace)
    report = patterns.mine()
    assert report.patterns == 1_000
    assert report.set_aside.alike == 125_250 - 1_000
    run = patterns.last_run()
    assert run is not None
    assert run.counts["set_aside"] == {"alike": report.set_aside.alike, "beyond": 0}
