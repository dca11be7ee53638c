"""Adjusted p against plain loops, scipy, and the step-down procedure as text books write it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import false_discovery_control

from graphmem.patterns.statistics.adjustment import StepDownMaxima, benjamini_hochberg

P = st.floats(0.0, 1.0) | st.sampled_from([0.0, 0.01, 0.05, 1.0])


def by_hand(p: list[float]) -> list[float]:
    """For each test the least of m p(k) / k over all ranks k at or above its own."""
    ranked = sorted(p)
    return [
        min([1.0, *(other * len(p) / rank for rank, other in enumerate(ranked, 1) if other >= own)]) for own in p
    ]


@given(st.lists(P, max_size=30))
def test_false_discovery_rates_are_those_of_a_plain_loop_and_of_scipy(p: list[float]) -> None:
    q = benjamini_hochberg(np.array(p))
    assert q.tolist() == pytest.approx(by_hand(p))
    if p:
        assert q.tolist() == pytest.approx(false_discovery_control(p, method="bh").tolist())


def test_the_example_of_the_textbooks() -> None:
    q = benjamini_hochberg(np.array([0.005, 0.009, 0.05, 0.5]))
    assert q.tolist() == pytest.approx([0.018, 0.018, 0.2 / 3, 0.5])


def step_down(observed: list[float], permuted: NDArray[np.float64]) -> list[float]:
    """Westfall and Young 1993, algorithm 4.1: one loop over tests and permutations."""
    order = sorted(range(len(observed)), key=lambda test: -observed[test])
    p: dict[int, float] = {}
    largest = 0.0
    for place, test in enumerate(order):
        rest = order[place:]
        reached = sum(
            max(permuted[other, run] for other in rest) >= observed[test] for run in range(permuted.shape[1])
        )
        largest = max(largest, (1 + reached) / (1 + permuted.shape[1]))
        p[test] = largest
    return [p[test] for test in range(len(observed))]


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 40), st.integers(1, 3))
def test_the_step_down_maximum_is_that_of_the_textbook(seed: int, tests: int, runs: int, parts: int) -> None:
    chance = np.random.default_rng(seed)
    observed = chance.integers(0, 6, tests) / 2
    permuted = chance.integers(0, 6, (tests, runs)) / 2
    maxima = StepDownMaxima(observed)
    for part in np.array_split(permuted, parts, axis=1):
        maxima.add(part)
    assert maxima.adjusted().tolist() == pytest.approx(step_down(observed.tolist(), permuted))


@given(st.integers(0, 10_000), st.integers(2, 8))
def test_a_larger_statistic_never_has_the_larger_p(seed: int, tests: int) -> None:
    chance = np.random.default_rng(seed)
    observed = np.abs(chance.normal(size=tests))
    maxima = StepDownMaxima(observed)
    maxima.add(np.abs(chance.normal(size=(tests, 30))))
    p = maxima.adjusted()[np.argsort(-observed)]
    assert np.all(np.diff(p) >= 0)
    assert np.all((p >= 1 / 31) & (p <= 1))


@given(st.integers(0, 10_000), st.integers(2, 8))
def test_the_order_of_tests_changes_nothing(seed: int, tests: int) -> None:
    chance = np.random.default_rng(seed)
    observed, permuted = np.abs(chance.normal(size=tests)), np.abs(chance.normal(size=(tests, 30)))
    order = chance.permutation(tests)
    one, other = StepDownMaxima(observed), StepDownMaxima(observed[order])
    one.add(permuted)
    other.add(permuted[order])
    assert one.adjusted()[order].tolist() == other.adjusted().tolist()
    assert one.critical(0.05) == other.critical(0.05)


def test_the_chance_of_any_false_claim_is_the_level() -> None:
    chance = np.random.default_rng(1)
    wrong = 0
    for _ in range(400):
        maxima = StepDownMaxima(np.abs(chance.normal(size=5)))
        maxima.add(np.abs(chance.normal(size=(5, 99))))
        wrong += bool(np.any(maxima.adjusted() <= 0.05))
    assert 8 <= wrong <= 34


def test_a_permutation_that_repeats_the_data_counts_although_it_was_rounded() -> None:
    maxima = StepDownMaxima(np.array([0.1 + 0.2]))
    maxima.add(np.array([[0.3]]))
    assert maxima.adjusted().tolist() == [1.0]


def test_without_permutations_nothing_is_significant() -> None:
    assert StepDownMaxima(np.array([9.0])).adjusted().tolist() == [1.0]
    assert StepDownMaxima(np.array([9.0])).critical(0.05) == np.inf
