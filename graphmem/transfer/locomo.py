"""LoCoMo: conversations of two people over many sessions, to messages; see `graphmem.transfer.policy.Format`.

A record is one conversation, which holds its turns by session. Questions, summaries and observations about it
are no messages, and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.models.fields import canonical_json
from graphmem.models.message import Message
from graphmem.transfer.faults import RecordFault, reason_of
from graphmem.transfer.items import Parsed

TURN = timedelta(seconds=20)
"""Time between two turns: the source says when a session began, and no more."""

_SESSION = re.compile(r"session_([0-9]{1,6})")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_TIME = re.compile(
    r"\s*(?P<hour>1[0-2]|0?[1-9]):(?P<minute>[0-5][0-9])\s*(?P<half>am|pm)\s+on\s+(?P<day>[0-9]{1,2})\s+"
    r"(?P<month>[a-z]+),?\s+(?P<year>[0-9]{4})\s*",
    re.IGNORECASE,
)
_KNOWN_TURN = frozenset({"speaker", "dia_id", "text", "blip_caption"})

Turn = Parsed | RecordFault
"""A message, or why a turn is none."""


def read_turns(record: dict[str, Any], user: str | None) -> Iterator[Turn]:
    """The messages of one conversation, session by session.

    Args:
        record: A conversation with its `sample_id`.
        user: Whose it is.

    Raises:
        RecordFault: It has no id or no sessions.
    """
    if "tenant" in record:
        raise RecordFault("a record cannot name a tenant: give it to the command")
    sample, conversation = record.get("sample_id"), record.get("conversation")
    if not isinstance(sample, str):
        raise RecordFault("sample_id is missing" if sample is None else "sample_id is no text")
    if not isinstance(conversation, dict):
        raise RecordFault("conversation is missing" if conversation is None else "conversation is not an object")
    for number, name in sorted(_sessions(conversation)):
        yield from _session(f"{sample}:session_{number}", name, conversation, sample, user)


def session_time(text: Any) -> datetime:
    """When a session began, as in "1:56 pm on 8 May, 2023", taken as UTC.

    Raises:
        RecordFault: It is written in another way, or there is no such day.
    """
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if found is None or found["month"].lower() not in _MONTHS:
        raise RecordFault('is no time like "1:56 pm on 8 May, 2023"')
    hour = int(found["hour"]) % 12 + (12 if found["half"].lower() == "pm" else 0)
    month = _MONTHS.index(found["month"].lower()) + 1
    try:
        return datetime(int(found["year"]), month, int(found["day"]), hour, int(found["minute"]), tzinfo=UTC)
    except ValueError:
        raise RecordFault("names a day that is none") from None


def _sessions(conversation: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    for name in conversation:
        found = _SESSION.fullmatch(name)
        if found is not None:
            yield int(found[1]), name


def _session(
    session: str, name: str, conversation: Mapping[str, Any], sample: str, user: str | None
) -> Iterator[Turn]:
    turns = conversation[name]
    if not isinstance(turns, list):
        yield RecordFault(f"{name} is not a list of turns")
        return
    try:
        began = session_time(conversation.get(f"{name}_date_time"))
    except RecordFault as fault:
        yield from (RecordFault(f"{name}.{index}: {name}_date_time {fault}") for index in range(len(turns)))
        return
    for index, turn in enumerate(turns):
        try:
            yield _turn(turn, sample, session, began + TURN * index, user)
        except (ValueError, OverflowError) as fault:
            yield RecordFault(f"{name}.{index}: {_reason(fault)}")


def _turn(turn: Any, sample: str, session: str, at: datetime, user: str | None) -> Parsed:
    if not isinstance(turn, dict):
        raise RecordFault("a turn is not an object")
    for field in ("dia_id", "text", "speaker"):
        if not isinstance(turn.get(field), str):
            raise RecordFault(f"{field} is missing" if turn.get(field) is None else f"{field} is no text")
    caption = turn.get("blip_caption")
    extra = {name: value for name, value in turn.items() if name not in _KNOWN_TURN}
    message = Message(
        id=f"{sample}:{turn['dia_id']}",
        text=turn["text"] if not caption else f"{turn['text']} [image: {_text(caption)}]",
        at=at,
        user_id=user,
        session=session,
        role="user",
        speaker=turn["speaker"],
        extra=extra,
    )
    return Parsed(message, tuple(extra))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _reason(fault: Exception) -> str:
    return "the time lies beyond the year 9999" if isinstance(fault, OverflowError) else reason_of(fault)
