"""The messages that every library writes, and their vectors: the same in every process. numpy only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

DIMENSION = 384
USERS = 50
SESSION_MESSAGES = 20
START = datetime(2026, 1, 1, tzinfo=UTC)

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Said:
    """One message."""

    id: str
    user: str
    session: str
    text: str
    at: datetime


def messages(count: int, prefix: str) -> list[Said]:
    """Messages of 16 words, the users in turn, 20 a session.

    Args:
        count: How many.
        prefix: Begins every id and ends every text: two prefixes share no message.
    """
    chance = np.random.default_rng(11)
    vocabulary = [_word(number) for number in range(3000)]
    said = []
    for number in range(count):
        user, turn = number % USERS, number // USERS
        words = [vocabulary[place] for place in chance.zipf(1.2, 15) % len(vocabulary)]
        said.append(
            Said(
                id=f"{prefix}{number}",
                user=f"user{user}",
                session=f"{prefix}-user{user}-{turn // SESSION_MESSAGES}",
                text=" ".join([*words, f"{prefix}{number}"]),
                at=START + timedelta(seconds=number),
            )
        )
    return said


class Given:
    """An embedder whose work is done: it looks vectors up by the last word of a text."""

    def __init__(self, said: Sequence[Said]) -> None:
        rows = np.random.default_rng(7).standard_normal((len(said), DIMENSION)).astype(np.float32)
        self.rows: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self._places = {one.text.rpartition(" ")[2]: place for place, one in enumerate(said)}
        self._lists = self.rows.tolist()

    def rows_of(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts, one row each."""
        return self.rows[[self._places[_last(text)] for text in texts]]

    def list_of(self, text: str) -> list[float]:
        """The vector of one text as a list."""
        found: list[float] = self._lists[self._places[_last(text)]]
        return found


def _last(text: str) -> str:
    return text.rpartition(" ")[2]


def _word(number: int) -> str:
    digest = hashlib.blake2b(str(number).encode(), digest_size=3).digest()
    return "".join("bdfgklmnprstvz"[byte % 14] + "aeiou"[byte % 5] for byte in digest)
