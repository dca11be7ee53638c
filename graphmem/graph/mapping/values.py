"""What all mappings share: content hashes, JSON text, open ends, and reading typed properties back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from graphmem.graph.records import Value
from graphmem.models.fields import OPEN_END, canonical_json

_SHOWN = frozenset({"utc_offset"})
"""Fields that say how something is shown: no content of any model."""

HASH_LENGTH = 32
"""Hex digits kept of a SHA-256: 128 bits, enough to tell contents apart for ever."""


def content_hash(model: BaseModel, *, without: set[str] | None = None) -> str:
    """Hash of what was given: equal for equal content, whatever was left at its default.

    Args:
        model: Any model of graphmem.models.
        without: Fields that are not content, such as a history.

    Returns:
        32 hex digits.
    """
    text = model.__pydantic_serializer__.to_json(model, exclude_defaults=True, exclude={*_SHOWN, *(without or ())})
    return sha256(text).hexdigest()[:HASH_LENGTH]


def present(properties: Mapping[str, Any]) -> dict[str, Value]:
    """The properties that have a value: None, empty text and empty lists are left out."""
    # most have one, which the first look tells
    return {
        name: value for name, value in properties.items() if value or (value is not None and value not in ("", []))
    }


@lru_cache(maxsize=1024)
def edge_origin(user_id: str | None, created_at: datetime, source: str | None = None) -> Mapping[str, Value]:
    """What an edge says of itself: whose it is, when it was recorded, who put it there.

    Edges that say the same share one map, which stores send once.
    """
    return MappingProxyType(present({"user_id": user_id, "created_at": created_at, "source": source}))


def json_text(value: Any) -> str | None:
    """Canonical JSON of a nested value; None for an empty one, which is not stored."""
    return canonical_json(value) if value else None


def read_json(properties: Mapping[str, Value], name: str) -> Any:
    """The nested value of a JSON property; an empty map when it has none."""
    text = properties.get(name)
    return json.loads(text) if isinstance(text, str) else {}


def open_end(moment: datetime | None) -> datetime:
    """An end as stores write it: the end of time for "until further notice"."""
    return OPEN_END if moment is None else moment


def closed_end(value: Value | None) -> datetime | None:
    """An end as models say it: None for "until further notice"."""
    return value if isinstance(value, datetime) and value < OPEN_END else None


def given(properties: Mapping[str, Value], *names: str) -> dict[str, Any]:
    """The named properties that are stored, as arguments for a model."""
    return {name: properties[name] for name in names if name in properties}
