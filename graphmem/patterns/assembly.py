"""From tables back to values: motifs with names, ids, episode ids, examples and positions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import numpy as np
from numpy.typing import NDArray

from graphmem.models.pattern import EdgeType, NodeKind
from graphmem.patterns.canonical import Label, canonical_code, canonicalise, motif_id, permuted, write_code
from graphmem.patterns.encoding import EncodedGraphs
from graphmem.patterns.graphs import GraphEdge, Taxonomy
from graphmem.patterns.lattice import first_numbers
from graphmem.patterns.motifs import Motif, MotifNode, Structure
from graphmem.patterns.positions import Places, median_places, node_places
from graphmem.patterns.recount import motif_edges
from graphmem.patterns.reduction import Reduction
from graphmem.patterns.statistics.structure import StructureTests
from graphmem.patterns.tables import MotifTable

LATEST = datetime.max.replace(tzinfo=UTC)


def assemble_motifs(
    encoded: EncodedGraphs,
    taxonomy: Taxonomy,
    *,
    scope: str | None,
    tables: Sequence[MotifTable],
    reduced: Reduction,
    structure: StructureTests,
    lower_bounds: Sequence[frozenset[int]],
) -> tuple[Motif, ...]:
    """Build the kept motifs, ordered by falling support, falling number of nodes, id.

    Args:
        encoded: the corpus.
        taxonomy: for the names of ancestors.
        scope: what mining was limited to, by name.
        tables: motifs with one embedding an episode.
        reduced: which motifs to build.
        structure: how far each motif exceeds its parts, motifs numbered through all tables.
        lower_bounds: for each table, the motifs whose support is a lower bound.
    """
    named = _NamedMotifs(tables, encoded, scope)
    build = _Assembly(encoded, taxonomy, scope, _Relations(named, structure, reduced))
    firsts = first_numbers(tables)
    kept = np.split(reduced.kept, firsts[1:])
    motifs = [
        motif
        for first, table, wanted, lower in zip(firsts, tables, kept, lower_bounds, strict=True)
        for motif in build.motifs(first, table, wanted, lower)
    ]
    return tuple(sorted(motifs, key=lambda motif: (-motif.support, -len(motif.nodes), motif.id)))


class _Assembly:
    """What all motifs of one corpus are built from."""

    def __init__(
        self, encoded: EncodedGraphs, taxonomy: Taxonomy, scope: str | None, relations: _Relations
    ) -> None:
        self._encoded = encoded
        self._relations = relations
        self._scope = scope
        self._nodes = _label_nodes(encoded, taxonomy)
        self._places: Places = node_places(encoded)
        self._ids = np.array([graph.episode for graph in encoded.graphs], dtype=object)
        self._domains = [graph.domain for graph in encoded.graphs]

    def motifs(
        self, first: int, table: MotifTable, wanted: NDArray[np.bool_], lower: frozenset[int]
    ) -> Iterator[Motif]:
        """Build some motifs of one table, numbered from `first`, its columns in canonical order."""
        numbers = (np.flatnonzero(wanted) + first).tolist()
        is_lower_bound = np.isin(np.flatnonzero(wanted), list(lower)).tolist()
        chosen = table.choose(wanted)
        order = canonicalise(chosen.labels, chosen.adjacency)
        chosen = replace(
            chosen,
            labels=np.take_along_axis(chosen.labels, order, axis=1),
            adjacency=permuted(chosen.adjacency, order),
            rows=np.take_along_axis(chosen.rows, order[chosen.row_motif], axis=1),
        )
        positions = median_places(chosen, self._places, self._encoded).tolist()
        for motif, position in enumerate(positions):
            yield self._motif(chosen, motif, numbers[motif], position, is_lower_bound=is_lower_bound[motif])

    def _motif(
        self, table: MotifTable, motif: int, number: int, position: float, *, is_lower_bound: bool
    ) -> Motif:
        edges = list(motif_edges(table, motif))
        nodes = tuple(self._nodes[label] for label in table.labels[motif].tolist())
        code = write_code([node[:2] for node in nodes], edges, scope=self._scope)
        rows = table.rows[table.starts[motif] : table.starts[motif + 1]]
        episode = self._encoded.node_episode[rows[:, 0]]
        occurrences = (rows - self._encoded.node_starts[episode][:, None]).astype(np.int32)
        occurrences.flags.writeable = False
        return Motif(
            id=motif_id(code),
            code=code,
            scope=self._scope,
            domain=self._shared_domain(episode),
            nodes=nodes,
            edges=tuple(GraphEdge(source, target, cast("EdgeType", kind)) for source, target, kind in edges),
            episodes=tuple(self._ids[episode].tolist()),
            occurrences=occurrences,
            position=position,
            structure=self._relations.structure(number),
            generalizes=self._relations.generalizes(number),
            is_lower_bound=is_lower_bound,
        )

    def _shared_domain(self, episodes: NDArray[np.int32]) -> str | None:
        domains = {self._domains[episode] for episode in episodes.tolist()}
        return domains.pop() if len(domains) == 1 else None


class _NamedMotifs:
    """The ids of motifs by their numbers through all tables, kept or not."""

    def __init__(self, tables: Sequence[MotifTable], encoded: EncodedGraphs, scope: str | None) -> None:
        self._tables, self._labels, self._scope = tables, encoded.table.labels, scope
        self._firsts = first_numbers(tables)
        self._ids: dict[int, str] = {}

    def id(self, number: int) -> str:
        if number not in self._ids:
            place = bisect_right(self._firsts, number) - 1
            table, motif = self._tables[place], number - self._firsts[place]
            labels = [self._labels[label] for label in table.labels[motif].tolist()]
            self._ids[number] = motif_id(
                canonical_code(labels, list(motif_edges(table, motif)), scope=self._scope)
            )
        return self._ids[number]


class _Relations:
    """What a motif has to do with others: whose structure it shares, and which it generalises."""

    def __init__(self, named: _NamedMotifs, tests: StructureTests, reduced: Reduction) -> None:
        self._named, self._tests, self._reduced = named, tests, reduced

    def structure(self, number: int) -> Structure:
        source = int(self._tests.source[number])
        return Structure(
            p=float(self._tests.p[number]),
            lift=round(float(self._tests.lift[number]), 4),
            source=None if source == number else self._named.id(source),
        )

    def generalizes(self, number: int) -> tuple[str, ...]:
        return tuple(sorted(map(self._named.id, self._reduced.generalizes.get(number, ()))))


def _label_nodes(encoded: EncodedGraphs, taxonomy: Taxonomy) -> list[MotifNode]:
    """Each label as people read it: the name of the earliest episode, else that of the concept."""
    given = _names_as_given(encoded)
    by_key: dict[str, str] = {}
    for (_, key), name in given.items():
        by_key.setdefault(key, name)
    return [
        MotifNode(
            kind=cast("NodeKind", kind),
            key=key,
            name=given.get((kind, key)) or taxonomy.names.get(key) or by_key.get(key, key),
            generalised=bool(encoded.table.is_generalised[number]),
        )
        for number, (kind, key) in enumerate(encoded.table.labels)
    ]


def _names_as_given(encoded: EncodedGraphs) -> dict[Label, str]:
    """The first name of each label, episodes in the order of their start, then of their ids."""
    graphs = encoded.graphs
    by_time = sorted(range(len(graphs)), key=lambda place: (graphs[place].started_at or LATEST, place))
    sizes = np.diff(encoded.node_starts)
    starts = np.zeros(len(graphs), np.int64)
    starts[by_time] = np.cumsum(sizes[by_time]) - sizes[by_time]
    shift = (starts - encoded.node_starts[:-1])[encoded.node_episode]
    first = np.full(len(encoded.table.labels), np.iinfo(np.int64).max)
    np.minimum.at(first, encoded.node_label, np.arange(len(shift)) + shift)
    ordered_starts = starts[by_time]
    names = {}
    for label, place in zip(encoded.table.labels, first.tolist(), strict=True):
        if place < len(shift):
            rank = int(np.searchsorted(ordered_starts, place, side="right")) - 1
            names[label] = graphs[by_time[rank]].nodes[place - int(ordered_starts[rank])].name
    return names
