"""Records of the JSON Lines format to models: field names, unknown fields, what a record may not say.

The models check values; this module checks what they cannot see. Writing is in writing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import BaseModel

from graphmem.models.concept import Concept, Relation
from graphmem.models.episode import Episode, Step
from graphmem.models.fields import canonical_json
from graphmem.models.memories import MEMORY, Fact, Lesson, MemoryContent
from graphmem.models.message import Message, Session
from graphmem.models.procedure import Procedure
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.items import Header, Item, OutcomeRecord, Parsed
from graphmem.transfer.stored import read_edge, read_node

Model = TypeVar("Model", bound=BaseModel)

_TENANT = "tenant"
"""The wall is named on the command line or in code, never by a record."""


def _fields_of(model: type[BaseModel], *, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Names that a record may use for a model's fields; an offset stands in the time itself."""
    names = set(model.model_fields) - without - {"utc_offset"}
    if "user_id" in names:
        names = names - {"user_id"} | {"user"}
    return frozenset(names)


_EPISODE_FIELDS = _fields_of(Episode, without=frozenset({"outcome_history"}))
_STEP_FIELDS = _fields_of(Step)
_MODELS: dict[str, type[BaseModel]] = {
    "header": Header,
    "message": Message,
    "session": Session,
    "concept": Concept,
    "relation": Relation,
    "procedure": Procedure,
    "outcome": OutcomeRecord,
}
_PLAIN = {name: (model, _fields_of(model)) for name, model in _MODELS.items()}
_TIMED_FIELDS = _fields_of(Fact)
_MEMORY_FIELDS = _fields_of(Lesson)


def parse_record(record: dict[str, Any], user: str | None = None) -> Parsed:
    """The model of one record.

    Args:
        record: A decoded line; it is taken apart.
        user: Whose a record is that names nobody.

    Raises:
        RecordFault: The type is unknown or missing, a tenant is named, or `extra` is ambiguous.
        ValueError: A field is missing or has a bad value.
    """
    if _TENANT in record:
        raise RecordFault("a record cannot name a tenant: give it to the command")
    kind = record.pop("type", None)
    if kind == "episode":
        return _episode(record, user)
    if kind == "memory":
        return _memory(record, user)
    if kind == "node":
        return Parsed(read_node(record))
    if kind == "edge":
        return Parsed(read_edge(record))
    known = _PLAIN.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise RecordFault("the record has no type" if kind is None else f"unknown type {str(kind)[:80]!r}")
    model, fields = known
    unknown = _move_unknown(record, fields) if "extra" in fields else _drop_unknown(record, fields)
    if "user" in fields:
        _name_user(record, user)
    return Parsed(_build(model, record), unknown)


def parse_message(record: dict[str, Any], user: str | None = None) -> Parsed:
    """The message that an object is, its type left out or said, null as if left out; see `parse_record`."""
    if record.get("type", "message") != "message":
        raise RecordFault(f"a record of type {str(record['type'])[:80]!r} is no message: import it as jsonl")
    given = {name: value for name, value in record.items() if value is not None}
    return parse_record({**given, "type": "message"}, user)


def _episode(record: dict[str, Any], user: str | None) -> Parsed:
    unknown = _move_unknown(record, _EPISODE_FIELDS)
    steps = record.get("steps")
    if steps is None:
        raise RecordFault("steps is missing")
    if isinstance(steps, list):
        for step in steps:
            if isinstance(step, dict) and not step.keys() <= _STEP_FIELDS:
                unknown += tuple(f"steps.{name}" for name in _move_unknown(step, _STEP_FIELDS))
    _name_user(record, user)
    return Parsed(_build(Episode, record), unknown)


def _memory(record: dict[str, Any], user: str | None) -> Parsed:
    timed = record.get("kind") in ("fact", "preference")
    unknown = _move_unknown(record, _TIMED_FIELDS if timed else _MEMORY_FIELDS)
    _name_user(record, user)
    if record.get("id") is None:
        record["id"] = _memory_id(record)
    memory: MemoryContent = MEMORY.validate_python(record)
    return Parsed(memory, unknown)


def _memory_id(record: Mapping[str, Any]) -> str:
    """An id out of the content, so that a second import of the same record finds the first one."""
    try:
        text = canonical_json({name: value for name, value in record.items() if name != "id"}).encode()
    except UnicodeEncodeError as fault:
        raise RecordFault("text holds a lone surrogate: it is not valid Unicode") from fault
    return f"memory-{sha256(text).hexdigest()[:16]}"


def _name_user(record: dict[str, Any], user: str | None) -> None:
    named = record.pop("user", None)
    named = user if named is None else named
    if named is not None:
        record["user_id"] = named


def _move_unknown(record: dict[str, Any], known: frozenset[str]) -> tuple[str, ...]:
    """Put fields that no rule knows under `extra`.

    Raises:
        RecordFault: `extra` is no object, or holds one of these names already.
    """
    if record.keys() <= known:
        return ()
    unknown = tuple(name for name in record if name not in known)
    extra = record.get("extra") or {}
    if not isinstance(extra, dict):
        raise RecordFault("extra is not an object")
    moved = dict(extra)
    for name in unknown:
        if name in moved:
            raise RecordFault(f"the field {name[:80]!r} is given both in the record and in its extra")
        moved[name] = record.pop(name)
    record["extra"] = moved
    return unknown


def _drop_unknown(record: dict[str, Any], known: frozenset[str]) -> tuple[str, ...]:
    """Take away fields of a record that has no place to keep them; the report still counts them."""
    unknown = tuple(name for name in record if name not in known)
    for name in unknown:
        del record[name]
    return unknown


_Validate = Callable[[dict[str, Any]], Any]


def _build(model: type[Model], fields: dict[str, Any]) -> Item:
    validate: _Validate = model.__pydantic_validator__.validate_python
    built: Item = validate(fields)
    return built
