"""Runs an operator's free query: its text and its plan are looked at, then it reads, and is cut off in time.

Three walls stand behind each other: the text (`free_statement`), the server's plan of the very text that is run
(`free_plan`), and the READ access mode, in which the server itself refuses writes. Whether free queries are
allowed at all is the caller's to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from neo4j import Query
from neo4j.exceptions import ClientError, Neo4jError

from graphmem.errors import InvalidInputError, StatementError
from graphmem.ports.free_query import FreeAnswer, FreeQueryLimits
from graphmem.stores.neo4j.connection import Connection
from graphmem.stores.neo4j.database import Database
from graphmem.stores.neo4j.faults import translated
from graphmem.stores.neo4j.free_plan import check_plan
from graphmem.stores.neo4j.free_statement import FreeStatement, read_statement
from graphmem.stores.neo4j.free_values import plain

if TYPE_CHECKING:
    from neo4j import Result, Session

NAME = "free Cypher"
"""What messages call a free query: its text is the operator's own."""

_SESSION: dict[str, Any] = {
    # few rows on their way at a time: they may be long, and the byte cap counts what has come
    "fetch_size": 100,
    # the driver would log the statement with them
    "notifications_min_severity": "OFF",
    "notifications_disabled_classifications": None,
}
_OF_THE_TEXT = re.compile(r"\.(?:Statement|Procedure)\.")
"""Codes of faults in a statement, apart from those of users, databases and transactions."""
_PLACE = re.compile(r"\s*\(line (\d+), column (\d+)\b.*", re.DOTALL)


def run_free_query(
    database: Database, text: str, parameters: Mapping[str, Any], limits: FreeQueryLimits
) -> FreeAnswer:
    """The rows of a reading statement, as `graphmem.ports.free_query.RunsFreeQueries` says."""
    statement = read_statement(text)
    _check_parameters(statement, parameters)
    database.check_readable()
    connection = database.connection
    with (
        translated(connection.address, NAME),
        connection.session(read=True, **_SESSION) as session,
    ):
        _check_plan(session, statement, parameters, limits)
        with _stopped(connection, limits):
            return _answer(_started(session, statement.text, parameters, limits), limits)


def _check_parameters(statement: FreeStatement, given: Mapping[str, Any]) -> None:
    missing = sorted(statement.parameters - set(given))
    if missing:
        raise InvalidInputError(f"{NAME}: give a value for {', '.join(f'${name}' for name in missing)}")
    unused = sorted(set(given) - statement.parameters)
    if unused:
        raise InvalidInputError(
            f"{NAME}: the statement has no parameter {', '.join(f'${name}' for name in unused)}"
        )


def _started(session: Session, text: str, parameters: Mapping[str, Any], limits: FreeQueryLimits) -> Result:
    query: Any = Query(text, timeout=limits.seconds)
    return session.run(query, dict(parameters))


def _check_plan(
    session: Session, statement: FreeStatement, parameters: Mapping[str, Any], limits: FreeQueryLimits
) -> None:
    try:
        summary = _started(session, statement.explained, parameters, limits).consume()
    except ClientError as fault:
        if not _OF_THE_TEXT.search(fault.code or ""):
            raise
        # nothing was read yet: the server's words can only repeat the statement
        raise InvalidInputError(
            f"{NAME}: {_words(fault, len(f'CYPHER {statement.language} EXPLAIN '))}"
        ) from fault
    check_plan(summary.plan, summary.query_type, summary.database)


def _words(fault: Neo4jError, ahead: int) -> str:
    """What the server says of a statement, with the place in the operator's own text."""
    message = fault.message or str(fault.code)
    found = _PLACE.search(message)
    if found is None:
        return message.strip()
    line, column = int(found[1]), int(found[2])
    column -= ahead if line == 1 else 0
    return f"{message[: found.start()].strip()} (line {line}, column {column} of the statement)"


@contextmanager
def _stopped(connection: Connection, limits: FreeQueryLimits) -> Iterator[None]:
    """Say what a free query's limits mean where the server kept them."""
    try:
        yield
    except Neo4jError as fault:
        code = fault.code or ""
        if "TransactionTimedOut" in code:
            reason = f"took longer than {limits.seconds:g} seconds: narrow it, or raise cypher_timeout_seconds"
        elif "MemoryPoolOutOfMemory" in code:
            reason = "needs more memory than the server gives one transaction: narrow it"
        else:
            raise
        raise StatementError(f"{NAME} on {connection.address} {reason} ({code})", query=NAME) from fault


def _answer(result: Result, limits: FreeQueryLimits) -> FreeAnswer:
    columns = tuple(result.keys())
    rows: list[dict[str, Any]] = []
    size = 0
    truncated: Literal["rows", "bytes"] | None = None
    for record in result:
        row = dict(zip(columns, map(plain, record.values()), strict=True))
        size += len(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        if len(rows) == limits.rows or size > limits.bytes:
            truncated = "rows" if len(rows) == limits.rows else "bytes"
            break
        rows.append(row)
    result.consume()
    return FreeAnswer(columns, tuple(rows), truncated)
