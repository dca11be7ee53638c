"""Step 6 of mining: does a motif recur more often than its parts explain? Outcomes play no part here.

A motif of one edge is held against independent labels; every other one against each smaller motif that
lacks one of its edges: given that one, how often would the edge be there anyway (Webb 2007, productive
patterns)? The least convincing of these comparisons counts. A motif that holds in nearly the same episodes
as one of its sub-motifs may take over the verdict on that: what recurs there is the sub-motif.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import bdtrc

from graphmem.patterns.encoding import EncodedGraphs, Ints
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.lattice import Extensions, Flags
from graphmem.patterns.tables import Longs, MotifTable

Floats = NDArray[np.float64]

SAME_EPISODES = 0.9
"""Share of a sub-motif's episodes that a motif must hold in to take over its verdict."""


@dataclass(frozen=True, slots=True)
class StructureTests:
    """One row a frequent motif, numbered through all tables."""

    p: Floats
    """Chance of at least this support, in the least convincing comparison, 0..1."""
    lift: Floats
    """Observed / expected support in the comparison in which it is smallest."""
    source: Longs
    """Number of the motif whose verdict it is: its own, or a sub-motif's in nearly the same episodes."""


def examine_structure(
    encoded: EncodedGraphs,
    tables: Sequence[MotifTable],
    extensions: Extensions,
    *,
    codes: Sequence[bytes],
    support: Longs,
    kept: Flags,
) -> StructureTests:
    """Test every frequent motif, and let the kept ones take over the verdicts of their sub-motifs.

    Args:
        encoded: The corpus.
        tables: All frequent motifs, one table a size.
        extensions: Which are another and one edge more.
        codes: Of each: decide between equal sub-motifs, whatever the order in which they were found.
        support: Episodes of each.
        kept: Which are closed and not over-general.
    """
    alone = _LabelEpisodes(encoded)
    seeds = _single_edges(tables[0])
    edges = _EdgeSupport(seeds, support, len(encoded.table.labels))
    p, lift = np.ones(len(support)), np.full(len(support), np.inf)
    p[seeds.number], lift[seeds.number] = _against_independence(encoded, seeds, support)
    worst, least = np.zeros(len(support)), np.full(len(support), np.inf)
    # where the support of the smaller one is a lower bound, it holds at least wherever the larger one does
    given = np.maximum(support[extensions.parent], support[extensions.child])
    chance = np.minimum(1.0, edges.of(extensions) / np.maximum(1, alone.anchors(extensions)))
    np.maximum.at(worst, extensions.child, _upper_tail(support[extensions.child], given, chance))
    np.minimum.at(least, extensions.child, support[extensions.child] / np.maximum(given * chance, 1e-12))
    extended = np.unique(extensions.child)
    p[extended], lift[extended] = worst[extended], least[extended]
    source = _verdicts(p, support, extensions, np.flatnonzero(kept), codes)
    return StructureTests(p[source], lift[source], source)


@dataclass(frozen=True, slots=True)
class _SingleEdges:
    """The motifs of one edge between two nodes."""

    number: Longs
    source: Longs
    edge_type: Longs
    target: Longs


