"""How relations and their evidence are put into words: pure."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.concepts.standing import Standing, Witness
from graphmem.concepts.views import ConceptTree, TreeNode

Line = tuple[int, bool, TreeNode]
"""Depth from 1 on, whether it stands above the concept, and the node."""


def outline(tree: ConceptTree) -> Iterator[Line]:
    """The nodes of a tree in the order in which they are read: what is above, then what is below."""
    waiting = [(1, False, node) for node in reversed(tree.below)]
    waiting += [(1, True, node) for node in reversed(tree.above)]
    while waiting:
        depth, is_above, node = waiting.pop()
        yield depth, is_above, node
        waiting += [(depth + 1, is_above, branch) for branch in reversed(node.branches)]


def known(standing: Standing | None) -> str:
    """How well a relation is known, in a few words; "" for one that was simply given."""
    if standing is None:
        return ""
    parts = [] if standing.source == "given" else [standing.source]
    if standing.confidence < 1 or parts:
        parts.append(f"{standing.confidence:.2f}")
    if standing.support is not None or standing.against is not None:
        parts.append(f"{standing.support or 0} for, {standing.against or 0} against")
    elif standing.count:
        parts.append(f"{standing.count} pieces of evidence" if standing.count > 1 else "1 piece of evidence")
    return ", ".join(parts)


def spoken(witness: Witness) -> str:
    """A piece of evidence in a line: which text, on which side, and what it says."""
    side = "against" if witness.against else "for"
    where = f"{witness.kind} {witness.id}" if witness.id else witness.kind
    return f"{side} ({where}): {witness.sentence}"
