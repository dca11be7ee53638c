"""What can be tuned and what can be asked of an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from pydantic import Field

from graphmem.episodes.boundaries import BoundaryPolicy
from graphmem.models.fields import Frozen

Format = Literal["jsonl", "message", "chat", "swe-agent", "locomo", "wordnet", "skos", "owl"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""The formats that can be read."""


class ImportPolicy(Frozen):
    """Bounds of an import."""

    max_record_bytes: int = Field(
        16 << 20, ge=1024, le=1 << 30, description="Bytes of the longest record that is read."
    )
    batch_records: int = Field(500, ge=1, le=10_000, description="Records of one transaction at most.")
    batch_waiting: int = Field(
        2_000,
        ge=1,
        le=10_000,
        description="Relations, and what else waits for the end, of one transaction at most: they are small, and"
        " what is above a batch of them is read once.",
    )
    batch_bytes: int = Field(
        8 << 20, ge=1, le=1 << 30, description="Bytes of records in one transaction, a longer record aside."
    )


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What one import does."""

    format: Format = "jsonl"
    fields: Mapping[str, str] = field(default_factory=dict)
    """Where a foreign format keeps what, from fields.py."""
    outcome_map: str | None = None
    """`value=outcome,...`"""
    outcome_scale: str | None = None
    """`MIN:MAX`"""
    language: Literal["en", "ko"] = "en"
    """Whose labels name the concepts of skos and owl; those of the other language become aliases."""
    update: bool = False
    """Whether other content under a stored id replaces it."""
    dry_run: bool = False
    """Whether it only reports what it would do."""
    policy: ImportPolicy = field(default_factory=ImportPolicy)
    boundary: BoundaryPolicy = field(default_factory=BoundaryPolicy)
    """How messages that name no episode are cut into episodes."""
