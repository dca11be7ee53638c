"""Episodes for analysts: one as a networkx graph, all as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphMemError
from graphmem.graph.mapping.episode import variant_text
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.models.episode import Episode
from graphmem.ports.graph_store import TenantGraph

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

_LEFT_OUT = frozenset({"search_text", "content_hash"})

COLUMNS = (
    *("id", "goal", "domain", "task", "variant", "state", "outcome", "started_at", "ended_at", "duration_ms"),
    *("user", "session", "steps", "tools", "resolution", "satisfaction"),
)
"""Columns of the table."""


def episode_graph(graph: TenantGraph, root: NodeRecord) -> nx.MultiDiGraph[str]:
    """An episode with its steps, findings, tools, concepts and session.

    Args:
        graph: One tenant's graph.
        root: The episode's node.

    Returns:
        A graph whose nodes are `<Label>:<id>` with the attributes `label`, `id` and the node's stored
        properties, and whose edges have the relationship type as key and attribute `type`.
    """
    import networkx as nx  # noqa: PLC0415 (heavy, and only analysts need it)

    own_edges = graph.edges([root.ref], ["HAS_STEP", "HAS_FINDING", "OF_SESSION", "MENTIONS"])
    owned = [edge.target for edge in own_edges if edge.target.label in {"Step", "Finding"}]
    edges: list[EdgeRecord] = [*own_edges, *(graph.edges(owned) if owned else [])]
    refs = dict.fromkeys([root.ref, *(edge.target for edge in edges)])
    drawn: nx.MultiDiGraph[str] = nx.MultiDiGraph(episode=root.id)
    for ref, node in graph.get(refs).items():
        drawn.add_node(node_name(ref), **_attributes(node))
    for edge in edges:
        drawn.add_edge(node_name(edge.source), node_name(edge.target), key=edge.type, type=edge.type)
    return drawn


def node_name(ref: NodeRef) -> str:
    """How a node is called in a drawn graph."""
    return f"{ref.label}:{ref.id}"


def _attributes(node: NodeRecord) -> dict[str, Any]:
    properties = {name: value for name, value in node.properties.items() if name not in _LEFT_OUT}
    # `kind` and the like are properties; `label` and `id` are the node's own
    return {**properties, "label": node.label, "id": node.id}


def episodes_frame(episodes: Iterable[Episode]) -> pd.DataFrame:
    """Episodes as a table, a row each.

    Raises:
        GraphMemError: pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415 (an extra)
    except ImportError as fault:
        raise GraphMemError("to_frame needs pandas: pip install 'graphmem[frames]'") from fault
    return pd.DataFrame([_row(episode) for episode in episodes], columns=list(COLUMNS))


def _row(episode: Episode) -> dict[str, Any]:
    same = ("id", "goal", "domain", "task", "session", "started_at", "ended_at", "resolution", "satisfaction")
    return {
        **{name: getattr(episode, name) for name in same},
        "state": episode.state.value,
        "outcome": None if episode.outcome is None else episode.outcome.value,
        "variant": variant_text(episode.variant),
        "duration_ms": episode.duration_ms,
        "user": episode.user_id,
        "steps": len(episode.steps),
        "tools": list(episode.tools_used),
    }
