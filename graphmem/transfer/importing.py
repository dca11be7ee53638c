"""Imports files into one tenant: a stream, batch by batch.

Killed at any moment and run again, the result is as if it had run once: every record is written whole or not
at all, what is stored with the same content is left alone, and what must wait for other records waits in this
process only. Reading is in reading.py; described.py, related.py, said.py and restored.py write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime

from graphmem.episodes.boundaries import BoundaryPolicy
from graphmem.episodes.concluding import finalise_conversations
from graphmem.episodes.derivation import as_given
from graphmem.episodes.segmentation import Segmentation
from graphmem.graph.mapping.run import run_record
from graphmem.graph.records import EdgeRecord, NodeRecord
from graphmem.models.concept import Relation
from graphmem.models.episode import Episode
from graphmem.models.memories import MemoryContent
from graphmem.models.procedure import Procedure
from graphmem.models.runs import ImportRun
from graphmem.ports.workspace import Workspace
from graphmem.transfer.batching import batches
from graphmem.transfer.collecting import fewer_collections
from graphmem.transfer.deferred import DeferredEpisode
from graphmem.transfer.described import DescribedWriter, Entry
from graphmem.transfer.faults import reason_of
from graphmem.transfer.items import Header, OutcomeRecord
from graphmem.transfer.planning import Described, identity
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.preparing import Circumstances
from graphmem.transfer.reading import Read, parser_for, raw_source, read_source
from graphmem.transfer.related import RelationWriter, Stated
from graphmem.transfer.report import ImportReport
from graphmem.transfer.restored import RestoredWriter, StoredEdge, StoredNode
from graphmem.transfer.retiring import Retirement
from graphmem.transfer.said import OutcomeWriter, Said
from graphmem.transfer.second_process import SecondProcess, is_worthwhile, read_by
from graphmem.transfer.seen import Seen
from graphmem.transfer.settling import settle_imported
from graphmem.transfer.sources import Source
from graphmem.transfer.stored import node_hash
from graphmem.transfer.tally import Tally
from graphmem.transfer.target import Target
from graphmem.transfer.taxonomies import TAXONOMY_FORMATS, read_taxonomy
from graphmem.transfer.waiting import Waiting

Progress = Callable[[int, int], None]
"""Called after each batch with the records and the bytes that it held."""


def import_records(
    workspace: Workspace,
    sources: Sequence[Source],
    options: ImportOptions | None = None,
    *,
    progress: Progress | None = None,
) -> ImportReport:
    """Import files.

    Args:
        workspace: Where to write; its user becomes that of records that name nobody. Without an embedder
            nothing is embedded.
        sources: Files in the order in which they are read.
        options: Format and bounds, whether to replace and whether to write at all.
        progress: Told how far it is.

    Returns:
        What became of the records. One that is refused never stops the rest.

    Raises:
        InvalidInputError: An option is malformed.
        TransferError: A file cannot be read.
        StoreError: The store failed; what was committed stays, and the same import may be run again.
        ModelError: The embedder or the language model failed, likewise; episodes that were to be finalised are
            pending then.
    """
    asked = options or ImportOptions()
    started = workspace.now()
    with ExitStack() as files:
        files.enter_context(fewer_collections())
        seen, waiting = files.enter_context(Seen()), files.enter_context(Waiting())
        target = Target(workspace, started, seen, asked.update, asked.dry_run)
        running = _Running(target, waiting, asked.boundary)
        second = None
        if is_worthwhile(sources, asked):
            second = files.enter_context(SecondProcess(Circumstances(workspace.user, started)))
        for batch in batches(_records(sources, asked, workspace.user, running, second), asked.policy):
            running.take(batch)
            if progress is not None:
                progress(len(batch), sum(read.size for read in batch))
        for batch in batches(waiting.take(), asked.policy, most=asked.policy.batch_waiting):
            running.take_waiting(batch)
        running.finish()
    ended = workspace.now()
    report = running.tally.finish([source.name for source in sources], (ended - started).total_seconds())
    if running.tally.written and not asked.dry_run:
        _record_run(workspace, asked, report, started, ended)
    return report


def _records(
    sources: Sequence[Source],
    options: ImportOptions,
    user: str | None,
    running: _Running,
    second: SecondProcess | None,
) -> Iterator[Read]:
    if options.format in TAXONOMY_FORMATS:
        return (read for source in sources for read in read_taxonomy(source, options))
    parse = parser_for(options)
    if second is not None:
        raw = (record for source in sources for record in raw_source(source, options))
        return read_by(second, raw, running.expects_new)
    return (read for source in sources for read in read_source(source, options, parse, user))


def _record_run(
    workspace: Workspace, options: ImportOptions, report: ImportReport, started: datetime, ended: datetime
) -> None:
    counts = {"read": report.read, "added": report.added, "changed": report.changed}
    run = ImportRun(
        id=workspace.new_id(started),
        started_at=started,
        ended_at=ended,
        policy={"format": options.format, "update": options.update, **options.policy.model_dump()},
        counts={**counts, "unchanged": report.unchanged, "refused": len(report.refused)},
    )
    with workspace.graph.transaction() as transaction:
        transaction.save_nodes([run_record(run, ended)])


class _Batch:
    """The records of a batch by how they are written."""

    def __init__(self) -> None:
        self.described: list[Entry] = []
        self.relations: list[Stated] = []
        self.nodes: list[StoredNode] = []
        self.edges: list[StoredEdge] = []
        self.outcomes: list[Said] = []


class _Running:
    """One import while it runs: admits records, and hands them to those that write."""

    def __init__(self, target: Target, waiting: Waiting, boundary: BoundaryPolicy) -> None:
        self.tally = Tally()
        self._target = target
        self._waiting = waiting
        self._boundary = boundary
        self._described = DescribedWriter(target, self.tally, waiting, Segmentation(target.workspace, boundary))
        self._related = RelationWriter(target, self.tally)
        self._said = OutcomeWriter(target, self.tally)
        self._restored = RestoredWriter(target, self.tally, waiting)
        self._retirement = Retirement(target)

    def expects_new(self) -> bool:
        """Whether the next records are likely not stored yet."""
        return self._described.expects_new()

    def take(self, reads: Sequence[Read]) -> None:
        """Write a batch of the files."""
        batch = _Batch()
        for read in reads:
            self._admit(read, batch)
        self._write(batch, last=False)

    def take_waiting(self, reads: Sequence[Read]) -> None:
        """Write a batch of what waited for the end."""
        batch = _Batch()
        for read in reads:
            item = None if read.parsed is None else read.parsed.item
            match item:
                case OutcomeRecord():
                    batch.outcomes.append((read, item))
                case Relation():
                    batch.relations.append((read, item))
                case EdgeRecord():
                    batch.edges.append((read, item))
                case _:
                    batch.described.append(Entry(read, item, *identity(item)))  # type: ignore[arg-type]  # messages
        self._write(batch, last=True)

    def finish(self) -> None:
        """Join what could only be joined once all was stored, and finalise the conversations: they are history."""
        self._retirement.finish()
        self._restored.finish()
        settle_imported(self._target, [], self._retirement)
        if self._boundary.enabled and not self._target.dry_run:
            finalise_conversations(self._target.workspace, self._described.touched, also_running=True)

    def _write(self, batch: _Batch, *, last: bool) -> None:
        self._described.write(batch.described, last=last)
        versioned = [entry.item for entry in batch.described if isinstance(entry.item, MemoryContent | Procedure)]
        self._retirement.retire([item for item in versioned if item.supersedes is not None])
        settle_imported(self._target, versioned, self._retirement)
        self._related.write(batch.relations)
        self._restored.write(batch.nodes, batch.edges, last=last)
        self._said.write(batch.outcomes)

    def _admit(self, read: Read, batch: _Batch) -> None:
        """Put a record where it is written; it is counted as read, and refused when it cannot be taken."""
        if read.parsed is None:
            self.tally.report.read += 1
            self.tally.refuse(read, read.reason)
            return
        item = read.parsed.item
        self.tally.report.extra.update(read.parsed.unknown)
        if isinstance(item, Header):
            self._restored.begin_file(None if item.embedder is None else item.embedder.spec())
            return
        self.tally.report.read += 1
        match item:
            case OutcomeRecord() | Relation():
                # what a name means, and which outcome holds, must not depend on what came before
                self._waiting.add(read, item)
            case EdgeRecord():
                batch.edges.append((read, item))
            case NodeRecord():
                if self._is_first(read, item.label, item.id, node_hash(item)):
                    batch.nodes.append((read, item))
            case DeferredEpisode():
                if self._is_first(read, "Episode", item.id, item.content):
                    batch.described.append(Entry(read, item, item.ref, item.content))
            case _:
                self._admit_described(read, item, batch)

    def _admit_described(self, read: Read, item: Described, batch: _Batch) -> None:
        if isinstance(item, Episode):
            item = as_given(item)
        try:
            ref, content = identity(item)
        except ValueError as fault:
            self.tally.refuse(read, reason_of(fault))
            return
        if self._is_first(read, ref.label, ref.id, content):
            batch.described.append(Entry(read, item, ref, content))

    def _is_first(self, read: Read, label: str, node_id: str, content: str) -> bool:
        """Whether an id comes for the first time; the same record again is unchanged, another one refused."""
        met = self._target.seen.meet(label, node_id, content)
        if met == "same":
            self.tally.count("unchanged")
        elif met == "other":
            self.tally.refuse(read, f"the id of this {label.lower()} came before with other content")
        return met == "first"
