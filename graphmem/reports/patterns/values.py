"""The values of a pattern report: what is shown of which claim, and what no pattern covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from graphmem.models.pattern import OutcomeCounts, Pattern
from graphmem.ports.prompt_text import Language

Claim = Literal["success", "failure", "none", "candidate"]
"""What a pattern is shown as: went with success, went with failure, recurs without a claim, not tested."""

CLAIMS: tuple[Claim, ...] = ("success", "failure", "none", "candidate")
"""In the order of the report."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A pattern that holds in nearly the same episodes as one that is shown."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """What one step of an example said."""

    action: str
    text: str
    """Its reasoning and its result, shortened."""


@dataclass(frozen=True, slots=True)
class Example:
    """One episode of the evidence with the texts of the steps that the pattern found in it."""

    episode: str
    goal: str
    steps: tuple[ExampleStep, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A pattern that is shown, with its family and, where asked for, with examples."""

    pattern: Pattern
    family: tuple[Folded, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def folded(self) -> int:
        """How many patterns are folded under it."""
        return len(self.family)


@dataclass(frozen=True, slots=True)
class Section:
    """The patterns of one claim in one domain."""

    claim: Claim
    domain: str
    outcomes: OutcomeCounts
    """Of all closed episodes of the domain."""
    entries: tuple[Entry, ...]
    patterns: int
    """All with this claim, the folded and the left out included."""
    left_out: int = 0
    """Families that would have been shown were there no limit."""


@dataclass(frozen=True, slots=True)
class FailedEpisode:
    """A failure that no pattern covers."""

    id: str
    goal: str | None = None
    """Only in a report with texts."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which failures hold a significant or replicated pattern that went with failure."""

    failures: int = 0
    """Closed episodes in scope that failed."""
    covered: int = 0
    only_late: int = 0
    """Of the covered ones, those that hold late patterns alone, which tell how a failure ends."""
    uncovered: tuple[FailedEpisode, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningFacts:
    """The run that the figures are of."""

    run: str
    at: str
    """When it began, ISO 8601 in UTC."""
    limits: dict[str, str]
    """What it was limited to, by name: domain, task, since, until."""
    episodes: int
    tested: int
    """Patterns in the family of the outcome test."""
    permutations: int | None
    seed: int | None
    policy: str
    """SHA-256 of the policy."""
    look: int
    capped: int
    incomplete: str | None
    set_aside: int
    """Patterns that the run found and did not keep."""
    stale: bool
    """Whether episodes were added, closed or removed since."""


@dataclass(frozen=True, slots=True)
class PatternReport:
    """What a reader needs to judge the patterns of a tenant."""

    tenant: str
    episodes: int
    """Closed episodes in scope."""
    outcomes: OutcomeCounts
    tiers: dict[str, int]
    claims: dict[Claim, int]
    """Patterns by what they are shown as, the folded and the left out included."""
    notes: tuple[str, ...]
    sections: tuple[Section, ...]
    coverage: Coverage = field(default_factory=Coverage)
    mining: MiningFacts | None = None
    min_users: int | None = None
    """Labels of fewer users are hidden; None: none is."""
    language: Language = "en"
    """Of its words; titles and recommendations of its patterns are in it."""

    def of_claim(self, claim: Claim) -> Sequence[Section]:
        """The sections of one claim."""
        return [section for section in self.sections if section.claim == claim]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON: every pattern shown, with all its fields, and every failure left."""
        return {
            "tenant": self.tenant,
            "episodes": self.episodes,
            "outcomes": self.outcomes.model_dump(),
            "tiers": self.tiers,
            "claims": self.claims,
            "notes": list(self.notes),
            "min_users": self.min_users,
            "coverage": asdict(self.coverage),
            "mining": asdict(self.mining) if self.mining else None,
            "sections": [_section(section) for section in self.sections],
        }


def _section(section: Section) -> dict[str, Any]:
    return {
        "claim": section.claim,
        "domain": section.domain,
        "outcomes": section.outcomes.model_dump(),
        "patterns": section.patterns,
        "left_out": section.left_out,
        "shown": [
            {
                "folded": entry.folded,
                "family": [asdict(folded) for folded in entry.family],
                "examples": [asdict(example) for example in entry.examples],
                "pattern": entry.pattern.model_dump(mode="json"),
            }
            for entry in section.entries
        ],
    }
