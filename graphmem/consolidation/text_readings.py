"""Reads the texts that are due, each by the rules or by a language model.

What nothing has read comes first; what the rules have read is read again by a model as long as its calls last.
What a model is not asked about, or fails at, the rules read: no text waits for a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from graphmem.consolidation.marks import Readers
from graphmem.consolidation.model_reading import SOURCES_AT_ONCE, ModelReading, ModelUse
from graphmem.consolidation.phases import Run, in_batches
from graphmem.consolidation.reading import ReadingPlan, SourceReading, plan_reading, read_texts
from graphmem.consolidation.sources import Source, due_sources
from graphmem.consolidation.statements import Reading
from graphmem.errors import ModelError, ReplyError
from graphmem.graph.mapping.values import HASH_LENGTH
from graphmem.graph.records import NodeRef

VERSION = 1
"""Raised when texts are to be read again because consolidation looks at them otherwise."""


class TextReadings:
    """What one run reads; made anew for each."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._room = run.policy.max_items
        self._asking = ModelReading(run.model, run.policy) if run.model and run.policy.max_model_calls else None
        rules = "" if run.reader is None else _hash(run.reader.fingerprint)
        self._readers = Readers(rules, None if self._asking is None else _hash(self._asking.fingerprint))
        self._done: set[NodeRef] = set()
        """Sources that a model is not to be asked about in this run any more."""
        self.left = 0
        """Texts that nothing has read and that are left for a later run."""

    @property
    def use(self) -> ModelUse:
        """What the language model has done so far."""
        return ModelUse() if self._asking is None else self._asking.use

    def read(self) -> Iterator[ReadingPlan]:
        """What each batch of texts adds; it is to be written before the next one is asked for."""
        for sources, is_new in self._due():
            size = len(sources) if self._asking is None or self._asking.is_over else SOURCES_AT_ONCE
            for batch in in_batches(sources, max(size, 1)):
                readings = self._readings(batch, is_new)
                if self._asking is not None:
                    readings = self._unchanged(readings)
                if readings:
                    yield plan_reading(self._run, readings)

    def planned(self) -> Iterator[ReadingPlan]:
        """What the rules would read; what a model would read is counted, for nobody knows what it would say."""
        for sources, is_new in self._due():
            left = [source for source in sources if not self._is_expected(source)]
            self._done.update(source.ref for source in sources)
            if is_new and left:
                found = zip(left, self._by_rules(left), strict=True)
                yield plan_reading(
                    self._run, [SourceReading(source, stated, self._readers.rules) for source, stated in found]
                )

    def _due(self) -> Iterator[tuple[Sequence[Source], bool]]:
        """Batches of sources, and whether nothing has read them yet."""
        run, asking = self._run, self._asking
        if run.reader is None:
            return
        for sources in due_sources(run.graph, self._readers.read, run.policy, unread=run.news is not None):
            admitted = self._admitted(sources)
            self.left += len(sources) - len(admitted)
            yield admitted, True
        if asking is None or asking.is_over or self._room == 0:
            return
        for sources in due_sources(run.graph, self._readers.asked, run.policy):
            again = [source for source in sources if not source.is_excerpt and source.ref not in self._done]
            yield self._admitted(again), False
            if asking.is_over or self._room == 0:
                return

    def _admitted(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Those of a batch that one run may still read."""
        if self._room is None:
            return sources
        admitted = sources[: self._room]
        self._room -= len(admitted)
        return admitted

    def _is_expected(self, source: Source) -> bool:
        """Whether a model would read it, as far as calls last."""
        if self._asking is None or not self._asking.has_room_for(source):
            return False
        self._asking.expect(source)
        return True

    def _readings(self, sources: Sequence[Source], is_new: bool) -> list[SourceReading]:
        """What each source states, but for those that stay as the rules have read them."""
        asked = [self._ask(source) for source in sources]
        left = [
            source
            for source, (found, reader) in zip(sources, asked, strict=True)
            if found is None and (is_new or reader != self._readers.rules)
        ]
        by_rules = dict(zip((source.ref for source in left), self._by_rules(left), strict=True))
        readings = []
        for source, (found, reader) in zip(sources, asked, strict=True):
            stated = by_rules.get(source.ref) if found is None else found
            if stated is not None:
                readings.append(SourceReading(source, stated, reader))
        return readings

    def _unchanged(self, readings: Sequence[SourceReading]) -> list[SourceReading]:
        """Those of sources that are as they were read: asking takes long, and others write meanwhile."""
        stored = self._run.graph.get([one.source.ref for one in readings])
        return [
            one
            for one in readings
            if (node := stored.get(one.source.ref)) is not None and node.content_hash == one.source.content_hash
        ]

    def _ask(self, source: Source) -> tuple[list[Reading] | None, str]:
        """What a model finds in a source, None where the rules are to read it; and by what it is read then."""
        readers, asking = self._readers, self._asking
        if asking is None or not asking.has_room_for(source):
            return None, readers.rules
        try:
            return asking.read(source), readers.by_model
        except ReplyError:
            return None, readers.in_vain
        except ModelError:
            self._done.add(source.ref)
            return None, readers.rules

    def _by_rules(self, sources: Sequence[Source]) -> list[list[Reading]]:
        assert self._run.reader is not None  # noqa: S101 (nothing is due without)
        return read_texts(self._run.reader, sources)


def _hash(fingerprint: str) -> str:
    return sha256(f"{VERSION}\n{fingerprint}".encode()).hexdigest()[:HASH_LENGTH]
