"""Whether later episodes say the same: an exact test, and which episodes count as later."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, product
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from graphmem.models.pattern import Polarity, Replication
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.replication import look_again, one_sided_p, replicated
from graphmem.patterns.statistics.strata import FAILURE, PARTIAL, SUCCESS, OutcomePanel
from made_motifs import run
from outcome_panels import panels, tables_panel

SINCE = datetime(2026, 3, 1, tzinfo=UTC)
COUNTS = st.integers(0, 7)


def mask(panel: OutcomePanel, held: Sequence[int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.isin(np.arange(len(panel)), held)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_in_one_stratum_the_p_is_that_of_fishers_exact_test(a: int, b: int, c: int, d: int) -> None:
    panel, held = tables_panel([(a, b, c, d)])
    cases: list[tuple[Polarity, Literal["greater", "less"]]] = [("positive", "greater"), ("negative", "less")]
    for direction, side in cases:
        expected = fisher_exact(np.array([[a, b], [c, d]]), alternative=side).pvalue if a + b else 1.0
        assert one_sided_p(panel, mask(panel, held.tolist()), direction) == pytest.approx(expected)


def enumerated(panel: OutcomePanel, held: Sequence[int], wanted: int) -> float:
    """Over all choices of as many episodes in each stratum: how many have at least so many of the outcome."""
    observed = sum(panel.outcome[place] == wanted for place in held)
    choices = []
    for stratum in np.unique(panel.stratum).tolist():
        inside = np.flatnonzero(panel.stratum == stratum).tolist()
        choices.append(list(combinations(inside, len(set(inside) & set(held)))))
    counts = [
        sum(panel.outcome[place] == wanted for part in chosen for place in part) for chosen in product(*choices)
    ]
    return sum(bool(count >= observed) for count in counts) / len(counts)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([SUCCESS, PARTIAL, FAILURE]), st.integers(0, 1), st.booleans()),
        min_size=1,
        max_size=12,
    )
)
def test_in_several_strata_the_p_is_that_of_all_choices(episodes: list[tuple[int, int, bool]]) -> None:
    panel = panels([one[0] for one in episodes], [one[1] for one in episodes])
    held = [place for place, one in enumerate(episodes) if one[2]]
    for direction, wanted in (("positive", SUCCESS), ("negative", FAILURE)):
        p = one_sided_p(panel, mask(panel, held), direction)  # type: ignore[arg-type]
        assert p == pytest.approx(enumerated(panel, held, wanted))


def episodes(held: str, others: str, **fields: Any) -> tuple[list[EpisodeGraph], list[str]]:
    """Later episodes by first letters of their outcomes; ids of those with the pattern."""
    names = {"s": "success", "f": "failure", "p": "partial", "u": "unknown"}
    later = {"recorded_at": SINCE + timedelta(days=1), **fields}
    graphs = [run(number, names[one], **later) for number, one in enumerate(held + others)]
    random.Random(2).shuffle(graphs)
    return graphs, [run(number, None).episode for number in range(len(held))]


def looked(held: str, others: str, direction: Polarity = "positive", **fields: Any) -> Replication:
    graphs, ids = episodes(held, others, **fields)
    return look_again(Replication(since=SINCE, direction=direction), ids, graphs, MiningPolicy())


@pytest.mark.parametrize(
    ("held", "others", "direction", "holds"),
    [
        ("sssss", "fffffff", "positive", True),
        ("fffff", "sssssss", "negative", True),
        ("ssss", "fffffff", "positive", False),
        ("fffff", "sssssss", "positive", False),
        ("sssss", "sssssss", "positive", False),
        ("ppppp", "sssssss", "negative", False),
        ("ppppp", "fffffff", "positive", False),
        ("ssssu", "fffffff", "positive", False),
        ("sssss", "", "positive", False),
        ("", "sfsf", "positive", False),
    ],
)
def test_a_direction_is_replicated_by_five_later_episodes_that_say_it(
    held: str, others: str, direction: Polarity, holds: bool
) -> None:
    assert replicated(looked(held, others, direction)) is holds


def test_what_later_episodes_say_is_counted() -> None:
    found = looked("sssffu", "sfsfuu")
    assert (found.episodes, found.successes, found.since, found.direction) == (5, 3, SINCE, "positive")
    assert looked("", "sf").p is None


@pytest.mark.parametrize("recorded", [None, SINCE, SINCE - timedelta(seconds=1)])
def test_what_was_there_at_the_discovery_is_not_later(recorded: datetime | None) -> None:
    found = looked("sssss", "fffffff", recorded_at=recorded)
    assert (found.episodes, found.p) == (0, None)


def test_the_times_an_episode_tells_of_itself_make_it_no_later() -> None:
    old, new = SINCE - timedelta(days=9), SINCE + timedelta(days=9)
    assert looked("sssss", "fffffff", recorded_at=old, started_at=new).episodes == 0
    assert looked("sssss", "fffffff", started_at=old).episodes == 5


def test_later_episodes_are_compared_within_their_tasks() -> None:
    graphs, ids = episodes("ssssss", "ffffff")
    easy = [replace(one, unit=f"task:{one.episode in ids}") for one in graphs]
    discovery = Replication(since=SINCE, direction="positive")
    assert look_again(discovery, ids, easy, MiningPolicy()).p == 1.0
    assert replicated(look_again(discovery, ids, easy, MiningPolicy(task_strata=False)))
