"""Adjusting p for the number of tests: false discovery rate, family-wise, and the step-down maximum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def benjamini_hochberg(p: Floats) -> Floats:
    """The smallest false discovery rate at which each test passes (Benjamini and Hochberg 1995).

    Args:
        p: One a test, 0..1.

    Returns:
        q, one a test, never below its p.
    """
    if not len(p):
        return p
    order = np.argsort(p)[::-1]
    ranks = np.arange(len(p), 0, -1)
    q = np.empty(len(p))
    q[order] = np.minimum.accumulate(np.minimum(1.0, p[order] * len(p) / ranks))
    return q


def holm(p: Floats) -> Floats:
    """The smallest family-wise error rate at which each test passes (Holm 1979), whatever their dependence.

    Args:
        p: One a test, 0..1.

    Returns:
        Adjusted p, one a test, never below its p.
    """
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return adjusted


class StepDownMaxima:
    """Counts, over permutations, how often the largest statistic of the rest reaches an observed one.

    Westfall and Young 1993, free step-down maxT: the largest observed statistic is held against the maximum of
    all, the next against the maximum of those that are not larger, and so on.
    """

    def __init__(self, observed: Floats) -> None:
        self._order = np.argsort(observed, kind="stable")
        self._observed = observed[self._order]
        self._reached = np.zeros(len(observed), np.int64)
        self._count = 0
        self._maxima: list[Floats] = []

    def add(self, permuted: Floats) -> None:
        """Take in statistics of permuted data: tests x permutations."""
        maxima = np.maximum.accumulate(permuted[self._order], axis=0)
        # rounding must not make a permutation that repeats the data look smaller than they are
        self._reached += np.sum(maxima >= self._observed[:, None] - 1e-6, axis=1)
        self._count += permuted.shape[1]
        self._maxima.append(maxima[-1])

    def adjusted(self) -> Floats:
        """Adjusted p of each test, 0..1; the data themselves count as one permutation."""
        p = (1 + self._reached) / (1 + self._count)
        monotone = np.maximum.accumulate(p[::-1])[::-1]
        result = np.empty(len(p))
        result[self._order] = monotone
        return result

    def critical(self, significance: float) -> float:
        """The statistic that the largest of all exceeds by chance in this share of permutations."""
        return float(np.quantile(np.concatenate(self._maxima), 1 - significance)) if self._maxima else np.inf
