"""Looks up, or plans to create, the concept that each mention means."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from graphmem.consolidation.linking import Mention, choose_concept
from graphmem.graph.mapping.concept import concept_key, named_concept
from graphmem.graph.records import In, NodeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node


class ConceptLookup:
    """Resolves mentions to concepts, each key read from the store once a run."""

    def __init__(self, graph: TenantGraph, now: datetime) -> None:
        self._graph = graph
        self._now = now
        self._stored: dict[str, list[NodeRecord]] = {}
        self._chosen: dict[tuple[str, str], NodeRef] = {}
        self._new: dict[NodeRef, NodeRecord] = {}

    def resolve(self, mentions: Iterable[Mention]) -> dict[tuple[str, str], NodeRef]:
        """(kind, concept key) -> concept, for these mentions and all before."""
        waiting: dict[tuple[str, str], str] = {}
        for mention in mentions:
            place = mention.kind, concept_key(mention.name)
            if place not in self._chosen:
                waiting.setdefault(place, mention.name)
        self._read({key for _, key in waiting} - self._stored.keys())
        for (kind, key), name in waiting.items():
            self._chosen[kind, key] = self._choose(kind, key, name)
        return self._chosen

    def created(self, used: Collection[NodeRef]) -> tuple[NodeRecord, ...]:
        """The concepts that do not exist yet and are used, by name and id."""
        new = [record for ref, record in self._new.items() if ref in used]
        return tuple(sorted(new, key=lambda record: (str(record.properties["key"]), record.id)))

    def _read(self, keys: set[str]) -> None:
        self._stored |= {key: [] for key in keys}
        for node in every_node(self._graph, "Concept", In("key", tuple(sorted(keys)))) if keys else ():
            self._stored[str(node.properties["key"])].append(node)

    def _choose(self, kind: str, key: str, name: str) -> NodeRef:
        chosen = choose_concept(kind, self._stored[key])
        if chosen is not None:
            return chosen.ref
        new = named_concept(name, self._now, kind)
        self._new.setdefault(new.ref, new)
        return new.ref
