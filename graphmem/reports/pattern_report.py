"""The pattern report as a value: what recurs, by domain, and how these episodes ended.

While every pattern is a candidate the order says which ones lie far from the rest, not that they mean
anything, and the report says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.graph.records import And, Equals, Filter
from graphmem.models.episode import EpisodeState
from graphmem.models.pattern import OutcomeCounts, Pattern
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node

MANY_SHARED = 0.8
"""Share of common episodes (Jaccard) from which a pattern is folded under one that is shown already."""

SEVERAL = "several domains"
"""Heading of the patterns whose episodes are not of one domain."""

CANDIDATES_ONLY = (
    "No pattern recurs beyond chance: each is a candidate. Order within a domain is by how far the outcomes lie "
    "from that domain's rate; among many candidates some lie far off by chance."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A pattern that is shown, and how many are folded under it."""

    pattern: Pattern
    folded: int
    deviation: float
    """Standard deviations of its successes from what the domain's rate would give; for the order only."""


@dataclass(frozen=True, slots=True)
class Section:
    """The patterns of one domain."""

    domain: str
    outcomes: OutcomeCounts
    """Of all closed episodes of the domain."""
    entries: tuple[Entry, ...]
    patterns: int
    """All patterns of the domain, the folded and the left out included."""


@dataclass(frozen=True, slots=True)
class PatternReport:
    """What a reader needs to judge the patterns of a tenant."""

    tenant: str
    episodes: int
    outcomes: OutcomeCounts
    tiers: dict[str, int]
    notes: tuple[str, ...]
    sections: tuple[Section, ...]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON: every pattern shown, with all its fields."""
        return {
            "tenant": self.tenant,
            "episodes": self.episodes,
            "outcomes": self.outcomes.model_dump(),
            "tiers": self.tiers,
            "notes": list(self.notes),
            "sections": [
                {
                    "domain": section.domain,
                    "outcomes": section.outcomes.model_dump(),
                    "patterns": section.patterns,
                    "shown": [
                        {"folded": entry.folded, "pattern": entry.pattern.model_dump(mode="json")}
                        for entry in section.entries
                    ],
                }
                for section in self.sections
            ],
        }


def pattern_report(
    graph: TenantGraph, patterns: Iterable[Pattern], *, notes: Sequence[str] = (), most: int = 10
) -> PatternReport:
    """Arrange patterns for a reader.

    Args:
        graph: The tenant whose episodes give the rates.
        patterns: Those to report on.
        notes: What the mining run left open, a sentence each.
        most: Patterns shown a domain.
    """
    by_domain: dict[str | None, list[Pattern]] = {}
    for pattern in patterns:
        by_domain.setdefault(pattern.domain, []).append(pattern)
    endings = _endings(graph)
    total: Counter[str] = sum(endings.values(), Counter())
    sections = [
        _section(domain, found, endings[domain] if domain in endings and domain is not None else total, most)
        for domain, found in by_domain.items()
    ]
    tiers: Counter[str] = Counter(pattern.tier for found in by_domain.values() for pattern in found)
    caution = (CANDIDATES_ONLY,) if set(tiers) == {"candidate"} else ()
    return PatternReport(
        tenant=graph.tenant,
        episodes=total.total(),
        outcomes=OutcomeCounts(**total),
        tiers=dict(tiers),
        notes=(*caution, *notes),
        sections=tuple(sorted(sections, key=lambda section: (section.domain == SEVERAL, section.domain))),
    )


def fold_families(patterns: Sequence[Pattern], most: int) -> list[tuple[Pattern, int]]:
    """The first patterns that differ in their episodes, each with the number folded under it.

    Args:
        patterns: Best first.
        most: How many to keep; patterns after the last one kept are still counted where they fold.
    """
    kept: list[tuple[Pattern, frozenset[str]]] = []
    folded: Counter[str] = Counter()
    for pattern in patterns:
        episodes = frozenset(pattern.episodes)
        family = next((head for head, shared in kept if _jaccard(episodes, shared) >= MANY_SHARED), None)
        if family is not None:
            folded[family.id] += 1
        elif len(kept) < most:
            kept.append((pattern, episodes))
    return [(pattern, folded[pattern.id]) for pattern, _ in kept]


def deviation(pattern: Pattern, outcomes: Counter[str]) -> float:
    """How far a pattern's successes lie from what its domain's rate would give.

    (successes - n r) / sqrt(n r (1 - r)), with n the pattern's known outcomes and r the domain's success
    rate: the normal approximation of the binomial, uncorrected, for an order and nothing else.
    """
    known = outcomes.total() - outcomes["unknown"]
    mine = pattern.support - pattern.outcomes.unknown
    rate = outcomes["success"] / known if known else 0.0
    spread = math.sqrt(mine * rate * (1 - rate))
    return (pattern.outcomes.success - mine * rate) / spread if spread else 0.0


def _section(domain: str | None, patterns: Sequence[Pattern], outcomes: Counter[str], most: int) -> Section:
    distances = {pattern.id: deviation(pattern, outcomes) for pattern in patterns}
    ordered = sorted(
        patterns, key=lambda found: (-abs(distances[found.id]), -len(found.nodes), -found.support, found.id)
    )
    entries = tuple(
        Entry(pattern, folded, distances[pattern.id]) for pattern, folded in fold_families(ordered, most)
    )
    return Section(domain or SEVERAL, OutcomeCounts(**outcomes), entries, len(patterns))


def _endings(graph: TenantGraph) -> dict[str | None, Counter[str]]:
    closed: Filter = And((Equals("state", EpisodeState.CLOSED.value),))
    endings: dict[str | None, Counter[str]] = {}
    for root in every_node(graph, "Episode", closed):
        domain = root.properties.get("domain")
        name = domain if isinstance(domain, str) else None
        endings.setdefault(name, Counter())[str(root.properties.get("outcome", "unknown"))] += 1
    return endings


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)
