"""The phase that learns relations from texts: it reads what is new, then judges what all texts say together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphmem.consolidation.model_reading import ModelUse
from graphmem.consolidation.phases import Changes, PhasePlan, Run
from graphmem.consolidation.plan import FAULTS, added_up, joined
from graphmem.consolidation.promotion import plan_promotions
from graphmem.consolidation.promotion_plan import WAITING, PromotionPlan
from graphmem.consolidation.reading import ReadingPlan
from graphmem.consolidation.text_readings import TextReadings
from graphmem.graph.mapping.claim import CLAIM
from graphmem.graph.records import NodeRef

_MOST_ROUNDS = 5
"""Judgements of one run: each adopts aliases of concepts that the one before has made."""


@dataclass(frozen=True, slots=True)
class ClaimsPlan:
    """What reading all new texts and judging all claims would write."""

    readings: tuple[ReadingPlan, ...] = ()
    promotions: PromotionPlan = field(default_factory=PromotionPlan)
    remaining: int = 0
    """Texts left for a later run by `max_items`."""
    model: ModelUse = field(default_factory=ModelUse)
    """What a language model did; of a plan, what it would do."""

    def __bool__(self) -> bool:
        return any(self._parts()) or self.model.sources > 0

    def known(self) -> Mapping[str, Any] | None:
        """The claims that wait."""
        return self.promotions.known()

    def counts(self) -> Mapping[str, int]:
        """Texts read, evidence, relations."""
        counts = added_up([ReadingPlan().counts(), *(plan.counts() for plan in self._parts())])
        return {**counts, "unread": self.remaining, **self.model.counts()}

    def to_dict(self) -> Mapping[str, Sequence[Any]]:
        """New evidence, new concepts, relations made, taken back and refused."""
        return {**joined(plan.to_dict() for plan in self._parts()), FAULTS: self.model.faults}

    def batches(self) -> Iterator[Changes]:
        """All evidence, then what follows from it."""
        for plan in self._parts():
            yield from plan.batches()

    def _parts(self) -> tuple[PhasePlan, ...]:
        return (*self.readings, self.promotions)


class Claims:
    """Learns relations between concepts from messages and closed episodes."""

    def plan(self, run: Run) -> ClaimsPlan:
        """Everything there is to read and to judge, but for what a language model would read: it is not asked."""
        texts = TextReadings(run)
        readings = tuple(texts.planned())
        touched = {ref for reading in readings for ref in reading.spoken_of()}
        return ClaimsPlan(readings, plan_promotions(run, readings, _due(run, touched)), texts.left, texts.use)

    def rounds(self, run: Run) -> Iterator[ClaimsPlan]:
        """A batch of texts at a time, and the judgement when all are read."""
        texts = TextReadings(run)
        touched: set[NodeRef] = set()
        for reading in texts.read():
            touched |= reading.spoken_of()
            yield ClaimsPlan((reading,))
        promotions = plan_promotions(run, only=_due(run, touched))
        for _ in range(_MOST_ROUNDS):
            if not promotions.aliases:
                break
            # names may mean other concepts from now on
            yield ClaimsPlan((), replace(promotions, refused=()))
            promotions = plan_promotions(run)
        yield ClaimsPlan((), promotions, texts.left, texts.use)


def _due(run: Run, touched: set[NodeRef]) -> set[NodeRef] | None:
    """The claims to be judged; None: all."""
    if run.news is None:
        return None
    return {*touched, *(NodeRef(CLAIM, name) for name in run.news.known[WAITING])}
