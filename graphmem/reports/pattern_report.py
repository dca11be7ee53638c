"""The pattern report as a value: what went with success, what with failure, how sure, and what is left.

Reads what it needs of a tenant and arranges it; how it looks is left to `graphmem.reports.render`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import InvalidInputError
from graphmem.graph.records import Filter
from graphmem.models.fields import canonical_json
from graphmem.models.pattern import OutcomeCounts, Pattern
from graphmem.models.runs import MiningRun
from graphmem.patterns.contrasted import contrasted
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.retelling import retold
from graphmem.patterns.selecting import of_widest_runs
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.prompt_text import Language, chosen_language
from graphmem.reports.patterns.corpus import LIMITS, ClosedEpisodes, claimed_failures, closed_episodes, coverage
from graphmem.reports.patterns.examples import examples_of
from graphmem.reports.patterns.families import claim_of, fold_families, in_order
from graphmem.reports.patterns.hiding import Hidden, hidden_labels
from graphmem.reports.patterns.values import (
    CLAIMS,
    Claim,
    Entry,
    Folded,
    MiningFacts,
    PatternReport,
    Section,
)
from graphmem.reports.patterns.wording import WORDS

WITH_TEXT_OR_FEWER = "texts of steps may name what a least number of users hides: choose one of the two"


def pattern_report(
    graph: TenantGraph,
    patterns: Iterable[Pattern],
    *,
    run: MiningRun | None = None,
    scope: Filter | None = None,
    notes: Sequence[str] = (),
    most: int = 10,
    with_text: bool = False,
    min_users: int | None = None,
    language: str = "en",
) -> PatternReport:
    """Arrange patterns for a reader.

    Args:
        graph: The tenant whose episodes give the rates.
        patterns: Those to report on; a motif that runs of several scopes found is shown once.
        run: The mining run that they are of; None: nothing is said of it.
        scope: A condition on the closed episodes that are counted and whose failures are looked for.
        notes: What else a reader must know, a sentence each.
        most: Patterns shown of a claim in a domain.
        with_text: Whether to show the goal and the texts of the steps of example episodes.
        min_users: Hide labels and domains that occur in episodes of fewer users; an episode whose user is
            unknown counts as of nobody. None: hide none.
        language: Of the words around stored text, ko or en. A title or recommendation that somebody reworded
            stays as it is, and so do notes and labels.

    Raises:
        InvalidInputError: Texts are asked for together with a least number of users, or there is no such
            language.
    """
    spoken = chosen_language(language, "")
    if with_text and min_users is not None:
        raise InvalidInputError(WITH_TEXT_OR_FEWER)
    found = of_widest_runs(patterns)
    episodes = closed_episodes(graph, scope)
    hidden = hidden_labels(graph, min_users, spoken) if min_users is not None else None
    contrasts = contrasted(graph, found) if spoken != "en" else {}
    telling = _Telling(spoken, hidden, contrasts)
    sections = list(_sections(graph, found, episodes, most=most, with_text=with_text, telling=telling))
    tiers: Counter[str] = Counter(pattern.tier for pattern in found)
    caution = (WORDS[spoken].whole.candidates_only,) if set(tiers) == {"candidate"} else ()
    return PatternReport(
        tenant=graph.tenant,
        episodes=episodes.outcomes.total(),
        outcomes=OutcomeCounts(**episodes.outcomes),
        tiers=dict(tiers),
        claims=dict(Counter(map(claim_of, found))),
        notes=(*caution, *notes),
        sections=tuple(sorted(sections, key=telling.place)),
        coverage=coverage(episodes.failures, claimed_failures(graph), with_text=with_text),
        mining=_mining_facts(run, episodes, hidden, all_episodes=scope is None) if run else None,
        min_users=min_users,
        language=spoken,
    )


@dataclass(frozen=True, slots=True)
class _Telling:
    """What is said of a stored name or pattern, in one language and without what is hidden."""

    language: Language
    hidden: Hidden | None
    contrasts: Mapping[str, Pattern]

    @property
    def several(self) -> str:
        """Heading of the patterns whose episodes are not of one domain."""
        return WORDS[self.language].whole.several_domains

    def domain(self, name: str | None) -> str:
        if name is None:
            return self.several
        return self.hidden.domain(name) if self.hidden else name

    def pattern(self, pattern: Pattern) -> Pattern:
        name = pattern.contrast.pattern if pattern.contrast else None
        contrast = self.contrasts.get(name) if name is not None else None
        known = {contrast.id: self._open(contrast)} if contrast else {}
        return retold(self._open(pattern), self.language, known)

    def place(self, section: Section) -> tuple[int, bool, str]:
        """By claim, then by domain, what is of several domains last."""
        return CLAIMS.index(section.claim), section.domain == self.several, section.domain

    def _open(self, pattern: Pattern) -> Pattern:
        return self.hidden.pattern(pattern) if self.hidden else pattern


def _sections(
    graph: TenantGraph,
    patterns: Sequence[Pattern],
    episodes: ClosedEpisodes,
    *,
    most: int,
    with_text: bool,
    telling: _Telling,
) -> Iterator[Section]:
    by_domain: dict[str | None, list[Pattern]] = {}
    for pattern in patterns:
        by_domain.setdefault(pattern.domain, []).append(pattern)
    for domain, found in by_domain.items():
        endings = episodes.endings.get(domain, Counter()) if domain is not None else episodes.outcomes
        families: dict[Claim, list[tuple[Pattern, list[Pattern]]]] = {}
        for head, family in fold_families(in_order(found, endings)):
            families.setdefault(claim_of(head), []).append((head, family))
        for claim, heads in families.items():
            entries = [_entry(graph, head, family, with_text, telling) for head, family in heads[:most]]
            count = sum(claim_of(pattern) == claim for pattern in found)
            left = len(heads) - len(entries)
            yield Section(claim, telling.domain(domain), OutcomeCounts(**endings), tuple(entries), count, left)


def _entry(
    graph: TenantGraph, head: Pattern, family: Sequence[Pattern], with_text: bool, telling: _Telling
) -> Entry:
    shown, *folded = (telling.pattern(one) for one in (head, *family))
    examples = examples_of(graph, head) if with_text else ()
    return Entry(shown, tuple(Folded(one.id, one.title) for one in folded), examples)


def _mining_facts(
    run: MiningRun, episodes: ClosedEpisodes, hidden: Hidden | None, *, all_episodes: bool
) -> MiningFacts:
    """What the run's own record says; figures that an older record lacks are zero or None."""
    counts = run.counts
    policy = {name: value for name, value in run.policy.items() if name in MiningPolicy.model_fields}
    limits = {name: str(run.policy[name]) for name in LIMITS if run.policy.get(name) is not None}
    newer = episodes.newest is not None and episodes.newest > run.started_at
    other = all_episodes and not limits and counts.get("episodes") != episodes.outcomes.total()
    return MiningFacts(
        run=run.id,
        at=run.started_at.isoformat(timespec="seconds"),
        limits=hidden.limits(limits) if hidden else limits,
        episodes=_count(counts.get("episodes")),
        tested=_count(counts.get("tested")),
        permutations=_count(policy["permutations"]) if "permutations" in policy else None,
        seed=_count(policy["seed"]) if "seed" in policy else None,
        policy=MiningPolicy.model_validate_json(canonical_json(policy)).fingerprint(),
        look=_count(counts.get("look")),
        capped=_count(counts.get("capped")),
        incomplete=str(counts["incomplete"]) if counts.get("incomplete") else None,
        set_aside=_set_aside(counts.get("set_aside")),
        stale=newer or other,
    )


def _set_aside(value: object) -> int:
    return sum(map(_count, value.values())) if isinstance(value, dict) else 0


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
