"""The vectors of a tenant's label in memory, following what any process writes to the file.

One matrix of unit rows; a search is one product and is exact. New vectors are appended, replaced and
removed ones dropped; the file numbers both, so a reader fetches only what it has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

import numpy as np
import numpy.typing as npt

from graphmem.graph.records import Vector
from graphmem.stores.sqlite.session import Session
from graphmem.stores.sqlite.state import TenantRow

Keys = npt.NDArray[np.int64]
Rows = npt.NDArray[np.float32]

DIGITS = 6
"""Decimals of a cosine: the rounding of float32 products must not decide between equal vectors."""


@dataclass(frozen=True, slots=True)
class VectorSet:
    """Keys of nodes and their unit vectors, row by row. Never changed once given out."""

    keys: Keys
    """-1 where a vector was dropped."""
    rows: Rows
    version: int
    """Of the tenant when the file was last followed."""

    def cosines(self, vector: Vector) -> npt.NDArray[np.float64]:
        """Cosine of each row to a vector, rounded; 0 to a vector without a direction, -2 for dropped rows."""
        products = self.rows @ unit_rows(vector[None, :])[0]
        cosines: npt.NDArray[np.float64] = np.round(products.astype(np.float64), DIGITS)
        cosines[self.keys < 0] = -2.0
        return cosines


def unit_rows(rows: Rows) -> Rows:
    """Rows of length 1; those of length 0 stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


@dataclass(slots=True)
class _Followed:
    """One label's matrix and how far it has followed the file."""

    dimension: int
    seq: int = 0
    used: int = 0
    keys: Keys = field(default_factory=lambda: np.empty(0, np.int64))
    rows: Rows = field(default_factory=lambda: np.empty((0, 0), np.float32))
    """With room for more: only the first `used` rows hold vectors."""

    dropped: int = 0

    def append(self, keys: Keys, rows: Rows) -> None:
        """Add vectors; those their nodes had before are dropped."""
        self.drop(keys)
        needed = self.used + len(keys)
        if needed > len(self.rows):
            grown = np.empty((max(needed, 2 * self.used, 256), self.dimension), np.float32)
            if self.used:
                grown[: self.used] = self.rows[: self.used]
            self.rows = grown
        # rows beyond `used` are in no set that was given out
        self.rows[self.used : needed] = rows
        self.keys = np.concatenate([self.keys, keys])
        self.used = needed

    def drop(self, keys: Keys) -> None:
        """Forget vectors. Arrays are replaced, not changed: sets given out keep the old ones."""
        gone = np.isin(self.keys, keys)
        count = int(gone.sum())
        if not count:
            return
        self.keys = np.where(gone, -1, self.keys)
        self.dropped += count
        if self.dropped > self.used // 4:
            left = self.keys >= 0
            self.rows, self.keys = self.rows[: self.used][left], self.keys[left]
            self.used, self.dropped = len(self.keys), 0


class Matrices:
    """The matrices of one tenant, by label. Safe to use from several threads."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._state = (0, 0)
        self._followed: dict[int, _Followed] = {}
        self._at: dict[int, int] = {}

    def read(self, session: Session, tenant: TenantRow, label: int, generation: int, dimension: int) -> VectorSet:
        """The label's vectors as the session sees them, or newer."""
        with self._guard:
            state = (tenant.key, generation)
            if self._state != state:
                self._state, self._followed, self._at = state, {}, {}
            followed = self._followed.setdefault(label, _Followed(dimension))
            if self._at.get(label, -1) < tenant.version:
                _follow(session, followed, tenant.key, label, generation)
                self._at[label] = tenant.version
            return VectorSet(followed.keys, followed.rows[: followed.used], self._at[label])


def _follow(session: Session, followed: _Followed, tenant: int, label: int, generation: int) -> None:
    buried = session.rows(
        "vectors.buried",
        "SELECT node, seq FROM tombstone WHERE tenant = ? AND label = ? AND seq > ?",
        (tenant, label, followed.seq),
    )
    written = session.rows(
        "vectors.newer",
        "SELECT node, seq, vector FROM vector WHERE tenant = ? AND label = ? AND generation = ? AND seq > ?",
        (tenant, label, generation, followed.seq),
    )
    if buried and followed.used:
        followed.drop(np.array([row[0] for row in buried], np.int64))
    if written:
        joined = np.frombuffer(b"".join(row[2] for row in written), dtype="<f4")
        rows = joined.reshape(len(written), followed.dimension)
        followed.append(np.array([row[0] for row in written], np.int64), unit_rows(rows))
    followed.seq = max([followed.seq, *(row[1] for row in buried), *(row[1] for row in written)])
