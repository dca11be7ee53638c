"""For a pattern that goes with failure: what went with success in the same situation.

The nearest contrast shares the largest situation (symptoms, causes and concepts; steps and tools where a
pattern names none) and differs in a step. What recommends nothing itself, since it ends episodes or is one
user's alone, is no contrast either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphmem.models.pattern import Contrast, Interval
from graphmem.patterns.advice import LATE_FROM
from graphmem.patterns.motifs import Motif
from graphmem.patterns.statistics.effects import risk_difference
from graphmem.patterns.statistics.judging import Judgement, Verdict
from graphmem.patterns.statistics.rounding import rounded, rounded_interval

Label = tuple[str, str]


def nearest_contrast(
    number: int, motifs: Sequence[Motif], judgement: Judgement, titles: Sequence[str]
) -> Contrast | None:
    """The pattern to try instead of a negative one; None where none shares anything with it.

    Only patterns that claim success are asked; among equals the larger difference comes first.

    Args:
        number: Place of the negative pattern among `motifs`.
        motifs: All motifs of the run.
        judgement: Their verdicts.
        titles: Their titles.
    """
    own = motifs[number]
    rated = [
        (rank, other)
        for other, (motif, verdict) in enumerate(zip(motifs, judgement.verdicts, strict=True))
        if _may_stand_against(own, motif, verdict) and (rank := _rank(own, motif, verdict))
    ]
    if not rated:
        return None
    _, best = max(rated, key=lambda one: (one[0], motifs[one[1]].support, motifs[one[1]].id))
    difference, interval = _compared(judgement, best, number)
    return Contrast(pattern=motifs[best].id, title=titles[best], risk_difference=difference, interval=interval)


def _may_stand_against(own: Motif, other: Motif, verdict: Verdict) -> bool:
    succeeds = verdict.polarity == "positive"
    may_advise = other.position < LATE_FROM and not verdict.single_user
    return succeeds and may_advise and bool(_labels(other, steps=True) - _labels(own, steps=True))


def _rank(own: Motif, other: Motif, verdict: Verdict) -> tuple[int, int, float] | None:
    """Shared situation, shared steps and tools, its difference; None: nothing shared."""
    situation = len(_labels(own, steps=False) & _labels(other, steps=False))
    doing = len(_labels(own, steps=True) & _labels(other, steps=True))
    if not situation and not doing:
        return None
    return situation, doing, verdict.risk_difference or 0.0


def _labels(motif: Motif, *, steps: bool) -> frozenset[Label]:
    """Steps and tools, or the situation."""
    return frozenset((node.kind, node.key) for node in motif.nodes if (node.kind in ("action", "tool")) == steps)


def _compared(judgement: Judgement, better: int, worse: int) -> tuple[float | None, Interval | None]:
    """Success with the one less success with the other, within shared strata; episodes with both left out."""
    one, other = judgement.held[better], judgement.held[worse]
    found = risk_difference(judgement.panel, np.setdiff1d(one, other), np.setdiff1d(other, one))
    if found is None:
        return None, None
    return rounded(found.difference), rounded_interval(found.interval)
