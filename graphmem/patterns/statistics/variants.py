"""Two variants held against each other within strata: tasks that both ran, else domains.

Labels of variants are permuted as blocks: an episode of a shared task is one, and elsewhere all trials of a
task are one, since they share their variant and are no independent witnesses.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.statistics.adjustment import StepDownMaxima
from graphmem.patterns.statistics.strata import Longs, numbered

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TASK = "task:"
"""How the unit of an episode begins that names its task."""

_CELLS = 4_000_000
"""Blocks x permutations in memory at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantPanel:
    """Episodes of two variants, and what may be exchanged between them."""

    second: Flags
    """Of each episode: whether it is of the second variant."""
    unit: Longs
    """Number of the unit that makes witnesses independent."""
    stratum: Longs
    """Number of the stratum."""
    by_task: Flags
    """Of each stratum: whether it is a task that both variants ran; else a domain."""
    block: Longs
    """Number of the block whose label moves as one; blocks lie within strata and within one variant."""

    def __len__(self) -> int:
        return len(self.second)

    @property
    def compared(self) -> Flags:
        """Of each stratum: whether it holds both variants."""
        sides = np.zeros((len(self.by_task), 2), bool)
        sides[self.stratum, self.second.astype(int)] = True
        return sides[:, 0] & sides[:, 1]


def variant_panel(graphs: Sequence[EpisodeGraph], second: str) -> VariantPanel:
    """Put the episodes of two variants into strata.

    Args:
        graphs: Episodes of the two variants.
        second: The variant whose label is counted.
    """
    is_second = np.array([graph.variant == second for graph in graphs], bool)
    units = [graph.unit or f"episode:{graph.episode}" for graph in graphs]
    sides: dict[str, set[bool]] = {}
    for unit, side in zip(units, is_second.tolist(), strict=True):
        sides.setdefault(unit, set()).add(side)
    strata: list[tuple[bool, Hashable]] = []
    blocks: list[tuple[Hashable, ...]] = []
    for place, (unit, graph) in enumerate(zip(units, graphs, strict=True)):
        shared = unit.startswith(TASK) and len(sides[unit]) > 1
        strata.append((shared, unit if shared else graph.domain))
        # a session or a day may be of both variants, and of several domains: a block is of one of each
        blocks.append((place,) if shared else (unit, graph.domain, bool(is_second[place])))
    stratum, kinds = numbered(strata)
    return VariantPanel(
        second=is_second,
        unit=numbered(units)[0],
        stratum=stratum,
        by_task=np.array([kind[0] for kind in kinds], bool),
        block=numbered(blocks)[0],
    )


@dataclass(frozen=True, slots=True)
class VariantTests:
    """One entry a row of what was counted."""

    statistic: Floats
    """Second less first, in standard deviations of the permutations; 0 where nothing can be compared."""
    p: Floats
    """Adjusted for all rows by the step-down maximum, two-sided, 0..1."""
    deviation: Floats
    """Of the Mantel-Haenszel weight times the difference, over the permutations; 0 where nothing varies."""


def examine_variants(counted: csr_array, panel: VariantPanel, *, permutations: int, seed: int) -> VariantTests:
    """Test whether things are as frequent in both variants, by permuting the labels of blocks inside strata.

    Args:
        counted: Things x episodes of the panel: 1 where an episode has the thing.
        panel: The episodes.
        permutations: How often labels are permuted; the smallest p is one divided by one more than it.
        seed: Of the permutations.
    """
    blocks = _Blocks(panel)
    sums = blocks.sums(counted)
    deviation = np.sqrt(sums.variance)
    observed = sums.statistics(blocks.second[:, None], deviation)[:, 0]
    p = np.ones(len(observed))
    if len(observed) and len(panel):
        maxima = StepDownMaxima(np.abs(observed))
        chance = np.random.default_rng(seed)
        at_once = max(1, min(permutations, _CELLS // max(1, len(blocks.second), counted.shape[0])))
        for start in range(0, permutations, at_once):
            labels = blocks.shuffled(min(at_once, permutations - start), chance)
            maxima.add(np.abs(sums.statistics(labels, deviation)))
        p = maxima.adjusted()
    p[deviation == 0] = 1.0
    return VariantTests(statistic=observed, p=p, deviation=deviation)


@dataclass(frozen=True, slots=True)
class _Sums:
    """What blocks hold of each thing, less what their sizes would make expect."""

    counts: csr_array
    """Things x blocks."""
    share: csr_array
    """Things x strata: share of the stratum's episodes with the thing."""
    sizes: csr_array
    """Strata x blocks: episodes."""
    variance: Floats
    """Of the sum over the second variant, one a thing."""

    def statistics(self, labels: Flags, deviation: Floats) -> Floats:
        """Things x columns of labels: observed less expected, in standard deviations."""
        marked = labels.astype(np.float64)
        excess = np.asarray(self.counts @ marked - self.share @ (self.sizes @ marked))
        scale = np.where(deviation > 0, deviation, 1.0)[:, None]
        return np.where(deviation[:, None] > 0, excess / scale, 0.0)


class _Blocks:
    """The blocks of a panel in the order of their strata."""

    def __init__(self, panel: VariantPanel) -> None:
        _, first, place = np.unique(panel.block, return_index=True, return_inverse=True)
        order = np.argsort(panel.stratum[first], kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        self._of_episode = rank[place]
        self._stratum = panel.stratum[first][order]
        self._strata = len(panel.by_task)
        self.second = panel.second[first][order]

    def sums(self, counted: csr_array) -> _Sums:
        """What the blocks hold of each thing, with the variance that exchanging labels gives the sums."""
        episodes, blocks = len(self._of_episode), len(self.second)
        gather = _indicator(np.arange(episodes), self._of_episode, (episodes, blocks))
        within = _indicator(np.arange(blocks), self._stratum, (blocks, self._strata))
        counts = csr_array(counted.astype(np.float64) @ gather)
        size = np.bincount(self._of_episode, minlength=blocks).astype(float)
        total = np.maximum(1.0, np.asarray(size @ within))
        share = csr_array((counts @ within).multiply(1 / total[None, :]))
        squares = (
            counts.power(2) @ within
            - 2 * csr_array(csr_array(counts.multiply(size[None, :])) @ within).multiply(share)
            + share.power(2).multiply(np.asarray(size**2 @ within)[None, :])
        )
        k = np.bincount(self._stratum[self.second], minlength=self._strata).astype(float)
        n = np.bincount(self._stratum, minlength=self._strata).astype(float)
        spread = k * (n - k) / np.maximum(1.0, n * (n - 1))
        variance = np.asarray(csr_array(squares) @ spread).reshape(-1)
        # what is left of a difference of equal numbers is rounding
        variance[variance < 1e-9] = 0.0
        sizes = csr_array((size, (self._stratum, np.arange(blocks))), shape=(self._strata, blocks))
        return _Sums(counts, share, sizes, variance)

    def shuffled(self, count: int, chance: np.random.Generator) -> Flags:
        """Blocks x permutations: labels exchanged inside strata."""
        keys = chance.random((count, len(self.second))) + self._stratum
        labels: Flags = self.second[np.argsort(keys, axis=1)].T
        return labels


def _indicator(rows: Longs, columns: Longs, shape: tuple[int, int]) -> csr_array:
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
