"""The pattern report as plain text, for a pipe or a file, and its parts for a terminal: pure.

Stored text stays on its line: line breaks and control characters within it are shown as escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graphmem.language.cell_width import cell_width
from graphmem.ports.prompt_text import one_line
from graphmem.reports.patterns.values import CLAIMS, Claim, Entry, PatternReport, Section
from graphmem.reports.patterns.wording import SHOWN_EPISODES, SHOWN_FAILURES, Wording, baseline, wording_of


class Branch(NamedTuple):
    """A line with the lines under it."""

    text: str
    parts: tuple[Branch, ...] = ()


def text_lines(report: PatternReport) -> Iterator[str]:
    """The report, line by line."""
    yield from head_lines(report)
    rows = overview(report)
    if rows:
        yield ""
        yield from _aligned([columns(report), *rows])
    for branch in outline(report):
        yield ""
        yield branch.text
        yield from _indented(branch.parts, "  ")
    yield from foot_lines(report)


def head_lines(report: PatternReport) -> Iterator[str]:
    """The report at a glance, and what limits it."""
    wording = wording_of(report)
    words = wording.words
    yield words.whole.title.format(one_line(report.tenant))
    yield from (f"  {sentence}" for sentence in wording.headline(report))
    yield from (words.headings.note.format(one_line(warning)) for warning in wording.warnings(report))
    if not report.sections:
        yield from ("", wording.nothing(report))


def foot_lines(report: PatternReport) -> Iterator[str]:
    """How to go on, and where the figures come from."""
    wording = wording_of(report)
    yield from ("", wording.words.whole.how_to_try)
    if report.mining is not None:
        yield ""
        yield from (f"{name}: {one_line(value)}" for name, value in wording.provenance(report.mining))


def columns(report: PatternReport) -> tuple[str, ...]:
    """What stands above the columns of the overview."""
    return wording_of(report).words.headings.overview


def overview(report: PatternReport) -> list[tuple[str, ...]]:
    """A row for each pattern shown that claims an outcome, in the order of `columns`."""
    wording = wording_of(report)
    return [
        (
            wording.words.claims[section.claim],
            ", ".join(wording.marks(entry.pattern)),
            wording.support(entry.pattern),
            wording.success(entry.pattern),
            baseline(entry.pattern),
            wording.difference(entry.pattern),
            one_line(entry.pattern.title),
        )
        for section in report.sections
        if section.claim in ("success", "failure")
        for entry in section.entries
    ]


def outline(report: PatternReport) -> Iterator[Branch]:
    """What went with what, by claim and domain, and the failures that are left."""
    wording = wording_of(report)
    words = wording.words
    for claim in CLAIMS:
        sections = report.of_claim(claim)
        if sections:
            parts = (Branch(words.claim_about[claim]), *(_section(wording, claim, one) for one in sections))
            yield Branch(words.claim_titles[claim].upper(), parts)
    rest = report.coverage.uncovered
    if rest:
        shown = [
            Branch(one_line(failed.id) + (f": {one_line(failed.goal)}" if failed.goal else ""))
            for failed in rest[:SHOWN_FAILURES]
        ]
        if len(rest) > len(shown):
            shown.append(Branch(words.headings.more_uncovered.format(len(rest) - len(shown))))
        said = Branch(words.headings.the_rest.format(wording.covers(report.coverage)), tuple(shown))
        yield Branch(words.headings.uncovered.upper(), (said,))


def _section(wording: Wording, claim: Claim, section: Section) -> Branch:
    heading = f"{one_line(section.domain)} ({wording.counts(section)})"
    entries = [
        Branch(
            f"{number}. {one_line(entry.pattern.title)}",
            tuple(_details(wording, entry) if claim in ("success", "failure") else _briefly(wording, entry)),
        )
        for number, entry in enumerate(section.entries, 1)
    ]
    if section.left_out:
        entries.append(Branch(wording.left_out(section)))
    return Branch(heading, tuple(entries))


def _details(wording: Wording, entry: Entry) -> Iterator[Branch]:
    pattern, headings = entry.pattern, wording.words.headings
    yield Branch(", ".join(wording.marks(pattern)))
    yield from (Branch(f"{name}: {value}") for name, value in wording.facts(pattern))
    yield from (Branch(headings.caution.format(sentence)) for sentence in wording.cautions(pattern))
    if pattern.recommendation:
        yield Branch(headings.recommendation.format(one_line(pattern.recommendation)))
    yield from _evidence(wording, entry)


def _briefly(wording: Wording, entry: Entry) -> Iterator[Branch]:
    pattern = entry.pattern
    marks = ", ".join(wording.marks(pattern))
    yield Branch(f"{marks}: {wording.extent(pattern)}: {wording.endings(pattern.outcomes)}")
    if pattern.tier == "recurrent":
        yield Branch(f"{wording.words.facts.visible}: {wording.visible(pattern)}")
    yield from _evidence(wording, entry)


def _evidence(wording: Wording, entry: Entry) -> Iterator[Branch]:
    episodes, headings = entry.pattern.episodes, wording.words.headings
    shown = ", ".join(map(one_line, episodes[:SHOWN_EPISODES]))
    left = len(episodes) - SHOWN_EPISODES
    more = wording.words.figures.and_more.format(left) if left > 0 else ""
    yield Branch(headings.evidence.format(shown + more))
    if entry.folded:
        yield Branch(wording.folded(entry))
    for example in entry.examples:
        steps = tuple(Branch(f"{one_line(step.action)}: {one_line(step.text)}") for step in example.steps)
        named = headings.example.format(episode=one_line(example.episode), goal=one_line(example.goal))
        yield Branch(named, steps)


def _indented(branches: Iterable[Branch], indent: str) -> Iterator[str]:
    for branch in branches:
        yield f"{indent}{branch.text}"
        yield from _indented(branch.parts, f"{indent}  ")


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Columns of one width each; the last one, which may be long, needs none."""
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(padded).rstrip()
