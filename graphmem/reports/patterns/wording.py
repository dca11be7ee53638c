"""The figures of a pattern in words, the same in every form of the report: pure.

A pattern *went with* an outcome, or is *associated with* it; nothing here claims more.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.models.pattern import Interval, OutcomeCounts, Pattern
from graphmem.patterns.advice import vanishes
from graphmem.reports.patterns.values import Claim, Coverage, Entry, MiningFacts, PatternReport, Section

TITLES: dict[Claim, str] = {
    "success": "Went with success",
    "failure": "Went with failure",
    "none": "Recurs, no claim about outcome",
    "candidate": "Candidates, not shown to be more than chance",
}

ABOUT_CLAIM: dict[Claim, str] = {
    "success": "More of the episodes with the pattern succeeded than of comparable ones without it.",
    "failure": "Fewer of the episodes with the pattern succeeded than of comparable ones without it.",
    "none": "More frequent than chance would make them. No claim is not no effect: beside each stands the "
    "smallest difference of success that could have been seen. Those nearest to a claim come first.",
    "candidate": "Found, but not shown to be more frequent than chance would make them.",
}

HOW_TO_TRY = (
    "Every claim is an association among recorded episodes, and says nothing of why. To try one, run with and "
    "without it as two variants, then compare them: graphmem patterns compare A B"
)

_NOTHING_MINED = "No patterns: mine them with `graphmem patterns mine`."
_NOTHING_FOUND = "No patterns: mining found none that these limits let through."


def nothing(report: PatternReport) -> str:
    """What is said where there is no pattern: nobody mined, or there was nothing to find."""
    return _NOTHING_MINED if report.mining is None else _NOTHING_FOUND


SHOWN_EPISODES = 8
"""Ids of evidence in text and Markdown; HTML and JSON hold all."""

SHOWN_FAILURES = 20
"""Ids of failures that no pattern covers in text and Markdown; HTML and JSON hold all."""


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{share:.0%}"


def percent_range(interval: Interval) -> str:
    """An interval of shares."""
    return f"{interval[0]:.0%} to {interval[1]:.0%}"


def points(difference: float) -> str:
    """A difference of two shares, signed."""
    return f"{100 * difference:+.0f} points"


def points_range(interval: Interval) -> str:
    """An interval of differences."""
    return f"{100 * interval[0]:+.0f} to {100 * interval[1]:+.0f}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A count with its noun."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def endings(outcomes: OutcomeCounts) -> str:
    """Episodes by outcome, those that occur."""
    return ", ".join(f"{count} {name}" for name, count in outcomes.model_dump().items() if count) or "none"


def rate(outcomes: OutcomeCounts) -> str:
    """How many of those with a known outcome succeeded."""
    known = outcomes.success + outcomes.partial + outcomes.failure
    if not known:
        return "no known outcomes"
    return (
        f"success in {outcomes.success} of {known} episodes with a known outcome ({outcomes.success / known:.0%})"
    )


def support(pattern: Pattern) -> str:
    """Episodes of a pattern, as a lower bound where it is one."""
    return f"at least {pattern.support}" if pattern.support_is_lower_bound else str(pattern.support)


def extent(pattern: Pattern) -> str:
    """Episodes, tasks and users of a pattern."""
    parts = [f"{support(pattern)} episode{'' if pattern.support == 1 else 's'}", counted(pattern.tasks, "task")]
    return ", ".join([*parts, *([counted(pattern.users, "user")] if pattern.users else [])])


def success(pattern: Pattern) -> str:
    """The success rate with its interval, for a cell."""
    if pattern.success_rate is None:
        return ""
    spread = f" ({percent_range(pattern.interval)})" if pattern.interval else ""
    return percent(pattern.success_rate) + spread


def baseline(pattern: Pattern) -> str:
    """The success rate of comparable episodes, for a cell."""
    return "" if pattern.baseline is None else percent(pattern.baseline)


def difference(pattern: Pattern) -> str:
    """The difference from comparable episodes, for a cell."""
    return "" if pattern.risk_difference is None else points(pattern.risk_difference)


def facts(pattern: Pattern) -> Iterator[tuple[str, str]]:
    """What is known of a pattern, as pairs of a name and a sentence part; nothing of it is stored text."""
    yield "seen in", f"{extent(pattern)}: {endings(pattern.outcomes)}"
    if pattern.success_rate is not None and pattern.interval is not None:
        yield "success", f"{percent(pattern.success_rate)} (95 % interval {percent_range(pattern.interval)})"
    if pattern.strata is not None and pattern.risk_difference is not None:
        yield "difference", _compared(pattern)
    if pattern.polarity is not None and pattern.p_outcome_adjusted is not None:
        yield "how sure", f"{pattern.tier}, adjusted p {probability(pattern.p_outcome_adjusted)}"
    if pattern.polarity is None and pattern.tier == "recurrent":
        yield "smallest difference that could have been seen", visible(pattern)
    if pattern.length_adjusted is not None and pattern.polarity is not None:
        yield "among episodes of like length", _adjusted(pattern)
    if pattern.replication is not None and pattern.polarity is not None:
        yield "later episodes", _replicated(pattern)


def visible(pattern: Pattern) -> str:
    """The smallest difference that could have been seen."""
    return "none" if pattern.visible_difference is None else f"{100 * pattern.visible_difference:.0f} points"


def probability(p: float) -> str:
    """A p value as readers write it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def cautions(pattern: Pattern) -> Iterator[str]:
    """What a reader must keep in mind, a sentence each."""
    if pattern.late:
        yield "late: stands in the last fifth of its episodes, where it may tell how they end; no recommendation"
    if pattern.hindsight:
        yield "recorded with hindsight: what fixed something was known only afterwards"
    if pattern.single_user:
        yield "seen with one user only, or hardly with any other; no recommendation"
    if pattern.polarity is not None and vanishes(pattern.length_adjusted):
        yield "not told apart from the length of the episodes; no recommendation"
    if pattern.support_is_lower_bound:
        yield "the number of episodes is a lower bound: a limit of the search was reached"


