"""A second set of vectors beside the one in use, filled bit by bit, then put in its place at once."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.errors import ConflictError, SchemaError
from graphmem.graph.records import NodeRecord, NodeRef, Vector
from graphmem.graph.schema import EMBEDDED
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite.nodes import selected, to_record
from graphmem.stores.sqlite.session import Session
from graphmem.stores.sqlite.state import WriteState
from graphmem.stores.sqlite.vectors import encode_vector, insert_vectors, read_spec, write_spec


def _generation(session: Session) -> int:
    row = session.row("counters.generation", "SELECT value FROM counter WHERE name = 'generation'")
    return int(row[0]) if row else 1


def _filled(session: Session) -> int:
    """The generation that is being filled: the next one while a re-embedding runs."""
    return _generation(session) + (read_spec(session, "reembedding") is not None)


def missing_vectors(
    session: Session, tenant: int, label: str, *, after: str | None, limit: int
) -> list[NodeRecord]:
    """Nodes without a vector of the generation that is being filled, by id."""
    rows = session.rows(
        "vectors.missing",
        f"{selected(vectors=True)} WHERE node.tenant = ? AND node.label = {session.codes.labels[label]}"
        " AND id > ? AND vector.node IS NULL ORDER BY id LIMIT ?",
        (_filled(session), tenant, after or "", limit),
    )
    return [to_record(session, row) for row in rows]


def save_vectors(
    state: WriteState, label: str, rows: Sequence[tuple[str, Vector]], embedder: EmbedderSpec | None
) -> None:
    """Set vectors of nodes by id for the re-embedding that runs, else for the store's embedder."""
    session = state.session
    next_spec = read_spec(session, "reembedding")
    spec = next_spec or read_spec(session, "embedder") or embedder
    if spec is None:
        raise SchemaError("the store knows no embedder; run `graphmem schema reembed --embedder E`")
    vectors = {NodeRef(label, node_id): encode_vector(vector, spec.dimension) for node_id, vector in rows}
    keys = state.find_keys(vectors)
    insert_vectors(state, [(key, label, vectors[ref]) for ref, key in keys.items()], _filled(session))
    if keys and next_spec is None and read_spec(session, "embedder") is None:
        write_spec(session, "embedder", spec)


def begin(session: Session, embedder: EmbedderSpec) -> None:
    """Name the embedder that the next generation is for."""
    running = read_spec(session, "reembedding")
    if running is not None and running != embedder:
        raise SchemaError(
            f"a re-embedding to {running.name} is running; finish it with"
            f" `graphmem schema reembed --embedder {running.name}` first"
        )
    write_spec(session, "reembedding", embedder)


def finish(session: Session) -> None:
    """Put the next generation in the place of the one in use, which is removed."""
    embedder = read_spec(session, "reembedding")
    if embedder is None:
        return
    following = _generation(session) + 1
    left = _without(session, following)
    if left:
        raise ConflictError(f"{left} nodes have no vector of {embedder.name} yet; embed them, then finish again")
    session.run("vectors.switch", "UPDATE counter SET value = ? WHERE name = 'generation'", (following,))
    # their notes are of the generation that goes; followers begin anew with the new one
    session.run("vectors.unbury", "DELETE FROM tombstone")
    session.run("vectors.drop", "DELETE FROM vector WHERE generation < ?", (following,))
    write_spec(session, "embedder", embedder)
    write_spec(session, "reembedding", None)
    session.run("counters.write", "UPDATE counter SET value = value + 1 WHERE name = 'write'")
    session.run("erase.stale", "UPDATE counter SET value = 1 WHERE name = 'stale'")
    session.run("tenant.version", "UPDATE tenant SET version = (SELECT value FROM counter WHERE name = 'write')")


def _without(session: Session, generation: int) -> int:
    codes = ", ".join(str(session.codes.labels[label]) for label in EMBEDDED)
    row = session.row(
        "vectors.left",
        f"SELECT count(*) FROM node WHERE label IN ({codes}) AND NOT EXISTS"
        " (SELECT 1 FROM vector WHERE vector.node = node.key AND generation = ?)",
        (generation,),
    )
    return int(row[0]) if row else 0
