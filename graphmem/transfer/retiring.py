"""Joins memories and procedures to the older ones that they supersede, in whatever order files hold them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.graph.validity import retired
from graphmem.models.memories import MemoryContent
from graphmem.models.procedure import Procedure
from graphmem.ports.graph_store import Transaction
from graphmem.transfer.target import Target


class Retirement:
    """Retires older memories and procedures; what is not stored yet is looked for again at the end."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._late: list[NodeRef] = []
        """Those whose older one was not there."""

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
        joined = {edge.source for edge in self._target.edges(list(newer), ["SUPERSEDES"])}
        pairs = {
            ref: NodeRef(ref.label, str(node.properties["supersedes"]))
            for ref, node in newer.items()
            if ref not in joined and "supersedes" in node.properties
        }
        pairs = {ref: older for ref, older in pairs.items() if ref != older}
        if not pairs:
            return
        with self._target.graph.transaction() as transaction:
            missing = self._write(transaction, pairs)
        if not late:
            self._late += missing

    def _write(self, transaction: Transaction, pairs: dict[NodeRef, NodeRef]) -> list[NodeRef]:
        """Write the edges and what becomes of the older ones; those without an older one are returned."""
        now = self._target.recorded_at
        stored = transaction.get({*pairs, *pairs.values()})
        for ref, older in pairs.items():
            if older not in stored:
                continue
            own = {name: stored[ref].properties[name] for name in ("user_id",) if name in stored[ref].properties}
            transaction.save_edges([EdgeRecord("SUPERSEDES", ref, older, {**own, "created_at": now})])
            transaction.set_properties(older.label, [(older.id, _retired(stored[older], stored[ref], now))])
        return [ref for ref, older in pairs.items() if older not in stored]


def _ref(item: MemoryContent | Procedure) -> NodeRef:
    return NodeRef("Procedure" if isinstance(item, Procedure) else "Memory", item.id)


def _retired(older: NodeRecord, newer: NodeRecord, now: datetime) -> dict[str, Value]:
    """What becomes of the older one."""
    return {"superseded_at": now} if older.label == "Procedure" else retired(older, to_memory(newer), now)
