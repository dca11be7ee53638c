"""Looks up, or plans to create, the concept that each mention means."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from graphmem.consolidation.linking import Mention
from graphmem.consolidation.phases import Planned
from graphmem.graph.mapping.concept import concept_key, named_concept
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.identity import choose_concept, concepts_by_key


class ConceptLookup:
    """Resolves mentions to concepts, each key read from the store once a run.

    Args:
        graph: The tenant.
        now: Becomes created_at of new concepts.
        planned: What earlier phases are going to store.
    """

    def __init__(self, graph: TenantGraph, now: datetime, planned: Planned | None = None) -> None:
        self._graph = graph
        self._now = now
        self._planned = planned.concepts if planned is not None else {}
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
        if keys:
            found = concepts_by_key(self._graph, keys)
            self._stored |= {key: [*nodes, *self._planned.get(key, ())] for key, nodes in found.items()}

    def _choose(self, kind: str, key: str, name: str) -> NodeRef:
        # one of the mention's own kind, then a plain concept, then the only one there is; homonyms are not meant
        chosen = choose_concept(key, (kind, DEFAULT_CONCEPT_KIND), self._stored[key], others=True)
        if chosen is not None:
            return chosen.ref
        new = named_concept(name, self._now, kind)
        self._new.setdefault(new.ref, new)
        return new.ref
