"""How abstract a concept is, from its place in the is_a tree: pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

MOST_ABSTRACT = 5
"""Level of what has nothing above it and something below it; a leaf has 1."""


def abstraction_levels(parents: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """The abstraction level of every concept that is_a joins to another one.

    With `h` the longest way down to a leaf and `d` the longest way up to a root, the level is
    `1 + round(4 h / (h + d))`, halves up: 1 for a leaf, 5 for a root, the same for a tree turned finer
    everywhere, and never higher for a concept than for what it is a kind of.

    Args:
        parents: Concept -> what it is a kind of. A concept that only stands on the right side counts too.

    Returns:
        Levels of 1 (concrete) to 5 (abstract). What stands alone has none, and neither has what lies on
        a cycle, above one or below one: stores hold no cycles.
    """
    above: dict[Node, set[Node]] = {node: set(found) for node, found in parents.items()}
    below: dict[Node, set[Node]] = defaultdict(set)
    for node, found in above.items():
        for parent in found:
            below[parent].add(node)
    heights, depths = _longest(above, below), _longest(below, above)
    spans = {node: (heights[node], depths[node]) for node in heights if node in depths}
    steps = MOST_ABSTRACT - 1
    return {
        node: 1 + (2 * steps * height + height + depth) // (2 * (height + depth))
        for node, (height, depth) in spans.items()
        if height + depth
    }


def _longest(onwards: Mapping[Node, set[Node]], back: Mapping[Node, set[Node]]) -> dict[Node, int]:
    """The longest way from each node against `onwards`, in edges; nodes that a cycle leads to are left out."""
    nodes = dict.fromkeys((*onwards, *back))
    waiting = Counter({node: len(back.get(node, ())) for node in nodes})
    lengths = {node: 0 for node in nodes if not waiting[node]}
    ready = list(lengths)
    known = dict(lengths)
    while ready:
        node = ready.pop()
        for reached in onwards.get(node, ()):
            known[reached] = max(known.get(reached, 0), known[node] + 1)
            waiting[reached] -= 1
            if not waiting[reached]:
                lengths[reached] = known[reached]
                ready.append(reached)
    return lengths
