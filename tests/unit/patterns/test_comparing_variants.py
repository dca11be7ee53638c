"""Two variants are compared within strata; labels move in blocks, and all tests are one family."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import norm

from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.statistics.adjustment import holm
from graphmem.patterns.statistics.comparison import (
    QUESTIONS,
    effect_changes,
    frequency_changes,
    success_difference,
)
from graphmem.patterns.statistics.variants import examine_variants, variant_panel

CHANCE = {"permutations": 999, "seed": 7}


def run(
    name: int, variant: str, outcome: str = "success", task: str = "", domain: str | None = "쇼핑"
) -> EpisodeGraph:
    return EpisodeGraph(
        episode=f"e{name:04}", variant=variant, outcome=outcome, unit=f"task:{task}" if task else "", domain=domain
    )


def runs(*rows: tuple[str, str, int, int], first: int = 0) -> list[EpisodeGraph]:
    """Rows of task, variant, successes and failures."""
    found: list[EpisodeGraph] = []
    for task, variant, won, lost in rows:
        for outcome in ["success"] * won + ["failure"] * lost:
            found.append(run(first + len(found), variant, outcome, task))
    return found


def test_success_is_compared_within_shared_tasks_by_hand() -> None:
    graphs = runs(("환불", "v1", 1, 3), ("환불", "v2", 3, 1), ("easy", "v1", 4, 0), ("easy", "v2", 1, 0))
    found = success_difference(graphs, "v2", **CHANCE)
    assert found.within is not None
    assert (found.within.by, found.within.tasks, found.within.domains, found.within.episodes) == ("task", 2, 0, 13)
    # weights 4 x 4 / 8 = 2 and 4 x 1 / 5 = 0.8; differences 0.5 and 0
    assert found.difference == pytest.approx(2 * 0.5 / 2.8, abs=1e-6)
    # the hypergeometric variance of the one task with both outcomes, over the weight
    error = sqrt(4 * 4 * 4 * 4 / (64 * 7)) / 2.8
    assert found.interval is not None
    assert found.interval[1] - found.interval[0] >= 2 * norm.ppf(0.975) * error - 1e-5
    assert found.p == pytest.approx(exact_p(graphs, "v2"), abs=0.05)


def exact_p(graphs: list[EpisodeGraph], second: str) -> float:
    """Two-sided p of a success in the second variant more, over all exchanges of labels within tasks."""
    total, counts = 0.0, []
    for unit in dict.fromkeys(graph.unit for graph in graphs):
        own = [graph for graph in graphs if graph.unit == unit]
        won = [graph.outcome == "success" for graph in own]
        size = sum(graph.variant == second for graph in own)
        expected = sum(won) * size / len(own)
        observed = sum(graph.outcome == "success" for graph in own if graph.variant == second) - expected
        counts.append(
            [sum(won[place] for place in chosen) - expected for chosen in combinations(range(len(own)), size)]
        )
        total += observed
    sums = [abs(sum(one)) for one in product(*counts)]
    return sum(one >= abs(total) - 1e-9 for one in sums) / len(sums)


def test_a_hard_task_that_one_variant_ran_more_often_does_not_count_against_it() -> None:
    graphs = runs(("hard", "v1", 1, 1), ("hard", "v2", 9, 9), ("easy", "v1", 18, 2), ("easy", "v2", 9, 1))
    found = success_difference(graphs, "v2", **CHANCE)
    assert found.difference == pytest.approx(0)
    assert found.p == 1.0


def test_other_tasks_are_compared_within_domains_as_blocks() -> None:
    graphs = [run(n, "v1", "success", f"a{n // 4}") for n in range(12)]
    graphs += [run(20 + n, "v2", "failure", f"b{n // 4}") for n in range(12)]
    found = success_difference(graphs, "v2", **CHANCE)
    assert found.within is not None
    assert (found.within.by, found.within.domains) == ("domain", 1)
    assert found.difference == -1
    # three tasks against three: 2 of 20 ways to deal them out
    assert found.p == pytest.approx(2 / comb(6, 3), abs=0.04)
    assert found.interval is not None
    assert found.interval[1] > -0.5


@pytest.mark.parametrize(
    "graphs",
    [
        runs(("a", "v1", 2, 2)) + [run(90 + n, "v2", "failure", domain="post") for n in range(4)],
        [run(n, "v1", "unknown") for n in range(3)] + [run(9 + n, "v2", "success") for n in range(3)],
    ],
    ids=["no domain in common", "no known outcome"],
)
def test_where_no_stratum_holds_both_nothing_is_said(graphs: list[EpisodeGraph]) -> None:
    found = success_difference(graphs, "v2", **CHANCE)
    assert (found.within, found.difference, found.interval, found.p) == (None, None, None, None)


def test_where_all_end_alike_there_is_no_difference_to_tell() -> None:
    found = success_difference(runs(("a", "v1", 3, 0), ("a", "v2", 3, 0)), "v2", **CHANCE)
    assert found.within is not None
    assert (found.difference, found.p) == (None, None)


def test_the_statistic_is_that_of_cochran_mantel_and_haenszel_for_shared_tasks() -> None:
    rng = random.Random(3)
    graphs = [run(n, rng.choice(["v1", "v2"]), task=f"t{n % 5}") for n in range(60)]
    has = np.array([[rng.random() < 0.4 for _ in graphs] for _ in range(6)])
    panel = variant_panel(graphs, "v2")
    found = examine_variants(csr_array(has.astype(float)), panel, permutations=99, seed=1)
    for row in range(6):
        excess = variance = 0.0
        for task in {graph.unit for graph in graphs}:
            own = [place for place, graph in enumerate(graphs) if graph.unit == task]
            n, m = len(own), int(has[row, own].sum())
            k = sum(graphs[place].variant == "v2" for place in own)
            both = sum(has[row, place] and graphs[place].variant == "v2" for place in own)
            excess += both - k * m / n
            variance += k * (n - k) * m * (n - m) / (n * n * (n - 1))
        assert found.statistic[row] == pytest.approx(excess / sqrt(variance))
        assert found.deviation[row] == pytest.approx(sqrt(variance))


def test_the_deviation_is_that_of_all_exchanges_of_blocks() -> None:
    sizes = {"v1": [1, 3, 2], "v2": [4, 1]}
    graphs: list[EpisodeGraph] = []
    for variant, tasks in sizes.items():
        for task, size in enumerate(tasks):
            graphs += [run(len(graphs) + n, variant, task=f"{variant}-{task}") for n in range(size)]
    has = np.array([n % 3 == 0 for n in range(len(graphs))])
    panel = variant_panel(graphs, "v2")
    found = examine_variants(csr_array(has[None, :].astype(float)), panel, permutations=99, seed=1)
    blocks: dict[str, list[bool]] = {}
    for graph, one in zip(graphs, has.tolist(), strict=True):
        blocks.setdefault(graph.unit, []).append(one)
    share = has.mean()
    excess = [sum(one) - share * len(one) for one in blocks.values()]
    sums = [sum(excess[place] for place in chosen) for chosen in combinations(range(5), 2)]
    assert np.mean(sums) == pytest.approx(0)
    assert found.deviation[0] == pytest.approx(np.std(sums))


def test_frequencies_are_one_family_by_the_largest_of_all() -> None:
    graphs = [run(n, "v1" if n % 2 else "v2", task=f"t{n // 10}") for n in range(100)]
    rng = random.Random(5)
    planted = np.array(
        [n for n, graph in enumerate(graphs) if rng.random() < (0.8 if graph.variant == "v2" else 0.2)]
    )
    noise = [np.array(sorted(rng.sample(range(100), 30))) for _ in range(20)]
    found = frequency_changes(graphs, [planted, *noise], "v2", **CHANCE)
    assert found[0].p <= 0.01
    assert found[0].difference == pytest.approx(0.6, abs=0.2)
    assert (found[0].first, found[0].second) == (
        sum(graphs[n].variant == "v1" for n in planted),
        sum(graphs[n].variant == "v2" for n in planted),
    )
    alone = frequency_changes(graphs, [noise[0]], "v2", **CHANCE)[0]
    assert found[1].p >= alone.p
    assert min(one.p for one in found[1:]) > 0.05
    assert frequency_changes(graphs, [], "v2", **CHANCE) == []


def test_an_effect_that_turns_round_is_a_change_and_one_that_stays_is_none() -> None:
    graphs: list[EpisodeGraph] = []
    turned, stays = [], []
    for n in range(160):
        variant, has, other = ("v1", "v2")[n % 2], n % 4 < 2, n % 8 < 4
        wins = has == (variant == "v2")
        graphs.append(run(n, variant, "success" if wins != (n % 20 == 0) else "failure"))
        if has:
            turned.append(n)
        if other:
            stays.append(n)
    found = effect_changes(graphs, [np.array(turned), np.array(stays)], "v2", by_task=True)
    change, same = found
    assert change is not None
    assert same is not None
    assert change.first < -0.7 < 0.7 < change.second
    assert change.difference == pytest.approx(change.second - change.first, abs=1e-5)
    assert change.p < 0.001
    assert same.p == 1.0


def test_the_p_of_an_effect_is_a_normal_one_and_holms_over_both_questions() -> None:
    graphs = runs(("", "v1", 6, 6), ("", "v2", 6, 6))
    held = np.array([0, 1, 2, 3, 6, 12, 13, 18, 19, 20])
    (change,) = effect_changes(graphs, [held], "v2", by_task=True)
    assert change is not None

    def side(with_won: int, with_lost: int, won: int, lost: int) -> tuple[float, float]:
        n1, n0 = with_won + with_lost, won + lost
        m, n = with_won + won, n1 + n0
        weight = n1 * n0 / n
        null = sqrt(n1 * n0 * m * (n - m) / (n * n * (n - 1))) / weight
        return with_won / n1 - won / n0, null

    (first, error_1), (second, error_2) = side(4, 1, 2, 5), side(2, 3, 4, 3)
    assert change.first == pytest.approx(first, abs=1e-6)
    assert change.second == pytest.approx(second, abs=1e-6)
    z = abs(second - first) / sqrt(error_1**2 + error_2**2)
    assert change.p <= QUESTIONS * 2 * norm.sf(z) * 1.3
    assert change.p >= QUESTIONS * 2 * norm.sf(z) * 0.99


def test_too_few_with_or_without_a_pattern_leave_its_effect_open() -> None:
    graphs = runs(("", "v1", 6, 6), ("", "v2", 6, 6))
    for held in ([0, 1, 12, 13, 14], [0, 1, 2], list(range(24))):
        assert effect_changes(graphs, [np.array(held)], "v2", by_task=True) == [None]


def test_holm_adjusts_step_by_step() -> None:
    assert holm(np.array([0.04, 0.01, 0.03, 0.5])).tolist() == pytest.approx([0.09, 0.04, 0.09, 0.5])
    assert holm(np.array([])).tolist() == []
    assert holm(np.array([0.9, 0.8])).tolist() == [1.0, 1.0]


@pytest.mark.slow
def test_variants_that_do_not_differ_are_told_apart_in_few_corpora() -> None:
    """Level .05 over the whole family: 60 corpora with repeated tasks, 15 patterns each."""
    alarms = 0
    for seed in range(60):
        rng = random.Random(seed)
        graphs: list[EpisodeGraph] = []
        held: list[list[int]] = [[] for _ in range(15)]
        for task in range(24):
            hard, habit = rng.random(), [rng.random() for _ in range(15)]
            variants = [rng.choice(["v1", "v2"])] * 4 if task % 2 else ["v1", "v2"] * 2
            for variant in variants:
                place = len(graphs)
                graphs.append(run(place, variant, "success" if rng.random() < hard else "failure", f"t{task}"))
                for pattern in range(15):
                    if rng.random() < habit[pattern]:
                        held[pattern].append(place)
        places = [np.array(one) for one in held]
        often = frequency_changes(graphs, places, "v2", permutations=199, seed=seed)
        ends = effect_changes(graphs, places, "v2", by_task=True)
        alarms += any(one.p <= 0.05 for one in often) or any(one is not None and one.p <= 0.05 for one in ends)
    assert alarms <= 7  # 3 expected; more than 7 have a chance of 1 % at the level
