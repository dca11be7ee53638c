"""A consolidation plan: what would be written, as a value that can be shown without applying it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.consolidation.phases import PhasePlan

COUNTED = (
    "episodes",
    "promoted",
    "merged",
    "superseded",
    "linked",
    "unlinked",
    "moved",
    "model_calls",
    "remaining",
)
"""Counts that every report has, whether a phase speaks of them or not."""


FAULTS = "faults"
"""The list of what a language model failed with, each message once."""


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """What a run would do; empty when there is nothing to do."""

    phases: tuple[PhasePlan, ...] = ()
    """What each phase would do, in their order."""

    def __bool__(self) -> bool:
        return any(self.phases)

    def counts(self) -> dict[str, int]:
        """What the plan amounts to, in the words of the report."""
        return summed(plan.counts() for plan in self.phases)

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON: counts, the concepts by name, and each episode's new links."""
        return {**self.counts(), **joined(plan.to_dict() for plan in self.phases)}


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """What an applied run did."""

    counts: Mapping[str, int]
    run: str | None
    """Id of the ConsolidationRun; None when there was nothing to do."""
    seconds: float = field(default=0.0, compare=False)
    refusals: tuple[Mapping[str, Any], ...] = ()
    """Relations that would close a cycle, each with the cycle in words."""
    faults: tuple[str, ...] = ()
    """What the language model failed with, each message once; the rules read what it did not."""

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        numbers = {**self.counts, "run": self.run, "seconds": round(self.seconds, 3)}
        return {**numbers, "refusals": list(self.refusals), FAULTS: list(self.faults)}


def summed(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counts of several plans as one, the common ones first."""
    return added_up([dict.fromkeys(COUNTED, 0), *parts])


def added_up(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counts of several plans as one."""
    total: Counter[str] = Counter()
    for counts in parts:
        total.update(counts)
    return dict(total)


def joined(parts: Iterable[Mapping[str, Sequence[Any]]]) -> dict[str, list[Any]]:
    """Lists of several plans as one."""
    lists: dict[str, list[Any]] = {}
    for part in parts:
        for name, items in part.items():
            lists.setdefault(name, []).extend(items)
    return lists
