"""Who the sample users are, and the sessions their episodes belong to."""

from __future__ import annotations

from graphmem.demo.theme import Language

USERS: dict[Language, tuple[str, ...]] = {
    "en": ("ada", "ben", "chloe", "dana", "eli"),
    "ko": ("minji", "junho", "서연", "haneul"),
}


def session_id(user: str, day: int) -> str:
    """Returns the id of the session that holds a user's episodes of one week; `day` counts from 0."""
    return f"{user}-week-{day // 7 + 1:02}"
