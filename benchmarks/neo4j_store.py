"""How near the store on Neo4j comes to the raw driver: one command, one run, one warm server.

    python benchmarks/neo4j_store.py --uri bolt://127.0.0.1:7687 [write] [messages] [vectors] [texts]

Each form runs in turn with the raw one, several rounds, and the ratio is the median over rounds of neighbours
in time: a busy machine slows both. The server should be a throw-away one (tests/neo4j/server.py): the raw forms
leave labels of their own, which are removed at the end, and the vectors are of 384 dimensions.

write      8-step episodes with a vector, 500 a transaction, then the same again, then one a transaction
messages   messages with a vector, 500 a transaction
vectors    tenant-filtered nearest neighbours: recall@10 and p50 at tenants of 85 to 17,000 of 100,000
texts      full text within a tenant, ranking included, beside the index alone
"""

from __future__ import annotations

import argparse

import neo4j

from neo4j_forms.episodes import bench_write
from neo4j_forms.messages import bench_messages
from neo4j_forms.searches import bench_search
from neo4j_forms.server import connected


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["write", "messages", "vectors", "texts"])
    parser.add_argument("--uri", required=True)
    parser.add_argument("--password", default="graphmem-test")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--messages", type=int, default=100_000, help="of all tenants, for vectors and texts")
    given = parser.parse_args()
    with connected(given.uri, given.password) as server:
        print(f"Neo4j {server.store.info().version}, driver {neo4j.__version__}")
        if "write" in given.what:
            bench_write(server, given.count, given.rounds)
        if "messages" in given.what:
            bench_messages(server, given.count, given.rounds)
        if "vectors" in given.what or "texts" in given.what:
            bench_search(server, given.what, given.messages)


if __name__ == "__main__":
    main()
