"""Which patterns a reader asked for: the store filters what it can, the rest is looked at here, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import get_args

from graphmem.errors import InvalidInputError
from graphmem.graph.keys import label_key
from graphmem.graph.mapping.pattern import to_pattern
from graphmem.graph.masking import finding_label
from graphmem.graph.records import And, Cursor, Filter, NodeRecord, Range
from graphmem.models.pattern import TESTED_TIERS, Pattern, Polarity
from graphmem.patterns.ancestry import concept_key_of
from graphmem.patterns.goals import episodes_with_goal
from graphmem.patterns.kinship import keys_below
from graphmem.patterns.scope import MiningScope
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.listing import MAX_PAGE, Listing, equals, moment
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace

ABOUT_KINDS = frozenset({"concept", "symptom", "cause"})
TOOL_KINDS = frozenset({"tool"})

_LOOKED_AT = 500
"""Patterns read at once while few of them are wanted."""

Keep = Callable[[Pattern], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternFilters:
    """What a pattern must be like; None asks nothing."""

    domain: str | None = None
    """All its episodes are of this domain."""
    polarity: Polarity | None = None
    about: str | None = None
    """One of its concepts, symptoms or causes is this, or is one."""
    tool: str | None = None
    """One of its tools is this, or is one."""
    goal: str | None = None
    """One of its episodes has a goal like this: see `graphmem.patterns.goals`."""
    task: str | None = None
    """One of its episodes is a run of this task."""
    since: datetime | None = None
    """One of its episodes began at or after this time."""
    until: datetime | None = None
    """One of its episodes began at or before this time."""


def pattern_page(
    workspace: Workspace,
    filters: PatternFilters,
    tiers: Filter,
    *,
    order: str,
    after: Cursor | None,
    limit: int,
) -> Listing[Pattern]:
    """A page of the patterns that all filters let through; goal, task and window hold of one and the same episode.

    Args:
        workspace: The tenant; where it has a user, evidence is sought among that user's episodes.
        filters: What they must be like.
        tiers: Which tiers.
        order: As `TenantGraph.scan`.
        after: `next` of the page before.
        limit: 1 to 10,000.

    Raises:
        InvalidInputError: A bound is broken or a filter refused.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidInputError(f"limit is {limit}; it can be 1 to {MAX_PAGE}")
    if filters.polarity not in (None, *get_args(Polarity)):
        raise InvalidInputError(f"polarity is {filters.polarity!r}; it can be {' or '.join(get_args(Polarity))}")
    tests = list(_tests(workspace, filters))
    where = And((tiers, *_conditions(filters)))
    found: list[tuple[NodeRecord, Pattern]] = []
    while True:
        size = max(limit + 1 - len(found), _LOOKED_AT) if tests else limit
        page = workspace.graph.scan("Pattern", where, order=order, after=after, limit=min(size, MAX_PAGE))
        for record in page.records:
            pattern = to_pattern(record)
            if all(test(pattern) for test in tests):
                found.append((record, pattern))
        if page.next is None or len(found) > limit or (not tests and len(found) == limit):
            more = page.next is not None or len(found) > limit
            break
        after = page.next
    kept = found[:limit]
    return Listing(tuple(pattern for _, pattern in kept), _cursor(kept[-1][0], order) if more and kept else None)


def of_widest_runs(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Patterns in their order, without those whose motif a run over more, or a surer one, found as well."""
    found = list(patterns)
    best: dict[tuple[object, ...], Pattern] = {}
    for pattern in sorted(found, key=_width):
        best.setdefault(_motif(pattern), pattern)
    return [pattern for pattern in found if best[_motif(pattern)].scope == pattern.scope]


def _motif(pattern: Pattern) -> tuple[object, ...]:
    return tuple((node.kind, node.key) for node in pattern.nodes), pattern.edges


def _width(pattern: Pattern) -> tuple[bool, int, int, str]:
    tiers = (*TESTED_TIERS, "candidate")
    return pattern.scope is not None, tiers.index(pattern.tier), -pattern.support, pattern.id


def _conditions(filters: PatternFilters) -> tuple[Filter, ...]:
    conditions = equals(domain=filters.domain, polarity=filters.polarity)
    since, until = moment(filters.since, "since"), moment(filters.until, "until")
    if since is not None:
        conditions += (Range("last_seen", since, None),)
    if until is not None:
        conditions += (Range("first_seen", None, until),)
    return conditions


def _tests(workspace: Workspace, filters: PatternFilters) -> Iterable[Keep]:
    if filters.about is not None:
        yield _has_node(workspace.graph, filters.about, "about", ABOUT_KINDS)
    if filters.tool is not None:
        yield _has_node(workspace.graph, filters.tool, "tool", TOOL_KINDS)
    if any(one is not None for one in (filters.goal, filters.task, filters.since, filters.until)):
        yield _Evidence(workspace, filters).is_found


def _has_node(graph: TenantGraph, name: str, what: str, kinds: frozenset[str]) -> Keep:
    keys = keys_below(graph, name, what)
    label = label_key(name)
    if label is not None:
        keys |= {concept_key_of(finding_label(label))}
    return lambda pattern: any(node.kind in kinds and concept_key_of(node.key) in keys for node in pattern.nodes)


class _Evidence:
    """Whether a pattern has evidence among the episodes that are asked for; they are read when first needed."""

    def __init__(self, workspace: Workspace, filters: PatternFilters) -> None:
        self._workspace, self._goal = workspace, filters.goal
        self._scope = MiningScope(
            task=filters.task,
            since=moment(filters.since, "since"),
            until=moment(filters.until, "until"),
        )
        self._is_window_alone = filters.goal is None and filters.task is None and workspace.user is None
        if filters.goal is not None and not filters.goal.strip():
            raise InvalidInputError("goal is blank; give the words of a goal")

    def is_found(self, pattern: Pattern) -> bool:
        if self._is_window_alone and any(map(self._is_inside, (pattern.first_seen, pattern.last_seen))):
            return True
        return not self._episodes.isdisjoint(pattern.episodes)

    def _is_inside(self, seen: datetime | None) -> bool:
        since, until = self._scope.since, self._scope.until
        return seen is not None and (since is None or seen >= since) and (until is None or seen <= until)

    @cached_property
    def _episodes(self) -> frozenset[str]:
        (where,) = self._workspace.filters("Episode", self._scope.where())
        if self._goal is not None:
            return episodes_with_goal(self._workspace, self._goal, where)
        return frozenset(node.id for node in every_node(self._workspace.graph, "Episode", where, size=MAX_PAGE))


def _cursor(record: NodeRecord, order: str) -> Cursor:
    name = order.removeprefix("-")
    value = record.id if name == "id" else record.properties.get(name)
    return (None if isinstance(value, list) else value), record.id
