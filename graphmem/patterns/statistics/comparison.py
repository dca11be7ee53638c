"""The figures of a comparison of two variants: differences with intervals, and one family of p. Pure.

Sources of the formulas: docs/explanation/comparing-variants.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from graphmem.models.comparison import ComparedWithin, EffectChange, FrequencyChange, SuccessDifference
from graphmem.models.pattern import Interval
from graphmem.models.proportions import Z
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.statistics.adjustment import holm
from graphmem.patterns.statistics.effects import Places, risk_difference
from graphmem.patterns.statistics.rounding import rounded, rounded_interval
from graphmem.patterns.statistics.strata import FAILURE, KNOWN, SUCCESS, OutcomePanel, outcome_panel
from graphmem.patterns.statistics.variants import Flags, VariantPanel, examine_variants, variant_panel

QUESTIONS = 2
"""Families that share the level equally (Bonferroni): frequency and effect."""

FEWEST = 3
"""Episodes with and without a pattern, in each variant, below which its effect there is not looked at."""


def success_difference(
    graphs: Sequence[EpisodeGraph], second: str, *, permutations: int, seed: int
) -> SuccessDifference:
    """How much more often the second variant succeeds, among known outcomes.

    Args:
        graphs: Episodes of two variants.
        second: The one that is held against the other.
        permutations: Of the variants' labels.
        seed: Of the permutations.
    """
    known = [graph for graph in graphs if graph.outcome in KNOWN]
    panel = variant_panel(known, second)
    within = _within(panel)
    if within is None:
        return SuccessDifference()
    won = np.array([graph.outcome == "success" for graph in known], bool)
    counted = csr_array(won[None, :].astype(np.float64))
    tests = examine_variants(counted, panel, permutations=permutations, seed=seed)
    found = _difference(panel, won, float(tests.deviation[0]))
    if found is None:
        return SuccessDifference(within=within)
    return SuccessDifference(
        within=within,
        difference=rounded(found[0]),
        interval=rounded_interval(found[1]),
        p=rounded(float(tests.p[0])),
    )


def frequency_changes(
    graphs: Sequence[EpisodeGraph], held: Sequence[Places], second: str, *, permutations: int, seed: int
) -> list[FrequencyChange]:
    """How much more often patterns occur in the second variant, all outcomes included.

    Args:
        graphs: Episodes of two variants.
        held: Of each pattern the places of its episodes.
        second: The variant that is held against the other.
        permutations: Of the variants' labels.
        seed: Of the permutations.
    """
    if not held:
        return []
    panel = variant_panel(graphs, second)
    column, starts = np.concatenate(held), np.cumsum([0, *map(len, held)])
    counted = csr_array((np.ones(len(column)), column, starts), shape=(len(held), len(graphs)))
    tests = examine_variants(counted, panel, permutations=permutations, seed=seed)
    changes = []
    for row, places in enumerate(held):
        has = np.zeros(len(graphs), bool)
        has[places] = True
        found = _difference(panel, has, float(tests.deviation[row]))
        changes.append(
            FrequencyChange(
                first=int(np.sum(has & ~panel.second)),
                second=int(np.sum(has & panel.second)),
                difference=rounded(found[0]) if found else None,
                interval=rounded_interval(found[1]) if found else None,
                p=rounded(min(1.0, QUESTIONS * float(tests.p[row]))),
            )
        )
    return changes


def effect_changes(
    graphs: Sequence[EpisodeGraph], held: Sequence[Places], second: str, *, by_task: bool
) -> list[EffectChange | None]:
    """How much more patterns go with success in the second variant than in the first.

    Args:
        graphs: Episodes of two variants.
        held: Of each pattern the places of its episodes.
        second: The variant that is held against the other.
        by_task: Whether a task that repeats is a stratum.
    """
    is_second = np.array([graph.variant == second for graph in graphs], bool)
    sides = [_Side(graphs, wanted, by_task=by_task) for wanted in (~is_second, is_second)]
    pairs = [[side.effect(places) for side in sides] for places in held]
    compared = [_compared(*pair) for pair in pairs]
    adjusted = iter(holm(np.array([one.p for one in compared if one is not None])))
    return [
        None if one is None else one.model_copy(update={"p": rounded(min(1.0, QUESTIONS * float(next(adjusted))))})
        for one in compared
    ]


@dataclass(frozen=True, slots=True)
class _Effect:
    difference: float
    error: float


class _Side:
    """The episodes of one variant with a known outcome."""

    def __init__(self, graphs: Sequence[EpisodeGraph], wanted: Flags, *, by_task: bool) -> None:
        places = np.flatnonzero(wanted)
        self._panel = outcome_panel([graphs[place] for place in places.tolist()], by_task=by_task)
        self._number = np.full(len(graphs), -1)
        self._number[places[self._panel.episodes]] = np.arange(len(self._panel))

    def effect(self, held: Places) -> _Effect | None:
        """The difference of success with and without a pattern; None where it cannot be told."""
        inside = self._number[held]
        having = np.sort(inside[inside >= 0])
        if min(len(having), len(self._panel) - len(having)) < FEWEST:
            return None
        found = risk_difference(self._panel, having)
        if found is None:
            return None
        return _Effect(found.difference, max(found.error, self._deviation(having) / found.weight))

    def _deviation(self, having: Places) -> float:
        """Of the weighted difference when outcomes are exchanged inside strata; never 0 where one is told."""
        panel = self._panel
        size, having_it, won = (
            np.bincount(panel.stratum[of], minlength=len(panel.by_task)).astype(float)
            for of in (slice(None), having, panel.outcome == SUCCESS)
        )
        product = having_it * (size - having_it) * won * (size - won)
        return math.sqrt(float(np.sum(product / np.maximum(1.0, size**2 * (size - 1)))))


def _compared(first: _Effect | None, second: _Effect | None) -> EffectChange | None:
    """The change of an effect, its p not adjusted yet."""
    if first is None or second is None:
        return None
    difference = second.difference - first.difference
    error = math.hypot(first.error, second.error)
    return EffectChange(
        first=rounded(first.difference),
        second=rounded(second.difference),
        difference=rounded(difference),
        interval=rounded_interval((max(-2.0, difference - Z * error), min(2.0, difference + Z * error))),
        p=2 * NormalDist().cdf(-abs(difference) / error),
    )


def _difference(panel: VariantPanel, has: Flags, deviation: float) -> tuple[float, Interval] | None:
    """Share with it in the second variant less that in the first, within strata.

    The error is the larger one of Sato's and that of the permutations, which knows of blocks and is not 0 where
    all of one side have it and none of the other.
    """
    as_outcomes = OutcomePanel(
        episodes=np.arange(len(panel)),
        outcome=np.where(has, SUCCESS, FAILURE),
        unit=panel.unit,
        stratum=panel.stratum,
        by_task=panel.by_task,
        steps=np.zeros(len(panel), np.int64),
    )
    found = risk_difference(as_outcomes, np.flatnonzero(panel.second))
    if found is None:
        return None
    half = Z * max(found.error, deviation / found.weight)
    return found.difference, (max(-1.0, found.difference - half), min(1.0, found.difference + half))


def _within(panel: VariantPanel) -> ComparedWithin | None:
    compared = panel.compared
    tasks, domains = int(np.sum(compared & panel.by_task)), int(np.sum(compared & ~panel.by_task))
    if not tasks and not domains:
        return None
    by: Literal["task", "domain", "task and domain"]
    by = "task and domain" if tasks and domains else "task" if tasks else "domain"
    return ComparedWithin(by=by, tasks=tasks, domains=domains, episodes=int(np.sum(compared[panel.stratum])))
