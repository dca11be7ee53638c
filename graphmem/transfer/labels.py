"""Labels episodes out of a CSV file: who says how they ended, row by row, each kept in the episode's history.

The same file twice changes nothing. Outcome records of an import are written by the same rules (said.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from graphmem.errors import TransferError
from graphmem.graph.records import NodeRef
from graphmem.ports.workspace import Workspace
from graphmem.transfer.batching import batches
from graphmem.transfer.csv_rows import Row, read_rows
from graphmem.transfer.faults import Refused, reason_of
from graphmem.transfer.items import OutcomeRecord, Parsed
from graphmem.transfer.policy import ImportPolicy
from graphmem.transfer.reading import Read
from graphmem.transfer.said import OutcomeWriter, Said
from graphmem.transfer.seen import Seen
from graphmem.transfer.sources import Source
from graphmem.transfer.tally import Tally
from graphmem.transfer.target import Target

COLUMNS = ("episode", "outcome", "source", "at")
"""What is read; a file without `episode` may name it `id`."""


@dataclass(slots=True)
class LabelReport:
    """What became of the rows; `read` is the sum of the others."""

    read: int = 0
    changed: int = 0
    """Something new was said of an episode."""
    unchanged: int = 0
    """It was said before."""
    refused: list[Refused] = field(default_factory=list)
    """In the order of lines."""
    ignored: tuple[str, ...] = ()
    """Columns that are not read."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON document that the command prints."""
        counts = {"read": self.read, "changed": self.changed, "unchanged": self.unchanged}
        return {**counts, "refused": [asdict(refused) for refused in self.refused]}


def label_episodes(workspace: Workspace, source: Source, *, dry_run: bool = False) -> LabelReport:
    """Say of episodes how they ended.

    Args:
        workspace: Whose episodes; its user sees only that user's.
        source: A CSV file in UTF-8: a row of names first, `episode` (or `id`) and `outcome` among them,
            `source` (who says so) and `at` (ISO 8601 with offset, or epoch milliseconds) where known.
        dry_run: Whether it only reports what it would do.

    Returns:
        What became of the rows. One that is refused never stops the rest.

    Raises:
        TransferError: The file cannot be read, or its first row lacks a column.
        StoreError: The store failed; what was committed stays, and the same file may be given again.
    """
    tally = Tally()
    with source.open() as stream, Seen() as seen:
        columns, rows = read_rows(stream, source.name)
        id_column = _id_column(columns, source.name)
        labels = _Labels(Target(workspace, workspace.now(), seen, update=False, dry_run=dry_run), tally)
        for batch in batches(_labels(rows, id_column, source.name), ImportPolicy()):
            labels.write(batch)
    done = tally.finish([source.name], 0.0)
    ignored = tuple(column for column in columns if column and column not in {id_column, *COLUMNS[1:]})
    return LabelReport(done.read, done.added, done.unchanged, done.refused, ignored)


def _id_column(columns: Sequence[str], path: str) -> str:
    """The column that names the episode."""
    found = next((name for name in ("episode", "id") if name in columns), None)
    if found is None or "outcome" not in columns:
        raise TransferError(
            "the first row names the columns, episode and outcome among them, separated by commas:"
            " episode,outcome,source,at",
            path=path,
            line=1,
        )
    return found


def _labels(rows: Iterator[Row], id_column: str, path: str) -> Iterator[Read]:
    for row in rows:
        size = sum(map(len, row.cells.values()))
        try:
            yield Read(path, row.line, size, None if row.fault else _label(row, id_column), row.fault)
        except ValueError as fault:
            yield Read(path, row.line, size, None, reason_of(fault))


def _label(row: Row, id_column: str) -> Parsed:
    """The outcome that a row says.

    Raises:
        ValueError: A field is missing or has a bad value.
    """
    fields: dict[str, Any] = {name: row.cells[name] for name in COLUMNS if name in row.cells}
    if id_column in row.cells:
        fields["episode"] = row.cells[id_column]
    at = row.cells.get("at", "")
    if at.isascii() and at.isdigit():
        fields["at"] = int(at)
    return Parsed(OutcomeRecord(**fields))


class _Labels:
    """Writes labels batch by batch."""

    def __init__(self, target: Target, tally: Tally) -> None:
        self._target = target
        self._tally = tally
        self._writer = OutcomeWriter(target, tally)
        self._last: dict[str, OutcomeRecord] = {}
        """What the file said last of each episode: a row that stands there twice says it once."""

    def write(self, batch: Sequence[Read]) -> None:
        """Write the labels of a batch in one transaction."""
        said: list[Said] = []
        for read in batch:
            self._tally.report.read += 1
            if read.parsed is None:
                self._tally.refuse(read, read.reason)
            elif isinstance(item := read.parsed.item, OutcomeRecord):
                said.append((read, item))
        stored = self._target.stored(NodeRef("Episode", item.episode) for _, item in said)
        visible = {ref.id for ref, root in stored.items() if self._target.workspace.sees(root)}
        self._writer.write([one for one in said if self._is_new(*one, visible)])

    def _is_new(self, read: Read, item: OutcomeRecord, visible: set[str]) -> bool:
        if item.episode not in visible:
            self._tally.refuse(read, f"there is no episode {item.episode!r}; `graphmem episodes list` names them")
            return False
        if self._last.get(item.episode) == item:
            self._tally.count("unchanged")
            return False
        self._last[item.episode] = item
        return True
