"""Patterns in use: a running episode is told what comes next, variants are compared, notebooks get tables."""

from __future__ import annotations

import builtins
import random
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

import graphmem
from graphmem.models.comparison import PatternChange, VariantComparison

OpenMemory = Callable[..., graphmem.GraphMemory]
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def refund(number: int, variant: str, *, asks: bool, wins: bool, **fields: Any) -> graphmem.Episode:
    """One refund: the identity is confirmed first, or that is skipped."""
    steps = [
        {"action": "조회", "tools": ["주문"], "concepts": ["Refrigerator"]},
        {"action": "확인" if asks else "건너뜀"},
        {"action": "환불" if asks else "거절", "tools": ["창구" if asks else "우편"]},
    ]
    given = {"goal": "g", "task": f"t{number % 20}", "domain": "쇼핑", "started_at": DAY + timedelta(hours=number)}
    ended = "success" if wins else "failure"
    return graphmem.Episode(
        **{"id": f"e{number:03}", "variant": variant, "outcome": ended, **given, **fields}, steps=tuple(steps)
    )


def history(count: int = 120) -> list[graphmem.Episode]:
    """v1 confirms now and then, v2 mostly; confirming goes with success in both, every task is run by both."""
    rng = random.Random(4)
    runs = []
    for number in range(count):
        variant = ("v1", "v2")[number // 20 % 2]
        asks = rng.random() < (0.25 if variant == "v1" else 0.75)
        runs.append(refund(number, variant, asks=asks, wins=rng.random() < (0.9 if asks else 0.15)))
    return runs


@pytest.fixture
def mined(memory: graphmem.GraphMemory) -> graphmem.GraphMemory:
    memory.concepts.relate("Refrigerator", "is_a", "가전")
    memory.episodes.add_many(history())
    assert memory.patterns.mine().tiers.get("significant", 0) > 0
    return memory


def told(memory: graphmem.GraphMemory, steps: Any) -> dict[str, Any]:
    return {entered.pattern.title: entered for entered in memory.patterns.match(steps)}


def test_a_running_episode_is_told_what_comes_next_and_how_it_ended(mined: graphmem.GraphMemory) -> None:
    running: list[Any] = [{"action": unicodedata.normalize("NFD", "조회"), "tools": ["주문"]}, "건너뜀"]
    found = mined.patterns.match(running)
    assert found
    assert {one.pattern.tier for one in found} <= {"significant", "replicated"}
    negative = [one for one in found if one.polarity == "negative" and not one.is_complete]
    assert negative
    assert "거절" in {node.label for one in negative for node in one.coming}
    assert all(one.success_rate is not None and one.success_rate < 0.5 for one in negative)
    assert not [one for one in found if any(node.label == "확인" for node in one.pattern.nodes)]
    assert [one.pattern.id for one in mined.patterns.match(running)] == [one.pattern.id for one in found]
    assert mined.patterns.match([]) == ()
    assert mined.patterns.match(["인사"]) == ()


def test_steps_may_come_as_models_an_episode_a_recorder_or_an_id(mined: graphmem.GraphMemory) -> None:
    steps = [graphmem.Step(action="조회", tools=("주문",)), graphmem.Step(action="확인")]
    expected = told(mined, steps).keys()
    assert expected
    assert told(mined, graphmem.Episode(id="x", goal="g", steps=tuple(steps))).keys() == expected
    with mined.episodes.record(goal="g", id="live") as run:
        run.step("조회", tools=["주문"])
        run.step("확인")
        assert told(mined, run).keys() == expected
        assert told(mined, "live").keys() == expected
        run.step("환불", tools=["창구"])
        assert any(one.is_complete and "환불" in title for title, one in told(mined, run).items())
        run.succeed()
    assert told(mined, "live").keys() >= expected


@pytest.mark.parametrize("steps", [[1], {"action": "a"}, 3, [{"tools": ["x"]}], [""], "no such id", ["\u200b"]])
def test_steps_that_are_none_are_refused(mined: graphmem.GraphMemory, steps: Any) -> None:
    with pytest.raises((graphmem.InvalidInputError, graphmem.NotFoundError)):
        mined.patterns.match(steps)


def changes(found: VariantComparison) -> dict[str, PatternChange]:
    return {change.title: change for change in found.patterns}


def test_two_variants_are_compared_within_the_tasks_that_both_ran(mined: graphmem.GraphMemory) -> None:
    found = mined.patterns.compare("v1", "v2")
    assert (found.first.variant, found.first.episodes, found.second.episodes) == ("v1", 60, 60)
    assert found.success.within is not None
    assert (found.success.within.by, found.success.within.tasks) == ("task", 20)
    rates = (found.first.success_rate, found.second.success_rate)
    assert rates[0] is not None
    assert rates[1] is not None
    assert found.success.difference == pytest.approx(rates[1] - rates[0], abs=1e-5)  # every task three times each
    assert found.success.p is not None
    assert found.success.p < 0.05
    more = [change for change in found.patterns if change.changed]
    assert more
    assert {change.frequency.difference > 0 for change in more if change.frequency.difference} == {True, False}
    for change in found.patterns:
        assert change.effect is None or change.effect.p > 0.05
        ids = mined.patterns.get(change.pattern).episodes
        assert change.frequency.first + change.frequency.second == len(ids)
    turned = mined.patterns.compare("v2", "v1")
    assert found.success.difference is not None
    assert turned.success.difference == pytest.approx(-found.success.difference)
    assert {one.title for one in turned.patterns if one.changed} == {one.title for one in more}


def test_episodes_since_mining_and_unknown_outcomes_count_in_frequencies(mined: graphmem.GraphMemory) -> None:
    before = changes(mined.patterns.compare("v1", "v2"))
    mined.episodes.add_many(refund(500 + n, "v2", asks=True, wins=True, outcome="unknown") for n in range(4))
    found = mined.patterns.compare("v1", "v2")
    assert found.second.outcomes.unknown == 4
    after = changes(found)
    title = next(title for title in before if "확인" in title)
    assert after[title].frequency.second == before[title].frequency.second + 4
    assert after[title].frequency.first == before[title].frequency.first


def test_a_variant_may_be_a_flat_map(memory: graphmem.GraphMemory) -> None:
    maps = [{"model": "가람", "prompt": 1}, {"model": "가람", "prompt": 2}]
    memory.episodes.add_many(
        graphmem.Episode(
            id=f"{n}-{k}", goal="g", variant=one, task="t", outcome=("failure", "success")[(n + k) % 2]
        )
        for k, one in enumerate(maps)
        for n in range(4)
    )
    found = memory.patterns.compare(*maps)
    assert found.first.variant == '{"model":"가람","prompt":1}'
    assert (found.success.difference, found.patterns) == (0, ())


def test_what_cannot_be_compared_names_the_variants_there_are(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(refund(n, "v1", asks=True, wins=True) for n in range(4))
    memory.episodes.add_many(refund(10 + n, "나", asks=True, wins=True) for n in range(2))
    with pytest.raises(graphmem.InvalidInputError, match=r"'나' has 2 closed episodes.*'v1' \(4\), '나' \(2\)"):
        memory.patterns.compare("v1", "나")
    with pytest.raises(graphmem.InvalidInputError, match="'v9' has 0 closed episodes"):
        memory.patterns.compare("v9", "v1")
    with pytest.raises(graphmem.InvalidInputError, match="itself"):
        memory.patterns.compare("v1", "v1")


def test_a_user_compares_and_counts_only_episodes_of_their_own(open_memory: OpenMemory) -> None:
    for user, wins in (("ada", True), ("서연", False)):
        open_memory(user=user).episodes.add_many(
            refund(n, ("v1", "v2")[n % 2], asks=True, wins=wins, id=f"{user}-{n}") for n in range(8)
        )
    assert open_memory().patterns.compare("v1", "v2").first.episodes == 8
    assert open_memory(user="ada").patterns.compare("v1", "v2").first.outcomes.failure == 0
    open_memory().patterns.mine()
    own = open_memory(user="서연").patterns.matrix()
    assert set(own.user) == {"서연"}
    assert len(own.episodes) == 8
    with pytest.raises(graphmem.NotFoundError):
        open_memory(user="서연").patterns.match("ada-0")


def test_the_matrix_holds_what_the_evidence_says(mined: graphmem.GraphMemory) -> None:
    matrix = mined.patterns.matrix()
    assert matrix.episodes == tuple(sorted(matrix.episodes))
    assert len(matrix.episodes) == 120
    assert matrix.holds.shape == (120, len(matrix.patterns))
    assert matrix.holds.dtype == np.bool_
    dense = matrix.holds.toarray()
    for column, name in enumerate(matrix.patterns):
        held = [matrix.episodes[row] for row in np.flatnonzero(dense[:, column])]
        assert tuple(held) == mined.patterns.get(name).episodes
    first = mined.episodes.get("e000")
    assert (matrix.outcome[0], matrix.domain[0], matrix.task[0], matrix.variant[0]) == (
        first.outcome,
        "쇼핑",
        "t0",
        "v1",
    )
    assert matrix.stratum[0] == "task:t0 variant:v1"
    chosen = mined.patterns.matrix(about="가전", polarity="negative")
    assert set(chosen.patterns) < set(matrix.patterns)


def test_the_matrix_of_the_samples_holds_every_pattern_where_its_evidence_is(
    sampled: graphmem.GraphMemory,
) -> None:
    sampled.consolidate()
    sampled.patterns.mine()
    matrix = sampled.patterns.matrix()
    assert len(matrix.patterns) > 20
    dense = matrix.holds.toarray()
    for column, name in enumerate(matrix.patterns):
        held = tuple(matrix.episodes[row] for row in np.flatnonzero(dense[:, column]))
        assert held == sampled.patterns.get(name).episodes


def test_tables_have_a_row_a_pattern_and_a_row_an_episode(mined: graphmem.GraphMemory) -> None:
    patterns = mined.patterns.to_frame()
    assert list(patterns["id"]) == [pattern.id for pattern in mined.patterns.list(limit=1000)]
    assert (patterns["success"] + patterns["failure"] == patterns["support"]).all()
    assert len(mined.patterns.to_frame(polarity="negative")) == (patterns["polarity"] == "negative").sum()
    episodes = mined.patterns.matrix().to_frame()
    assert list(episodes.columns[:7]) == ["episode", "outcome", "stratum", "domain", "task", "variant", "user"]
    by_id = patterns.set_index("id")["support"]
    assert (episodes[list(by_id.index)].sum() == by_id).all()


def test_a_tenant_without_patterns_has_empty_tables(memory: graphmem.GraphMemory) -> None:
    memory.remember("something")
    assert memory.patterns.to_frame().empty
    assert memory.patterns.matrix().to_frame().empty
    assert memory.patterns.match(["a", "b"]) == ()
    memory.episodes.add(refund(1, "v1", asks=True, wins=True))
    assert memory.patterns.matrix().to_frame().shape == (1, 7)


def test_without_pandas_a_table_says_what_to_install(
    mined: graphmem.GraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert mined.patterns.matrix().patterns
    for call in (mined.patterns.to_frame, mined.patterns.matrix().to_frame):
        with pytest.raises(graphmem.GraphMemError, match=r"graphmem\[frames\]"):
            call()


def test_tables_hold_all_patterns_and_say_so_when_asked_for_a_page(mined: graphmem.GraphMemory) -> None:
    for taken in (mined.patterns.matrix, mined.patterns.to_frame):
        with pytest.raises(graphmem.InvalidInputError, match="limit is of `list` alone"):
            taken(limit=3)
