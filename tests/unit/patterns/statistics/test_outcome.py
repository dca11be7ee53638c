"""The outcome test against loops over strata and against every permutation there is."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmem.patterns.statistics import outcome as module
from graphmem.patterns.statistics.outcome import OutcomeTests, examine_outcomes, informative_episodes
from graphmem.patterns.statistics.strata import FAILURE, PARTIAL, SUCCESS, OutcomePanel
from outcome_panels import panels


def membership(rows: list[list[int]], episodes: int) -> csr_array:
    table = np.zeros((len(rows), episodes))
    for row, places in enumerate(rows):
        table[row, places] = 1
    return csr_array(table)


def examined(rows: list[list[int]], panel: OutcomePanel, runs: int = 199, seed: int = 0) -> OutcomeTests:
    return examine_outcomes(membership(rows, len(panel)), panel, permutations=runs, seed=seed, significance=0.05)


def looped(held: list[int], outcomes: list[int], strata: list[int], contrast: int) -> float:
    """Cochran 1954, Mantel and Haenszel 1959, without continuity correction, its root with a sign."""
    excess = variance = 0.0
    for stratum in set(strata):
        inside = [place for place, one in enumerate(strata) if one == stratum]
        n = len(inside)
        n1 = sum(place in held for place in inside)
        m1 = sum(outcomes[place] == contrast for place in inside)
        a = sum(outcomes[place] == contrast and place in held for place in inside)
        excess += a - n1 * m1 / n
        if n > 1:
            variance += n1 * (n - n1) * m1 * (n - m1) / (n * n * (n - 1))
    return excess / math.sqrt(variance) if variance > 1e-12 else 0.0


EPISODES = st.lists(
    st.tuples(st.sampled_from([SUCCESS, PARTIAL, FAILURE]), st.integers(0, 3), st.booleans(), st.booleans()),
    min_size=1,
    max_size=25,
)


@settings(deadline=None)
@given(EPISODES)
def test_statistics_are_those_of_a_loop_over_strata(episodes: list[tuple[int, int, bool, bool]]) -> None:
    outcomes, strata = [one[0] for one in episodes], [one[1] for one in episodes]
    rows = [[place for place, one in enumerate(episodes) if one[column]] for column in (2, 3)]
    found = examined(rows, panels(outcomes, strata), runs=99)
    for row, held in enumerate(rows):
        assert found.success[row] == pytest.approx(looped(held, outcomes, strata, SUCCESS), abs=1e-5)
        assert found.failure[row] == pytest.approx(looped(held, outcomes, strata, FAILURE), abs=1e-5)


def test_a_worked_example_of_two_strata() -> None:
    # with 3 of 4, without 1 of 4 succeed; with 2 of 2, without 1 of 2: excess 1 + 1/2, variance 4/7 + 1/4
    outcomes = [0, 0, 0, 2, 0, 2, 2, 2, 0, 0, 0, 2]
    found = examined([[0, 1, 2, 3, 8, 9]], panels(outcomes, [0] * 8 + [1] * 4))
    assert found.success.tolist() == pytest.approx([1.5 / math.sqrt(4 / 7 + 1 / 4)])
    assert found.failure.tolist() == pytest.approx([-1.5 / math.sqrt(4 / 7 + 1 / 4)])


def exact(panel: OutcomePanel, held: list[int]) -> Counter[tuple[int, ...]]:
    """Chance of each row of outcomes of the held episodes, over all permutations inside strata."""
    strata = panel.stratum.tolist()
    groups = [[place for place, one in enumerate(strata) if one == each] for each in sorted(set(strata))]
    found: Counter[tuple[int, ...]] = Counter()
    for orders in product(*(permutations(panel.outcome[group].tolist()) for group in groups)):
        given = dict(zip(chain.from_iterable(groups), chain.from_iterable(orders), strict=True))
        found[tuple(given[place] for place in held)] += 1
    return found


def drawn(panel: OutcomePanel, held: list[int], count: int) -> NDArray[np.int8]:
    return module._Shuffle(panel, np.array(held)).outcomes(count, np.random.default_rng(5))


@pytest.mark.parametrize("small", [64, 5, 0], ids=["whole strata", "both ways", "counts drawn"])
@pytest.mark.parametrize("held", [[0, 2, 5, 6], [0, 1, 2, 3, 4, 5, 6, 7, 8], [3], [0, 1]])
def test_permuted_outcomes_have_the_distribution_of_all_permutations(
    small: int, held: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SMALL", small)
    panel = panels([0, 0, 1, 2, 2, 2, 0, 2, 2], strata=[0, 0, 0, 0, 0, 0, 1, 1, 1])
    expected, runs = exact(panel, held), 40_000
    got = Counter(map(tuple, drawn(panel, held, runs).T.tolist()))
    total = sum(expected.values())
    assert set(got) <= set(expected)
    for row, count in expected.items():
        chance = count / total
        assert abs(got[row] / runs - chance) < 5 * math.sqrt(chance * (1 - chance) / runs)


@pytest.mark.parametrize("small", [64, 0])
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=20))
def test_margins_never_change(small: int, episodes: list[tuple[int, int]]) -> None:
    panel = panels([one for one, _ in episodes], strata=[stratum for _, stratum in episodes])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SMALL", small)
        got = drawn(panel, list(range(len(panel))), 7)
    for column in got.T:
        for stratum in np.unique(panel.stratum):
            inside = panel.stratum == stratum
            assert sorted(column[inside].tolist()) == sorted(panel.outcome[inside].tolist())


@pytest.mark.parametrize("small", [64, 0])
def test_the_p_of_one_motif_is_that_of_all_permutations(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SMALL", small)
    outcomes, strata, held = [0, 0, 0, 2, 2, 0, 0, 2, 2], [0, 0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 5, 6]
    panel = panels(outcomes, strata)
    observed, reached, total = abs(looped(held, outcomes, strata, SUCCESS)), 0, 0
    for row, count in exact(panel, list(range(9))).items():
        reached += count * (abs(looped(held, list(row), strata, SUCCESS)) >= observed - 1e-9)
        total += count
    found = examined([held], panel, runs=20_000)
    assert found.p[0] == pytest.approx(reached / total, abs=0.006)
    assert reached / total < 0.05


def test_the_same_seed_gives_the_same_p_and_another_nearly_the_same() -> None:
    chance = np.random.default_rng(2)
    panel = panels(chance.integers(0, 3, 200).tolist(), chance.integers(0, 4, 200).tolist())
    rows = [np.flatnonzero(chance.random(200) < 0.1).tolist() for _ in range(5)]
    one, same, other = (examined(rows, panel, 999, seed) for seed in (0, 0, 1))
    assert one.p.tolist() == same.p.tolist()
    assert other.p == pytest.approx(one.p, abs=0.1)


def test_batches_do_not_change_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = panels([0, 2] * 30, [0] * 60)
    rows = [list(range(0, 20, 2)), list(range(20, 40))]
    whole = examined(rows, panel, 999)
    monkeypatch.setattr(module, "_CELLS", 200)
    parts = examined(rows, panel, 999)
    assert parts.p == pytest.approx(whole.p, abs=0.03)
    assert max(parts.p[0], whole.p[0]) < 0.01


def test_failure_in_place_of_partial_has_a_sign_and_is_no_difference_of_success() -> None:
    # partial takes the place of failure: success is as frequent as elsewhere
    outcomes = [SUCCESS, PARTIAL] * 8 + [SUCCESS, FAILURE] * 8
    found = examined([list(range(16))], panels(outcomes, [0] * 32), 999)
    assert found.success[0] == pytest.approx(0.0)
    assert found.failure[0] < -2
    assert found.p[0] == 1.0


def test_what_failure_says_is_no_second_chance_to_be_significant() -> None:
    chance = np.random.default_rng(5)
    outcomes = chance.choice([SUCCESS, PARTIAL, FAILURE], 300).tolist()
    rows = [sorted(chance.choice(300, 20, replace=False).tolist()) for _ in range(6)]
    parted = examined(rows, panels(outcomes, [0] * 300), 999)
    joined = examined(rows, panels([PARTIAL if one == FAILURE else one for one in outcomes], [0] * 300), 999)
    assert parted.success == pytest.approx(joined.success)
    assert parted.p == pytest.approx(joined.p, abs=0.06)


def test_strata_with_one_kind_of_outcome_say_nothing() -> None:
    panel = panels([0, 0, 2, 0, 1, 2], [0, 0, 0, 1, 2, 2])
    assert informative_episodes(panel).tolist() == [True, True, True, False, True, True]
    found = examined([[0, 1], [3]], panels([0, 0, 0, 0], [0, 0, 1, 1]))
    assert found.p.tolist() == [1.0, 1.0]
    assert found.success.tolist() == [0.0, 0.0]


def test_no_motifs_and_no_episodes_give_nothing() -> None:
    assert examined([], panels([0, 2], [0, 0])).p.tolist() == []
    assert examined([[]], panels([], [])).p.tolist() == [1.0]
    assert examined([[]], panels([0, 2], [0, 0])).p.tolist() == [1.0]


@settings(deadline=None)
@given(EPISODES)
def test_no_permutation_lies_further_from_the_expectation_than_the_reach(
    episodes: list[tuple[int, int, bool, bool]],
) -> None:
    panel = panels([one[0] for one in episodes], [one[1] for one in episodes])
    held = [place for place, one in enumerate(episodes) if one[2]]
    found = examined([held], panel, runs=99)
    permuted = drawn(panel, list(range(len(panel))), 200)[held] == SUCCESS
    expected = sum(np.mean(panel.outcome[panel.stratum == panel.stratum[place]] == SUCCESS) for place in held)
    excess = np.abs(permuted.sum(axis=0) - expected)
    assert excess.max(initial=0.0) <= found.reach[0] + 1e-9


def test_hard_tasks_mark_a_motif_only_where_tasks_are_no_strata() -> None:
    outcomes = [0] * 20 + [2] * 20 + [0, 2] * 5
    strata = [place // 4 for place in range(40)] + [10] * 10
    held = [place for place in range(20) if place % 4 < 3]
    within = examined([held], panels(outcomes, strata), 999)
    across = examined([held], panels(outcomes, [0] * 50), 999)
    assert within.p[0] == 1.0
    assert across.p[0] < 0.01
