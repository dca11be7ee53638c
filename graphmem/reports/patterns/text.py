"""The pattern report as plain text, for a pipe or a file: pure.

Stored text stays on its line: line breaks and control characters within it are shown as escapes.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.ports.prompt_text import one_line
from graphmem.reports.patterns import wording
from graphmem.reports.patterns.values import CLAIMS, Claim, Entry, PatternReport, Section


def text_lines(report: PatternReport) -> Iterator[str]:
    """The report, line by line."""
    yield f"Patterns of tenant {one_line(report.tenant)}"
    yield from (f"  {sentence}" for sentence in wording.headline(report))
    for warning in wording.warnings(report):
        yield f"note: {one_line(warning)}"
    if not report.sections:
        yield from ("", wording.NOTHING_MINED)
    for claim in CLAIMS:
        if report.of_claim(claim):
            yield from ("", wording.TITLES[claim].upper(), wording.ABOUT_CLAIM[claim])
            for section in report.of_claim(claim):
                yield from _section(claim, section)
    yield from _uncovered(report)
    yield from ("", wording.HOW_TO_TRY)
    if report.mining is not None:
        yield ""
        yield from (f"{name}: {one_line(value)}" for name, value in wording.provenance(report.mining))


def evidence(entry: Entry) -> str:
    """The first ids of the evidence, and how many are left."""
    shown = ", ".join(map(one_line, entry.pattern.episodes[: wording.SHOWN_EPISODES]))
    left = len(entry.pattern.episodes) - wording.SHOWN_EPISODES
    return shown + (f" and {left} more" if left > 0 else "")


def _section(claim: Claim, section: Section) -> Iterator[str]:
    yield ""
    yield (
        f"{one_line(section.domain)} ({wording.rate(section.outcomes)}; "
        f"{wording.counted(section.patterns, 'pattern')})"
    )
    for number, entry in enumerate(section.entries, 1):
        yield f"  {number}. {one_line(entry.pattern.title)}"
        details = _details(entry) if claim in ("success", "failure") else _briefly(entry)
        yield from (f"     {line}" for line in details)
    if section.left_out:
        yield f"  {wording.left_out(section)}"


def _details(entry: Entry) -> Iterator[str]:
    pattern = entry.pattern
    yield ", ".join(wording.marks(pattern))
    yield from (f"{name}: {value}" for name, value in wording.facts(pattern))
    yield from (f"caution: {sentence}" for sentence in wording.cautions(pattern))
    if pattern.recommendation:
        yield f"recommendation: {one_line(pattern.recommendation)}"
    yield from _evidence_lines(entry)


def _briefly(entry: Entry) -> Iterator[str]:
    pattern = entry.pattern
    seen = f"{', '.join(wording.marks(pattern))}: {wording.extent(pattern)}: {wording.endings(pattern.outcomes)}"
    yield seen
    if pattern.tier == "recurrent":
        yield f"smallest difference that could have been seen: {wording.visible(pattern)}"
    yield from _evidence_lines(entry)


def _evidence_lines(entry: Entry) -> Iterator[str]:
    yield f"evidence: {evidence(entry)}"
    if entry.folded:
        yield wording.folded(entry)
    for example in entry.examples:
        yield f"example {one_line(example.episode)}: {one_line(example.goal)}"
        yield from (f"  {one_line(step.action)}: {one_line(step.text)}" for step in example.steps)


def _uncovered(report: PatternReport) -> Iterator[str]:
    rest = report.coverage.uncovered
    if not rest:
        return
    yield from ("", "FAILURES THAT NO PATTERN COVERS", f"{wording.covers(report.coverage)}; the rest:")
    for failed in rest[: wording.SHOWN_FAILURES]:
        yield f"  {one_line(failed.id)}" + (f": {one_line(failed.goal)}" if failed.goal else "")
    if len(rest) > wording.SHOWN_FAILURES:
        yield f"  and {len(rest) - wording.SHOWN_FAILURES} more; --format json or html lists all"
