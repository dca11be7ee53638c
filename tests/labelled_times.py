"""Sentences labelled with the time that they name: this project's own, written before the code was asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from graphmem.language.relative_time import resolve_when

LABELLED = Path(__file__).parent / "data" / "facts" / "times.jsonl"
"""One object a line: text, said_at, perhaps zone, and start with end (null: until further notice) where a time
is named; dates begin at midnight where the message was written."""

Span = tuple[datetime, datetime | None]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with the time that it names."""

    text: str
    said_at: datetime
    expected: Span | None
    """In UTC; None: it names no time that is resolved."""

    @property
    def is_korean(self) -> bool:
        """Whether any of it is Hangul, composed or not."""
        return any("\u1100" <= character <= "\u11ff" or "가" <= character <= "힣" for character in self.text)


def read_labelled(path: Path = LABELLED) -> list[Labelled]:
    """The labelled sentences in order."""
    return [_labelled(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def found(one: Labelled) -> Span | None:
    """What the rules say of a sentence."""
    interval = resolve_when(one.text, one.said_at)
    return None if interval is None else (interval.start, interval.end)


def _labelled(row: dict[str, str | None]) -> Labelled:
    said_at = datetime.fromisoformat(row["said_at"] or "")
    if row.get("zone"):
        said_at = said_at.astimezone(ZoneInfo(row["zone"] or ""))
    start = _moment(row.get("start"), said_at)
    return Labelled(row["text"] or "", said_at, None if start is None else (start, _moment(row["end"], said_at)))


def _moment(text: str | None, said_at: datetime) -> datetime | None:
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return (moment if moment.utcoffset() is not None else moment.replace(tzinfo=said_at.tzinfo)).astimezone(UTC)
