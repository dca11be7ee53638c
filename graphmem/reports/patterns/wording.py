"""The figures of a pattern in the words of one language, the same in every form of the report: pure.

A pattern *went with* an outcome, or is *associated with* it; nothing here claims more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.models.pattern import Interval, OutcomeCounts, Pattern
from graphmem.patterns.advice import vanishes
from graphmem.ports.prompt_text import Language
from graphmem.reports.patterns.english import ENGLISH
from graphmem.reports.patterns.korean import KOREAN
from graphmem.reports.patterns.values import Coverage, Entry, MiningFacts, PatternReport, Section
from graphmem.reports.patterns.words import Noun, Words

WORDS: dict[Language, Words] = {"en": ENGLISH, "ko": KOREAN}

SHOWN_EPISODES = 8
"""Ids of evidence in text and Markdown; HTML and JSON hold all."""

SHOWN_FAILURES = 20
"""Ids of failures that no pattern covers in text and Markdown; HTML and JSON hold all."""


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{share:.0%}"


def probability(p: float) -> str:
    """A p value as readers write it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def counted(count: int, noun: Noun) -> str:
    """A count with its noun."""
    return (noun.one if count == 1 else noun.many).format(count)


@dataclass(frozen=True, slots=True)
class Wording:
    """Says figures in one language."""

    words: Words

    def nothing(self, report: PatternReport) -> str:
        """What is said where there is no pattern: nobody mined, or there was nothing to find."""
        whole = self.words.whole
        return whole.nothing_mined if report.mining is None else whole.nothing_found

    def percent_range(self, interval: Interval) -> str:
        """An interval of shares."""
        return self.words.figures.percent_range.format(*interval)

    def points(self, difference: float) -> str:
        """A difference of two shares, signed."""
        return self.words.figures.points.format(100 * difference)

    def points_range(self, interval: Interval) -> str:
        """An interval of differences."""
        return self.words.figures.points_range.format(*(100 * end for end in interval))

    def endings(self, outcomes: OutcomeCounts) -> str:
        """Episodes by outcome, those that occur."""
        figures, names = self.words.figures, self.words.endings
        said = [
            figures.ending.format(count=count, outcome=names[name])
            for name, count in outcomes.model_dump().items()
            if count
        ]
        return ", ".join(said) or figures.none

    def rate(self, outcomes: OutcomeCounts) -> str:
        """How many of those with a known outcome succeeded."""
        known, figures = outcomes.success + outcomes.partial + outcomes.failure, self.words.figures
        if not known:
            return figures.no_outcomes
        return figures.rate.format(success=outcomes.success, known=known, share=outcomes.success / known)

    def support(self, pattern: Pattern) -> str:
        """Episodes of a pattern, as a lower bound where it is one."""
        count = str(pattern.support)
        return self.words.figures.at_least.format(count) if pattern.support_is_lower_bound else count

    def extent(self, pattern: Pattern) -> str:
        """Episodes, tasks and users of a pattern."""
        words = self.words
        noun = words.episode.one if pattern.support == 1 else words.episode.many
        parts = [noun.format(self.support(pattern)), counted(pattern.tasks, words.task)]
        return ", ".join([*parts, *([counted(pattern.users, words.user)] if pattern.users else [])])

    def success(self, pattern: Pattern) -> str:
        """The success rate with its interval, for a cell."""
        if pattern.success_rate is None:
            return ""
        spread = f" ({self.percent_range(pattern.interval)})" if pattern.interval else ""
        return percent(pattern.success_rate) + spread

    def difference(self, pattern: Pattern) -> str:
        """The difference from comparable episodes, for a cell."""
        return "" if pattern.risk_difference is None else self.points(pattern.risk_difference)

    def facts(self, pattern: Pattern) -> Iterator[tuple[str, str]]:
        """What is known of a pattern, as pairs of a name and a sentence part; nothing of it is stored text."""
        words, figures = self.words.facts, self.words.figures
        yield words.seen_in, f"{self.extent(pattern)}: {self.endings(pattern.outcomes)}"
        if pattern.success_rate is not None and pattern.interval is not None:
            share, interval = percent(pattern.success_rate), self.percent_range(pattern.interval)
            yield words.success, words.success_said.format(share=share, interval=interval)
        if pattern.strata is not None and pattern.risk_difference is not None:
            yield words.difference, self._compared(pattern)
        if pattern.polarity is not None and pattern.p_outcome_adjusted is not None:
            p = probability(pattern.p_outcome_adjusted)
            yield words.sure, figures.p_adjusted.format(tier=self.words.tiers[pattern.tier], p=p)
        if pattern.polarity is None and pattern.tier == "recurrent":
            yield words.visible, self.visible(pattern)
        if pattern.length_adjusted is not None and pattern.polarity is not None:
            yield words.like_length, self._adjusted(pattern)
        if pattern.replication is not None and pattern.polarity is not None:
            yield words.later, self._replicated(pattern)

    def visible(self, pattern: Pattern) -> str:
        """The smallest difference that could have been seen."""
        figures, size = self.words.figures, pattern.visible_difference
        return figures.none if size is None else figures.size.format(100 * size)

    def cautions(self, pattern: Pattern) -> Iterator[str]:
        """What a reader must keep in mind, a sentence each."""
        words = self.words.cautions
        if pattern.late:
            yield words.late
        if pattern.hindsight:
            yield words.hindsight
        if pattern.single_user:
            yield words.single_user
        if pattern.polarity is not None and vanishes(pattern.length_adjusted):
            yield words.length
        if pattern.support_is_lower_bound:
            yield words.lower_bound

    def marks(self, pattern: Pattern) -> list[str]:
        """The tier and, in a word each, the cautions."""
        words = self.words.cautions
        flags = (
            (words.late_mark, bool(pattern.late)),
            (words.hindsight_mark, pattern.hindsight),
            (words.single_user_mark, pattern.single_user),
            (words.lower_bound_mark, pattern.support_is_lower_bound),
        )
        return [self.words.tiers[pattern.tier], *(word for word, holds in flags if holds)]

    def compared_within(self, pattern: Pattern) -> str:
        """Within what the outcomes were compared."""
        words = self.words.facts
        if pattern.strata is None:
            return words.not_compared
        if pattern.strata.by == "task":
            return words.within_task.format(pattern.strata.informative)
        return words.within_domain

    def folded(self, entry: Entry) -> str:
        """How many patterns are folded under one."""
        return self.words.whole.folded.format(entry.folded)

    def left_out(self, section: Section) -> str:
        """What is not shown."""
        return self.words.whole.left_out.format(section.left_out)

    def counts(self, section: Section) -> str:
        """How episodes of a section's domain ended, and how many patterns there are."""
        patterns = counted(section.patterns, self.words.pattern)
        return self.words.headings.counted.format(rate=self.rate(section.outcomes), patterns=patterns)

    def covers(self, coverage: Coverage) -> str:
        """Which failures the claims reach."""
        whole = self.words.whole
        if not coverage.failures:
            return whole.no_failures
        late = whole.only_late.format(coverage.only_late) if coverage.only_late else ""
        failures = counted(coverage.failures, self.words.failure)
        return whole.covers.format(covered=coverage.covered, failures=failures, late=late)

    def headline(self, report: PatternReport) -> list[str]:
        """The report at a glance, a sentence each."""
        words, whole = self.words, self.words.whole
        claims = {claim: report.claims.get(claim, 0) for claim in words.claims}
        tested = report.mining.tested if report.mining else 0
        family = whole.headline_family.format(counted(tested, words.pattern)) if tested else ""
        candidates = whole.headline_candidates.format(claims["candidate"]) if claims["candidate"] else ""
        said = {claim: claims[claim] for claim in ("success", "failure", "none")}
        return [
            f"{counted(report.episodes, words.closed_episode)}: {self.endings(report.outcomes)}",
            whole.headline_claims.format(**said, family=family, candidates=candidates),
            self.covers(report.coverage),
        ]

    def warnings(self, report: PatternReport) -> Iterator[str]:
        """What limits the whole report, a sentence each."""
        yield from report.notes
        whole, mining = self.words.whole, report.mining
        if mining is not None:
            if mining.stale:
                yield whole.stale
            if mining.incomplete:
                yield whole.incomplete.format(mining.incomplete)
            if mining.capped:
                yield whole.capped.format(counted(mining.capped, self.words.episode))
            if mining.set_aside:
                yield whole.set_aside.format(counted(mining.set_aside, self.words.pattern))
        if report.min_users is not None:
            yield whole.min_users.format(report.min_users)

    def provenance(self, mining: MiningFacts) -> Iterator[tuple[str, str]]:
        """What the figures were computed from, and how."""
        whole, look = self.words.whole, self.words.figures.times_look
        at = look.format(at=mining.at, nth=ordinal(mining.look), number=mining.look) if mining.look else mining.at
        yield whole.mined, at
        limits = ", ".join(f"{whole.limits.get(name, name)} {value}" for name, value in mining.limits.items())
        episodes = counted(mining.episodes, self.words.closed_episode)
        yield whole.episodes, episodes + (whole.limited.format(limits) if limits else "")
        yield whole.tested, whole.tested_said.format(mining.tested)
        if mining.permutations is not None:
            said = whole.permutations_said.format(permutations=mining.permutations, seed=mining.seed)
            yield whole.permutations, said
        yield whole.policy, mining.policy[:12]
        yield whole.run, mining.run

    def _compared(self, pattern: Pattern) -> str:
        words = self.words.facts
        against = words.compared_against.format(percent(pattern.baseline)) if pattern.baseline is not None else ""
        spread = words.interval.format(self.points_range(pattern.risk_interval)) if pattern.risk_interval else ""
        points = self.points(pattern.risk_difference or 0.0)
        return f"{points}{spread}{against}, {self.compared_within(pattern)}"

    def _adjusted(self, pattern: Pattern) -> str:
        words, adjusted = self.words.facts, pattern.length_adjusted
        if adjusted is None or adjusted.risk_difference is None:
            return words.not_comparable
        spread = f" ({self.points_range(adjusted.interval)})" if adjusted.interval else ""
        points = self.points(adjusted.risk_difference)
        return words.adjusted.format(points=points, spread=spread, p=probability(adjusted.p))

    def _replicated(self, pattern: Pattern) -> str:
        words, later = self.words.facts, pattern.replication
        if later is None or not later.episodes:
            return words.none_yet
        return words.later_said.format(
            successes=later.successes,
            episodes=later.episodes,
            verdict=words.replicated if pattern.tier == "replicated" else words.not_replicated,
            sure=words.one_sided.format(probability(later.p)) if later.p is not None else "",
        )


def baseline(pattern: Pattern) -> str:
    """The success rate of comparable episodes, for a cell."""
    return "" if pattern.baseline is None else percent(pattern.baseline)


def wording_of(report: PatternReport) -> Wording:
    """The wording in the language of a report."""
    return Wording(WORDS[report.language])
