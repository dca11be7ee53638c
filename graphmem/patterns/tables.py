"""Embedding tables: many motifs of one size, with the places where they occur, in a few arrays.

Holds the two operations that all growing consists of: putting candidate embeddings into groups that
reach the support, and keeping a bounded number of them an episode.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.encoding import Ints

Longs = NDArray[np.int64]
CappedEpisodes = dict[int, frozenset[int]]
"""Motif -> episodes in which embeddings were left out; only motifs that lost some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotifTable:
    """Motifs with the same number of nodes, columns in the order in which they were found."""

    labels: Ints
    """Motifs x nodes: label numbers."""
    adjacency: NDArray[np.uint8]
    """Motifs x nodes x nodes: the types of edges from row to column, as bits."""
    starts: Longs
    """Embeddings of motif i are `rows[starts[i]:starts[i + 1]]`, in the order of their episodes."""
    rows: Ints
    """Embeddings x nodes: numbers of the episodes' nodes."""
    capped: CappedEpisodes

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def size(self) -> int:
        """Nodes of each motif."""
        return int(self.labels.shape[1])

    @property
    def row_motif(self) -> Ints:
        """The motif of each embedding."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    def slice(self, first: int, last: int) -> MotifTable:
        """The motifs from `first` to before `last`."""
        start, stop = self.starts[first], self.starts[last]
        return MotifTable(
            labels=self.labels[first:last],
            adjacency=self.adjacency[first:last],
            starts=self.starts[first : last + 1] - start,
            rows=self.rows[start:stop],
            capped={motif - first: lost for motif, lost in self.capped.items() if first <= motif < last},
        )

    def choose(self, wanted: NDArray[np.bool_]) -> MotifTable:
        """The motifs that are wanted."""
        lengths = np.diff(self.starts)
        number = np.cumsum(wanted) - 1
        return MotifTable(
            labels=self.labels[wanted],
            adjacency=self.adjacency[wanted],
            starts=np.concatenate([[0], np.cumsum(lengths[wanted])]),
            rows=self.rows[np.repeat(wanted, lengths)],
            capped={int(number[motif]): lost for motif, lost in self.capped.items() if wanted[motif]},
        )


def support_of(table: MotifTable, node_episode: Ints) -> Longs:
    """Distinct episodes of each motif."""
    motif = table.row_motif
    return np.bincount(motif[_changes(motif, node_episode[table.rows[:, 0]])], minlength=len(table))


def stack(tables: list[MotifTable], size: int) -> MotifTable:
    """Put tables of motifs of `size` nodes one below the other; no table gives an empty one."""
    motif_shift = np.cumsum([0, *(len(table) for table in tables)])
    row_shift = np.cumsum([0, *(len(table.rows) for table in tables)])
    return MotifTable(
        labels=np.concatenate([np.empty((0, size), np.int32), *(table.labels for table in tables)]),
        adjacency=np.concatenate([np.empty((0, size, size), np.uint8), *(table.adjacency for table in tables)]),
        starts=np.concatenate(
            [[0], *(table.starts[1:] + shift for table, shift in zip(tables, row_shift, strict=False))]
        ),
        rows=np.concatenate([np.empty((0, size), np.int32), *(table.rows for table in tables)]),
        capped={
            motif + int(shift): lost
            for table, shift in zip(tables, motif_shift, strict=False)
            for motif, lost in table.capped.items()
        },
    )


def one_example_each(table: MotifTable, node_episode: Ints) -> MotifTable:
    """Keep the first embedding of each motif in each episode."""
    motif = table.row_motif
    is_first = _changes(motif, node_episode[table.rows[:, 0]])
    counts = np.bincount(motif[is_first], minlength=len(table))
    return MotifTable(
        labels=table.labels,
        adjacency=table.adjacency,
        starts=np.concatenate([[0], np.cumsum(counts)]),
        rows=table.rows[is_first],
        capped=table.capped,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Candidate embeddings that share an extension, for the extensions with enough support."""

    keys: Longs
    """What the members of each group share, ascending."""
    starts: Longs
    """Members of group i are `members[starts[i]:starts[i + 1]]`."""
    members: Longs
    """Places of candidates, in their given order within a group."""

    def choose(self, wanted: NDArray[np.bool_]) -> Groups:
        """The groups that are wanted."""
        lengths = np.diff(self.starts)
        return Groups(
            keys=self.keys[wanted],
            starts=np.concatenate([[0], np.cumsum(lengths[wanted])]),
            members=self.members[np.repeat(wanted, lengths)],
        )


def frequent_groups(keys: Longs, episodes: Ints, min_support: int) -> Groups:
    """Group candidates by key and keep the groups of at least `min_support` distinct episodes.

    Args:
        keys: one a candidate.
        episodes: one a candidate, ascending among candidates of a key.
        min_support: fewest distinct episodes, 1 or more.
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(_changes(ordered))
    if not len(starts):
        return Groups(keys=keys, starts=np.zeros(1, np.int64), members=order)
    support = np.add.reduceat(_changes(ordered, episodes[order]).astype(np.int64), starts)
    groups = Groups(keys=ordered[starts], starts=np.append(starts, len(order)), members=order)
    return groups.choose(support >= min_support)


def count_groups(keys: Longs, episodes: Ints) -> tuple[Longs, Longs]:
    """The distinct keys, ascending, and the distinct episodes of each.

    Args:
        keys: one a candidate.
        episodes: one a candidate, ascending among candidates of a key.
    """
    groups = frequent_groups(keys, episodes, 1)
    group = np.repeat(np.arange(len(groups.keys)), np.diff(groups.starts))
    is_new = _changes(group, episodes[groups.members])
    return groups.keys, np.bincount(group[is_new], minlength=len(groups.keys))


def chosen_groups(keys: Longs, chosen: Longs) -> Groups:
    """Group candidates by key, one group for each chosen key, some of them perhaps empty.

    Args:
        keys: one a candidate.
        chosen: the keys to keep, ascending.
    """
    place = np.minimum(np.searchsorted(chosen, keys), max(0, len(chosen) - 1))
    hit = np.flatnonzero(chosen[place] == keys) if len(chosen) else np.empty(0, np.int64)
    counts = np.bincount(place[hit], minlength=len(chosen))
    return Groups(
        keys=chosen,
        starts=np.concatenate([[0], np.cumsum(counts)]),
        members=hit[np.argsort(place[hit], kind="stable")],
    )


def cap_groups(groups: Groups, episodes: Ints, limit: int) -> tuple[Groups, list[tuple[int, int]]]:
    """Keep the first `limit` members of a group in each episode.

    Returns:
        The capped groups and the (group, episode) pairs that lost members.
    """
    lengths = np.diff(groups.starts)
    group = np.repeat(np.arange(len(lengths)), lengths)
    episode = episodes[groups.members]
    place = np.arange(len(group))
    rank = place - np.maximum.accumulate(np.where(_changes(group, episode), place, 0))
    beyond = rank >= limit
    if not beyond.any():
        return groups, []
    lost = sorted(set(zip(group[beyond].tolist(), episode[beyond].tolist(), strict=True)))
    counts = np.bincount(group[~beyond], minlength=len(lengths))
    kept = Groups(
        keys=groups.keys,
        starts=np.concatenate([[0], np.cumsum(counts)]),
        members=groups.members[~beyond],
    )
    return kept, lost


def _changes(*columns: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Where a row differs from the row before it in any column; the first does."""
    changed = np.ones(len(columns[0]), dtype=bool)
    if len(changed):
        changed[1:] = False
        for column in columns:
            changed[1:] |= column[1:] != column[:-1]
    return changed