def marks(pattern: Pattern) -> list[str]:
    """The tier and, in a word each, the cautions."""
    flags = (
        ("late", bool(pattern.late)),
        ("hindsight", pattern.hindsight),
        ("one user", pattern.single_user),
        ("lower bound", pattern.support_is_lower_bound),
    )
    return [pattern.tier, *(word for word, holds in flags if holds)]


def compared_within(pattern: Pattern) -> str:
    """Within what the outcomes were compared."""
    if pattern.strata is None:
        return "not compared"
    if pattern.strata.by == "task":
        return f"compared within task ({pattern.strata.informative} informative)"
    return "compared within domain only"


def folded(entry: Entry) -> str:
    """How many patterns are folded under one."""
    return f"and {entry.folded} more over nearly the same episodes"


def left_out(section: Section) -> str:
    """What is not shown."""
    return f"{section.left_out} more not shown: --most N shows N"


def covers(coverage: Coverage) -> str:
    """Which failures the claims reach."""
    if not coverage.failures:
        return "no closed episode in scope failed"
    said = f"significant patterns cover {coverage.covered} of {counted(coverage.failures, 'failure')}"
    late = f" ({coverage.only_late} of them by late patterns alone)" if coverage.only_late else ""
    return said + late


def headline(report: PatternReport) -> list[str]:
    """The report at a glance, a sentence each."""
    claims = {claim: report.claims.get(claim, 0) for claim in TITLES}
    tested = report.mining.tested if report.mining else 0
    family = f" of {counted(tested, 'pattern')} tested" if tested else ""
    return [
        f"{counted(report.episodes, 'closed episode')}: {endings(report.outcomes)}",
        f"{claims['success']} went with success and {claims['failure']} with failure{family}; "
        f"{claims['none']} recur without a claim"
        + (f"; {claims['candidate']} candidates" * bool(claims["candidate"])),
        covers(report.coverage),
    ]


def tiers(report: PatternReport) -> str:
    """Patterns by tier."""
    return ", ".join(f"{count} {tier}" for tier, count in report.tiers.items()) or "none"


def warnings(report: PatternReport) -> Iterator[str]:
    """What limits the whole report, a sentence each."""
    yield from report.notes
    mining = report.mining
    if mining is not None:
        if mining.stale:
            yield (
                "Stale: episodes were added, closed or removed after these patterns were mined; "
                "run graphmem patterns mine"
            )
        if mining.incomplete:
            yield f"Incomplete: {mining.incomplete}"
        if mining.capped:
            number = counted(mining.capped, "episode")
            yield f"Capped: {number} held more occurrences of a motif than were kept"
        if mining.set_aside:
            yield (
                f"Set aside: {counted(mining.set_aside, 'pattern')} in the same episodes as others that are kept, "
                "or beyond the number that is kept; see mining.max_alike and mining.max_motifs"
            )
    if report.min_users is not None:
        yield f"Labels of fewer than {report.min_users} users are hidden; ids of evidence are not"


def provenance(mining: MiningFacts) -> Iterator[tuple[str, str]]:
    """What the figures were computed from, and how."""
    yield "mined", f"{mining.at}, {ordinal(mining.look)} look at these data" if mining.look else mining.at
    limits = ", ".join(f"{name} {value}" for name, value in mining.limits.items())
    yield "episodes", f"{counted(mining.episodes, 'closed episode')}" + (f" of {limits}" if limits else "")
    yield "patterns tested", f"{mining.tested}, as one family"
    if mining.permutations is not None:
        yield "permutations", f"{mining.permutations}, seed {mining.seed}"
    yield "policy", mining.policy[:12]
    yield "run", mining.run


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _compared(pattern: Pattern) -> str:
    against = f" against a baseline of {percent(pattern.baseline)}" if pattern.baseline is not None else ""
    spread = f" (95 % interval {points_range(pattern.risk_interval)})" if pattern.risk_interval else ""
    return f"{points(pattern.risk_difference or 0.0)}{spread}{against}, {compared_within(pattern)}"


def _adjusted(pattern: Pattern) -> str:
    adjusted = pattern.length_adjusted
    if adjusted is None or adjusted.risk_difference is None:
        return "not comparable"
    spread = f" ({points_range(adjusted.interval)})" if adjusted.interval else ""
    return f"difference {points(adjusted.risk_difference)}{spread}, adjusted p {probability(adjusted.p)}"


def _replicated(pattern: Pattern) -> str:
    later = pattern.replication
    if later is None or not later.episodes:
        return "none yet"
    sure = f", one-sided p {probability(later.p)}" if later.p is not None else ""
    verdict = "replicated" if pattern.tier == "replicated" else "not replicated so far"
    return f"{later.successes} of {later.episodes} succeeded: {verdict}{sure}"
