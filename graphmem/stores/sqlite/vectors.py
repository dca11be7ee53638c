"""Vectors in the file: written with their nodes, numbered so that readers fetch only what is new.

A generation is one embedder's set of vectors; re-embedding fills the next one beside the one in use.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from graphmem.errors import InvalidInputError, SchemaError
from graphmem.graph.records import Vector
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite.session import Session, as_list
from graphmem.stores.sqlite.state import WriteState


def encode_vector(vector: Vector, dimension: int) -> bytes:
    """A vector as little-endian float32.

    Raises:
        SchemaError: Its length is not the embedder's.
        InvalidInputError: It is not finite.
    """
    array = np.asarray(vector, dtype="<f4")
    if array.shape != (dimension,):
        raise SchemaError(
            f"a vector has shape {array.shape}, the store's embedder has {dimension} dimensions;"
            " use the same embedder, or run `graphmem schema reembed --embedder E`"
        )
    if not np.isfinite(array).all():
        raise InvalidInputError("a vector is not finite")
    return array.tobytes()


def write_vectors(state: WriteState, rows: Sequence[tuple[int, str, Vector]]) -> None:
    """Set the vectors of nodes (key, label, vector) in the generation in use."""
    if not rows:
        return
    if state.dimension is None:
        raise SchemaError(
            "a record carries a vector, but the store was opened without an embedder; open it with one"
        )
    encoded = [(key, label, encode_vector(vector, state.dimension)) for key, label, vector in rows]
    insert_vectors(state, encoded, state.generation)
    state.has_vectors = True


def insert_vectors(state: WriteState, rows: Sequence[tuple[int, str, bytes]], generation: int) -> None:
    """Write encoded vectors of any generation."""
    codes = state.session.codes.labels
    numbers = state.next_numbers("vector", len(rows))
    state.session.run_many(
        "vectors.write",
        "INSERT OR REPLACE INTO vector (seq, node, generation, tenant, label, vector) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (seq, key, generation, state.tenant, codes[label], vector)
            for seq, (key, label, vector) in zip(numbers, rows, strict=True)
        ],
    )
    state.changed = True


def remove_vectors(state: WriteState, keys: Sequence[int]) -> None:
    """Remove all vectors of nodes, leaving a note for those who follow them."""
    (seq,) = state.next_numbers("vector", 1)
    listed = as_list(keys)
    state.session.run(
        "vectors.bury",
        "INSERT INTO tombstone (tenant, label, seq, node) SELECT tenant, label, ?, node FROM vector"
        " WHERE node IN (SELECT value FROM json_each(?)) AND generation = ?",
        (seq, listed, state.generation),
    )
    state.session.run(
        "vectors.remove", "DELETE FROM vector WHERE node IN (SELECT value FROM json_each(?))", (listed,)
    )


def read_spec(session: Session, name: str) -> EmbedderSpec | None:
    """The embedder that the file names under `embedder` or `reembedding`."""
    row = session.row("meta.embedder", "SELECT value FROM meta WHERE name = ?", (name,))
    if row is None:
        return None
    given = json.loads(row[0])
    return EmbedderSpec(given["name"], given["dimension"], given["normalised"])


def write_spec(session: Session, name: str, spec: EmbedderSpec | None) -> None:
    """Name an embedder in the file, or no longer."""
    if spec is None:
        session.run("meta.embedder", "DELETE FROM meta WHERE name = ?", (name,))
        return
    text = json.dumps({"name": spec.name, "dimension": spec.dimension, "normalised": spec.normalised})
    session.run("meta.embedder", "INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, text))
