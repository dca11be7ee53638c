"""The pattern report as Markdown: pure."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.reports.patterns.escaping import escape_markdown
from graphmem.reports.patterns.values import CLAIMS, Entry, PatternReport, Section
from graphmem.reports.patterns.wording import SHOWN_EPISODES, SHOWN_FAILURES, Wording, baseline, wording_of


def markdown_lines(report: PatternReport) -> Iterator[str]:
    """The report, line by line."""
    wording = wording_of(report)
    words = wording.words
    yield from (f"# {words.whole.title.format(escape_markdown(report.tenant))}", "")
    yield from (f"* {sentence}" for sentence in wording.headline(report))
    for warning in wording.warnings(report):
        yield from ("", f"> {escape_markdown(warning)}")
    if not report.sections:
        yield from ("", wording.nothing(report))
    for claim in CLAIMS:
        if report.of_claim(claim):
            yield from ("", f"## {words.claim_titles[claim]}", "", words.claim_about[claim])
            for section in report.of_claim(claim):
                yield from ("", f"### {escape_markdown(section.domain)}", "")
                yield f"{wording.counts(section)}."
                yield ""
                yield from (
                    _claimed(wording, section) if claim in ("success", "failure") else _briefly(wording, section)
                )
                if section.left_out:
                    yield from ("", escape_markdown(wording.left_out(section)))
    yield from _uncovered(wording, report)
    yield from ("", f"## {words.headings.go_on}", "", escape_markdown(words.whole.how_to_try))
    if report.mining is not None:
        yield ""
        yield from (f"* {name}: {escape_markdown(value)}" for name, value in wording.provenance(report.mining))


def _claimed(wording: Wording, section: Section) -> Iterator[str]:
    yield _row("#", *wording.words.headings.claimed)
    yield "|--:|---|---|--:|---|--:|---|---|"
    for number, entry in enumerate(section.entries, 1):
        pattern = entry.pattern
        yield _row(
            number,
            escape_markdown(pattern.title),
            ", ".join(wording.marks(pattern)),
            wording.support(pattern),
            wording.success(pattern),
            baseline(pattern),
            wording.difference(pattern),
            wording.compared_within(pattern),
        )
    for number, entry in enumerate(section.entries, 1):
        yield ""
        yield from _details(wording, number, entry)


def _details(wording: Wording, number: int, entry: Entry) -> Iterator[str]:
    pattern, headings = entry.pattern, wording.words.headings
    yield f"{number}. **{escape_markdown(pattern.title)}**"
    yield from (f"    * {name}: {escape_markdown(value)}" for name, value in wording.facts(pattern))
    yield from (
        f"    * {headings.caution.format(escape_markdown(sentence))}" for sentence in wording.cautions(pattern)
    )
    if pattern.recommendation:
        yield f"    * {headings.recommendation.format(escape_markdown(pattern.recommendation))}"
    yield f"    * {headings.evidence.format(_evidence(wording, entry))}"
    if entry.folded:
        yield f"    * {wording.folded(entry)}"
    yield from (f"    * {line}" for line in _examples(wording, entry))


def _briefly(wording: Wording, section: Section) -> Iterator[str]:
    headings = wording.words.headings
    yield _row("#", *headings.brief)
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
            _evidence(wording, entry),
        )
    for number, entry in enumerate(section.entries, 1):
        if entry.examples:
            yield from ("", f"{number}. {headings.examples}")
            yield from (f"    * {line}" for line in _examples(wording, entry))


def _examples(wording: Wording, entry: Entry) -> Iterator[str]:
    for example in entry.examples:
        steps = "; ".join(
            f"{escape_markdown(step.action)}: {escape_markdown(step.text)}" for step in example.steps
        )
        episode, goal = escape_markdown(example.episode), escape_markdown(example.goal)
        named = wording.words.headings.example.format(episode=episode, goal=goal)
        yield named + (f" ({steps})" if steps else "")


def _uncovered(wording: Wording, report: PatternReport) -> Iterator[str]:
    rest, headings = report.coverage.uncovered, wording.words.headings
    if not rest:
        return
    said = headings.the_rest.format(wording.covers(report.coverage))
    yield from ("", f"## {headings.uncovered}", "", said, "")
    for failed in rest[:SHOWN_FAILURES]:
        yield f"* {escape_markdown(failed.id)}" + (f": {escape_markdown(failed.goal)}" if failed.goal else "")
    if len(rest) > SHOWN_FAILURES:
        left = headings.more_uncovered.format(len(rest) - SHOWN_FAILURES)
        yield f"* {escape_markdown(left)}"


def _evidence(wording: Wording, entry: Entry) -> str:
    shown = ", ".join(map(escape_markdown, entry.pattern.episodes[:SHOWN_EPISODES]))
    left = len(entry.pattern.episodes) - SHOWN_EPISODES
    return shown + (wording.words.figures.and_more.format(left) if left > 0 else "")


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
