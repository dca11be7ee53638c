"""Example episodes of a pattern with the texts of the steps it was found in.

Texts are somebody's own words: they are read only when a report with texts is asked for.
"""

from __future__ import annotations

from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.models.pattern import Pattern
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import steps_of
from graphmem.reports.patterns.values import Example, ExampleStep

EXAMPLES = 2
"""Episodes shown of a pattern: the first ones of its evidence."""

LONGEST_TEXT = 300
"""Characters of a goal and of a step's text that are shown."""


def examples_of(graph: TenantGraph, pattern: Pattern) -> tuple[Example, ...]:
    """The first episodes of the evidence, each with the steps that stand in the pattern's places."""
    names = list(pattern.episodes[:EXAMPLES])
    roots = {ref.id: root for ref, root in graph.get([NodeRef("Episode", name) for name in names]).items()}
    steps = steps_of(graph, names)
    roles = _roles(graph, pattern, names)
    return tuple(
        Example(
            name,
            _shortened(str(roots[name].properties.get("goal", ""))),
            tuple(_step(step) for step in steps[name] if step.id in roles[name]),
        )
        for name in names
        if name in roots
    )


def _roles(graph: TenantGraph, pattern: Pattern, names: list[str]) -> dict[str, set[str]]:
    """Episode -> ids of the stored nodes that one occurrence is made of."""
    roles: dict[str, set[str]] = {name: set() for name in names}
    for edge in graph.edges([NodeRef("Pattern", pattern.id)], ["EVIDENCED_BY"], "out"):
        if edge.target.id in roles and "roles" in edge.properties:
            roles[edge.target.id].update(map(str, read_json(edge.properties, "roles").values()))
    return roles


def _step(step: NodeRecord) -> ExampleStep:
    held = step.properties
    texts = [str(held[name]) for name in ("reasoning", "result") if held.get(name)]
    return ExampleStep(str(held.get("action", "")), _shortened(" / ".join(texts)))


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
