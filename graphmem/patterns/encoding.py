"""Step 1 of mining: episode graphs as integers, once.

Labels are numbered in the order of (kind, key), episodes in the order of their ids, so equal input in
any order gives equal tables. Which is_a ancestors are legal labels is decided here as well: those
with enough support that do not cover nearly everything. Growing motifs is `growth`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.canonical import Label
from graphmem.patterns.graphs import EDGE_TYPES, EpisodeGraph, Taxonomy
from graphmem.patterns.policy import MiningPolicy

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different lengths in one array."""

    starts: NDArray[np.int64]
    """Row i is `values[starts[i]:starts[i + 1]]`."""
    values: Ints

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Entries of each row."""
        return np.diff(self.starts)

    def expand(self, rows: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All entries of the given rows: the place in `rows` and the place in `values` of each."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        origin = np.repeat(np.arange(len(rows)), lengths)
        shift = self.starts[rows] - (np.cumsum(lengths) - lengths)
        return origin, np.arange(len(origin)) + shift[origin]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTable:
    """All labels that can stand in a motif, and how they relate."""

    labels: tuple[Label, ...]
    """(kind, key) by number, sorted."""
    variants: Ragged
    """Label of a node -> the legal labels it matches: itself and its ancestors."""
    parents: Ragged
    """Label -> the legal labels one step above it."""
    is_generalised: NDArray[np.bool_]
    """Whether nodes with another key match the label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedGraphs:
    """A corpus of episode graphs as arrays; nodes are numbered through all episodes."""

    graphs: tuple[EpisodeGraph, ...]
    """In the order of their ids."""
    table: LabelTable
    node_starts: NDArray[np.int64]
    """Number of the first node of each episode, and one past the last."""
    node_episode: Ints
    node_label: Ints
    source: Ints
    """Node an edge leaves, edges distinct and sorted by (source, target, type)."""
    target: Ints
    edge_type: Ints


def encode_graphs(
    graphs: Sequence[EpisodeGraph], taxonomy: Taxonomy, policy: MiningPolicy, min_support: int
) -> EncodedGraphs:
    """Number labels, nodes and edges of a corpus.

    Args:
        graphs: the episodes in scope, ids distinct.
        taxonomy: is_a among keys.
        policy: for the share above which an ancestor is no label.
        min_support: labels of fewer episodes are left out.
    """
    ordered = tuple(sorted(graphs, key=lambda graph: graph.episode))
    sizes = np.fromiter((len(graph.nodes) for graph in ordered), np.int64, len(ordered))
    node_starts = np.concatenate([[0], np.cumsum(sizes)])
    node_episode = np.repeat(np.arange(len(ordered), dtype=np.int32), sizes)
    # distinct nodes are few: looking whole nodes up spares a new pair of strings for every node
    distinct = set(chain.from_iterable(graph.nodes for graph in ordered))
    universe = _with_ancestors({(kind, key) for kind, key, _ in distinct}, taxonomy)
    place = {label: number for number, label in enumerate(universe)}
    number = {node: place[node.kind, node.key] for node in distinct}
    every = chain.from_iterable(graph.nodes for graph in ordered)
    node_label = np.fromiter(map(number.__getitem__, every), np.int32, int(node_starts[-1]))
    table = _label_table(
        universe, node_label, node_episode, episodes=len(ordered), policy=policy, min_support=min_support
    )
    source, target, edge_type = _edges(ordered, node_starts)
    return EncodedGraphs(
        graphs=ordered,
        table=table,
        node_starts=node_starts,
        node_episode=node_episode,
        node_label=node_label,
        source=source,
        target=target,
        edge_type=edge_type,
    )


def _with_ancestors(given: set[Label], taxonomy: Taxonomy) -> dict[Label, frozenset[Label]]:
    """Every label that occurs or is an ancestor of one, sorted, with its ancestors."""
    above = {
        (kind, key): frozenset((kind, ancestor) for ancestor in taxonomy.ancestors(key)) for kind, key in given
    }
    for kind, key in set().union(*above.values()) - given:
        above[kind, key] = frozenset((kind, ancestor) for ancestor in taxonomy.ancestors(key))
    return {label: above[label] for label in sorted(above)}


