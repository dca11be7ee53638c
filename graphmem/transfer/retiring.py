"""Joins memories and procedures to the older ones that they supersede, in whatever order files hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.graph.mapping.assertions import as_given
from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.graph.settling import retired_by
from graphmem.models.memories import MemoryContent
from graphmem.models.procedure import Procedure
from graphmem.ports.graph_store import Transaction
from graphmem.ports.settling import differences
from graphmem.transfer.target import Target


class Retirement:
    """Retires older memories and procedures; what is not stored yet is looked for again at the end."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._late: list[NodeRef] = []
        """Those whose older one was not there."""
        self.touched: set[NodeRef] = set()
        """Memories that were retired; whoever settles their topics takes them out."""

    def retire(self, newer: Sequence[MemoryContent | Procedure]) -> None:
        """Retire what these supersede, in one transaction where there is anything to do."""
        if newer and not self._target.dry_run:
            self._join([_ref(item) for item in newer], late=False)

    def finish(self) -> None:
        """Retire what came after the one that supersedes it."""
        late, self._late = self._late, []
        for start in range(0, len(late), 500):
            self._join(late[start : start + 500], late=True)

    def _join(self, refs: Sequence[NodeRef], *, late: bool) -> None:
        newer = self._target.stored(refs)
        joined = {(edge.source, edge.target) for edge in self._target.edges(list(newer), ["SUPERSEDES"])}
        named = {ref: _superseded(node) for ref, node in newer.items()}
        pairs = {ref: older for ref, older in named.items() if older is not None and ref != older}
        there = self._target.stored(pairs.values())
        # a topic that was settled meanwhile links them as well, so a link alone does not say that one is retired
        pairs = {
            ref: older
            for ref, older in pairs.items()
            if (ref, older) not in joined or self._is_standing(there[older], newer[ref])
        }
        if not pairs:
            return
        with self._target.graph.transaction() as transaction:
            missing = self._write(transaction, pairs)
        if not late:
            self._late += missing

    def _is_standing(self, older: NodeRecord, newer: NodeRecord) -> bool:
        """Whether a memory that is linked to a newer one is not retired by it yet."""
        is_memory = older.label == "Memory"
        return is_memory and bool(differences(older, _retired(older, newer, self._target.recorded_at)))

    def _write(self, transaction: Transaction, pairs: dict[NodeRef, NodeRef]) -> list[NodeRef]:
        """Write the edges and what becomes of the older ones; those without an older one are returned."""
        now = self._target.recorded_at
        stored = transaction.get({*pairs, *pairs.values()})
        for ref, older in pairs.items():
            if older not in stored:
                continue
            own = {name: stored[ref].properties[name] for name in ("user_id",) if name in stored[ref].properties}
            transaction.save_edges([EdgeRecord("SUPERSEDES", ref, older, {**own, "created_at": now})])
            retired = _retired(stored[older], stored[ref], now)
            transaction.set_properties(older.label, [(older.id, differences(stored[older], retired))])
            self.touched.add(older)
        return [ref for ref, older in pairs.items() if older not in stored]


def _ref(item: MemoryContent | Procedure) -> NodeRef:
    return NodeRef("Procedure" if isinstance(item, Procedure) else "Memory", item.id)


def _superseded(node: NodeRecord) -> NodeRef | None:
    """What a node was given as superseding; what a statement ends by itself follows from its topic."""
    older = node.properties.get("supersedes")
    if node.label == "Memory":
        older = as_given(to_memory(node)).supersedes
    return None if older is None else NodeRef(node.label, str(older))


def _retired(older: NodeRecord, newer: NodeRecord, now: datetime) -> NodeRecord:
    """What becomes of the older one."""
    if older.label == "Memory":
        return retired_by(older, to_memory(newer), now)
    return replace(older, properties={**older.properties, "superseded_at": now})
