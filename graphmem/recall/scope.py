"""What a recall may look at: kinds, user and moment as filters, so that they hold before any limit. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from graphmem.errors import InvalidInputError
from graphmem.graph.records import Filter, In, NodeRecord, Range
from graphmem.graph.validity import holding, standing
from graphmem.models.memories import MEMORY_KINDS
from graphmem.models.pattern import CLAIMING_TIERS
from graphmem.ports.workspace import Workspace

LABELS = {
    "message": "Message",
    "episode": "Episode",
    "concept": "Concept",
    "procedure": "Procedure",
    "pattern": "Pattern",
}
"""Recall's kinds that are a label each; the others are kinds of memory."""

RECALL_KINDS = (*LABELS, *MEMORY_KINDS)
"""All that `kinds` may name."""

_NOTHING = In("id", ())


@dataclass(frozen=True, slots=True)
class Scope:
    """Filters a label; an item matches exactly one of those of its label."""

    filters: Mapping[str, tuple[Filter | None, ...]]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that are searched."""
        return tuple(self.filters)

    def rounds(self) -> list[dict[str, Filter]]:
        """Filters for as many searches over all labels as the port, which has no "or", needs.

        Every search is over all labels, so that all rank by the same counts.
        """
        count = max(map(len, self.filters.values()), default=0)
        return [
            {
                label: where
                for label, filters in self.filters.items()
                if (where := filters[index] if index < len(filters) else _NOTHING) is not None
            }
            for index in range(count)
        ]


def scope_of(workspace: Workspace, kinds: Iterable[str] | None, as_of: datetime | None) -> Scope:
    """Where to look.

    Args:
        workspace: Whose memory it is.
        kinds: What to look for; None: everything but patterns that claim nothing.
        as_of: The moment whose view is asked for; None: what stands at this moment.

    Raises:
        InvalidInputError: A kind is unknown.
    """
    wanted = RECALL_KINDS if kinds is None else tuple(dict.fromkeys(_checked(kind) for kind in kinds))
    filters: dict[str, tuple[Filter | None, ...]] = {
        LABELS[kind]: workspace.filters(LABELS[kind], *_seen_until(kind, as_of), *_tested(kind, kinds))
        for kind in wanted
        if kind in LABELS
    }
    memories = tuple(kind for kind in wanted if kind in MEMORY_KINDS)
    if memories:
        held = (standing(memories),) if as_of is None else holding(as_of, memories)
        filters["Memory"] = tuple(where for part in held for where in workspace.filters("Memory", part))
    return Scope(filters)


def _seen_until(kind: str, as_of: datetime | None) -> tuple[Filter, ...]:
    """An item with its own time is part of the view of a moment when it was there by then."""
    times = {"message": "at", "episode": "started_at"}
    return () if as_of is None or kind not in times else (Range(times[kind], high=as_of),)


def _tested(kind: str, kinds: Iterable[str] | None) -> tuple[Filter, ...]:
    return (In("tier", CLAIMING_TIERS),) if kind == "pattern" and kinds is None else ()


def advises(record: NodeRecord) -> bool:
    """Whether a node says what to do where it is a pattern: a bare title would be followed, also into failure."""
    return record.label != "Pattern" or record.properties.get("description") != record.properties.get("title")


def is_current(record: NodeRecord) -> bool:
    """Whether a node is no procedure that a newer version replaced.

    Asked of what was found: it is a mark, by which searches cannot filter.
    """
    return record.label != "Procedure" or "superseded_at" not in record.properties


def _checked(kind: str) -> str:
    if kind in RECALL_KINDS:
        return kind
    near = get_close_matches(str(kind), RECALL_KINDS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(RECALL_KINDS)}"
    raise InvalidInputError(f"unknown kind {kind!r}; {hint}")
