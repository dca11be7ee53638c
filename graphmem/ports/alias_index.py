"""Makes the aliases of concepts that were described before aliases were nodes."""

from __future__ import annotations

from graphmem.graph.mapping.alias import ALIAS_OF, aliases_of
from graphmem.ports.aliased_graph import without_aliasing
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages


def index_aliases(graph: TenantGraph) -> int:
    """Make every alias that a description gives and that is not there; running it again changes nothing.

    Args:
        graph: The tenant.

    Returns:
        How many were made.
    """
    graph, made = without_aliasing(graph), 0
    for page in pages(graph, "Concept"):
        given = [pair for concept in page for pair in aliases_of(concept)]
        if not given:
            continue
        stored = {edge[:3] for edge in graph.edges([alias.ref for alias, _ in given], [ALIAS_OF], "out")}
        missing = [(alias, edge) for alias, edge in given if edge[:3] not in stored]
        if missing:
            with graph.transaction() as transaction:
                nodes = {alias.ref: alias for alias, _ in missing}
                transaction.save_nodes(list(nodes.values()), replace=False)
                transaction.save_edges([edge for _, edge in missing])
            made += len(missing)
    return made
