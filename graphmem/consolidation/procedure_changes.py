"""What turns the procedures that one phase keeps into those that are wanted: pure, apart from reading links.

A phase says which procedures there should be, each with the version that it replaces; what is stored and wanted no
longer goes, with its links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.consolidation.phases import Changes
from graphmem.graph.mapping.procedure import procedure_edges, procedure_record
from graphmem.graph.records import EdgeRecord, In, NodeRecord, NodeRef, Value
from graphmem.models.procedure import Procedure
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

_LINKS = ("DERIVED_FROM", "SUPERSEDES")


@dataclass(frozen=True, slots=True)
class ProcedureChanges:
    """What one transaction writes of procedures."""

    saved: tuple[NodeRecord, ...] = ()
    removed: tuple[NodeRef, ...] = ()
    edges: tuple[EdgeRecord, ...] = ()
    remove_edges: tuple[EdgeRecord, ...] = ()
    retired: tuple[tuple[str, datetime | None], ...] = ()
    """(procedure, when a newer version replaced it; None: it is current again)."""

    def __bool__(self) -> bool:
        return bool(self.saved or self.removed or self.edges or self.remove_edges or self.retired)

    def counts(self) -> dict[str, int]:
        """Procedures written and removed, and versions replaced."""
        replaced = sum(at is not None for _, at in self.retired)
        return {"procedures": len(self.saved), "forgotten": len(self.removed), "superseded": replaced}

    def documents(self) -> list[dict[str, Any]]:
        """Each procedure that would be written."""
        return [
            {
                "procedure": record.id,
                **{
                    name: record.properties[name]
                    for name in (
                        "name",
                        "steps",
                        "when",
                        "user_id",
                        "origin",
                        "supersedes",
                        "successes",
                        "failures",
                    )
                    if name in record.properties
                },
            }
            for record in self.saved
        ]

    def changes(self, marks: Sequence[tuple[str, str]] = (), mark: str = "", label: str = "") -> Changes:
        """All of it as one transaction.

        Args:
            marks: (node, value) to be set beside.
            mark: Property of the marks.
            label: Label of the marked nodes.
        """
        properties: dict[str, list[tuple[str, Mapping[str, Value | None]]]] = {}
        if self.retired:
            properties["Procedure"] = [(name, {"superseded_at": at}) for name, at in self.retired]
        if marks:
            properties[label] = [(name, {mark: value}) for name, value in marks]
        return Changes(
            replaced=self.saved,
            remove_edges=self.remove_edges,
            edges=self.edges,
            properties=properties,
            remove_nodes=self.removed,
            items=len(marks),
        )


def stored_procedures(
    graph: TenantGraph, prefix: str, keys: Collection[str] | None = None
) -> dict[str, NodeRecord]:
    """The procedures whose ids begin so, current or not.

    Args:
        graph: The tenant.
        prefix: Beginning of the ids.
        keys: Keys of their names; None: all.
    """
    where = None if keys is None else In("key", tuple(sorted(keys)))
    found = (node for page in pages(graph, "Procedure", where) for node in page) if where is None or keys else ()
    return {node.id: node for node in found if node.id.startswith(prefix)}


def changes_to(
    graph: TenantGraph,
    stored: Mapping[str, NodeRecord],
    wanted: Mapping[str, Procedure],
    label: str,
    now: datetime,
) -> ProcedureChanges:
    """What makes the stored procedures the wanted ones.

    Args:
        graph: The tenant; read for the links of the stored ones.
        stored: Those that the phase keeps.
        wanted: Those that there should be; what `supersedes` names is among them.
        label: Episode or Message: what `sources` are.
        now: Becomes created_at and superseded_at.
    """
    records = {name: procedure_record(procedure, now) for name, procedure in sorted(wanted.items())}
    saved = [
        record
        for name, record in records.items()
        if name not in stored or stored[name].content_hash != record.content_hash
    ]
    links = (
        {edge[:3]: edge for edge in graph.edges([node.ref for node in stored.values()], _LINKS)} if stored else {}
    )
    named = {NodeRef(label, source) for procedure in wanted.values() for source in procedure.sources}
    present = graph.get(named).keys() if named else set()
    due = {
        edge[:3]: edge
        for name, record in records.items()
        for edge in procedure_edges(record, [ref for ref in _sources(wanted[name], label) if ref in present])
    }
    replaced = {procedure.supersedes for procedure in wanted.values()}
    return ProcedureChanges(
        tuple(saved),
        tuple(node.ref for name, node in sorted(stored.items()) if name not in wanted),
        tuple(edge for key, edge in sorted(due.items()) if key not in links),
        tuple(edge for key, edge in sorted(links.items()) if key not in due and edge.source.id in wanted),
        tuple((name, now if name in replaced else None) for name in records if _turns(name, replaced, stored)),
    )


def _sources(procedure: Procedure, label: str) -> Iterator[NodeRef]:
    for source in procedure.sources:
        yield NodeRef(label, source)


def _turns(name: str, replaced: set[str | None], stored: Mapping[str, NodeRecord]) -> bool:
    is_retired = name in stored and "superseded_at" in stored[name].properties
    return is_retired != (name in replaced)
