"""How large an association is: rates, baselines, stratified differences, each with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.models.pattern import Interval
from graphmem.models.proportions import Z, wilson_interval
from graphmem.patterns.statistics.strata import SUCCESS, Longs, OutcomePanel

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of success rates within strata."""

    difference: float
    """-1..1."""
    error: float
    """Standard error of it."""
    interval: Interval
    informative: int
    """Strata that hold both outcomes, and episodes with and without."""
    by_task: bool
    """Whether all of these are tasks."""
    weight: float
    """Mantel-Haenszel weight: the sum of with x without / all over the strata."""
    units: int
    """Independent units among the episodes with it, in these strata."""


def effective_size(successes: NDArray[np.bool_], units: Longs) -> float:
    """How many independent witnesses these episodes are worth.

    The number that would give the variance between units (Kish 1965: size / design effect), never more than
    the episodes, never fewer than the units.

    Args:
        successes: One an episode.
        units: The unit of each.
    """
    size, share = len(successes), float(successes.mean())
    _, number = np.unique(units, return_inverse=True)
    clusters = int(number.max()) + 1
    if clusters in {size, 1}:
        return float(clusters)
    totals = np.bincount(number, weights=successes - share)
    variance = clusters / (clusters - 1) * float(np.sum(totals**2)) / size**2
    spread = share * (1 - share)
    return (
        min(float(size), max(float(clusters), spread / variance))
        if variance > 0 and spread > 0
        else float(clusters)
    )


def success_rate(panel: OutcomePanel, held: Places) -> tuple[float, Interval]:
    """Share of successes among the episodes `held` (places in the panel, one or more), with its interval."""
    successes = panel.outcome[held] == SUCCESS
    share = float(successes.mean())
    return share, wilson_interval(share, effective_size(successes, panel.unit[held]))


def expected_success(panel: OutcomePanel) -> NDArray[np.float64]:
    """Of each episode the success rate of its stratum."""
    size = np.bincount(panel.stratum, minlength=len(panel.by_task))
    won = np.bincount(panel.stratum[panel.outcome == SUCCESS], minlength=len(panel.by_task))
    return (won / np.maximum(1, size))[panel.stratum]


def risk_difference(panel: OutcomePanel, held: Places, others: Places | None = None) -> Difference | None:
    """Mantel-Haenszel difference of success rates within strata (Greenland and Robins 1985; variance: Sato 1989).

    Args:
        panel: The episodes with a known outcome.
        held: Places in the panel of the episodes with the motif.
        others: Those it is compared with; None: all the rest.

    Returns:
        The difference; None where no stratum holds both sides and both outcomes.
    """
    strata = len(panel.by_task)
    rest = _all_but(held, len(panel)) if others is None else others
    n1, a = _counts(panel, held, strata)
    n0, c = _counts(panel, rest, strata)
    n = n1 + n0
    telling = np.flatnonzero((n1 > 0) & (n0 > 0) & (a + c > 0) & (a + c < n))
    if not len(telling):
        return None
    both = np.flatnonzero((n1 > 0) & (n0 > 0))
    n1, n0, a, c, n = (column[both] for column in (n1, n0, a, c, n))
    weight = float(np.sum(n1 * n0 / n))
    difference = float(np.sum((a * n0 - c * n1) / n)) / weight
    p = (n1**2 * c - n0**2 * a + n1 * n0 * (n0 - n1) / 2) / n**2
    q = (a * (n0 - c) + c * (n1 - a)) / (2 * n)
    error = math.sqrt(max(0.0, difference * float(p.sum()) + float(q.sum()))) / weight
    inside = np.isin(panel.stratum[held], telling)
    return Difference(
        difference=difference,
        error=error,
        interval=(max(-1.0, difference - Z * error), min(1.0, difference + Z * error)),
        informative=len(telling),
        by_task=bool(np.all(panel.by_task[telling])),
        weight=weight,
        units=len(np.unique(panel.unit[held][inside])),
    )


def _all_but(held: Places, size: int) -> Places:
    rest = np.ones(size, bool)
    rest[held] = False
    return np.flatnonzero(rest)


def _counts(panel: OutcomePanel, places: Places, strata: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each stratum: these episodes, and the successes among them."""
    stratum = panel.stratum[places]
    won = panel.outcome[places] == SUCCESS
    all_of_them = np.bincount(stratum, minlength=strata).astype(float)
    return all_of_them, np.bincount(stratum[won], minlength=strata).astype(float)
