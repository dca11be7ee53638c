"""A pattern report as text, Markdown or JSON: pure.

Labels are stored text: in Markdown their marks are escaped and they stay on one line; plain text leaves
control characters to whoever prints it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, assert_never

from graphmem.models.pattern import OutcomeCounts, Pattern
from graphmem.reports.pattern_report import Entry, PatternReport, Section

ReportFormat = Literal["text", "md", "json"]

SHOWN_EPISODES = 8
"""Ids of evidence in text and Markdown; JSON holds all."""

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&~=:@/])")


def render_report(report: PatternReport, form: ReportFormat) -> str:
    """The report in one of its forms, ending with a line feed."""
    match form:
        case "text":
            return "\n".join(_text(report)) + "\n"
        case "md":
            return "\n".join(_markdown(report)) + "\n"
        case "json":
            return json.dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n"
        case _:
            assert_never(form)


def escape_markdown(text: str) -> str:
    """Stored text as Markdown that shows it literally, on one line.

    Control and format characters are dropped, blanks of any kind become one blank, and every mark that
    Markdown or HTML could read is escaped.
    """
    plain = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    return _MARKS.sub(_escaped, " ".join(plain.split()))


def _escaped(match: re.Match[str]) -> str:
    entity = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return entity.get(match[1], f"\\{match[1]}")


def _text(report: PatternReport) -> Iterator[str]:
    yield f"Patterns of tenant {report.tenant}"
    yield f"{report.episodes} closed episodes: {_endings(report.outcomes)}"
    yield f"patterns: {_tiers(report)}"
    for note in report.notes:
        yield f"note: {note}"
    for section in report.sections:
        yield ""
        yield f"{section.domain} ({_rate(section.outcomes)}; {section.patterns} patterns)"
        for number, entry in enumerate(section.entries, 1):
            yield f"  {number}. {entry.pattern.title}"
            yield f"     {_facts(entry.pattern)}"
            yield f"     evidence: {_evidence(entry.pattern)}"
            if entry.folded:
                yield f"     {_folded(entry)}"
    if not report.sections:
        yield ""
        yield "No patterns: mine them with `graphmem patterns mine`."


def _markdown(report: PatternReport) -> Iterator[str]:
    yield f"# Patterns of tenant {escape_markdown(report.tenant)}"
    yield ""
    yield f"{report.episodes} closed episodes: {_endings(report.outcomes)}."
    yield f"Patterns: {_tiers(report)}."
    for note in report.notes:
        yield ""
        yield f"> {escape_markdown(note)}"
    for section in report.sections:
        yield ""
        yield from _markdown_section(section)
    if not report.sections:
        yield ""
        yield "No patterns: mine them with `graphmem patterns mine`."


def _markdown_section(section: Section) -> Iterator[str]:
    yield f"## {escape_markdown(section.domain)}"
    yield ""
    yield f"{_rate(section.outcomes)}; {section.patterns} patterns."
    yield ""
    yield "| # | pattern | tier | episodes | tasks | success | partial | failure | unknown | evidence |"
    yield "|--:|---|---|--:|--:|--:|--:|--:|--:|---|"
    for number, entry in enumerate(section.entries, 1):
        pattern, outcomes = entry.pattern, entry.pattern.outcomes
        title = escape_markdown(pattern.title) + (f" ({_folded(entry)})" if entry.folded else "")
        cells = (
            number,
            title,
            pattern.tier,
            _support(pattern),
            pattern.tasks,
            outcomes.success,
            outcomes.partial,
            outcomes.failure,
            outcomes.unknown,
            escape_markdown(_evidence(pattern)),
        )
        yield "| " + " | ".join(map(str, cells)) + " |"


def _facts(pattern: Pattern) -> str:
    tasks = "1 task" if pattern.tasks == 1 else f"{pattern.tasks} tasks"
    return f"{pattern.tier}: {_support(pattern)} episodes, {tasks}: {_endings(pattern.outcomes)}"


def _support(pattern: Pattern) -> str:
    return f"at least {pattern.support}" if pattern.support_is_lower_bound else str(pattern.support)


def _endings(outcomes: OutcomeCounts) -> str:
    return ", ".join(f"{count} {name}" for name, count in outcomes.model_dump().items() if count) or "none"


def _rate(outcomes: OutcomeCounts) -> str:
    known = outcomes.success + outcomes.partial + outcomes.failure
    if not known:
        return "no known outcomes"
    return (
        f"success in {outcomes.success} of {known} episodes with a known outcome ({outcomes.success / known:.0%})"
    )


def _tiers(report: PatternReport) -> str:
    return ", ".join(f"{count} {tier}" for tier, count in report.tiers.items()) or "none"


def _folded(entry: Entry) -> str:
    return f"and {entry.folded} more over nearly the same episodes"


def _evidence(pattern: Pattern) -> str:
    shown = ", ".join(pattern.episodes[:SHOWN_EPISODES])
    left = len(pattern.episodes) - SHOWN_EPISODES
    return shown + (f" and {left} more" if left > 0 else "")
