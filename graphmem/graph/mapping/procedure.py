"""Procedures to nodes and edges, and back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.values import content_hash, given, json_text, present, read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.procedure import Procedure

_PLAIN = ("name", "when", "successes", "partials", "failures", "user_id", "origin", "supersedes")


def procedure_record(procedure: Procedure, recorded_at: datetime, vector: Vector | None = None) -> NodeRecord:
    """A procedure as a node."""
    words = "\n".join(part for part in (procedure.name, procedure.when, *procedure.steps) if part)
    properties = present(
        {
            "name": procedure.name,
            "key": key_of(procedure.name),
            "when": procedure.when,
            "steps": list(procedure.steps),
            "successes": procedure.successes,
            "partials": procedure.partials,
            "failures": procedure.failures,
            "sources": list(procedure.sources),
            "user_id": procedure.user_id,
            "origin": None if procedure.origin == "given" else procedure.origin,
            "supersedes": procedure.supersedes,
            "extra": json_text(procedure.extra),
            "created_at": recorded_at,
            "search_text": search_text(words),
            "content_hash": content_hash(procedure),
        }
    )
    return NodeRecord("Procedure", procedure.id, properties, vector)


def procedure_edges(record: NodeRecord, sources: Iterable[NodeRef]) -> list[EdgeRecord]:
    """Edges of a procedure: to its sources, and to the version that it replaces.

    Args:
        record: From `procedure_record`.
        sources: Those of its sources that are stored, as episodes or messages.
    """
    own: dict[str, Value] = {
        name: record.properties[name] for name in ("created_at", "user_id") if name in record.properties
    }
    edges = [EdgeRecord("DERIVED_FROM", record.ref, source, own) for source in sources]
    if "supersedes" in record.properties:
        older = NodeRef("Procedure", str(record.properties["supersedes"]))
        edges.append(EdgeRecord("SUPERSEDES", record.ref, older, own))
    return edges


def to_procedure(node: NodeRecord) -> Procedure:
    """The procedure that a node holds."""
    properties = node.properties
    fields = given(
        properties, "name", "when", "successes", "partials", "failures", "user_id", "origin", "supersedes"
    )
    fields |= {name: tuple(properties.get(name, ())) for name in ("steps", "sources")}  # type: ignore[arg-type]
    return Procedure(id=node.id, extra=read_json(properties, "extra"), **fields)
