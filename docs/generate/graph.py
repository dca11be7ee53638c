"""Picture and tables of the graph model, out of the closed schema."""

from __future__ import annotations

from collections import defaultdict

from docs.generate.markdown import code, table
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, NodeType


def picture() -> str:
    """Labels and relationships as a Mermaid chart; types between the same two labels share an arrow."""
    between: dict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in EDGE_TYPES.values():
        for ends in edge.ends:
            between[ends].append(edge.type)
    arrows = [
        f'    {source} -->|"{"<br/>".join(types)}"| {target}\n' for (source, target), types in between.items()
    ]
    joined = {label for ends in between for label in ends}
    alone = [f"    {label}\n" for label in NODE_TYPES if label not in joined]
    return f"```mermaid\nflowchart LR\n{''.join(arrows)}{''.join(alone)}```\n"


def labels() -> str:
    """A table of the labels."""
    return table(
        ["label", "what it is", "goes with", "filters", "other properties", "indexes"],
        map(_label, NODE_TYPES.values()),
    )


def _label(node: NodeType) -> list[str]:
    indexes = [name for name, has in (("full text", node.searchable), ("vector", node.embedded)) if has]
    filters = [name for name in node.properties if name in node.filterable]
    others = [name for name in node.properties if name not in node.filterable]
    return [
        code(node.label),
        node.purpose,
        code(node.owner),
        ", ".join(map(code, filters)),
        ", ".join(map(code, others)),
        ", ".join(indexes),
    ]


def relationships() -> str:
    """A table of the relationship types."""
    rows = [
        [code(edge.type), ", ".join(f"{source} -> {target}" for source, target in edge.ends)]
        for edge in EDGE_TYPES.values()
    ]
    return table(["type", "from -> to"], rows)
