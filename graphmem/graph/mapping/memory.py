"""Memories to nodes and edges, and back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graphmem.graph.keys import label_key
from graphmem.graph.mapping.assertions import as_given
from graphmem.graph.mapping.concept import concept_ref, named_concept
from graphmem.graph.mapping.values import closed_end, content_hash, given, json_text, open_end, present, read_json
from graphmem.graph.predicates import predicate_key
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.fields import OPEN_END
from graphmem.models.memories import MEMORY, Assertion, Memory, TimedStatement

_PLAIN = ("kind", "text", "user_id", "why", "confidence", "at", "supersedes")
_STATEMENT = ("subject", "predicate", "object", "valid_from")


def memory_record(memory: Memory, recorded_at: datetime, vector: Vector | None = None) -> NodeRecord:
    """A memory as a node, open ends written as the end of time."""
    fields: dict[str, Any] = {name: getattr(memory, name) for name in _PLAIN}
    fields |= {
        "about": list(memory.about),
        "sources": list(memory.sources),
        "counts": json_text(memory.counts),
        "extra": json_text(memory.extra),
        "superseded_at": OPEN_END,
        "created_at": recorded_at,
        "search_text": search_text("\n".join(part for part in (memory.text, memory.why, *memory.about) if part)),
        "content_hash": memory_hash(memory),
    }
    if isinstance(memory, TimedStatement):
        fields |= {name: getattr(memory, name) for name in _STATEMENT}
        fields["valid_to"] = open_end(memory.valid_to)
        fields["subject_key"] = label_key(memory.subject) if memory.subject else None
        fields["predicate_key"] = predicate_key(memory.predicate) if memory.predicate else None
        fields["assertions"] = assertions_text(memory.assertions)
    return NodeRecord("Memory", memory.id, present(fields), vector)


def memory_hash(memory: Memory) -> str:
    """Hash of what was given, whatever others changed since of when it holds."""
    return content_hash(as_given(memory))


def assertions_text(assertions: tuple[Assertion, ...]) -> str | None:
    """Assertions as JSON; None for none."""
    return json_text([one.model_dump(mode="json", exclude_defaults=True) for one in assertions])


def memory_concepts(memory: Memory, recorded_at: datetime) -> list[NodeRecord]:
    """The concepts that a memory says it is about, as placeholders."""
    return [named_concept(name, recorded_at) for name in dict.fromkeys(memory.about)]


def memory_edges(memory: Memory, recorded_at: datetime, sources: list[NodeRef]) -> list[EdgeRecord]:
    """Edges of a memory.

    Args:
        memory: The memory.
        recorded_at: Becomes created_at.
        sources: Those of its sources that are stored, as messages or episodes.
    """
    own = present({"user_id": memory.user_id, "created_at": recorded_at})
    ref = NodeRef("Memory", memory.id)
    about: dict[str, Value] = {**own, "source": "given"}
    edges = [EdgeRecord("ABOUT", ref, concept_ref(name), about) for name in dict.fromkeys(memory.about)]
    edges += [EdgeRecord("ASSERTED_IN", ref, source, own) for source in sources]
    if memory.supersedes is not None:
        edges.append(EdgeRecord("SUPERSEDES", ref, NodeRef("Memory", memory.supersedes), own))
    return edges


def to_memory(node: NodeRecord) -> Memory:
    """The memory that a node holds."""
    properties = node.properties
    fields = given(properties, *_PLAIN, *_STATEMENT)
    fields |= {name: tuple(properties.get(name, ())) for name in ("about", "sources")}  # type: ignore[arg-type]
    fields |= {name: read_json(properties, name) for name in ("counts", "extra")}
    if "assertions" in properties:
        fields["assertions"] = read_json(properties, "assertions")
    end = closed_end(properties.get("valid_to"))
    if end is not None:
        fields["valid_to"] = end
    return MEMORY.validate_python({"id": node.id, **fields})
