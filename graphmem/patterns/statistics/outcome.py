"""Step 7 of mining: does a motif go with success or with failure, compared within strata?

Cochran-Mantel-Haenszel statistics of success against the rest, held against their maximum when outcomes are
permuted inside strata (Westfall and Young 1993). Failure against the rest is no test of its own: it would double
the family, and a claim asks only for its sign.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmem.patterns.statistics.adjustment import StepDownMaxima
from graphmem.patterns.statistics.strata import FAILURE, SUCCESS, Longs, OutcomePanel

Floats = NDArray[np.float64]

_CELLS = 8_000_000
"""Episodes x permutations, and tests x permutations, in memory at a time."""


@dataclass(frozen=True, slots=True)
class OutcomeTests:
    """One row a motif."""

    success: Floats
    """Standardised difference of success, 0 where nothing can be compared."""
    failure: Floats
    """The same of failure: where no outcome is partial, the first with its sign changed."""
    deviation: Floats
    """Of the successes with the motif, had outcomes been permuted: what `success` is measured in."""
    reach: Floats
    """Most successes above or below what is expected that the motif could have, margins of strata as they are."""
    p: Floats
    """Adjusted p of the difference of success, over all motifs, 0..1."""
    critical: float
    """Size of a statistic at which one becomes significant by the maximum of all."""


def examine_outcomes(
    holds: csr_array, panel: OutcomePanel, *, permutations: int, seed: int, significance: float
) -> OutcomeTests:
    """Test motifs against outcomes within strata.

    Args:
        holds: Motifs x episodes of the panel: 1 where the motif occurs.
        panel: The episodes with a known outcome.
        permutations: How often outcomes are permuted; the smallest p is one divided by one more than it.
        seed: Of the permutations.
        significance: The level that `critical` belongs to.
    """
    telling = informative_episodes(panel)
    panel, holds = panel.only(telling), holds[:, telling]
    members = holds.astype(np.float32)
    scale = _scale(holds, panel, SUCCESS)
    success = scale.statistics(members, (panel.outcome == SUCCESS)[:, None])[:, 0]
    failure = _scale(holds, panel, FAILURE).statistics(members, (panel.outcome == FAILURE)[:, None])[:, 0]
    maxima = StepDownMaxima(np.abs(success))
    if len(panel) and holds.shape[0]:
        _permute(maxima, holds, panel, scale, permutations=permutations, seed=seed)
        p = maxima.adjusted()
    else:
        p = np.ones(holds.shape[0])
    p[success == 0] = 1.0
    return OutcomeTests(
        success=success,
        failure=failure,
        deviation=scale.deviation,
        reach=scale.reach,
        p=p,
        critical=maxima.critical(significance),
    )


def informative_episodes(panel: OutcomePanel) -> NDArray[np.bool_]:
    """Episodes of strata with more than one kind of outcome; the others can say nothing."""
    kinds = np.zeros((len(panel.by_task), 3), bool)
    kinds[panel.stratum, panel.outcome] = True
    mixed: NDArray[np.bool_] = kinds.sum(axis=1)[panel.stratum] > 1
    return mixed


def _permute(
    maxima: StepDownMaxima,
    holds: csr_array,
    panel: OutcomePanel,
    scale: _Scale,
    *,
    permutations: int,
    seed: int,
) -> None:
    chance = np.random.default_rng(seed)
    held = np.flatnonzero(np.bincount(holds.indices, minlength=len(panel)))
    shuffle = _Shuffle(panel, held)
    members = holds[:, held].astype(np.float32)
    at_once = max(1, min(permutations, _CELLS // max(1, len(held), holds.shape[0])))
    for start in range(0, permutations, at_once):
        outcome = shuffle.outcomes(min(at_once, permutations - start), chance)
        maxima.add(np.abs(scale.statistics(members, outcome == SUCCESS)))


_SMALL = 64
"""Episodes up to which a stratum is permuted whole, all of one size together."""


class _Shuffle:
    """Permutes outcomes inside strata, and gives those of the episodes that any motif holds in.

    In a large stratum only these are drawn: how many of each outcome they get (multivariate hypergeometric),
    then in which order, which is what a permutation of the whole stratum would give them.
    """

    def __init__(self, panel: OutcomePanel, held: Longs) -> None:
        self._outcome = panel.outcome.astype(np.int8)
        self._held = held
        order = np.argsort(panel.stratum, kind="stable")
        _, starts, sizes = np.unique(panel.stratum[order], return_index=True, return_counts=True)
        self._whole = [
            order[starts[sizes == size][:, None] + np.arange(size)]
            for size in np.unique(sizes[sizes <= _SMALL]).tolist()
        ]
        large = [order[start : start + size] for start, size in zip(starts, sizes, strict=True) if size > _SMALL]
        self._drawn = [(np.intersect1d(of, held), np.bincount(panel.outcome[of], minlength=3)) for of in large]

    def outcomes(self, count: int, chance: np.random.Generator) -> NDArray[np.int8]:
        """Held episodes x permutations."""
        shuffled = np.empty((len(self._outcome), count), np.int8) if self._whole else None
        for places in self._whole:
            given = np.broadcast_to(self._outcome[places], (count, *places.shape))
            shuffled[places] = np.moveaxis(chance.permuted(given, axis=2), 0, 2)  # type: ignore[index]
        result = np.empty((len(self._held), count), np.int8) if shuffled is None else shuffled[self._held]
        for places, kinds in self._drawn:
            counts = chance.multivariate_hypergeometric(kinds, len(places), size=count)
            ends = np.cumsum(counts, axis=1)
            number = np.arange(len(places))
            drawn = (number >= ends[:, :1]).astype(np.int8) + (number >= ends[:, 1:2])
            result[np.searchsorted(self._held, places)] = chance.permuted(drawn, axis=1).T
        return result


@dataclass(frozen=True, slots=True)
class _Scale:
    """What turns a number of episodes with an outcome into a standardised difference, one row a motif."""

    expected: Floats
    deviation: Floats
    """0 where nothing can be compared."""
    reach: Floats
    """Largest difference from the expectation, to either side."""

    def statistics(self, members: csr_array, having: NDArray[np.bool_]) -> Floats:
        """Motifs x columns of `having`: observed less expected, in standard deviations."""
        observed = np.asarray(members @ having.astype(np.float32), np.float64)
        scale = np.where(self.deviation > 0, self.deviation, 1.0)[:, None]
        return np.where(self.deviation[:, None] > 0, (observed - self.expected[:, None]) / scale, 0.0)


def _scale(holds: csr_array, panel: OutcomePanel, contrast: int) -> _Scale:
    size, share, spread = _margins(panel, contrast)
    strata = csr_array(
        (np.ones(len(panel)), (np.arange(len(panel)), panel.stratum)), shape=(len(panel), len(panel.by_task))
    )
    members = csr_array(holds @ strata)
    with_it, of = members.data, members.indices
    expected = with_it * share[of]
    having = share[of] * size[of]
    rows = np.repeat(np.arange(members.shape[0]), np.diff(members.indptr))

    def summed(values: Floats) -> Floats:
        return np.bincount(rows, weights=values, minlength=members.shape[0]).astype(float)

    most, fewest = np.minimum(with_it, having), np.maximum(0.0, with_it - (size[of] - having))
    return _Scale(
        expected=summed(expected),
        deviation=np.sqrt(np.maximum(0.0, summed(with_it * (size[of] - with_it) * spread[of]))),
        reach=np.maximum(summed(most - expected), summed(expected - fewest)),
    )


def _margins(panel: OutcomePanel, contrast: int) -> tuple[Floats, Floats, Floats]:
    """Of each stratum: episodes, the share of them with the outcome, and the variance a product of margins has."""
    strata = len(panel.by_task)
    size = np.bincount(panel.stratum, minlength=strata).astype(float)
    having = np.bincount(panel.stratum[panel.outcome == contrast], minlength=strata).astype(float)
    spread = having * (size - having) / np.maximum(1, size**2 * (size - 1))
    return size, having / np.maximum(1, size), spread
