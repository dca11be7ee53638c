"""The pattern report as plain text, for a pipe or a file, and its parts for a terminal: pure.

Stored text stays on its line: line breaks and control characters within it are shown as escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graphmem.language.cell_width import cell_width
from graphmem.ports.prompt_text import one_line
from graphmem.reports.patterns import wording
from graphmem.reports.patterns.values import CLAIMS, Claim, Entry, PatternReport, Section

OVERVIEW = ("went with", "tier", "episodes", "success", "baseline", "difference", "pattern")
"""Columns of the table of what claims an outcome."""


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
        yield from _aligned([OVERVIEW, *rows])
    for branch in outline(report):
        yield ""
        yield branch.text
        yield from _indented(branch.parts, "  ")
    yield from foot_lines(report)


def head_lines(report: PatternReport) -> Iterator[str]:
    """The report at a glance, and what limits it."""
    yield f"Patterns of tenant {one_line(report.tenant)}"
    yield from (f"  {sentence}" for sentence in wording.headline(report))
    yield from (f"note: {one_line(warning)}" for warning in wording.warnings(report))
    if not report.sections:
        yield from ("", wording.nothing(report))


def foot_lines(report: PatternReport) -> Iterator[str]:
    """How to go on, and where the figures come from."""
    yield from ("", wording.HOW_TO_TRY)
    if report.mining is not None:
        yield ""
        yield from (f"{name}: {one_line(value)}" for name, value in wording.provenance(report.mining))


def overview(report: PatternReport) -> list[tuple[str, ...]]:
    """A row of `OVERVIEW` for each pattern shown that claims an outcome."""
    return [
        (
            section.claim,
            ", ".join(wording.marks(entry.pattern)),
            wording.support(entry.pattern),
            wording.success(entry.pattern),
            wording.baseline(entry.pattern),
            wording.difference(entry.pattern),
            one_line(entry.pattern.title),
        )
        for section in report.sections
        if section.claim in ("success", "failure")
        for entry in section.entries
    ]


def outline(report: PatternReport) -> Iterator[Branch]:
    """What went with what, by claim and domain, and the failures that are left."""
    for claim in CLAIMS:
        sections = report.of_claim(claim)
        if sections:
            about = Branch(wording.ABOUT_CLAIM[claim])
            yield Branch(wording.TITLES[claim].upper(), (about, *(_section(claim, one) for one in sections)))
    rest = report.coverage.uncovered
    if rest:
        shown = [
            Branch(one_line(failed.id) + (f": {one_line(failed.goal)}" if failed.goal else ""))
            for failed in rest[: wording.SHOWN_FAILURES]
        ]
        if len(rest) > len(shown):
            shown.append(Branch(f"and {len(rest) - len(shown)} more; --format json or html lists all"))
        said = Branch(f"{wording.covers(report.coverage)}; the rest:", tuple(shown))
        yield Branch("FAILURES THAT NO PATTERN COVERS", (said,))


def _section(claim: Claim, section: Section) -> Branch:
    heading = (
        f"{one_line(section.domain)} ({wording.rate(section.outcomes)}; "
        f"{wording.counted(section.patterns, 'pattern')})"
    )
    entries = [
        Branch(
            f"{number}. {one_line(entry.pattern.title)}",
            tuple(_details(entry) if claim in ("success", "failure") else _briefly(entry)),
        )
        for number, entry in enumerate(section.entries, 1)
    ]
    if section.left_out:
        entries.append(Branch(wording.left_out(section)))
    return Branch(heading, tuple(entries))


def _details(entry: Entry) -> Iterator[Branch]:
    pattern = entry.pattern
    yield Branch(", ".join(wording.marks(pattern)))
    yield from (Branch(f"{name}: {value}") for name, value in wording.facts(pattern))
    yield from (Branch(f"caution: {sentence}") for sentence in wording.cautions(pattern))
    if pattern.recommendation:
        yield Branch(f"recommendation: {one_line(pattern.recommendation)}")
    yield from _evidence(entry)


def _briefly(entry: Entry) -> Iterator[Branch]:
    pattern = entry.pattern
    marks = ", ".join(wording.marks(pattern))
    yield Branch(f"{marks}: {wording.extent(pattern)}: {wording.endings(pattern.outcomes)}")
    if pattern.tier == "recurrent":
        yield Branch(f"smallest difference that could have been seen: {wording.visible(pattern)}")
    yield from _evidence(entry)


def _evidence(entry: Entry) -> Iterator[Branch]:
    episodes = entry.pattern.episodes
    shown = ", ".join(map(one_line, episodes[: wording.SHOWN_EPISODES]))
    left = len(episodes) - wording.SHOWN_EPISODES
    yield Branch(f"evidence: {shown}" + (f" and {left} more" if left > 0 else ""))
    if entry.folded:
        yield Branch(wording.folded(entry))
    for example in entry.examples:
        steps = tuple(Branch(f"{one_line(step.action)}: {one_line(step.text)}") for step in example.steps)
        yield Branch(f"example {one_line(example.episode)}: {one_line(example.goal)}", steps)


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
