"""The answer of a named query: a table of plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphMemError

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
"""Text, numbers, booleans, aware times, lists or None, by column."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows in the order the query gives them, all with the same columns."""

    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_dicts(self) -> list[Row]:
        """A dict a row, by column."""
        return [dict(row) for row in self.rows]

    def to_frame(self) -> pd.DataFrame:
        """A pandas table.

        Raises:
            GraphMemError: pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415 (an extra)
        except ImportError as fault:
            raise GraphMemError("to_frame needs pandas: pip install 'graphmem[frames]'") from fault
        return pd.DataFrame(self.to_dicts())
