"""From motifs and outcomes to verdicts: every figure of a pattern, and the tier it reaches.

The gate of the outcome test uses structure alone, so that it stays valid and the family small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmem.models.pattern import Interval, LengthAdjusted, OutcomeCounts, Polarity, Strata, Tier
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.motifs import Motif
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.statistics.adjustment import benjamini_hochberg
from graphmem.patterns.statistics.effects import Difference, expected_success, risk_difference, success_rate
from graphmem.patterns.statistics.outcome import OutcomeTests, examine_outcomes
from graphmem.patterns.statistics.rounding import rounded, rounded_interval
from graphmem.patterns.statistics.strata import OutcomePanel, numbered, outcome_panel

ONE_USERS_SHARE = 0.9
"""From this share of its episodes on, those of unknown users aside, a pattern is one user's: a few episodes of
others do not make his habit everybody's. Of up to nine episodes all are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The figures of one motif, named as in the pattern's record."""

    outcomes: OutcomeCounts
    tasks: int
    users: int
    single_user: bool
    q_structure: float
    success_rate: float | None = None
    interval: Interval | None = None
    baseline: float | None = None
    risk_difference: float | None = None
    risk_interval: Interval | None = None
    strata: Strata | None = None
    p_outcome_adjusted: float | None = None
    length_adjusted: LengthAdjusted | None = None
    visible_difference: float | None = None
    tier: Tier = "candidate"
    polarity: Polarity | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a run says of all its motifs."""

    verdicts: tuple[Verdict, ...]
    """In the order of the motifs."""
    tested: int
    """Motifs in the family of the outcome test."""
    panel: OutcomePanel
    held: tuple[NDArray[np.int64], ...] = field(repr=False)
    """Of each motif the places in the panel of its episodes."""


def judge(motifs: Sequence[Motif], graphs: Sequence[EpisodeGraph], policy: MiningPolicy) -> Judgement:
    """Test motifs and give each its tier.

    Args:
        motifs: As mined, closed ones.
        graphs: All episodes in scope, in any order.
        policy: Levels, number of permutations and their seed.
    """
    ordered = sorted(graphs, key=lambda graph: graph.episode)
    places = {graph.episode: place for place, graph in enumerate(ordered)}
    panel = outcome_panel(ordered, by_task=policy.task_strata)
    rows = [np.array([places[one] for one in motif.episodes], np.int64) for motif in motifs]
    held = _in_panel(panel, rows, len(ordered))
    q = benjamini_hochberg(np.array([motif.structure.p for motif in motifs]))
    roll = _roll(ordered)
    basics = [_basic(roll, row, float(value)) for row, value in zip(rows, q, strict=True)]
    family = [
        number
        for number, (motif, basic) in enumerate(zip(motifs, basics, strict=True))
        if basic.q_structure <= policy.significance
        and motif.structure.lift >= policy.min_lift
        and basic.tasks >= policy.min_tasks
    ]
    tested = _tested(panel, [held[number] for number in family], policy)
    expected = expected_success(panel)
    verdicts = [_with_rates(basic, panel, expected, places) for basic, places in zip(basics, held, strict=True)]
    for number, figures in zip(family, tested, strict=True):
        verdicts[number] = _decided(verdicts[number], figures, policy)
    return Judgement(tuple(verdicts), len(family), panel, tuple(held))


def _in_panel(panel: OutcomePanel, rows: Sequence[NDArray[np.int64]], episodes: int) -> list[NDArray[np.int64]]:
    number = np.full(episodes, -1)
    number[panel.episodes] = np.arange(len(panel))
    found = [number[row] for row in rows]
    return [np.sort(places[places >= 0]) for places in found]


@dataclass(frozen=True, slots=True)
class _Roll:
    """Who and what all episodes are, as numbers."""

    outcome: NDArray[np.int64]
    """Place of the outcome among the fields of `OutcomeCounts`."""
    unit: NDArray[np.int64]
    user: NDArray[np.int64]
    """Negative where the user is not known."""
    several_users: bool


_OUTCOMES = tuple(OutcomeCounts.model_fields)


def _roll(graphs: Sequence[EpisodeGraph]) -> _Roll:
    unit, _ = numbered([graph.unit or graph.episode for graph in graphs])
    user, users = numbered([graph.user_id for graph in graphs])
    unknown = users.index(None) if None in users else -1
    return _Roll(
        outcome=np.array([_OUTCOMES.index(graph.outcome or "unknown") for graph in graphs], np.int64),
        unit=unit,
        user=np.where(user == unknown, -1, user),
        several_users=len(users) - (None in users) > 1,
    )


