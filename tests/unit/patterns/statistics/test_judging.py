"""Which motifs claim what: floors, tiers, directions, and figures that mislead."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.motifs import Motif
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.statistics.judging import Verdict, judge
from made_motifs import motif, run, runs

POLICY = MiningPolicy(permutations=999)


def judged(
    graphs: Sequence[EpisodeGraph], *motifs: Motif, policy: MiningPolicy = POLICY, shuffled: bool = True
) -> tuple[Verdict, ...]:
    given = list(graphs)
    if shuffled:
        random.Random(1).shuffle(given)
    return judge(motifs, given, policy).verdicts


def test_a_motif_that_goes_with_success_is_significant_and_positive() -> None:
    graphs = runs((14, "success"), (1, "failure"), (30, "success"), (30, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:15]))
    assert (verdict.tier, verdict.polarity) == ("significant", "positive")
    assert verdict.success_rate == pytest.approx(14 / 15, abs=1e-6)
    assert verdict.baseline == pytest.approx(44 / 75, abs=1e-6)
    assert verdict.risk_difference == pytest.approx(14 / 15 - 30 / 60, abs=1e-6)
    assert verdict.strata is not None
    assert (verdict.strata.by, verdict.strata.informative) == ("domain", 1)
    assert verdict.visible_difference is not None
    assert 0 < verdict.visible_difference < (verdict.risk_difference or 0)


def test_a_motif_that_goes_with_failure_is_negative() -> None:
    graphs = runs((14, "failure"), (1, "success"), (30, "success"), (30, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:15]))
    assert (verdict.tier, verdict.polarity) == ("significant", "negative")


def test_structure_alone_is_recurrent_and_says_what_could_have_been_seen() -> None:
    graphs = runs((8, "success"), (7, "failure"), (30, "success"), (30, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:15]))
    assert (verdict.tier, verdict.polarity) == ("recurrent", None)
    assert verdict.visible_difference == pytest.approx(0.29, abs=0.05)


def test_what_could_have_been_seen_is_said_where_the_difference_is_nothing() -> None:
    graphs = runs((8, "success"), (8, "failure"), (30, "success"), (30, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:16]))
    assert verdict.risk_difference == 0
    assert verdict.visible_difference == pytest.approx(0.28, abs=0.05)


def test_a_difference_that_no_number_of_successes_could_reach_is_not_said_to_be_visible() -> None:
    graphs = runs((2, "success"), (1, "failure"), (1, "success"), (2, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:3]))
    assert (verdict.tier, verdict.visible_difference) == ("recurrent", None)
    # three of seven are all failures by chance in 1 of 35, all successes in 4 of 35
    graphs = runs((2, "success"), (1, "failure"), (2, "success"), (2, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:3]))
    assert (verdict.tier, verdict.visible_difference) == ("recurrent", 0.75)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"p": 0.2}, "chance explains it"), ({"lift": 1.9}, "it is hardly more frequent than expected")],
)
def test_without_structure_nothing_is_tested(fields: dict[str, Any], reason: str) -> None:
    graphs = runs((15, "success"), (30, "success"), (30, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:15], **fields))
    assert verdict.tier == "candidate", reason
    assert (verdict.p_outcome_adjusted, verdict.polarity, verdict.risk_difference) == (None, None, None)
    assert verdict.success_rate == 1.0


def test_the_false_discovery_rate_of_structure_counts_all_motifs() -> None:
    graphs = runs((15, "success"), (30, "success"), (30, "failure"))
    alone = motif("m", graphs[:15], p=0.02)
    many = [motif(f"n{number}", graphs[:15], p=0.9) for number in range(9)]
    assert judged(graphs, alone)[0].tier == "significant"
    first, *_ = judged(graphs, alone, *many)
    assert first.tier == "candidate"
    assert first.q_structure == pytest.approx(0.2)


@pytest.mark.parametrize(("tasks", "tier"), [(1, "candidate"), (2, "candidate"), (3, "significant")])
def test_fewer_than_three_tasks_are_no_pattern(tasks: int, tier: str) -> None:
    graphs = [run(number, "success", unit=f"task:{number % tasks}") for number in range(24)]
    graphs += [run(number, "failure", unit=f"task:{number % tasks}") for number in range(24, 48)]
    verdict, _ = judged(graphs, motif("m", graphs[:24]), motif("n", graphs[:3]))
    assert (verdict.tasks, verdict.tier) == (tasks, tier)


def test_three_tasks_of_which_only_two_can_be_compared_claim_nothing() -> None:
    graphs = [run(number, "success", unit=f"task:{number % 2}") for number in range(24)]
    graphs += [run(number, "failure", unit=f"task:{number % 2}") for number in range(24, 48)]
    graphs += [run(number, "success", unit="task:easy") for number in range(48, 52)]
    (verdict,) = judged(graphs, motif("m", [*graphs[:24], *graphs[48:]]))
    assert verdict.tasks == 3
    assert verdict.p_outcome_adjusted is not None
    assert verdict.p_outcome_adjusted < 0.01
    assert (verdict.tier, verdict.polarity) == ("recurrent", None)


def test_partial_and_unknown_are_no_successes() -> None:
    graphs = runs((15, "partial"), (15, "unknown"), (30, "success"), (30, "failure"))
    partial, unknown = judged(graphs, motif("m", graphs[:15]), motif("n", graphs[15:30]))
    assert (partial.success_rate, partial.outcomes.partial) == (0.0, 15)
    assert (unknown.success_rate, unknown.interval, unknown.baseline) == (None, None, None)
    assert (unknown.outcomes.unknown, unknown.tier, unknown.polarity) == (15, "recurrent", None)


def test_unknown_outcomes_change_no_figure_of_outcome() -> None:
    graphs = runs((14, "success"), (1, "failure"), (30, "success"), (30, "failure"))
    more = [run(number, None if number % 2 else "unknown") for number in range(500, 540)]
    (before,) = judged(graphs, motif("m", graphs[:15]))
    (after,) = judged([*graphs, *more], motif("m", [*graphs[:15], *more]))
    outcomes = before.outcomes.model_copy(update={"unknown": 40})
    assert after == replace(before, outcomes=outcomes, tasks=before.tasks + 40)


def test_partial_in_place_of_failure_is_no_difference_and_claims_nothing() -> None:
    graphs = runs((20, "success"), (20, "partial"), (20, "success"), (20, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:40]))
    assert (verdict.tier, verdict.polarity, verdict.risk_difference) == ("recurrent", None, 0.0)
    assert verdict.p_outcome_adjusted == 1.0


def test_partial_in_place_of_success_is_no_way_to_succeed() -> None:
    graphs = runs((40, "partial"), (6, "success"), (34, "failure"))
    (verdict,) = judged(graphs, motif("m", graphs[:40]))
    assert (verdict.tier, verdict.polarity) == ("recurrent", None)


def trials(holding: int, success: bool, first: int) -> list[EpisodeGraph]:
    """Four trials of each of six tasks, all ending alike."""
    outcome = "success" if success else "failure"
    return [run(first + place, outcome, unit=f"task:{first + place // 4}") for place in range(24)][:holding]


def test_hard_tasks_are_not_blamed_on_what_happens_in_them() -> None:
    graphs = [*trials(24, False, 0), *trials(24, True, 100)]
    mark = motif("m", [graph for place, graph in enumerate(graphs[:24]) if place % 4])
    (within,) = judged(graphs, mark)
    (across,) = judged(graphs, mark, policy=POLICY.model_copy(update={"task_strata": False}))
    assert (within.tier, within.risk_difference) == ("recurrent", None)
    assert (across.tier, across.polarity) == ("significant", "negative")


def test_variants_are_strata_of_their_own() -> None:
    graphs = [*runs((20, "success"), (20, "failure"))]
    good = [replace(one, variant="new") for one in graphs[:20]]
    bad = [replace(one, variant="old") for one in graphs[20:]]
    (verdict,) = judged([*good, *bad], motif("m", good[:15]))
    assert (verdict.tier, verdict.p_outcome_adjusted) == ("recurrent", 1.0)


@pytest.mark.parametrize(
    ("owners", "others", "single"),
    [
        (("mina", None), ("mina", "joon"), True),
        (("mina", "joon"), ("mina",), False),
        (("mina",), ("mina",), False),
        ((None,), ("mina", "joon"), False),
    ],
)
def test_a_motif_of_one_user_among_several_is_marked(
    owners: tuple[str | None, ...], others: tuple[str | None, ...], single: bool
) -> None:
    held = [run(number, "success", user_id=owners[number % len(owners)]) for number in range(6)]
    rest = [run(number, "failure", user_id=others[number % len(others)]) for number in range(6, 12)]
    (verdict,) = judged([*held, *rest], motif("m", held))
    assert verdict.single_user is single
    assert verdict.users == len({owner for owner in owners if owner})


@pytest.mark.parametrize(("his", "single"), [(48, True), (45, True), (44, False)])
def test_a_motif_that_is_nearly_all_one_users_is_marked(his: int, single: bool) -> None:
    owners = ["mina"] * his + ["준호"] * (50 - his)
    held = [run(number, "success", user_id=owner) for number, owner in enumerate(owners)]
    rest = [run(number, "failure", user_id="준호") for number in range(50, 60)]
    (verdict,) = judged([*held, *rest], motif("m", held))
    assert verdict.single_user is single
    assert verdict.users == 2


def test_a_difference_of_length_is_none_among_episodes_of_like_length() -> None:
    chance = random.Random(4)
    graphs = []
    for number in range(400):
        steps = chance.randint(3, 22)
        outcome = "success" if chance.random() < (0.9 if steps < 13 else 0.1) else "failure"
        graphs.append(run(number, outcome, steps=steps))
    held = [graph for graph in graphs if chance.random() < (0.04 if graph.steps < 13 else 0.3)]
    (verdict,) = judged(graphs, motif("m", held))
    assert (verdict.tier, verdict.polarity) == ("significant", "negative")
    assert verdict.length_adjusted is not None
    assert verdict.length_adjusted.p > 0.05
    assert verdict.length_adjusted.interval is not None
    low, high = verdict.length_adjusted.interval
    assert low <= 0 <= high


def test_a_difference_that_is_there_at_every_length_stays() -> None:
    graphs = [run(number, "success" if number % 4 else "failure", steps=3 + number % 20) for number in range(200)]
    held = [graph for graph in graphs if graph.outcome == "failure"][:30]
    (verdict,) = judged(graphs, motif("m", held))
    assert verdict.length_adjusted is not None
    assert verdict.length_adjusted.p <= 0.05


def test_neither_order_nor_names_change_a_figure() -> None:
    graphs = runs((14, "success"), (1, "partial"), (30, "success"), (30, "failure"), domain="주문")
    motifs = [motif("m", graphs[:15]), motif("n", graphs[10:25]), motif("o", graphs[40:60])]
    assert judged(graphs, *motifs) == judged(graphs, *motifs, shuffled=False)
    assert judged(graphs, *motifs[::-1]) == judged(graphs, *motifs)[::-1]


def test_no_motifs_and_no_known_outcomes_are_no_trouble() -> None:
    assert judged([]) == ()
    graphs = runs((5, None))
    (verdict,) = judged(graphs, motif("m", graphs))
    assert (verdict.tier, verdict.p_outcome_adjusted, verdict.visible_difference) == ("recurrent", 1.0, None)
