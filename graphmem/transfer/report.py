"""What an import did."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from graphmem.transfer.faults import Refused


@dataclass(slots=True)
class ImportReport:
    """Counts of records; `read` is the sum of the others, headers aside."""

    read: int = 0
    added: int = 0
    unchanged: int = 0
    changed: int = 0
    """Stored with other content; replaced only where the import was told to update."""
    refused: list[Refused] = field(default_factory=list)
    """In the order of files and lines."""
    extra: Counter[str] = field(default_factory=Counter)
    """How often each field came that no rule knows; kept with its record."""
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The JSON document that the command prints."""
        return {
            "read": self.read,
            "added": self.added,
            "unchanged": self.unchanged,
            "changed": self.changed,
            "refused": [asdict(refused) for refused in self.refused],
            "extra": dict(sorted(self.extra.items())),
            "seconds": round(self.seconds, 3),
        }
