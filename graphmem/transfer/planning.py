"""What one item needs written: its node or tree, what it names, and its edges. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never

from graphmem.episodes.conversations import is_running_conversation, of_messages
from graphmem.episodes.derivation import derived_by_rules
from graphmem.episodes.outcomes import summary_changes
from graphmem.graph.mapping.concept import concept_key, concept_record
from graphmem.graph.mapping.episode import episode_hash, episode_tree, shared_nodes
from graphmem.graph.mapping.memory import memory_concepts, memory_edges, memory_hash, memory_record
from graphmem.graph.mapping.message import message_edges, message_neighbours, message_record, session_record
from graphmem.graph.mapping.procedure import procedure_edges, procedure_record
from graphmem.graph.mapping.values import content_hash, read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Tree
from graphmem.models.concept import Concept
from graphmem.models.episode import Episode, Outcome
from graphmem.models.ids import concept_id
from graphmem.models.memories import MemoryContent
from graphmem.models.message import Message, Session
from graphmem.models.procedure import Procedure

Described = Episode | Message | Session | Concept | MemoryContent | Procedure
"""Items that have an identity of their own."""

OWN_EDGES: Mapping[str, tuple[str, ...]] = {
    "Message": ("IN_SESSION", "SPOKEN_BY"),
    "Memory": ("ABOUT", "ASSERTED_IN", "SUPERSEDES"),
    "Procedure": ("DERIVED_FROM", "SUPERSEDES"),
}
"""Types of the edges out of a node that its record says, and that go when the record no longer does."""


@dataclass(slots=True)
class Plan:
    """What is to be written for one item."""

    root: NodeRecord
    tree: Tree | None = None
    """The whole tree of an episode; its root is `root`."""
    shared: Sequence[NodeRecord] = ()
    """Nodes that it names, as placeholders."""
    edges: Sequence[EdgeRecord] = field(default_factory=list)
    """Edges between what is stored by then."""


def identity(item: Described) -> tuple[NodeRef, str]:
    """The node that an item is, and the hash of its content.

    Raises:
        ValueError: A concept's name has nothing a key could hold.
    """
    match item:
        case Episode():
            return NodeRef("Episode", item.id), episode_hash(item)
        case Concept():
            return NodeRef("Concept", concept_id(concept_key(item.name), item.kind)), content_hash(item)
        case MemoryContent():
            return NodeRef("Memory", item.id), memory_hash(item)  # type: ignore[arg-type]  # every content is a Memory
        case Message() | Session() | Procedure():
            return NodeRef(type(item).__name__, item.id), content_hash(item)
        case _:
            assert_never(item)


def named_refs(item: Described) -> list[NodeRef]:
    """Nodes that an item points to and does not make: they may or may not be stored."""
    match item:
        case Message() if item.episode is not None:
            return [NodeRef("Episode", item.episode)]
        case MemoryContent():
            refs = [NodeRef(label, source) for source in item.sources for label in ("Message", "Episode")]
            return refs + ([NodeRef("Memory", item.supersedes)] if item.supersedes else [])
        case Procedure():
            return [NodeRef(label, source) for source in item.sources for label in ("Message", "Episode")]
        case _:
            return []


def plan(
    item: Described,
    content: str,
    recorded_at: datetime,
    present: Collection[NodeRef],
    stored: NodeRecord | None,
) -> Plan:
    """What to write for an item.

    Args:
        item: What was read.
        content: Hash of it, from `identity`.
        recorded_at: Becomes created_at.
        present: Of `named_refs`, those that are stored by then.
        stored: The node as it is, when it is to be replaced.

    Raises:
        ValueError: A name has nothing a key could hold.
    """
    match item:
        case Episode():
            tree = episode_tree(item, recorded_at, content=content, derived=derived_by_rules(item))
            if stored is not None:
                tree = replace(tree, root=with_later_outcomes(tree.root, stored))
            if is_running_conversation(item):
                tree = replace(tree, root=of_messages(tree.root))
            return Plan(tree.root, tree, shared_nodes(item, recorded_at))
        case Message():
            return Plan(
                message_record(item, recorded_at),
                shared=message_neighbours(item, recorded_at),
                edges=message_edges(item, recorded_at),
            )
        case Session():
            return Plan(session_record(item, recorded_at))
        case Concept():
            return Plan(concept_record(item, recorded_at))
        case MemoryContent():
            return _memory_plan(item, recorded_at, present)
        case Procedure():
            return _procedure_plan(item, recorded_at, present)
        case _:
            assert_never(item)


def _memory_plan(item: MemoryContent, recorded_at: datetime, present: Collection[NodeRef]) -> Plan:
    sources = [ref for ref in named_refs(item) if ref.label != "Memory" and ref in present]
    edges = memory_edges(item, recorded_at, sources)  # type: ignore[arg-type]  # every content is a Memory
    kept = {(edge.type, edge.target): edge for edge in edges if edge.type != "SUPERSEDES"}
    concepts = {node.ref: node for node in memory_concepts(item, recorded_at)}  # type: ignore[arg-type]  # as above
    record = memory_record(item, recorded_at)  # type: ignore[arg-type]  # as above
    return Plan(record, shared=list(concepts.values()), edges=list(kept.values()))


def _procedure_plan(item: Procedure, recorded_at: datetime, present: Collection[NodeRef]) -> Plan:
    record = procedure_record(item, recorded_at)
    sources = [ref for ref in dict.fromkeys(named_refs(item)) if ref in present]
    edges = [edge for edge in procedure_edges(record, sources) if edge.type != "SUPERSEDES"]
    return Plan(record, edges=edges)


def with_later_outcomes(root: NodeRecord, stored: NodeRecord) -> NodeRecord:
    """A replaced episode with the outcomes that were said later: they stand above what its record says."""
    if "outcome_history" not in stored.properties:
        return root
    history = read_json(stored.properties, "outcome_history")
    properties = {**root.properties, **summary_changes(root, Outcome(str(history[-1]["outcome"])))}
    properties["outcome_history"] = stored.properties["outcome_history"]
    properties["outcome"] = str(history[-1]["outcome"])
    return replace(root, properties=properties)
