"""Counts what becomes of the records while an import runs, and keeps why some were refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from graphmem.graph.records import Saved
from graphmem.transfer.faults import Refused
from graphmem.transfer.reading import Read
from graphmem.transfer.report import ImportReport

Fate = Literal["added", "changed", "unchanged"]


@dataclass(slots=True)
class Tally:
    """The report of a running import."""

    report: ImportReport = field(default_factory=ImportReport)
    written: bool = False
    """Whether the store holds anything that it did not hold before."""

    def count(self, fate: Fate, number: int = 1, *, written: bool = False) -> None:
        """Note what became of records, and whether the store holds something new by them."""
        setattr(self.report, fate, getattr(self.report, fate) + number)
        self.written = self.written or (written and number > 0)

    def saved(self, saved: Iterable[Saved], *, update: bool) -> None:
        """Note what a store says of the nodes it was given, one a record."""
        for part in saved:
            self.count("added", len(part.added), written=True)
            self.count("changed", len(part.changed), written=update)
            self.count("unchanged", len(part.unchanged))

    def refuse(self, read: Read, reason: str) -> None:
        """Note a record that was not imported."""
        self.report.refused.append(Refused(read.path, read.line, reason))

    def finish(self, sources: Iterable[str], seconds: float) -> ImportReport:
        """The report, refusals in the order of files and lines."""
        places = {name: index for index, name in reversed(list(enumerate(sources)))}
        self.report.refused.sort(key=lambda refused: (places.get(refused.path, 0), refused.line))
        self.report.seconds = seconds
        return self.report
