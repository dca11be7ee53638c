"""Maps an embedder's cosines to the common scale, where 0.7 and more means "the same situation".

Cosines of two embedders cannot be compared: pairs that have nothing to do with each other may lie at
0.04 in one and at 0.6 in another. Each bundled embedder carries knots measured on sentence pairs;
`benchmarks/embedders.py` measures them again, and measures them for any other model.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphmem.errors import SettingsError

SAME_SITUATION = 0.7
"""Where the common scale begins to mean the same situation."""

_TYPICAL_PARAPHRASE = 0.85
"""Where the median paraphrase is put: halfway from the border to the same text."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rising map, linear between its knots and flat outside of them."""

    knots: tuple[tuple[float, float], ...]
    """(cosine, value on the common scale), at least two, both rising, values from 0 to 1."""

    def __post_init__(self) -> None:
        cosines = [cosine for cosine, _ in self.knots]
        values = [value for _, value in self.knots]
        rising = all(a < b for a, b in pairwise(cosines)) and values == sorted(values)
        if len(values) < 2 or not rising or values[0] < 0 or values[-1] > 1:
            raise SettingsError(
                "a calibration needs at least two (cosine, value) knots, both rising, "
                f"with values from 0 to 1; it was given {self.knots}"
            )

    def __call__(self, cosine: float) -> float:
        """The value of a cosine on the common scale, 0 to 1."""
        above = bisect_right(self.knots, cosine, key=lambda knot: knot[0])
        if above == 0:
            return self.knots[0][1]
        if above == len(self.knots):
            return self.knots[-1][1]
        (left, low), (right, high) = self.knots[above - 1], self.knots[above]
        return low + (high - low) * (cosine - left) / (right - left)


IDENTITY = Calibration(((0.0, 0.0), (1.0, 1.0)))
"""For a model whose pairs nobody measured: its cosine, cut at 0."""


def fitted(unrelated: Sequence[float], related: Sequence[float], same: Sequence[float]) -> Calibration:
    """The calibration that cosines of judged pairs call for.

    The border goes where the mean of two rates is best: pairs of the same situation at or above it,
    related pairs below (unrelated ones lie far below both, and would only pull it down).

    Args:
        unrelated: Cosines of pairs that have nothing to do with each other.
        related: Cosines of pairs about the same subject that say something else.
        same: Cosines of paraphrases.

    Returns:
        Knots at the median unrelated pair (0), the border (0.7), the median paraphrase (0.85, where
        it lies above the border) and 1.
    """
    floor = min(round(float(np.median(unrelated)), 3), 0.998)
    border = min(max(round(_border(np.asarray(related), np.asarray(same)), 3), floor + 0.001), 0.999)
    typical = round(float(np.median(same)), 3)
    middle = ((typical, _TYPICAL_PARAPHRASE),) if border < typical < 1 else ()
    return Calibration(((floor, 0.0), (border, SAME_SITUATION), *middle, (1.0, 1.0)))


def _border(related: np.ndarray, same: np.ndarray) -> float:
    cuts = np.unique(np.concatenate([related, same]))
    kept = 1 - np.searchsorted(np.sort(same), cuts, side="left") / len(same)
    refused = np.searchsorted(np.sort(related), cuts, side="left") / len(related)
    return float(cuts[np.argmax(kept + refused)])
