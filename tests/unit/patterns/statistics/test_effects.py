"""Rates, differences and intervals against published values, worked examples and explicit loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.models.proportions import Z, wilson_interval
from graphmem.patterns.statistics.effects import (
    effective_size,
    risk_difference,
    success_rate,
)
from graphmem.patterns.statistics.strata import FAILURE, PARTIAL, SUCCESS
from outcome_panels import panels, tables_panel

TABLES = st.lists(st.tuples(*(st.integers(0, 6) for _ in range(4))), min_size=1, max_size=5)
"""Strata: successes with, others with, successes without, others without."""


@pytest.mark.parametrize(
    ("successes", "size", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_those_published_by_newcombe(
    successes: int, size: int, low: float, high: float
) -> None:
    assert wilson_interval(successes / size, size) == pytest.approx((low, high), abs=0.00006)


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_lies_within_bounds_around_the_rate(successes: int, more: int) -> None:
    size = successes + more
    low, high = wilson_interval(successes / size, size)
    assert 0 <= low <= successes / size <= high <= 1


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=40))
def test_episodes_are_worth_at_least_their_tasks_and_at_most_themselves(episodes: list[tuple[bool, int]]) -> None:
    successes = np.array([one for one, _ in episodes])
    units = np.array([unit for _, unit in episodes])
    assert len(set(units.tolist())) <= effective_size(successes, units) <= len(episodes)


def test_trials_that_end_alike_are_worth_their_tasks_alone() -> None:
    successes = np.repeat([True, False, True, True, False], 4)
    assert effective_size(successes, np.repeat(np.arange(5), 4)) == 5


def test_trials_that_end_independently_are_worth_nearly_all() -> None:
    chance = np.random.default_rng(3)
    sizes = [effective_size(chance.random(200) < 0.5, np.repeat(np.arange(50), 4)) for _ in range(50)]
    assert 150 < float(np.mean(sizes)) <= 200


def test_the_interval_of_a_rate_widens_where_tasks_repeat() -> None:
    tables = [(4, 0, 0, 0), (0, 4, 0, 0), (4, 0, 0, 0), (4, 0, 0, 0)]
    panel, held = tables_panel(tables)
    rate, (low, high) = success_rate(panel, held)
    assert rate == 0.75
    assert (low, high) == pytest.approx(wilson_interval(0.75, 4))


def looped(tables: list[tuple[int, int, int, int]]) -> tuple[float, float] | None:
    """Mantel-Haenszel risk difference with Sato's variance, stratum by stratum as the papers write it."""
    numerator = weight = p = q = 0.0
    telling = False
    for a, b, c, d in tables:
        n1, n0 = a + b, c + d
        n = n1 + n0
        if not n1 or not n0:
            continue
        telling = telling or (0 < a + c < n)
        numerator += (a * n0 - c * n1) / n
        weight += n1 * n0 / n
        p += (n1 * n1 * c - n0 * n0 * a + n1 * n0 * (n0 - n1) / 2) / n**2
        q += (a * (n0 - c) + c * (n1 - a)) / (2 * n)
    if not telling:
        return None
    difference = numerator / weight
    return difference, math.sqrt(max(0.0, difference * p + q)) / weight


@given(TABLES)
def test_the_risk_difference_is_that_of_an_explicit_loop(tables: list[tuple[int, int, int, int]]) -> None:
    panel, held = tables_panel(tables)
    found, expected = risk_difference(panel, held), looped(tables)
    if expected is None or found is None:
        assert found is None
        assert expected is None
        return
    difference, error = expected
    assert found.difference == pytest.approx(difference)
    assert found.interval == pytest.approx(
        (max(-1, difference - Z * error), min(1, difference + Z * error)), abs=1e-9
    )
    assert found.informative == sum(a + b > 0 and c + d > 0 and 0 < a + c < a + b + c + d for a, b, c, d in tables)


def test_the_risk_difference_of_two_strata_worked_by_hand() -> None:
    panel, held = tables_panel([(3, 1, 1, 3), (2, 0, 1, 1)])
    found = risk_difference(panel, held)
    assert found is not None
    # weights 4*4/8 = 2 and 2*2/4 = 1; (3*4 - 1*4)/8 = 1 and (2*2 - 1*2)/4 = 1/2; 1.5 / 3
    assert found.difference == pytest.approx(0.5)
    # P: (16 - 48)/64 = -1/2 and (4 - 8)/16 = -1/4; Q: (3*3 + 1*1)/16 = 5/8 and (2*1 + 1*0)/8 = 1/4
    error = math.sqrt(0.5 * -0.75 + 0.875) / 3
    assert found.interval == pytest.approx((0.5 - Z * error, min(1.0, 0.5 + Z * error)))
    assert (found.informative, found.weight) == (2, 3)


def test_partial_is_no_success_in_a_difference() -> None:
    outcomes = [SUCCESS, PARTIAL, FAILURE, SUCCESS]
    panel = panels(outcomes, strata=[0] * 4)
    found = risk_difference(panel, np.array([0, 1]))
    assert found is not None
    assert found.difference == 0.0


def test_two_sides_can_be_compared_without_the_rest() -> None:
    panel = panels([SUCCESS, SUCCESS, FAILURE, FAILURE, SUCCESS], strata=[0, 0, 0, 0, 1])
    found = risk_difference(panel, np.array([0, 1]), np.array([2, 3]))
    assert found is not None
    assert found.difference == 1.0
    assert risk_difference(panel, np.array([0]), np.array([4])) is None
    assert risk_difference(panel, np.array([], np.int64)) is None


def test_what_is_compared_within_says_task_only_where_all_strata_are_tasks() -> None:
    tables = [(1, 0, 0, 1), (0, 1, 1, 0)]
    panel, held = tables_panel(tables, by_task=[True, True])
    within_tasks = risk_difference(panel, held)
    panel, held = tables_panel(tables, by_task=[True, False])
    mixed = risk_difference(panel, held)
    assert within_tasks is not None
    assert mixed is not None
    assert (within_tasks.by_task, mixed.by_task) == (True, False)
