"""A second set of vectors beside the one in use, filled bit by bit, then put in its place at once."""

from __future__ import annotations

from graphmem.errors import ConflictError, SchemaError
from graphmem.graph.schema import EMBEDDED
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Connection
from graphmem.stores.neo4j.migrations import await_indexes, create_vector_indexes, drop_vector_indexes
from graphmem.stores.neo4j.state import StoreState, spec_row
from graphmem.stores.neo4j.statements import filled

_AT_ONCE = 2000


def begin(connection: Connection, state: StoreState, embedder: EmbedderSpec) -> None:
    """Name the embedder of the next set, and make its indexes.

    Raises:
        SchemaError: Another re-embedding is running.
    """
    if state.reembedding is not None and state.reembedding != embedder:
        raise SchemaError(
            f"a re-embedding to {state.reembedding.name} is running; finish it with"
            f" `graphmem schema reembed --embedder {state.reembedding.name}` first"
        )
    if state.reembedding is None:
        # what an earlier one left when it was killed after its switch
        _remove(connection, state.next_slot)
    create_vector_indexes(connection, state.next_slot, embedder.dimension)
    parameters = {"state": {"slot": state.slot, **spec_row("next", embedder)}}
    connection.change(statements.SET_STATE.name, statements.SET_STATE.text, parameters)


def finish(connection: Connection, state: StoreState) -> None:
    """Put the next set in the place of the one in use, which is removed.

    Raises:
        ConflictError: Nodes without a new vector are left.
    """
    embedder = state.reembedding
    if embedder is None:
        return
    left = 0
    for label in EMBEDDED:
        statement = statements.COUNT_MISSING_VECTORS
        ((nodes,),) = connection.read(statement.name, filled(statement, label=label, vector=state.next_slot), {})
        left += nodes
    if left:
        raise ConflictError(f"{left} nodes have no vector of {embedder.name} yet; embed them, then finish again")
    await_indexes(connection)
    switched = {
        "slot": state.next_slot,
        "has_vectors": True,
        **spec_row("embedder", embedder),
        **spec_row("next", None),
    }
    connection.change(statements.SWITCH_VECTORS.name, statements.SWITCH_VECTORS.text, {"state": switched})
    _remove(connection, state.slot)


def _remove(connection: Connection, slot: str) -> None:
    """Drop a set of vectors that is not in use."""
    drop_vector_indexes(connection, slot)
    for label in EMBEDDED:
        text = filled(statements.DROP_VECTORS, label=label, vector=slot)
        removed = _AT_ONCE
        while removed == _AT_ONCE:
            ((removed,),) = connection.change(statements.DROP_VECTORS.name, text, {"limit": _AT_ONCE})
