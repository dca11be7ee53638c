"""A motif in one line, for people: pure.

Steps in their order first, then what they used, were about, ran into and fixed. A generalised node is
written `any Name`. A title is stored in English and said in Korean where it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from graphmem.models.pattern import PatternNode
from graphmem.patterns.graphs import GraphEdge
from graphmem.ports.prompt_text import Language


@dataclass(frozen=True, slots=True)
class _Words:
    edges: Mapping[str, str]
    times: str
    any: str


# In Korean without particles: their form would depend on the last sound of the label.
_WORDS: dict[Language, _Words] = {
    "en": _Words(
        edges={
            "USED": "{} uses {}",
            "ABOUT": "{} about {}",
            "RAISED": "{} raises {}",
            "CAUSED_BY": "{} caused by {}",
            "FIXED": "{} fixes {}",
        },
        times="{} ({} times)",
        any="any {}",
    ),
    "ko": _Words(
        edges={
            "USED": "{}, 도구: {}",
            "ABOUT": "{}, 대상: {}",
            "RAISED": "{}, 발생한 증상: {}",
            "CAUSED_BY": "{}, 원인: {}",
            "FIXED": "{}, 해결한 것: {}",
        },
        times="{} ({}회)",
        any="{} 종류",
    ),
}


def motif_title(nodes: Sequence[PatternNode], edges: Sequence[GraphEdge], language: Language = "en") -> str:
    """Say a motif in one line.

    Args:
        nodes: Its nodes.
        edges: Its edges between places in `nodes`.
        language: Of the words between labels.

    Returns:
        Such as `run_tests → read_trace; read_trace uses editor`.
    """
    words = _WORDS[language]
    names = [shown_name(node, language) for node in nodes]
    follows = [(source, target) for source, target, edge_type in edges if edge_type == "NEXT"]
    parts = [" → ".join(names[place] for place in chain) for chain in step_chains(follows)]
    said = Counter(
        words.edges[edge_type].format(names[source], names[target])
        for source, target, edge_type in sorted(edges, key=lambda edge: (edge.type != "USED", edge))
        if edge_type != "NEXT"
    )
    parts += [text if count == 1 else words.times.format(text, count) for text, count in said.items()]
    return "; ".join(parts) or ", ".join(names)


def shown_name(node: PatternNode, language: Language = "en") -> str:
    """A node for people: a generalised one stands for any of its kind."""
    return _WORDS[language].any.format(node.label) if node.generalised else node.label


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
