"""Models to records of the JSON Lines format: `type` first, one key order, defaults left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, assert_never

from graphmem.models.concept import Concept, Relation
from graphmem.models.episode import Episode, EpisodeState
from graphmem.models.memories import MemoryContent
from graphmem.models.message import Message, Session
from graphmem.models.procedure import Procedure
from graphmem.transfer.items import FORMAT_VERSION, OutcomeRecord

PRODUCER = "graphmem"

Written = Episode | Message | Session | Concept | Relation | MemoryContent | Procedure | OutcomeRecord
"""What an export of the domain holds."""

HEADER: dict[str, Any] = {"type": "header", "version": FORMAT_VERSION, "producer": PRODUCER}
"""Without dates, so that equal stores give equal files."""


def to_line(record: Mapping[str, Any] | list[Any]) -> bytes:
    """A record as one line, its line end included."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def to_record(item: Written) -> dict[str, Any]:
    """The record that reads back as the same item."""
    match item:
        case Episode():
            return _episode(item)
        case MemoryContent():
            return {"type": "memory", "id": item.id, "kind": item.kind, **_rest(item, "id")}  # type: ignore[attr-defined]
        case Message():
            shown = {} if item.utc_offset is None else _shown(at=item.local_at)
            return {"type": "message", **_rest(item, "utc_offset"), **shown}
        case Session() | Concept() | Relation() | Procedure():
            return {"type": type(item).__name__.lower(), **_rest(item)}
        case OutcomeRecord():
            return {"type": "outcome", **_rest(item)}
        case _:
            assert_never(item)


def _episode(episode: Episode) -> dict[str, Any]:
    record = {"type": "episode", **_rest(episode, "outcome_history", "utc_offset")}
    if episode.utc_offset is not None:
        record |= _shown(started_at=episode.local_started_at, ended_at=episode.local_ended_at)
    if record.get("outcome") == "unknown" and episode.state is EpisodeState.CLOSED:
        del record["outcome"]
    record.setdefault("steps", [])
    return record


def _shown(**times: datetime | None) -> dict[str, Any]:
    """Times with the offset that they were given with, which reading them finds again."""
    return {name: moment.isoformat() for name, moment in times.items() if moment is not None}


def _rest(item: Written, *without: str) -> dict[str, Any]:
    fields = item.model_dump(mode="json", exclude_defaults=True, exclude=set(without))
    return {"user" if name == "user_id" else name: value for name, value in fields.items()}
