"""What mining claims over a real store: tiers, replication by later episodes, looks, untouched evidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.graph.records import NodeRef
from graphmem.models.episode import Episode, Step
from graphmem.models.pattern import Pattern
from graphmem.patterns.service import PatternsService
from graphmem.ports.workspace import Workspace
from workspaces import Desk, desk

GOOD, BAD = ("본인 확인", "환불"), ("재시도", "재시도 2")


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    made = desk(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def workspace(at_hand: Desk) -> Workspace:
    return at_hand.workspace()


def episode(name: str, actions: tuple[str, ...], outcome: str, **fields: Any) -> Episode:
    """An episode that begins and ends in its own way, about one thing."""
    steps = (Step(action=f"시작 {name}"), *(Step(action=action) for action in actions), Step(action=f"끝 {name}"))
    return Episode(
        **{"id": name, "goal": "주문", "outcome": outcome, "steps": steps, "domain": "쇼핑몰", **fields}
    )


def either_way(name: str, number: int, **fields: Any) -> Episode:
    """An episode without anything to find, every second one a success."""
    return episode(name, ("조회", "안내"), "success" if number % 2 else "failure", task=name, **fields)


def store(workspace: Workspace, name: str, good: str, bad: str, rest: str) -> None:
    """Episodes with the good and the bad way and with neither, by first letters of their outcomes."""
    outcomes = {"s": "success", "f": "failure", "p": "partial", "u": "unknown"}
    EpisodesService(workspace).add_many(
        episode(f"{name}-{kind}-{number:02}", actions, outcomes[one], task=f"{name}-{kind}-{number}")
        for kind, actions, ended in (
            ("good", GOOD, good),
            ("bad", BAD, bad),
            ("rest", ("조회", "안내"), rest[: len(rest) // 2]),
            ("other", ("배송", "확인"), rest[len(rest) // 2 :]),
        )
        for number, one in enumerate(ended)
    )


def found(patterns: PatternsService, *actions: str) -> Pattern:
    every = [
        one for tier in ("replicated", "significant", "recurrent", "candidate") for one in patterns.list(tier=tier)
    ]
    (pattern,) = [one for one in every if {node.label for node in one.nodes} == set(actions)]
    return pattern


def first_look(workspace: Workspace) -> PatternsService:
    store(workspace, "a", "s" * 14 + "f", "f" * 14 + "s", "sf" * 20)
    patterns = PatternsService(workspace)
    report = patterns.mine()
    assert (report.look, report.tiers["significant"]) == (1, 2)
    return patterns


def test_a_discovery_says_since_when_and_nothing_later_yet(workspace: Workspace) -> None:
    patterns = first_look(workspace)
    good, bad = found(patterns, *GOOD), found(patterns, *BAD)
    assert (good.tier, good.polarity, bad.tier, bad.polarity) == (
        "significant",
        "positive",
        "significant",
        "negative",
    )
    assert good.replication is not None
    assert (good.replication.episodes, good.replication.p, good.replication.direction) == (0, None, "positive")
    assert found(patterns, "조회", "안내").replication is None


def test_later_episodes_that_say_the_same_replicate_a_pattern(at_hand: Desk, workspace: Workspace) -> None:
    patterns = first_look(workspace)
    since = found(patterns, *GOOD).replication
    at_hand.clock.advance(days=1)
    store(workspace, "b", "sssss", "ffff", "sf" * 8)
    report = patterns.mine()
    good, bad = found(patterns, *GOOD), found(patterns, *BAD)
    assert report.look == 2
    assert report.tiers["replicated"] == 1
    assert (good.tier, good.polarity) == ("replicated", "positive")
    assert good.replication is not None
    assert since is not None
    assert (good.replication.since, good.replication.episodes, good.replication.successes) == (since.since, 5, 5)
    assert good.recommendation is not None
    assert bad.tier == "significant", "four later episodes are too few"
    assert bad.replication is not None
    assert bad.replication.episodes == 4


def test_later_episodes_that_say_the_opposite_replicate_nothing(at_hand: Desk, workspace: Workspace) -> None:
    patterns = first_look(workspace)
    at_hand.clock.advance(days=1)
    store(workspace, "b", "fffff", "", "sf" * 8)
    patterns.mine()
    good = found(patterns, *GOOD)
    assert good.tier != "replicated"
    assert good.replication is not None
    assert (good.replication.episodes, good.replication.successes) == (5, 0)
    assert good.replication.p is not None
    assert good.replication.p > 0.5


def test_a_replication_is_kept_while_nothing_changes(at_hand: Desk, workspace: Workspace) -> None:
    patterns = first_look(workspace)
    at_hand.clock.advance(days=1)
    store(workspace, "b", "sssss", "fffff", "sf" * 8)
    patterns.mine()
    before = found(patterns, *GOOD)
    at_hand.clock.advance(days=1)
    report = patterns.mine()
    assert (report.look, report.added, report.removed) == (3, 0, 0)
    assert found(patterns, *GOOD) == before


def test_each_scope_counts_its_own_looks(workspace: Workspace) -> None:
    patterns = first_look(workspace)
    assert patterns.mine(domain="쇼핑몰").look == 1
    assert patterns.mine(domain="쇼핑몰").look == 2
    assert patterns.mine().look == 2


def evidence(workspace: Workspace, pattern: Pattern) -> dict[str, Any]:
    edges = workspace.graph.edges([NodeRef("Pattern", pattern.id)], ["EVIDENCED_BY"])
    return {edge.target.id: edge.properties["created_at"] for edge in edges}


def test_evidence_that_is_there_already_keeps_its_date(at_hand: Desk, workspace: Workspace) -> None:
    patterns = first_look(workspace)
    begun = at_hand.clock.now
    before = evidence(workspace, found(patterns, *GOOD))
    at_hand.clock.advance(days=1)
    store(workspace, "b", "sssss", "", "")
    patterns.mine()
    after = evidence(workspace, found(patterns, *GOOD))
    assert len(after) == 20
    assert set(before.values()) == {begun}
    assert {name: after[name] for name in before} == before
    assert {date for name, date in after.items() if name not in before} == {at_hand.clock.now}


def test_steps_that_fix_are_marked_as_known_with_hindsight(workspace: Workspace) -> None:
    EpisodesService(workspace).add_many(
        Episode(
            id=f"e{number}",
            goal="g",
            task=f"t{number}",
            outcome="success",
            steps=(Step(action="호출", errors=("시간 초과",)), Step(action="풀 늘리기", fixes=("시간 초과",))),
        )
        for number in range(4)
    )
    patterns = PatternsService(workspace)
    patterns.mine()
    marked = {any(kind == "FIXED" for _, _, kind in one.edges): one.hindsight for one in patterns.list()}
    assert marked[True]
    assert not marked.get(False, False)


def test_steps_in_which_failures_end_are_late_and_recommend_nothing(workspace: Workspace) -> None:
    EpisodesService(workspace).add_many(
        Episode(
            id=f"e{number:02}",
            goal="g",
            task=f"t{number}",
            domain="주문",
            outcome="failure" if number % 2 else "success",
            steps=tuple(Step(action=f"일 {number}-{place}") for place in range(12))
            + ((Step(action="정리"), Step(action="넘기기")) if number % 2 else (Step(action=f"끝 {number}"),)),
        )
        for number in range(40)
    )
    patterns = PatternsService(workspace)
    patterns.mine()
    late = found(patterns, "정리", "넘기기")
    assert (late.tier, late.polarity, late.late) == ("significant", "negative", True)
    assert late.position is not None
    assert late.position >= 0.8
    assert late.recommendation is None


def test_a_pattern_of_one_user_among_several_recommends_nothing(at_hand: Desk) -> None:
    for user, good, rest in (("mina", 16, 16), ("joon", 0, 30)):
        EpisodesService(at_hand.workspace(user=user)).add_many(
            [
                *(
                    episode(f"{user}-good-{number}", GOOD, "success", task=f"{user}-{number}")
                    for number in range(good)
                ),
                *(either_way(f"{user}-rest-{number}", number) for number in range(rest)),
            ]
        )
    patterns = PatternsService(at_hand.workspace(user="mina"))
    patterns.mine()
    good_way = found(patterns, *GOOD)
    assert (good_way.tier, good_way.single_user, good_way.users) == ("significant", True, 1)
    assert good_way.recommendation is None


def test_a_recommendation_names_its_contrast(workspace: Workspace) -> None:
    def told(name: str, actions: tuple[str, ...], outcome: str) -> Episode:
        first = Step(action=actions[0], errors=("한도 초과",))
        rest = tuple(Step(action=action) for action in actions[1:])
        steps = (Step(action=f"시작 {name}"), first, *rest, Step(action=f"끝 {name}"))
        return Episode(id=name, goal="g", task=name, domain="결제", outcome=outcome, steps=steps)

    EpisodesService(workspace).add_many(
        [
            *(told(f"bad{number:02}", BAD, "failure" if number else "success") for number in range(15)),
            *(
                told(f"good{number:02}", ("대기", "다시 결제"), "success" if number else "failure")
                for number in range(15)
            ),
            *(either_way(f"rest{number:02}", number, domain="결제") for number in range(40)),
        ]
    )
    patterns = PatternsService(workspace)
    patterns.mine()
    bad = found(patterns, *BAD, "한도 초과")
    assert bad.polarity == "negative"
    assert bad.contrast is not None
    assert "대기" in bad.contrast.title
    assert bad.contrast.risk_difference == pytest.approx(14 / 15 - 1 / 15, abs=1e-6)
    assert bad.recommendation is not None
    assert bad.contrast.title in bad.recommendation
    assert bad.recommendation.startswith("Went with failure, success in 1 of 15 episodes: avoid 재시도 → 재시도 2")