def _label_table(
    universe: dict[Label, frozenset[Label]],
    node_label: Ints,
    node_episode: Ints,
    *,
    episodes: int,
    policy: MiningPolicy,
    min_support: int,
) -> LabelTable:
    labels = tuple(universe)
    number = {label: place for place, label in enumerate(labels)}
    above = [sorted(number[ancestor] for ancestor in ancestors) for ancestors in universe.values()]
    every = _ragged([[own, *ancestors] for own, ancestors in enumerate(above)])
    origin, entry = every.expand(node_label)
    covered = _support(every.values[entry], node_episode[origin], len(labels))
    as_given = _support(node_label, node_episode, len(labels))
    is_generalised = np.zeros(len(labels), dtype=bool)
    occurring = np.flatnonzero(as_given).tolist()
    is_generalised[[ancestor for own in occurring for ancestor in above[own]]] = True
    in_most_episodes = covered > policy.max_ancestor_share * episodes
    in_most_nodes = _share_of_kind(labels, every.values[entry], node_label) > policy.max_ancestor_share
    says_nothing = is_generalised & in_most_episodes & in_most_nodes & (as_given < min_support)
    is_legal = (covered >= min_support) & ~says_nothing
    legal_above = [[ancestor for ancestor in ancestors if is_legal[ancestor]] for ancestors in above]
    return LabelTable(
        labels=labels,
        variants=_ragged(
            [[own, *legal_above[own]] if is_legal[own] else legal_above[own] for own in range(len(labels))]
        ),
        parents=_ragged([_nearest(ancestors, above) for ancestors in legal_above]),
        is_generalised=is_generalised,
    )


def _share_of_kind(labels: tuple[Label, ...], matched: Ints, node_label: Ints) -> NDArray[np.float64]:
    """Share of the nodes of its own kind that match each label."""
    kinds = sorted({kind for kind, _ in labels})
    kind = np.fromiter((kinds.index(label[0]) for label in labels), np.int64, len(labels))
    nodes = np.bincount(kind[node_label], minlength=len(kinds))
    share: NDArray[np.float64] = np.bincount(matched, minlength=len(labels)) / np.maximum(1, nodes[kind])
    return share


def _nearest(ancestors: list[int], above: list[list[int]]) -> list[int]:
    """Those ancestors that are above no other of them."""
    farther = {far for near in ancestors for far in above[near]}
    return [ancestor for ancestor in ancestors if ancestor not in farther]


def _support(labels: Ints, episodes: Ints, size: int) -> NDArray[np.intp]:
    """Distinct episodes a label."""
    pairs = _distinct(labels.astype(np.int64) << 32 | episodes)
    return np.bincount(pairs >> 32, minlength=size)


def _ragged(rows: Sequence[Sequence[int]]) -> Ragged:
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    values = np.fromiter(chain.from_iterable(rows), np.int32, int(lengths.sum()))
    return Ragged(np.concatenate([[0], np.cumsum(lengths)]), values)


def _edges(graphs: Sequence[EpisodeGraph], node_starts: NDArray[np.int64]) -> tuple[Ints, Ints, Ints]:
    number = {edge_type: place for place, edge_type in enumerate(EDGE_TYPES)}
    counts = np.fromiter((len(graph.edges) for graph in graphs), np.int64, len(graphs))
    shift = np.repeat(node_starts[:-1], counts)
    source, target, edge_type = (
        np.fromiter((read(edge) for graph in graphs for edge in graph.edges), np.int64, len(shift))
        for read in (itemgetter(0), itemgetter(1), lambda edge: number[edge[2]])
    )
    source, target = source + shift, target + shift
    keys = _distinct((source * node_starts[-1] + target) * len(EDGE_TYPES) + edge_type)
    pair, edge_type = np.divmod(keys, len(EDGE_TYPES))
    source, target = np.divmod(pair, max(1, node_starts[-1]))
    return source.astype(np.int32), target.astype(np.int32), edge_type.astype(np.int32)


def _distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted distinct values; numpy's own hashes integers, at ten times the cost on a million of these."""
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]
