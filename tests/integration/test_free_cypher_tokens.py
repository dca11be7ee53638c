"""What graphmem takes for a string, a quoted name or a comment is none of the server's calls either.

The server is the oracle: where it reads a call to a function that it does not have, it says so while it plans.
So a statement that graphmem lets through may hold such a call in quotes and comments only.
"""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neo4j.exceptions import ClientError

from graphmem.errors import InvalidInputError
from graphmem.stores.neo4j.free_statement import read_statement
from neo4j_servers import Neo4jServer

CALLS = ["nowhere.f(1)", "`nowhere`.f(1)", "nowhere /*'*/ . f(1)", "1 + nowhere.f(2)"]
SIGNS = [
    *("'", '"', "`", "``", "''", "\\", "\\'", '\\"', "\\\\", "\\b", "//", "/*", "*/", "*", "/", "\n", "\r\n", " "),
    *("$", ";", "{", "}", "-", ".", "1", "e", "환불", "\u1100", "\u2028", "\u00a0", "\ufeff"),
]

INSIDE = st.lists(st.sampled_from(SIGNS + CALLS), max_size=5).map("".join)


def quoted(inside: str, quote: str) -> str:
    return quote + inside.replace("\\", "\\\\").replace(quote, f"\\{quote}") + quote


TEXT = st.builds(quoted, INSIDE, st.sampled_from("'\"")) | st.builds("'{}'".format, INSIDE)
NAME = INSIDE.map(lambda inside: f"`{inside.replace('`', '``')}x`")
GAP = (
    st.just(" ")
    | INSIDE.map(lambda inside: f"/*{inside.replace('*/', '')}*/")
    | INSIDE.map(lambda inside: "//" + inside.replace("\n", "") + "\n")
)
STATEMENT = st.builds(
    "RETURN{0}{1}{2}AS{3}{4}{5},{6}{7}{8}AS b".format, GAP, TEXT, GAP, GAP, NAME, GAP, GAP, TEXT | NAME, GAP
)


@pytest.fixture(scope="module")
def session(neo4j_server: Neo4jServer) -> Iterator[neo4j.Session]:
    with (
        neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver,
        driver.session(default_access_mode="READ", notifications_min_severity="OFF") as opened,
    ):
        yield opened


def planned(session: neo4j.Session, text: str) -> str:
    """What the server says of a statement; "" when it plans it."""
    try:
        session.run(text).consume()
    except ClientError as fault:
        return fault.message or "refused"
    return ""


def test_the_oracle_speaks(session: neo4j.Session) -> None:
    for call in CALLS:
        assert "Unknown function" in planned(session, f"CYPHER 5 EXPLAIN RETURN {call}")


@settings(max_examples=200, deadline=None)
@given(text=STATEMENT, language=st.sampled_from(["5", "25"]))
def test_no_call_is_read_by_the_server_alone(
    session: neo4j.Session, neo4j_line: str, text: str, language: str
) -> None:
    try:
        statement = read_statement(f"CYPHER {'5' if neo4j_line == '5' else language} {text}")
    except InvalidInputError:
        return
    assert "Unknown function" not in planned(session, statement.explained), text
