"""Writes outcomes that a file says of episodes: each is kept in the episode's history, the last one holds."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.episodes.outcomes import History, continued, history_of, history_properties, summary_changes
from graphmem.graph.mapping.episode import is_closed
from graphmem.graph.records import NodeRecord, NodeRef, Value
from graphmem.models.episode import Outcome, OutcomeChange
from graphmem.transfer.items import OutcomeRecord
from graphmem.transfer.later_outcomes import place_in
from graphmem.transfer.reading import Read
from graphmem.transfer.tally import Tally
from graphmem.transfer.target import Target

Said = tuple[Read, OutcomeRecord]


class OutcomeWriter:
    """Writes outcomes in the order of the files."""

    def __init__(self, target: Target, tally: Tally) -> None:
        self._target = target
        self._tally = tally
        self._next: dict[str, int] = {}
        """Where in an episode's history its next outcome of the files is looked for."""

    def write(self, said: Sequence[Said]) -> None:
        """Write a batch in one transaction."""
        if not said:
            return
        refs = {NodeRef("Episode", record.episode) for _, record in said}
        if self._target.dry_run:
            self._changes(said, self._target.stored(refs))
            return
        with self._target.graph.transaction() as transaction:
            changes = self._changes(said, transaction.get(refs))
            if changes:
                transaction.set_properties("Episode", list(changes.items()))

    def _changes(self, said: Sequence[Said], stored: dict[NodeRef, NodeRecord]) -> dict[str, dict[str, Value]]:
        """What to set on which episode; every record is counted or refused here."""
        histories: dict[str, History] = {}
        changed: dict[str, dict[str, Value]] = {}
        for read, record in said:
            root = stored.get(NodeRef("Episode", record.episode))
            if root is None or self._target.is_foreign(root):
                self._absent(read, record)
                continue
            if not is_closed(root):
                self._tally.refuse(read, f"episode {record.episode!r} is still open: it has no outcome yet")
                continue
            history = histories.get(record.episode) or history_of(root)
            begin = self._next.get(record.episode, 0)
            place = place_in(history, record, begin)
            if place is None:
                current = history[-1].outcome if history else Outcome(str(root.properties["outcome"]))
                change = OutcomeChange(outcome=record.outcome, source=record.source, at=record.at)
                history = continued(history, current, change)
                changed[record.episode] = history_properties(history) | summary_changes(root, record.outcome)
                place = len(history) - 1
                self._tally.count("added", written=True)
            else:
                self._tally.count("unchanged")
            histories[record.episode] = history
            self._next[record.episode] = place + 1
        return changed

    def _absent(self, read: Read, record: OutcomeRecord) -> None:
        if self._target.dry_run and self._target.seen.has("Episode", record.episode):
            self._tally.count("added")
        else:
            self._tally.refuse(read, f"episode {record.episode!r} is neither in the files nor stored")
