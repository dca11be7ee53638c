"""The pattern report as Markdown: pure."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.reports.patterns import wording
from graphmem.reports.patterns.escaping import escape_markdown
from graphmem.reports.patterns.values import CLAIMS, Entry, PatternReport, Section


def markdown_lines(report: PatternReport) -> Iterator[str]:
    """The report, line by line."""
    yield from (f"# Patterns of tenant {escape_markdown(report.tenant)}", "")
    yield from (f"* {sentence}" for sentence in wording.headline(report))
    for warning in wording.warnings(report):
        yield from ("", f"> {escape_markdown(warning)}")
    if not report.sections:
        yield from ("", wording.nothing(report))
    for claim in CLAIMS:
        if report.of_claim(claim):
            yield from ("", f"## {wording.TITLES[claim]}", "", wording.ABOUT_CLAIM[claim])
            for section in report.of_claim(claim):
                yield from ("", f"### {escape_markdown(section.domain)}", "")
                yield f"{wording.rate(section.outcomes)}; {wording.counted(section.patterns, 'pattern')}."
                yield ""
                yield from _claimed(section) if claim in ("success", "failure") else _briefly(section)
                if section.left_out:
                    yield from ("", escape_markdown(wording.left_out(section)))
    yield from _uncovered(report)
    yield from ("", "## How to go on", "", escape_markdown(wording.HOW_TO_TRY))
    if report.mining is not None:
        yield ""
        yield from (f"* {name}: {escape_markdown(value)}" for name, value in wording.provenance(report.mining))


def _claimed(section: Section) -> Iterator[str]:
    yield "| # | pattern | tier | episodes | success (95 % interval) | baseline | difference | compared |"
    yield "|--:|---|---|--:|---|--:|---|---|"
    for number, entry in enumerate(section.entries, 1):
        pattern = entry.pattern
        yield _row(
            number,
            escape_markdown(pattern.title),
            ", ".join(wording.marks(pattern)),
            wording.support(pattern),
            wording.success(pattern),
            wording.baseline(pattern),
            wording.difference(pattern),
            wording.compared_within(pattern),
        )
    for number, entry in enumerate(section.entries, 1):
        yield ""
        yield from _details(number, entry)


def _details(number: int, entry: Entry) -> Iterator[str]:
    pattern = entry.pattern
    yield f"{number}. **{escape_markdown(pattern.title)}**"
    yield from (f"    * {name}: {escape_markdown(value)}" for name, value in wording.facts(pattern))
    yield from (f"    * caution: {escape_markdown(sentence)}" for sentence in wording.cautions(pattern))
    if pattern.recommendation:
        yield f"    * recommendation: {escape_markdown(pattern.recommendation)}"
    yield f"    * evidence: {_evidence(entry)}"
    if entry.folded:
        yield f"    * {wording.folded(entry)}"
    yield from (f"    * {line}" for line in _examples(entry))


def _briefly(section: Section) -> Iterator[str]:
    yield "| # | pattern | tier | episodes | tasks | outcomes | smallest difference to be seen | evidence |"
    yield "|--:|---|---|--:|--:|---|--:|---|"
    for number, entry in enumerate(section.entries, 1):
        pattern = entry.pattern
        yield _row(
            number,
            escape_markdown(pattern.title) + (f" ({wording.folded(entry)})" if entry.folded else ""),
            ", ".join(wording.marks(pattern)),
            wording.support(pattern),
            pattern.tasks,
            wording.endings(pattern.outcomes),
            wording.visible(pattern) if pattern.tier == "recurrent" else "",
            _evidence(entry),
        )
    for number, entry in enumerate(section.entries, 1):
        if entry.examples:
            yield from ("", f"{number}. Examples")
            yield from (f"    * {line}" for line in _examples(entry))


def _examples(entry: Entry) -> Iterator[str]:
    for example in entry.examples:
        steps = "; ".join(
            f"{escape_markdown(step.action)}: {escape_markdown(step.text)}" for step in example.steps
        )
        yield f"example {escape_markdown(example.episode)}: {escape_markdown(example.goal)}" + (
            f" ({steps})" if steps else ""
        )


def _uncovered(report: PatternReport) -> Iterator[str]:
    rest = report.coverage.uncovered
    if not rest:
        return
    yield from ("", "## Failures that no pattern covers", "", f"{wording.covers(report.coverage)}; the rest:", "")
    for failed in rest[: wording.SHOWN_FAILURES]:
        yield f"* {escape_markdown(failed.id)}" + (f": {escape_markdown(failed.goal)}" if failed.goal else "")
    if len(rest) > wording.SHOWN_FAILURES:
        left = f"and {len(rest) - wording.SHOWN_FAILURES} more; --format json or html lists all"
        yield f"* {escape_markdown(left)}"


def _evidence(entry: Entry) -> str:
    shown = ", ".join(map(escape_markdown, entry.pattern.episodes[: wording.SHOWN_EPISODES]))
    left = len(entry.pattern.episodes) - wording.SHOWN_EPISODES
    return shown + (f" and {left} more" if left > 0 else "")


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
