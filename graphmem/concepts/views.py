"""What a concept looks like to a reader: its relations, what is about it, its is_a tree. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.models.concept import Concept, Relation


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that is about a concept."""

    relation: str
    """about, mentions, spoken_by or instance_of."""
    kind: str
    """What it is: step, memory, episode, message, finding, tool, ..."""
    id: str
    text: str
    """Its text, name or action."""


@dataclass(frozen=True, slots=True)
class ConceptView:
    """A concept with all that is known around it."""

    id: str
    concept: Concept
    relations: tuple[Relation, ...]
    """Relations in which it is head or tail."""
    mentions: tuple[Mention, ...]
    """What is about it, at most as many as asked for."""
    truncated: bool
    """Whether there are more mentions."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A concept in an is_a tree, with those next to it in the tree's direction."""

    id: str
    name: str
    branches: tuple[TreeNode, ...] = ()
    repeated: bool = False
    """Whether it stands elsewhere in the tree already, with its branches."""


@dataclass(frozen=True, slots=True)
class ConceptTree:
    """What a concept is, and what is one."""

    id: str
    name: str
    above: tuple[TreeNode, ...]
    """What it is a kind of; branches lead to the more general."""
    below: tuple[TreeNode, ...]
    """What is a kind of it; branches lead to the more special."""
    truncated: bool
    """Whether a bound left concepts out."""


def branches(
    root: NodeRef, edges: Iterable[EdgeRecord], names: Mapping[NodeRef, str], *, upwards: bool
) -> tuple[TreeNode, ...]:
    """The tree around a concept, each concept unfolded once.

    Args:
        root: Where it begins; not part of the answer.
        edges: is_a edges, head to tail; a cycle among them does no harm.
        names: Name of each concept.
        upwards: Towards the more general (tails), else towards the more special (heads).
    """
    beside: dict[NodeRef, list[NodeRef]] = {}
    for edge in edges:
        start, end = (edge.source, edge.target) if upwards else (edge.target, edge.source)
        beside.setdefault(start, []).append(end)
    return _unfolded(root, beside, names, {root})


def _unfolded(
    at: NodeRef, beside: Mapping[NodeRef, Sequence[NodeRef]], names: Mapping[NodeRef, str], seen: set[NodeRef]
) -> tuple[TreeNode, ...]:
    found = []
    for ref in sorted(beside.get(at, ()), key=lambda ref: (names.get(ref, ""), ref.id)):
        name = names.get(ref, ref.id)
        if ref in seen:
            found.append(TreeNode(ref.id, name, repeated=True))
            continue
        seen.add(ref)
        found.append(TreeNode(ref.id, name, _unfolded(ref, beside, names, seen)))
    return tuple(found)


_WORDS = ("text", "action", "goal", "name", "title")


def mention(edge: EdgeRecord, node: NodeRecord) -> Mention:
    """An edge that ends at a concept, as a reader sees it."""
    words = next((str(node.properties[name]) for name in _WORDS if node.properties.get(name)), node.id)
    kind = str(node.properties.get("kind", "memory")) if node.label == "Memory" else node.label.lower()
    return Mention(edge.type.lower(), kind, node.id, words)
