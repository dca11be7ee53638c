"""What the report reads of the closed episodes themselves: how they ended, and which failures are covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.graph.mapping.pattern import to_pattern
from graphmem.graph.mapping.run import to_run
from graphmem.graph.records import And, Equals, Filter
from graphmem.models.episode import Outcome
from graphmem.models.pattern import CLAIMING_TIERS, Pattern
from graphmem.models.runs import MiningRun
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_node
from graphmem.reports.patterns.values import Coverage, FailedEpisode


@dataclass(slots=True)
class ClosedEpisodes:
    """The closed episodes in scope, summed up."""

    endings: dict[str | None, Counter[str]] = field(default_factory=dict)
    """Domain -> episodes by outcome."""
    failures: dict[str, str] = field(default_factory=dict)
    """Id -> goal."""
    newest: datetime | None = None
    """When the latest of them was stored or ended."""

    @property
    def outcomes(self) -> Counter[str]:
        """All of them by outcome."""
        return sum(self.endings.values(), Counter())


def closed_episodes(graph: TenantGraph, scope: Filter | None = None) -> ClosedEpisodes:
    """Read the closed episodes in scope.

    Args:
        graph: The tenant.
        scope: A condition on episodes; None: all closed ones.
    """
    closed: Filter = CLOSED
    found = ClosedEpisodes()
    for root in every_node(graph, "Episode", closed if scope is None else And((closed, scope))):
        held = root.properties
        domain = str(held["domain"]) if "domain" in held else None
        outcome = str(held.get("outcome", Outcome.UNKNOWN.value))
        found.endings.setdefault(domain, Counter())[outcome] += 1
        if outcome == Outcome.FAILURE.value:
            found.failures[root.id] = str(held.get("goal", ""))
        moments = [at for at in (held.get("created_at"), held.get("ended_at")) if isinstance(at, datetime)]
        found.newest = max([*moments, *([found.newest] if found.newest else [])], default=None)
    return found


def claimed_failures(graph: TenantGraph) -> list[Pattern]:
    """Every significant or replicated pattern that went with failure, whatever the report is limited to."""
    found = map(to_pattern, every_node(graph, "Pattern", Equals("polarity", "negative")))
    return [pattern for pattern in found if pattern.tier in CLAIMING_TIERS]


LIMITS = ("domain", "task", "since", "until")
"""What a mining run may be limited to, by the names in its policy."""


def widest_run(graph: TenantGraph) -> MiningRun | None:
    """The latest mining run over all episodes; where each was limited, the latest; None when there was none.

    A later run over a part of the episodes leaves the patterns of the whole as they were.
    """
    latest = None
    for node in every_node(graph, "MiningRun", order="-started_at"):
        run = to_run(node, MiningRun)
        if not any(run.policy.get(name) for name in LIMITS):
            return run
        latest = latest or run
    return latest


def coverage(failures: dict[str, str], patterns: Iterable[Pattern], *, with_text: bool = False) -> Coverage:
    """Which failures hold a pattern that went with failure, and which do not.

    Args:
        failures: Id -> goal of the failures in scope.
        patterns: Those that claim failure.
        with_text: Whether the goals of the rest are kept.
    """
    early: set[str] = set()
    late: set[str] = set()
    for pattern in patterns:
        (late if pattern.late else early).update(pattern.episodes)
    rest = sorted(failures.keys() - early - late)
    return Coverage(
        failures=len(failures),
        covered=len(failures) - len(rest),
        only_late=len(failures.keys() & late - early),
        uncovered=tuple(FailedEpisode(name, failures[name] if with_text else None) for name in rest),
    )