def _single_edges(pairs: MotifTable) -> _SingleEdges:
    bits = np.unpackbits(pairs.adjacency.reshape(len(pairs), 4), axis=1)
    number = np.flatnonzero(bits.sum(axis=1) == 1)
    cell, edge_type = np.divmod(np.argmax(bits[number], axis=1), 8)
    labels = pairs.labels[number].astype(np.int64)
    row = np.arange(len(number))
    return _SingleEdges(number, labels[row, cell // 2], edge_type, labels[row, cell % 2])


class _EdgeSupport:
    """Episodes that have an edge of a type between two labels."""

    def __init__(self, seeds: _SingleEdges, support: Longs, labels: int) -> None:
        self._labels = labels
        keys = self._keys(seeds.source, seeds.edge_type, seeds.target)
        order = np.argsort(keys)
        self._known, self._support = keys[order], support[seeds.number[order]]

    def of(self, extensions: Extensions) -> Floats:
        """Episodes with the added edge, anywhere.

        An edge from a node to itself is no motif of its own and not known; infinity, that is certainty, makes
        sure that nothing is claimed of it. Every other edge is known, since the motif with it is frequent.
        """
        wanted = self._keys(extensions.source.astype(np.int64), extensions.edge_type, extensions.target)
        if not len(self._known):
            return np.full(len(wanted), np.inf)
        place = np.minimum(np.searchsorted(self._known, wanted), len(self._known) - 1)
        return np.where(self._known[place] == wanted, self._support[place].astype(float), np.inf)

    def _keys(self, source: Longs, edge_type: Longs, target: Longs | Ints) -> Longs:
        return (source * len(EDGE_TYPES) + edge_type) * self._labels + target


class _LabelEpisodes:
    """In which episodes each label, or one below it, occurs."""

    def __init__(self, encoded: EncodedGraphs) -> None:
        origin, entry = encoded.table.variants.expand(encoded.node_label)
        label, episode = encoded.table.variants.values[entry], encoded.node_episode[origin]
        shape = (len(encoded.table.labels), len(encoded.graphs))
        held = csr_array((np.ones(len(label), np.int32), (label, episode)), shape=shape)
        held.data[:] = 1
        self._held = held
        self._episodes = np.asarray(held.sum(axis=1), np.int64).reshape(-1)

    def anchors(self, extensions: Extensions) -> Longs:
        """Episodes with the nodes to which the edge was added: the one it hangs on, or both its ends."""
        source, target = extensions.source, extensions.target
        found = np.where(extensions.added == 1, self._episodes[target], self._episodes[source])
        between = np.flatnonzero((extensions.added == 0) & (source != target))
        pairs, of = np.unique(np.stack([source[between], target[between]]), axis=1, return_inverse=True)
        both = self._held[pairs[0]].multiply(self._held[pairs[1]]).sum(axis=1) if len(between) else np.empty(0)
        found[between] = np.asarray(both, np.int64).reshape(-1)[np.asarray(of).reshape(-1)]
        return found


def _against_independence(encoded: EncodedGraphs, seeds: _SingleEdges, support: Longs) -> tuple[Floats, Floats]:
    """P and lift of single edges, had the ends of each edge been drawn on their own from its kind of edge.

    An episode with m edges of the kind holds one between the labels with 1 - (1 - P(begin) P(end))^m. The sum
    of these unequal chances is held against a binomial of the same mean, whose tail is the heavier one.
    """
    kinds = sorted({kind for kind, _ in encoded.table.labels})
    kind = np.array([kinds.index(one) for one, _ in encoded.table.labels], np.int64)
    edge = np.flatnonzero(encoded.source != encoded.target)
    ends = encoded.node_label[encoded.source[edge]], encoded.node_label[encoded.target[edge]]
    group = (encoded.edge_type[edge] * len(kinds) + kind[ends[0]]) * len(kinds) + kind[ends[1]]
    wanted = (seeds.edge_type * len(kinds) + kind[seeds.source]) * len(kinds) + kind[seeds.target]
    episodes = max(1, len(encoded.graphs))
    expected = np.zeros(len(wanted))
    for one in np.unique(wanted).tolist():
        rows, of = np.flatnonzero(wanted == one), np.flatnonzero(group == one)
        chance = (
            _share(encoded, ends[0][of])[seeds.source[rows]] * _share(encoded, ends[1][of])[seeds.target[rows]]
        )
        counts = np.bincount(encoded.node_episode[encoded.source[edge[of]]], minlength=episodes)
        size, often = np.unique(counts[counts > 0], return_counts=True)
        expected[rows] = (1 - (1 - chance[:, None]) ** size) @ often
    observed = support[seeds.number]
    p = _upper_tail(observed, np.full(len(observed), episodes), np.minimum(1.0, expected / episodes))
    return p, observed / np.maximum(expected, 1e-12)


def _upper_tail(observed: Longs, trials: Longs, chance: Floats) -> Floats:
    """Chance of at least so many in a binomial, 0..1; `observed` is 1 or more and no more than `trials`."""
    return np.asarray(bdtrc(observed - 1, trials, chance), np.float64)


def _share(encoded: EncodedGraphs, labels: Ints) -> Floats:
    """Share of these nodes that match each label."""
    _, entry = encoded.table.variants.expand(labels)
    matched = np.bincount(encoded.table.variants.values[entry], minlength=len(encoded.table.labels))
    return matched / max(1, len(labels))


def _verdicts(p: Floats, support: Longs, extensions: Extensions, kept: Longs, codes: Sequence[bytes]) -> Longs:
    """For each motif the one whose p it takes; only the kept ones look further than at themselves."""
    source = np.arange(len(p))
    order = np.argsort(extensions.child, kind="stable")
    parents = extensions.parent[order]
    starts = np.searchsorted(extensions.child[order], np.arange(len(p) + 1))
    enough, chance = support.tolist(), p.tolist()
    for motif in kept.tolist():
        most = enough[motif] / SAME_EPISODES
        best, seen, waiting = motif, {motif}, [motif]
        while waiting:
            one = waiting.pop()
            for parent in parents[starts[one] : starts[one + 1]].tolist():
                if parent not in seen and enough[parent] <= most:
                    seen.add(parent)
                    waiting.append(parent)
                    if _convinces(chance, enough, codes, parent) < _convinces(chance, enough, codes, best):
                        best = parent
        source[motif] = best
    return source


def _convinces(
    chance: Sequence[float], support: Sequence[int], codes: Sequence[bytes], motif: int
) -> tuple[float, int, bytes]:
    """Falls with what speaks for taking over the verdict of a motif."""
    return chance[motif], -support[motif], codes[motif]
