"""The phase that learns relations from texts: it reads what is new, then judges what all texts say together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from graphmem.consolidation.phases import Changes, PhasePlan, Run, TextReader
from graphmem.consolidation.plan import added_up, joined
from graphmem.consolidation.promotion import plan_promotions
from graphmem.consolidation.promotion_plan import PromotionPlan
from graphmem.consolidation.reading import ReadingPlan, read
from graphmem.consolidation.sources import Source, due_sources
from graphmem.graph.mapping.values import HASH_LENGTH

_MOST_ROUNDS = 5
"""Judgements of one run: each adopts aliases of concepts that the one before has made."""

_VERSION = 1
"""Raised when texts are to be read again because this module looks at them otherwise."""


@dataclass(frozen=True, slots=True)
class ClaimsPlan:
    """What reading all new texts and judging all claims would write."""

    readings: tuple[ReadingPlan, ...] = ()
    promotions: PromotionPlan = field(default_factory=PromotionPlan)
    remaining: int = 0
    """Texts left for a later run by `max_items`."""

    def __bool__(self) -> bool:
        return any(self._parts())

    def counts(self) -> Mapping[str, int]:
        """Texts read, evidence, relations."""
        counts = added_up([ReadingPlan().counts(), *(plan.counts() for plan in self._parts())])
        return {**counts, "unread": self.remaining}

    def to_dict(self) -> Mapping[str, Sequence[Any]]:
        """New evidence, new concepts, relations made, taken back and refused."""
        return joined(plan.to_dict() for plan in self._parts())

    def batches(self) -> Iterator[Changes]:
        """All evidence, then what follows from it."""
        for plan in self._parts():
            yield from plan.batches()

    def _parts(self) -> tuple[PhasePlan, ...]:
        return (*self.readings, self.promotions)


class Claims:
    """Learns relations between concepts from messages and closed episodes."""

    def plan(self, run: Run) -> ClaimsPlan:
        """Everything there is to read and to judge."""
        limited = _Limit(run)
        readings = tuple(_readings(run, limited))
        return ClaimsPlan(readings, plan_promotions(run, readings), limited.left)

    def rounds(self, run: Run) -> Iterator[ClaimsPlan]:
        """A batch of texts at a time, and the judgement when all are read."""
        limited = _Limit(run)
        for reading in _readings(run, limited):
            yield ClaimsPlan((reading,))
        promotions = plan_promotions(run)
        for _ in range(_MOST_ROUNDS):
            if not promotions.aliases:
                break
            # names may mean other concepts from now on
            yield ClaimsPlan((), replace(promotions, refused=()))
            promotions = plan_promotions(run)
        yield ClaimsPlan((), promotions, limited.left)


def reader_mark(reader: TextReader) -> str:
    """What texts are marked with that this reader has read."""
    return sha256(f"{_VERSION}\n{reader.fingerprint}".encode()).hexdigest()[:HASH_LENGTH]


class _Limit:
    """Lets through as many texts as one run may read, and counts the others."""

    def __init__(self, run: Run) -> None:
        self._room = run.policy.max_items
        self.left = 0

    def admit(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Those of a batch that there is room for."""
        if self._room is None:
            return sources
        admitted = sources[: self._room]
        self._room -= len(admitted)
        self.left += len(sources) - len(admitted)
        return admitted


def _readings(run: Run, limited: _Limit) -> Iterator[ReadingPlan]:
    if run.reader is None:
        return
    for sources in due_sources(run.graph, reader_mark(run.reader), run.policy):
        admitted = limited.admit(sources)
        if admitted:
            yield read(run, run.reader, admitted)