def _basic(roll: _Roll, row: NDArray[np.int64], q: float) -> Verdict:
    counts = np.bincount(roll.outcome[row], minlength=len(_OUTCOMES)).tolist()
    user = roll.user[row]
    _, of_each = np.unique(user[user >= 0], return_counts=True)
    most, known = int(of_each.max(initial=0)), int(of_each.sum())
    return Verdict(
        outcomes=OutcomeCounts(**dict(zip(_OUTCOMES, counts, strict=True))),
        tasks=len(np.unique(roll.unit[row])),
        users=len(of_each),
        single_user=roll.several_users and known > 0 and most >= ONE_USERS_SHARE * known,
        q_structure=q,
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """What the outcome test says of one motif."""

    p: float
    success: float
    failure: float
    deviation: float
    reach: float
    critical: float
    difference: Difference | None
    length_p: float
    length_difference: Difference | None


def _tested(panel: OutcomePanel, held: Sequence[NDArray[np.int64]], policy: MiningPolicy) -> list[_Figures]:
    if not held:
        return []
    holds = _membership(held, len(panel))
    by_length = panel.within_length()
    plain, adjusted = _examined(holds, panel, policy), _examined(holds, by_length, policy)
    return [
        _Figures(
            p=float(plain.p[row]),
            success=float(plain.success[row]),
            failure=float(plain.failure[row]),
            deviation=float(plain.deviation[row]),
            reach=float(plain.reach[row]),
            critical=plain.critical,
            difference=risk_difference(panel, places),
            length_p=float(adjusted.p[row]),
            length_difference=risk_difference(by_length, places),
        )
        for row, places in enumerate(held)
    ]


def _examined(holds: csr_array, panel: OutcomePanel, policy: MiningPolicy) -> OutcomeTests:
    return examine_outcomes(
        holds, panel, permutations=policy.permutations, seed=policy.seed, significance=policy.significance
    )


def _membership(held: Sequence[NDArray[np.int64]], episodes: int) -> csr_array:
    starts = np.cumsum([0, *map(len, held)])
    entries = np.concatenate([np.empty(0, np.int64), *held])
    return csr_array((np.ones(len(entries)), entries, starts), shape=(len(held), episodes))


def _with_rates(
    verdict: Verdict, panel: OutcomePanel, expected: NDArray[np.float64], places: NDArray[np.int64]
) -> Verdict:
    if not len(places):
        return verdict
    rate, interval = success_rate(panel, places)
    return replace(
        verdict,
        success_rate=rounded(rate),
        interval=rounded_interval(interval),
        baseline=rounded(float(expected[places].mean())),
    )


def _decided(verdict: Verdict, figures: _Figures, policy: MiningPolicy) -> Verdict:
    difference, adjusted = figures.difference, figures.length_difference
    significant = (
        figures.p <= policy.significance
        and difference is not None
        and difference.units >= policy.min_tasks
        and figures.success * figures.failure < 0
    )
    length = LengthAdjusted(
        risk_difference=rounded(adjusted.difference) if adjusted else None,
        interval=rounded_interval(adjusted.interval) if adjusted else None,
        p=rounded(figures.length_p),
    )
    verdict = replace(verdict, p_outcome_adjusted=rounded(figures.p), length_adjusted=length, tier="recurrent")
    if difference is not None:
        verdict = replace(
            verdict,
            risk_difference=rounded(difference.difference),
            risk_interval=rounded_interval(difference.interval),
            strata=Strata(by="task" if difference.by_task else "domain", informative=difference.informative),
            visible_difference=_visible(figures, difference),
        )
    return replace(verdict, tier="significant", polarity=_polarity(figures)) if significant else verdict


def _visible(figures: _Figures, difference: Difference) -> float | None:
    """The difference beyond which the statistic is critical; None where the motif's episodes cannot reach it.

    Difference and statistic are the same excess of successes, by its weight and by its deviation.
    """
    excess = figures.critical * figures.deviation
    return rounded(excess / difference.weight) if 0 < excess < figures.reach * (1 - 1e-6) else None


def _polarity(figures: _Figures) -> Polarity:
    """More success and less failure, or the reverse; a shift between partial and one of them claims nothing."""
    return "positive" if figures.success > 0 else "negative"
