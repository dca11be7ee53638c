"""Where an import writes: one tenant, with what this import has met so far."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.errors import StoreMissingError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.ports.embedding import with_vectors
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.workspace import Workspace
from graphmem.transfer.seen import Seen

_KNOWN = 100_000
"""Shared nodes that are remembered as stored; beyond that the store is asked again."""


@dataclass(slots=True)
class Target:
    """What all writers of one import share."""

    workspace: Workspace
    recorded_at: datetime
    """created_at of everything that this import writes."""
    seen: Seen
    update: bool
    dry_run: bool
    _known: set[NodeRef] = field(default_factory=set)

    @property
    def graph(self) -> TenantGraph:
        """The tenant's graph."""
        return self.workspace.graph

    def stored(self, refs: Iterable[NodeRef]) -> dict[NodeRef, NodeRecord]:
        """The nodes that exist; none in a store that is not there yet."""
        wanted = list(dict.fromkeys(refs))
        if not wanted:
            return {}
        try:
            return self.graph.get(wanted)
        except StoreMissingError:
            return {}

    def edges(self, refs: Collection[NodeRef], types: Iterable[str]) -> list[EdgeRecord]:
        """The edges of these types out of these nodes; none in a store that is not there yet."""
        if not refs:
            return []
        try:
            return self.graph.edges(refs, types, "out")
        except StoreMissingError:
            return []

    def holds(self, label: str) -> bool:
        """Whether any node of a label is stored."""
        try:
            return self.graph.count(label) > 0
        except StoreMissingError:
            return False

    def will_exist(self, refs: Iterable[NodeRef]) -> set[NodeRef]:
        """Of these nodes, those that are stored or that a dry run would have stored."""
        wanted = list(refs)
        found = set(self.stored(wanted))
        if self.dry_run:
            found.update(ref for ref in wanted if self.seen.has(ref.label, ref.id))
        return found

    def is_foreign(self, episode: NodeRecord) -> bool:
        """Whether an episode is another user's than the import's, and of none of its files."""
        user, owner = self.workspace.user, episode.properties.get("user_id")
        return user is not None and owner not in {None, user} and not self.seen.has("Episode", episode.id)

    def new_shared(self, nodes: Iterable[NodeRecord]) -> list[NodeRecord]:
        """Of nodes that are only mentioned, those that are not stored, each once, with their vectors."""
        fresh = {node.ref: node for node in nodes if node.ref not in self._known}
        for ref in self.stored(fresh):
            del fresh[ref]
        return self.embedded(list(fresh.values()))

    def remember(self, nodes: Sequence[NodeRecord]) -> None:
        """Note shared nodes as stored."""
        if len(self._known) > _KNOWN:
            self._known.clear()
        self._known.update(node.ref for node in nodes)

    def embedded(self, records: Sequence[NodeRecord]) -> list[NodeRecord]:
        """The records with vectors where their label has them; a dry run makes none."""
        return list(records) if self.dry_run else with_vectors(records, self.workspace.embedder)
