"""The demonstration's workflow: sample experience in, patterns out, a report to read.

Takes an open memory; what is shown, and how, is left to the front end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmem.consolidation.plan import ConsolidationReport
from graphmem.demo.samples import sample_lines
from graphmem.errors import GraphMemError
from graphmem.memory import GraphMemory
from graphmem.models.pattern import Pattern
from graphmem.patterns.mine import MiningReport
from graphmem.ports.listing import MAX_PAGE
from graphmem.reports.pattern_report import pattern_report
from graphmem.reports.patterns.values import PatternReport
from graphmem.reports.render import render_report
from graphmem.transfer.files import replaced_file
from graphmem.transfer.importing import import_records
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import file_source

STORE_FILE = "graphmem.db"
SAMPLE_FILE = "samples.jsonl"
REPORT_FILE = "report.md"
PAGE_FILE = "report.html"

SHOWN = 3
"""Patterns a domain in the short report; the file has more."""

Tell = Callable[[str], None]
"""Told what is being done, a sentence each."""


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What the demonstration did, and what can be looked at next."""

    folder: Path
    imported: ImportReport
    consolidated: ConsolidationReport
    mined: MiningReport
    report: PatternReport
    """The patterns that stand out most."""
    example: Pattern | None
    """A pattern worth a look; None when nothing was found."""

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "store": str(self.folder / STORE_FILE),
            "samples": str(self.folder / SAMPLE_FILE),
            "report": str(self.folder / REPORT_FILE),
            "page": str(self.folder / PAGE_FILE),
            "import": self.imported.to_dict(),
            "consolidate": self.consolidated.to_dict(),
            "mine": self.mined.to_dict(),
        }


def prepare_folder(folder: Path) -> None:
    """Make the folder and write the samples into it; twice is fine.

    Args:
        folder: Where the demonstration lives.

    Raises:
        GraphMemError: The folder cannot be made, or holds a store that is somebody's own.
    """
    samples = folder / SAMPLE_FILE
    if (folder / STORE_FILE).exists() and not samples.exists():
        raise GraphMemError(f"{folder} holds a {STORE_FILE} of your own: give the demo another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise GraphMemError(f"the folder {folder} cannot be made: {fault.strerror}") from fault
    _write(samples, (f"{line}\n" for line in sample_lines()))


def run_demo(memory: GraphMemory, folder: Path, tell: Tell) -> DemoResult:
    """Import the samples, link them to concepts, mine their patterns, and write the report.

    Args:
        memory: Where to.
        folder: As prepared by `prepare_folder`.
        tell: Told what is being done.
    """
    tell("Importing sample episodes, messages and memories ...")
    imported = import_records(memory.workspace, [file_source(folder / SAMPLE_FILE)])
    tell("Linking them to concepts ...")
    consolidated = memory.consolidate()
    tell("Mining what recurs ...")
    mined = memory.patterns.mine()
    patterns = memory.patterns.list(limit=MAX_PAGE).items
    graph, last = memory.workspace.graph, memory.patterns.last_run()
    whole = pattern_report(graph, patterns, run=last)
    _write(folder / REPORT_FILE, [render_report(whole, "md")])
    _write(folder / PAGE_FILE, [render_report(whole, "html")])
    short = pattern_report(graph, patterns, run=last, most=SHOWN)
    shown = [entry.pattern for section in short.sections for entry in section.entries]
    return DemoResult(folder, imported, consolidated, mined, short, shown[0] if shown else None)


def _write(path: Path, parts: Iterable[str]) -> None:
    with replaced_file(path) as stream:
        stream.writelines(part.encode() for part in parts)
