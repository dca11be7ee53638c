"""What a concept looks like to a reader: its relations, what is about it, its is_a tree. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.concepts.reduction import reduced
from graphmem.concepts.standing import Standing
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
    standings: tuple[Standing, ...] = ()
    """How well each of the relations is known, in their order."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A concept in an is_a tree, with those next to it in the tree's direction."""

    id: str
    name: str
    branches: tuple[TreeNode, ...] = ()
    repeated: bool = False
    """Whether it stands elsewhere in the tree already, with its branches."""
    standing: Standing | None = None
    """How well the is_a that leads here is known."""


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
    root: NodeRef,
    edges: Iterable[EdgeRecord],
    names: Mapping[NodeRef, str],
    *,
    upwards: bool,
    standings: Mapping[tuple[str, NodeRef, NodeRef], Standing] | None = None,
) -> tuple[TreeNode, ...]:
    """The tree around a concept, each concept unfolded once, without edges that a longer way implies.

    Args:
        root: Where it begins; not part of the answer.
        edges: is_a edges, head to tail; a cycle among them does no harm.
        names: Name of each concept.
        upwards: Towards the more general (tails), else towards the more special (heads).
        standings: How well each edge is known, by type, head and tail.
    """
    beside: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for source, target in reduced((edge.source, edge.target) for edge in edges):
        start, end = (source, target) if upwards else (target, source)
        beside[start].append(end)

    def known(start: NodeRef, end: NodeRef) -> Standing | None:
        head, tail = (start, end) if upwards else (end, start)
        return (standings or {}).get(("IS_A", head, tail))

    return _unfolded(root, beside, names, known)


def _unfolded(
    root: NodeRef,
    beside: Mapping[NodeRef, Sequence[NodeRef]],
    names: Mapping[NodeRef, str],
    known: Callable[[NodeRef, NodeRef], Standing | None],
) -> tuple[TreeNode, ...]:
    """Unfolds depth first with a stack of its own: a taxonomy may be deeper than Python's."""
    seen = {root}
    path = [(root, iter(_ordered(beside.get(root, ()), names)))]
    made: list[list[TreeNode]] = [[]]
    while True:
        at, waiting = path[-1]
        ref = next(waiting, None)
        if ref is None:
            path.pop()
            branches_of = tuple(made.pop())
            if not path:
                return branches_of
            above = path[-1][0]
            made[-1].append(TreeNode(at.id, names.get(at, at.id), branches_of, standing=known(above, at)))
        elif ref in seen:
            made[-1].append(TreeNode(ref.id, names.get(ref, ref.id), repeated=True, standing=known(at, ref)))
        else:
            seen.add(ref)
            path.append((ref, iter(_ordered(beside.get(ref, ()), names))))
            made.append([])


def _ordered(refs: Iterable[NodeRef], names: Mapping[NodeRef, str]) -> list[NodeRef]:
    return sorted(refs, key=lambda ref: (names.get(ref, ""), ref.id))


_WORDS = ("text", "action", "goal", "name", "title")


def mention(edge: EdgeRecord, node: NodeRecord) -> Mention:
    """An edge that ends at a concept, as a reader sees it."""
    words = next((str(node.properties[name]) for name in _WORDS if node.properties.get(name)), node.id)
    kind = str(node.properties.get("kind", "memory")) if node.label == "Memory" else node.label.lower()
    return Mention(edge.type.lower(), kind, node.id, words)
