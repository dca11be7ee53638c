"""A motif in one line, for people: pure.

Steps in their order first, then what they used, were about, ran into and fixed. A generalised node is
written `any Name`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from graphmem.models.pattern import PatternNode
from graphmem.patterns.graphs import GraphEdge

_WORDS = {
    "USED": "{} uses {}",
    "ABOUT": "{} about {}",
    "RAISED": "{} raises {}",
    "CAUSED_BY": "{} caused by {}",
    "FIXED": "{} fixes {}",
}


def motif_title(nodes: Sequence[PatternNode], edges: Sequence[GraphEdge]) -> str:
    """Say a motif in one line.

    Args:
        nodes: Its nodes.
        edges: Its edges between places in `nodes`.

    Returns:
        Such as `run_tests → read_trace; read_trace uses editor`.
    """
    names = [shown_name(node) for node in nodes]
    follows = [(source, target) for source, target, edge_type in edges if edge_type == "NEXT"]
    parts = [" → ".join(names[place] for place in chain) for chain in step_chains(follows)]
    said = Counter(
        _WORDS[edge_type].format(names[source], names[target])
        for source, target, edge_type in sorted(edges, key=lambda edge: (edge.type != "USED", edge))
        if edge_type != "NEXT"
    )
    parts += [text if count == 1 else f"{text} ({count} times)" for text, count in said.items()]
    return "; ".join(parts) or ", ".join(names)


def shown_name(node: PatternNode) -> str:
    """A node for people: a generalised one stands for any of its kind."""
    return f"any {node.label}" if node.generalised else node.label


def step_chains(follows: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Paths that cover every NEXT edge once, begun where nothing comes before."""
    left: dict[int, list[int]] = {}
    for source, target in sorted(follows):
        left.setdefault(source, []).append(target)
    chains = []
    for start in steps_in_order(follows):
        while left.get(start):
            chain = [start]
            while left.get(chain[-1]):
                chain.append(left[chain[-1]].pop(0))
            chains.append(chain)
    return chains


def steps_in_order(follows: Sequence[tuple[int, int]]) -> list[int]:
    """The ends of NEXT edges, each after all that come before it; by place where edges form a circle."""
    order: TopologicalSorter[int] = TopologicalSorter()
    for source, target in sorted(follows):
        order.add(target, source)
    try:
        return list(order.static_order())
    except CycleError:
        return sorted({place for pair in follows for place in pair})
