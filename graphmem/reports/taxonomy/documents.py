"""A concept and its tree as JSON documents: pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from graphmem.concepts.views import ConceptTree, ConceptView, TreeNode


def view_document(view: ConceptView) -> dict[str, Any]:
    """A concept; each relation says under `known` how well it is known."""
    standings = [asdict(standing) for standing in view.standings]
    relations = [relation.model_dump(mode="json") for relation in view.relations]
    return {
        "id": view.id,
        **view.concept.model_dump(mode="json"),
        "relations": [
            {**relation, "known": standings[place] if place < len(standings) else None}
            for place, relation in enumerate(relations)
        ],
        "mentions": [asdict(said) for said in view.mentions],
        "truncated": view.truncated,
    }


def tree_document(tree: ConceptTree) -> dict[str, Any]:
    """A tree; each branch says under `known` how well its is_a is known."""
    return {
        "id": tree.id,
        "name": tree.name,
        "above": _branches(tree.above),
        "below": _branches(tree.below),
        "truncated": tree.truncated,
    }


def _branches(nodes: Iterable[TreeNode]) -> list[dict[str, Any]]:
    """Branches with a stack of its own, however deep they are."""
    top: list[dict[str, Any]] = []
    waiting = [(node, top) for node in reversed(tuple(nodes))]
    while waiting:
        node, beside = waiting.pop()
        below: list[dict[str, Any]] = []
        known = None if node.standing is None else asdict(node.standing)
        beside.append(
            {"id": node.id, "name": node.name, "repeated": node.repeated, "known": known, "branches": below}
        )
        waiting += [(branch, below) for branch in reversed(node.branches)]
    return top
