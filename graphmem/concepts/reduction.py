"""Which is_a edges a picture needs: those that no longer way implies. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reduced(edges: Iterable[tuple[Node, Node]]) -> set[tuple[Node, Node]]:
    """The transitive reduction: an edge is left out when another way leads from its start to its end.

    The rest leads from everywhere to exactly where all edges led. What is stored stays: this is for display.

    Args:
        edges: (start, end), in any order. Edges without a cycle have exactly one reduction; around a cycle,
            which no store holds, more edges than needed may stay.
    """
    ends: dict[Node, set[Node]] = defaultdict(set)
    for start, end in edges:
        ends[start].add(end)
    found = {(start, end) for start, reached in ends.items() for end in reached}
    for start, reached in ends.items():
        if len(reached) > 1:
            found -= {(start, end) for end in _implied(start, reached, ends)}
    return found


def _implied(start: Node, reached: set[Node], ends: Mapping[Node, set[Node]]) -> set[Node]:
    """Of the ends of edges at a node, those that another of these edges leads to."""
    beyond = {end: _reachable(end, start, ends) for end in reached - {start}}
    return {
        end
        for end in beyond
        if any(end in beyond[other] and other not in beyond[end] for other in beyond if other != end)
    }


def _reachable(origin: Node, start: Node, ends: Mapping[Node, set[Node]]) -> set[Node]:
    """What a node leads to; nothing when that is `start`, since their edges lie on a cycle then."""
    found: set[Node] = set()
    waiting = [origin]
    while waiting:
        for end in ends.get(waiting.pop(), ()):
            if end == start:
                return set()
            if end not in found:
                found.add(end)
                waiting.append(end)
    return found
