"""What the store remembers of itself on one internal node: schema, embedder, the set of vectors in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.errors import SchemaError
from graphmem.graph.schema import SCHEMA_VERSION
from graphmem.ports.embedder import EmbedderSpec

SLOTS = ("embedding", "embedding_2")
"""Properties that hold vectors: one in use, the other filled by a re-embedding."""


@dataclass(frozen=True, slots=True)
class StoreState:
    """The internal node, read."""

    schema_version: int
    embedder: EmbedderSpec | None
    """Whose vectors the indexes are made for; None before a store was opened with one."""
    has_vectors: bool
    """Whether any vector was written: from then on the embedder stands."""
    slot: str
    """Property of the vectors in use."""
    reembedding: EmbedderSpec | None
    """The embedder that a running re-embedding moves to."""

    @property
    def next_slot(self) -> str:
        """Property of the vectors that are not in use."""
        return SLOTS[1] if self.slot == SLOTS[0] else SLOTS[0]

    @property
    def shown_embedder(self) -> EmbedderSpec | None:
        """The embedder once the store holds vectors of it."""
        return self.embedder if self.has_vectors else None


def to_state(row: Mapping[str, Any]) -> StoreState:
    """The state that the node's properties say."""
    return StoreState(
        schema_version=int(row.get("schema_version", 0)),
        embedder=_spec(row, "embedder"),
        has_vectors=bool(row.get("has_vectors", False)),
        slot=str(row.get("slot", SLOTS[0])),
        reembedding=_spec(row, "next"),
    )


def _spec(row: Mapping[str, Any], prefix: str) -> EmbedderSpec | None:
    name = row.get(f"{prefix}_name")
    if name is None:
        return None
    return EmbedderSpec(name, int(row[f"{prefix}_dimension"]), bool(row[f"{prefix}_normalised"]))


def spec_row(prefix: str, spec: EmbedderSpec | None) -> dict[str, Any]:
    """The properties that say an embedder; None removes them."""
    values = (spec.name, spec.dimension, spec.normalised) if spec else (None, None, None)
    return dict(zip((f"{prefix}_name", f"{prefix}_dimension", f"{prefix}_normalised"), values, strict=True))


def check_schema(state: StoreState) -> None:
    """Refuse a schema of another version.

    Raises:
        SchemaError: It is older or newer than this program's.
    """
    if state.schema_version < SCHEMA_VERSION:
        raise SchemaError(
            f"the store's schema is {state.schema_version}, this program's is {SCHEMA_VERSION}; run"
            " `graphmem schema migrate`"
        )
    if state.schema_version > SCHEMA_VERSION:
        raise SchemaError(
            f"the store's schema is {state.schema_version}, newer than this program's {SCHEMA_VERSION};"
            " update graphmem"
        )
