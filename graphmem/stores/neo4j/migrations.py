"""The schema: numbered files in cypher/schema, applied in order, recorded, re-runnable.

Every statement says IF NOT EXISTS, so two processes may apply a file at once, and one that was killed
half-way is applied again. Vector indexes are apart: they need the embedder's dimension.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from graphmem.errors import ConflictError, SchemaError
from graphmem.graph.schema import EMBEDDED, SCHEMA_VERSION, SEARCHABLE
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import EmbedderSpec
from graphmem.queries import Query, query, query_names
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Connection
from graphmem.stores.neo4j.state import StoreState, spec_row, to_state
from graphmem.stores.neo4j.statements import filled

VECTORS = query("schema/0001_vectors")
VECTORS_V5 = query("schema/0001_vectors.v5")
TEXTS = query("schema/0001_texts")
WAIT = 3600
"""Seconds that indexes may take to come online over what is stored already: minutes for a million vectors."""
_TRIES = 6


def read_state(connection: Connection) -> StoreState | None:
    """What the store says of itself; None where nothing was ever written."""
    rows = connection.read(statements.STATE.name, statements.STATE.text, {})
    return to_state(rows[0][0]) if rows else None


def migrate(connection: Connection, clock: Clock) -> tuple[int, int]:
    """Bring the schema to this program's version; version before and after.

    Raises:
        SchemaError: The schema is newer than this program.
    """
    state = read_state(connection)
    before = state.schema_version if state else 0
    if before > SCHEMA_VERSION:
        raise SchemaError(
            f"the store's schema is {before}, newer than this program's {SCHEMA_VERSION}; update graphmem"
        )
    ((applied,),) = connection.read(statements.MIGRATIONS.name, statements.MIGRATIONS.text, {})
    for file in migration_files():
        if file.name not in applied:
            apply(connection, file, file.statements)
            _change(
                connection,
                statements.RECORD_MIGRATION,
                {"name": file.name, "version": _number(file), "at": clock()},
            )
    if before < SCHEMA_VERSION:
        await_indexes(connection)
        _change(connection, statements.SET_STATE, {"state": {"schema_version": SCHEMA_VERSION}})
    return before, SCHEMA_VERSION


def migration_files() -> tuple[Query, ...]:
    """The schema files in order, those of vectors aside."""
    names = query_names("schema")
    return tuple(query(name) for name in names if name.removesuffix(".v5") != VECTORS.name)


def _number(file: Query) -> int:
    return int(file.path.name.partition("_")[0])


def apply(connection: Connection, file: Query, texts: tuple[str, ...]) -> None:
    """Run the statements of a schema file, again where another process does the same."""
    for text in texts:
        retried(lambda text=text: connection.change(file.name, text))  # type: ignore[misc]  # bound now


def retried(change: Callable[[], object]) -> None:
    """Make a change that may be made by several processes at once, and says the same each time."""
    for attempt in range(_TRIES):
        try:
            change()
        except ConflictError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(0.1 * 2**attempt)
        else:
            return


def _change(connection: Connection, statement: Query, parameters: dict[str, object]) -> None:
    connection.change(statement.name, statement.text, parameters)


def await_indexes(connection: Connection) -> None:
    """Wait until every index of this program answers.

    Asked again and again: the server's own waiting ends with its limit for transactions.

    Raises:
        SchemaError: An index failed, or takes longer than `WAIT`.
    """
    begun = time.monotonic()
    pause = 0.02
    while waiting := _not_online(connection):
        if time.monotonic() - begun > WAIT:
            raise SchemaError(f"indexes are not ready after {WAIT} s: {', '.join(waiting)}; look at them later")
        time.sleep(pause)
        pause = min(2 * pause, 2.0)


def _not_online(connection: Connection) -> list[str]:
    statement = statements.INDEXES
    waiting = []
    for name, _, state, _ in connection.read(statement.name, statement.text, {}):
        if state == "FAILED":
            raise SchemaError(f"the index {name} failed on the server; its log says why")
        if state != "ONLINE":
            waiting.append(name)
    return waiting


def create_vector_indexes(connection: Connection, slot: str, dimension: int) -> None:
    """Make the vector indexes over one property."""
    file = VECTORS if connection.server.filters_inside_index else VECTORS_V5
    texts = tuple(
        part.strip() for part in filled(file, vector=slot, dimension=str(dimension)).split(";") if part.strip()
    )
    apply(connection, file, texts)


def drop_vector_indexes(connection: Connection, slot: str) -> None:
    """Drop the vector indexes over one property."""
    statement = statements.DROP_VECTOR_INDEX
    apply(connection, statement, tuple(filled(statement, label=label, vector=slot) for label in EMBEDDED))


def adopt_embedder(connection: Connection, state: StoreState, embedder: EmbedderSpec) -> None:
    """Make the vector indexes for the first embedder; in place of another's that wrote nothing yet."""
    if state.embedder is not None and state.embedder.dimension != embedder.dimension:
        drop_vector_indexes(connection, state.slot)
    create_vector_indexes(connection, state.slot, embedder.dimension)
    await_indexes(connection)
    _change(connection, statements.SET_STATE, {"state": {"slot": state.slot, **spec_row("embedder", embedder)}})


def rebuild_indexes(connection: Connection, state: StoreState) -> None:
    """Build the full-text and vector indexes anew, and count the words of every tenant."""
    drop = statements.DROP_TEXT_INDEX
    apply(connection, drop, tuple(filled(drop, label=label) for label in SEARCHABLE))
    apply(connection, TEXTS, TEXTS.statements)
    if state.embedder is not None:
        drop_vector_indexes(connection, state.slot)
        create_vector_indexes(connection, state.slot, state.embedder.dimension)
    if state.reembedding is not None:
        drop_vector_indexes(connection, state.next_slot)
        create_vector_indexes(connection, state.next_slot, state.reembedding.dimension)
    await_indexes(connection)
    _count_words(connection)


def _count_words(connection: Connection) -> None:
    counts: dict[str, dict[str, int]] = {}
    for label in SEARCHABLE:
        statement = statements.COUNT_WORDS
        for tenant, documents, words in connection.read(statement.name, filled(statement, label=label), {}):
            counts.setdefault(tenant, {}).update({f"documents_{label}": documents, f"words_{label}": words})
    for tenant, found in counts.items():
        none = {f"{kind}_{label}": None for label in SEARCHABLE for kind in ("documents", "words")}
        _change(connection, statements.SET_COUNTS, {"tenant": tenant, "counts": none | found})
