"""Every statement is planned with each name of the schema in the place of its stand-ins, on the line it is for.

That each is planned as it stands is tested in test_cypher_explained.py; here a label without its constraint, or an
index hint that fits some labels only, comes to light.
"""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.graph.schema import EDGE_TYPES, EMBEDDED, NODE_TYPES, SEARCHABLE
from graphmem.queries import Query, query, query_names
from graphmem.stores.neo4j.store import Neo4jStore
from neo4j_servers import Neo4jServer

FORMS = [name for name in query_names("graph") if query(name).stand_ins]


def labels_of(found: Query) -> tuple[str, ...]:
    """Labels that the program puts into a statement."""
    if "vector" in found.stand_ins or found.name == "graph/save_vectors":
        return EMBEDDED
    if found.name == "graph/clear_trees":
        return tuple({kind.owner for kind in NODE_TYPES.values() if kind.owner})
    is_of_texts = "search_text" in found.text or found.name == "graph/drop_text_index"
    return SEARCHABLE if is_of_texts else tuple(NODE_TYPES)


def fillings(found: Query) -> Iterator[dict[str, str]]:
    """What the program may fill in, one choice at a time; conditions and vectors stay as they are."""
    kinds = set(found.stand_ins)
    if {"source", "type", "target"} <= kinds:
        for name, edge in EDGE_TYPES.items():
            for source, target in edge.ends:
                yield {"source": source, "type": name, "target": target}
    elif {"label", "type"} <= kinds:
        for name, edge in EDGE_TYPES.items():
            side = 1 if found.name == "graph/edges_in" else 0
            yield from ({"label": label, "type": name} for label in {ends[side] for ends in edge.ends})
        every = "|".join(EDGE_TYPES)
        yield from ({"label": label, "type": every} for label in NODE_TYPES)
    elif {"label", "order"} <= kinds:
        for label in NODE_TYPES:
            # a time and a text at most: all others are planned like one of them
            yield from ({"label": label, "order": name} for name in sorted(NODE_TYPES[label].filterable)[-2:])
    elif "label" in kinds:
        yield from ({"label": label} for label in labels_of(found))


@pytest.fixture(scope="module")
def driver(neo4j_server: Neo4jServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as opened:
        first = Neo4jStore(None, driver=opened)
        embedder = first.info().embedder or HashingEmbedder.spec
        with Neo4jStore(None, driver=opened, embedder=embedder).tenant("explained").transaction():
            pass  # the schema and the vector indexes are there from here on
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_planned_with_every_name_of_the_schema(driver: neo4j.Driver, neo4j_line: str, name: str) -> None:
    found = query(name)
    if name.endswith(".v5") is not (neo4j_line == "5" and f"{name.removesuffix('.v5')}.v5" in query_names()):
        pytest.skip(f"{name} is not for {neo4j_line}")
    # a name that no node has yet is no fault of the statement
    with driver.session(
        notifications_disabled_classifications=["UNRECOGNIZED"], default_access_mode="WRITE"
    ) as session:
        for filling in fillings(found):
            text = found.filled(**filling).replace("\n", " EXPLAIN\n", 1)
            result = session.run(text, dict.fromkeys(found.params))
            warned = [one for one in result.consume().gql_status_objects if one.is_notification]
            assert warned == [], filling


def test_every_kind_of_stand_in_is_filled() -> None:
    assert all(any(fillings(query(name))) or set(query(name).stand_ins) == {"filter"} for name in FORMS)
    kinds = {kind for name in FORMS for kind in query(name).stand_ins}
    assert kinds == {*("label", "type", "source", "target", "order"), "filter", "vector"}
