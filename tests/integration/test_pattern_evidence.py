"""The evidence query of a motif, run on a real server, returns exactly the episodes of its record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, cast

import neo4j
import pytest

from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.evidence import evidence_query
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy
from graphmem.patterns.motifs import Motif
from motif_corpus import TAXONOMY, corpus
from neo4j_servers import Neo4jServer

Rows = list[dict[str, Any]]

LABELS = {"action": "Step", "symptom": "Finding", "cause": "Finding", "tool": "Tool", "concept": "Concept"}
OWNED = {"Step": "HAS_STEP", "Finding": "HAS_FINDING"}


@pytest.fixture
def driver(neo4j_server: Neo4jServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as opened:
        yield opened


class Writer:
    """Writes episode graphs as the graph model has them, one statement a label and a type."""

    def __init__(self, driver: neo4j.Driver, tenant: str) -> None:
        self.driver = driver
        self.tenant = tenant

    def write(self, graphs: Sequence[EpisodeGraph], taxonomy: Taxonomy, state: str) -> None:
        nodes: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
        edges: dict[tuple[str, str, str], Rows] = defaultdict(list)
        for key in {*taxonomy.parents, *chain.from_iterable(taxonomy.parents.values())}:
            nodes["Concept"][f"concept/{key}"] = {"key": key, "kind": "concept"}
            for parent in taxonomy.parents.get(key, ()):
                edges["Concept", "IS_A", "Concept"].append(
                    {"source": f"concept/{key}", "target": f"concept/{parent}"}
                )
        for graph in graphs:
            nodes["Episode"][graph.episode] = {"state": state, "domain": graph.domain}
            names = [self._name(graph, place) for place in range(len(graph.nodes))]
            for name, node in zip(names, graph.nodes, strict=True):
                label = LABELS[node.kind]
                finding = {"kind": node.kind} if label == "Finding" else {}
                nodes[label][name] = {"key": node.key, **finding}
                if label in OWNED:
                    edges["Episode", OWNED[label], label].append({"source": graph.episode, "target": name})
            for edge in graph.edges:
                ends = LABELS[graph.nodes[edge.source].kind], LABELS[graph.nodes[edge.target].kind]
                row = {"source": names[edge.source], "target": names[edge.target]}
                edges[ends[0], edge.type, ends[1]].append(row)
        for label, given in nodes.items():
            rows = [{"id": name, "properties": properties} for name, properties in given.items()]
            self._run(
                f"UNWIND $rows AS row MERGE (n:{label} {{tenant: $tenant, id: row.id}}) SET n += row.properties",
                rows,
            )
        for (source, kind, target), rows in edges.items():
            self._run(
                f"MATCH (n:{source} {{tenant: $tenant}}) WITH collect([n.id, n]) AS sources "
                f"MATCH (m:{target} {{tenant: $tenant}}) WITH sources, collect([m.id, m]) AS targets "
                "UNWIND $rows AS row "
                "WITH [s IN sources WHERE s[0] = row.source | s[1]][0] AS a, "
                "[t IN targets WHERE t[0] = row.target | t[1]][0] AS b "
                f"MERGE (a)-[:{kind} {{tenant: $tenant}}]->(b)",
                rows,
            )

    def _name(self, graph: EpisodeGraph, place: int) -> str:
        node = graph.nodes[place]
        shared = LABELS[node.kind] not in OWNED
        return f"{node.kind}/{node.key}" if shared else f"{graph.episode}/{place}"

    def _run(self, text: str, rows: Rows) -> None:
        with self.driver.session() as session:
            session.run(text, rows=rows, tenant=self.tenant).consume()


def returned(driver: neo4j.Driver, motif: Motif, tenant: str) -> list[str]:
    query = evidence_query(motif, tenant=tenant)
    with driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
        result = session.run(query.text, cast("dict[str, Any]", query.parameters))
        return [record["episode"] for record in result]


def hard_shapes() -> list[EpisodeGraph]:
    """Two leaves below one ancestor, one leaf twice, a step reached only through a shared tool."""
    step, cut, tool = (
        GraphNode("action", "mix", "Mix"),
        GraphNode("action", "cut", "Cut"),
        GraphNode("tool", "knife", ""),
    )
    graphs = []
    for number, (one, other) in enumerate([("apple", "pear"), ("plum", "fig"), ("배", "감"), ("fig", "apple")]):
        pair = (GraphNode("concept", one, one), GraphNode("concept", other, other))
        edges = (GraphEdge(0, 1, "ABOUT"), GraphEdge(0, 2, "ABOUT"))
        graphs.append(EpisodeGraph(episode=f"two {number}", nodes=(step, *pair), edges=edges))
    single = (step, GraphNode("concept", "apple", "apple"))
    graphs.append(EpisodeGraph(episode="only one", nodes=single, edges=(GraphEdge(0, 1, "ABOUT"),)))
    used = (GraphEdge(0, 2, "USED"), GraphEdge(1, 2, "USED"))
    graphs += [EpisodeGraph(episode=f"both {n}", nodes=(step, cut, tool), edges=used) for n in range(3)]
    graphs += [
        EpisodeGraph(episode=f"half {n}", nodes=(cut, tool), edges=(GraphEdge(0, 1, "USED"),)) for n in range(3)
    ]
    return graphs


def test_the_query_of_a_motif_returns_exactly_its_episodes(driver: neo4j.Driver, tenant: str) -> None:
    closed = [*corpus(90), *hard_shapes()]
    still_open = [
        EpisodeGraph(episode=f"open {graph.episode}", nodes=graph.nodes, edges=graph.edges, domain=graph.domain)
        for graph in closed[::4]
    ]
    Writer(driver, tenant).write(closed, TAXONOMY, "closed")
    Writer(driver, tenant).write(still_open, TAXONOMY, "open")
    Writer(driver, f"{tenant}-other").write(still_open, TAXONOMY, "closed")
    motifs = discover_motifs(closed, TAXONOMY).motifs
    generalised = [motif for motif in motifs if sum(node.generalised for node in motif.nodes) == 2]
    assert any(len({node.key for node in motif.nodes if node.generalised}) == 1 for motif in generalised)
    for motif in motifs:
        assert returned(driver, motif, tenant) == list(motif.episodes), motif.code
