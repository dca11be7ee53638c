"""Patterns and reports as values, for tests of how they are shown."""

from __future__ import annotations

import hashlib
from typing import Any

from graphmem.models.pattern import OutcomeCounts, Pattern, PatternNode, Strata
from graphmem.reports.patterns.families import claim_of
from graphmem.reports.patterns.values import (
    Coverage,
    Entry,
    FailedEpisode,
    Folded,
    MiningFacts,
    PatternReport,
    Section,
)

HOSTILE = (
    "<script>alert(1)</script> | a\n# x [l](http://e) ![i](x) `c` *b* \x1b[31m \u202e \ud800 \"'&]]>--></style>"
)
"""What a label may hold: marks of every format, a terminal escape, an override, half a character."""


def pattern(name: str = "조회 → refund", episodes: str = "abc", **fields: Any) -> Pattern:
    """A candidate of two steps; each letter of `episodes` is the id of a successful one."""
    outcomes = fields.pop("outcomes", OutcomeCounts(success=len(episodes)))
    labels = fields.pop("labels", ("조회", "refund"))
    held: dict[str, Any] = {
        "nodes": tuple(PatternNode(label=label, kind="action", key=label) for label in labels),
        "edges": ((0, 1, "NEXT"),),
        "tasks": 2,
        "users": 1,
    }
    return Pattern(
        id=hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest(),
        title=name,
        support=len(episodes),
        outcomes=outcomes,
        episodes=tuple(episodes),
        **(held | fields),
    )


def claimed(name: str = "조회 → refund", episodes: str = "abcde", **fields: Any) -> Pattern:
    """A pattern that claims an outcome, success unless `polarity` says otherwise."""
    held: dict[str, Any] = {
        "tier": "significant",
        "polarity": "positive",
        "success_rate": 0.95,
        "interval": (0.78, 0.99),
        "baseline": 0.68,
        "risk_difference": 0.66,
        "risk_interval": (0.44, 0.89),
        "strata": Strata(by="task", informative=7),
        "p_outcome_adjusted": 0.002,
        "domain": "쇼핑몰",
    }
    return pattern(name, episodes, **(held | fields))


def report(*patterns: Pattern, folded: int = 0, **fields: Any) -> PatternReport:
    """A report on patterns, each in a section of its own claim."""
    family = tuple(Folded(f"f{number}", f"folded {number}") for number in range(folded))
    sections = tuple(
        Section(claim_of(one), "쇼핑몰", OutcomeCounts(success=3, failure=1), (Entry(one, family),), 1 + folded)
        for one in patterns
    )
    held: dict[str, Any] = {
        "tenant": "acme",
        "episodes": 4,
        "outcomes": OutcomeCounts(success=3, failure=1),
        "tiers": {one.tier: 1 for one in patterns},
        "claims": {claim_of(one): 1 for one in patterns},
        "notes": (),
        "sections": sections,
    }
    return PatternReport(**(held | fields))


def coverage(covered: int, *uncovered: str) -> Coverage:
    """Failures, some of which no pattern covers."""
    rest = tuple(FailedEpisode(name) for name in uncovered)
    return Coverage(covered + len(rest), covered, 0, rest)


def mining(**fields: Any) -> MiningFacts:
    """A run over 325 episodes."""
    held: dict[str, Any] = {
        "run": "r1",
        "at": "2026-03-01T09:00:00+00:00",
        "limits": {},
        "episodes": 325,
        "tested": 406,
        "permutations": 1000,
        "seed": 0,
        "policy": "abcdef0123456789",
        "look": 3,
        "capped": 0,
        "incomplete": None,
        "set_aside": 0,
        "stale": False,
    }
    return MiningFacts(**(held | fields))
