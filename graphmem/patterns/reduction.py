"""Step 5 of mining: keep what is closed and not over-general.

A motif is *closed* when no motif with one edge more holds in the same episodes, and *over-general*
when replacing one label by one below it leaves the same episodes. Both are looked up among the
frequent motifs, from the larger and from the more special one; how these were found does not matter,
so motifs merged from partitions reduce the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphmem.patterns.canonical import table_codes
from graphmem.patterns.encoding import Ints, LabelTable
from graphmem.patterns.lattice import Adjacency, Extensions, Flags, first_numbers
from graphmem.patterns.tables import Longs, MotifTable


@dataclass(frozen=True, slots=True)
class ClosedMotifs:
    """Which motifs are closed and not over-general."""

    closed: Flags
    """One a motif, numbered through all tables."""
    special: Longs
    general: Longs
    """Pairs of motifs: the second has one label a step above that of the first."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """Which motifs are kept, and which of them generalise others."""

    kept: Flags
    """One a motif, numbered through all tables."""
    generalizes: Mapping[int, tuple[int, ...]]
    """Kept motif -> the kept motifs it is a generalisation of, the nearest ones."""


def find_closed(
    tables: Sequence[MotifTable], labels: LabelTable, places: Mapping[bytes, int], extensions: Extensions
) -> ClosedMotifs:
    """Say of each motif of each table whether it is closed and not over-general.

    Args:
        tables: all frequent motifs, one table a size, one embedding an episode.
        labels: the labels above each label.
        places: number of each motif by its code.
        extensions: which motifs are another and one edge more.
    """
    support = support_numbers(tables)
    special, general = _generalisations(tables, labels, places)
    closed = np.ones(len(support), dtype=bool)
    closed[extensions.parent[support[extensions.parent] == support[extensions.child]]] = False
    closed[general[support[general] == support[special]]] = False
    return ClosedMotifs(closed, special, general)


def reduce_motifs(found: ClosedMotifs, kept: Flags) -> Reduction:
    """Relate the motifs that are kept to one another.

    Args:
        found: The closed ones.
        kept: Those of them that are kept, numbered alike.
    """
    return Reduction(kept, _nearest_kept(found.special, found.general, kept))


def _generalisations(
    tables: Sequence[MotifTable], labels: LabelTable, places: Mapping[bytes, int]
) -> tuple[Longs, Longs]:
    """Pairs of frequent motifs of which the second has one label a step above that of the first."""
    specials, generals = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for first, table in zip(first_numbers(tables), tables, strict=True):
        motif, above_labels, adjacency = _generalised(table, labels)
        codes = table_codes(above_labels, adjacency)
        above = np.fromiter((places.get(code, -1) for code in codes), np.int64, len(codes))
        specials.append(motif[above >= 0] + first)
        generals.append(above[above >= 0])
    return np.concatenate(specials), np.concatenate(generals)


def _nearest_kept(special: Longs, general: Longs, kept: Flags) -> dict[int, tuple[int, ...]]:
    """Walks from each kept motif up through those that are not, to the first that are."""
    above: dict[int, list[int]] = defaultdict(list)
    for one, other in zip(special.tolist(), general.tolist(), strict=True):
        above[one].append(other)
    below: dict[int, set[int]] = defaultdict(set)
    for motif in (one for one in np.unique(special).tolist() if kept[one]):
        waiting, seen = list(above[motif]), {motif}
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if kept[one]:
                below[one].add(motif)
            else:
                waiting += above.get(one, ())
    return {general: tuple(sorted(ones)) for general, ones in below.items()}


def support_numbers(tables: Sequence[MotifTable]) -> Longs:
    """Episodes of each motif, numbered through all tables."""
    return np.concatenate([np.empty(0, np.int64), *(np.diff(table.starts) for table in tables)])


def _generalised(table: MotifTable, labels: LabelTable) -> tuple[Longs, Ints, Adjacency]:
    """The motifs with one label replaced by one a step above it."""
    motifs, relabelled = [], []
    for column in range(table.size):
        motif, entry = labels.parents.expand(table.labels[:, column])
        changed = table.labels[motif]
        changed[:, column] = labels.parents.values[entry]
        motifs.append(motif)
        relabelled.append(changed)
    motif = np.concatenate(motifs)
    return motif, np.concatenate(relabelled), table.adjacency[motif]
