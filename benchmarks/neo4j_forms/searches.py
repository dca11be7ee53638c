"""Vector and full-text search within one tenant, beside the statement that does the least."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import neo4j
import numpy as np

from graphmem.stores.neo4j.lexical import index_name, lucene
from neo4j_forms.server import Server
from neo4j_forms.tenants import Tenants, load
from neo4j_forms.timing import alternating

RAW_NEAREST = (
    "CYPHER 25 MATCH (m:Message) SEARCH m IN (VECTOR INDEX graphmem_Message_embedding FOR $vector"
    " WHERE m.tenant = $tenant LIMIT 10) SCORE AS score RETURN m.id AS id, score"
)
RAW_NEAREST_V5 = (
    "CYPHER 5 MATCH (m:Message {tenant: $tenant}) WHERE m.id IS NOT NULL"
    " WITH m, vector.similarity.cosine(m.embedding, $vector) AS score ORDER BY score DESC LIMIT 10"
    " RETURN m.id AS id, score"
)
RAW_TEXT = (
    "CYPHER 5 CALL db.index.fulltext.queryNodes($index, $words, {limit: 10}) YIELD node, score"
    " RETURN node.id AS id, score"
)


def bench_search(server: Server, what: Sequence[str], count: int) -> None:
    """Load tenants, search in those of several sizes, and remove them."""
    data = Tenants(count)
    load(server, data)
    with server.driver.session(database="neo4j", default_access_mode="READ") as session:
        for tenant in data.chosen():
            if "vectors" in what:
                bench_vectors(server, session, data, tenant)
            if "texts" in what:
                bench_texts(server, session, data, tenant)
    for name in data.names:
        server.store.tenant(name).erase()


def bench_vectors(server: Server, session: neo4j.Session, data: Tenants, tenant: int) -> None:
    """Nearest neighbours: time beside the bare index, recall beside the exact answer."""
    queries = data.drawn(np.random.default_rng(99 + tenant), tenant, 45)
    graph = server.store.tenant(data.names[tenant])
    text = RAW_NEAREST_V5 if server.old else RAW_NEAREST
    found: dict[int, list[str]] = {}

    def raw(number: int) -> object:
        vector = queries[number % len(queries)].tolist()
        return session.run(text, vector=vector, tenant=graph.tenant).values()

    def ours(number: int) -> None:
        hits = graph.nearest("Message", queries[number % len(queries)])
        found[number % len(queries)] = [hit.record.id for hit in hits]

    raw_ms, our_ms = alternating((raw, ours), 45)
    recalls = []
    for number, ids in found.items():
        best = np.argsort(-(data.vectors[tenant] @ queries[number]))[:10]
        recalls.append(len({f"m{place}" for place in best} & set(ids)) / min(10, len(best)))
    short = sum(len(ids) < 10 for ids in found.values())
    print(
        f"{'nearest of ' + format(data.sizes[tenant], ','):34} raw {raw_ms:.2f} ms  ours {our_ms:.2f} ms"
        f"  recall@10 {statistics.mean(recalls):.3f}  short answers {short}  (<= 1.5 x raw or + 2 ms)",
        flush=True,
    )


def bench_texts(server: Server, session: neo4j.Session, data: Tenants, tenant: int) -> None:
    """Words: time with ranking beside the bare index."""
    random = np.random.default_rng(5 + tenant)
    graph = server.store.tenant(data.names[tenant])
    texts = data.texts[tenant]
    for length in (3, 8):
        queries = [
            [str(word) for word in random.permutation(texts[random.integers(len(texts))].split())[:length]]
            for _ in range(45)
        ]

        def raw(number: int, queries: list[list[str]] = queries) -> object:
            words = lucene(graph.tenant, queries[number % len(queries)])
            return session.run(RAW_TEXT, index=index_name("Message"), words=words).values()

        def ours(number: int, queries: list[list[str]] = queries) -> object:
            return graph.search(["Message"], queries[number % len(queries)])

        for number in range(len(queries)):
            ours(number)  # counts what the queries ask for
        raw_ms, our_ms = alternating((raw, ours), 45)
        print(
            f"{f'{length} words of {data.sizes[tenant]:,}':34} raw {raw_ms:.2f} ms  ours {our_ms:.2f} ms"
            f"  + {our_ms - raw_ms:.2f} (<= + 3 ms)",
            flush=True,
        )
