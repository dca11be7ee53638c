"""Refuses what a label or a limit does not allow, in the words of the embedded store."""

from __future__ import annotations

from graphmem.errors import InvalidInputError, SchemaError
from graphmem.graph.records import Vector
from graphmem.graph.schema import EMBEDDED, SEARCHABLE
from graphmem.graph.validation import node_type

MAX_LIMIT = 10_000


def check_embedded(label: str) -> None:
    """Refuse a label without vectors.

    Raises:
        InvalidInputError: The label carries none.
    """
    if not node_type(label).embedded:
        raise InvalidInputError(f"{label} has no vectors; these have: {', '.join(EMBEDDED)}")


def check_searchable(label: str) -> None:
    """Refuse a label without search text.

    Raises:
        InvalidInputError: The label carries none.
    """
    if not node_type(label).searchable:
        raise InvalidInputError(f"{label} cannot be searched; these can: {', '.join(SEARCHABLE)}")


def check_limit(limit: int) -> None:
    """Refuse a limit out of bounds.

    Raises:
        InvalidInputError: It is not 1 to 10,000.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError(f"limit {limit} is not between 1 and {MAX_LIMIT}")


def check_dimension(vector: Vector, dimension: int) -> None:
    """Refuse a query vector of another length: the server would find nothing and say nothing.

    Raises:
        SchemaError: The length is not that of the store's embedder.
    """
    if vector.shape != (dimension,):
        raise SchemaError(
            f"the vector has shape {vector.shape}, the store's embedder has {dimension} dimensions;"
            " ask with the embedder of the store (`graphmem schema status`)"
        )
