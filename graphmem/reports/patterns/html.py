"""The pattern report as one HTML page that needs nothing else and lets nothing else in: pure.

Stored text enters through `stored` and `escape_html` only.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.reports.patterns.escaping import escape_html
from graphmem.reports.patterns.html_entry import article, brief_table, ids, stored
from graphmem.reports.patterns.style import STYLE, content_policy
from graphmem.reports.patterns.values import CLAIMS, Claim, Entry, PatternReport
from graphmem.reports.patterns.wording import Wording, baseline, counted, wording_of
from graphmem.reports.patterns.words import Words

Numbered = list[tuple[int, Entry]]

_OVERVIEW_CLASSES = ("name", "", "more", "number more", "number", "number more", "number", "more")

_INTERVAL_KEY = (
    '<li><svg width="26" height="14" aria-hidden="true"><line class="interval" x1="0" y1="7" x2="26" y2="7"/>'
    '<circle class="rate" cx="13" cy="7" r="5"/></svg>{}</li>'
)
_BASELINE_KEY = (
    '<li><svg width="8" height="14" aria-hidden="true"><line class="baseline" x1="4" y1="0" x2="4" y2="14"/>'
    "</svg>{}</li>"
)
_GENERAL_KEY = (
    '<li><svg width="34" height="16" aria-hidden="true"><g class="node action general">'
    '<rect x="2" y="2" width="30" height="12" rx="3"/></g></svg>{}</li>'
)


def html_page(report: PatternReport) -> str:
    """The report as a page, ending with a line feed."""
    wording = wording_of(report)
    title = wording.words.whole.title.format(escape_html(report.tenant))
    return (
        f'<!DOCTYPE html>\n<html lang="{wording.words.language}">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape_html(content_policy())}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="referrer" content="no-referrer"/>\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(_body(wording, report))
        + "\n</body>\n</html>\n"
    )


def _body(wording: Wording, report: PatternReport) -> Iterator[str]:
    yield f"<header><h1>{wording.words.whole.title.format(stored(report.tenant, wording.words.language))}</h1>"
    yield '<ul class="glance">' + "".join(f"<li>{said}</li>" for said in wording.headline(report)) + "</ul>"
    yield from (f'<p class="note">{escape_html(said)}</p>' for said in wording.warnings(report))
    yield "</header>\n<main>"
    numbers = iter(range(1, 1 + sum(len(section.entries) for section in report.sections)))
    numbered = {
        claim: [[(next(numbers), entry) for entry in section.entries] for section in report.of_claim(claim)]
        for claim in CLAIMS
    }
    if not report.sections:
        yield f"<p>{escape_html(wording.nothing(report))}</p>"
    elif numbered["success"] or numbered["failure"]:
        yield from _overview(wording, numbered)
    for claim in CLAIMS:
        if numbered[claim]:
            yield from _claim(wording, report, claim, numbered[claim])
    yield from _uncovered(wording, report)
    yield "</main>"
    yield from _footer(wording, report)


def _overview(wording: Wording, numbered: dict[Claim, list[Numbered]]) -> Iterator[str]:
    headings = wording.words.headings
    yield f'<section aria-labelledby="glance"><h2 id="glance">{headings.glance}</h2>'
    yield '<div class="scroll" role="region" aria-labelledby="glance" tabindex="0"><table>'
    columns = "".join(map(_column, headings.page_overview, _OVERVIEW_CLASSES))
    yield f"<caption>{headings.caption}</caption><thead><tr>{columns}</tr></thead><tbody>"
    claimed: tuple[Claim, ...] = ("success", "failure")
    for claim in claimed:
        for entries in numbered[claim]:
            for number, entry in entries:
                yield _overview_row(wording, claim, number, entry)
    yield "</tbody></table></div></section>"


def _column(name: str, classes: str) -> str:
    held = f' class="{classes}"' if classes else ""
    return f'<th scope="col"{held}>{name}</th>'


def _overview_row(wording: Wording, claim: Claim, number: int, entry: Entry) -> str:
    pattern = entry.pattern
    title = stored(pattern.title, wording.words.language)
    return (
        f'<tr><th scope="row" class="name"><a href="#pattern-{number}">{title}</a></th>'
        f'<td>{wording.words.claims[claim]}</td><td class="more">{", ".join(wording.marks(pattern))}</td>'
        f'<td class="number more">{wording.support(pattern)}</td>'
        f'<td class="number">{wording.success(pattern)}</td>'
        f'<td class="number more">{baseline(pattern)}</td>'
        f'<td class="number">{wording.difference(pattern)}</td>'
        f'<td class="more">{wording.compared_within(pattern)}</td></tr>'
    )


def _claim(wording: Wording, report: PatternReport, claim: Claim, numbered: list[Numbered]) -> Iterator[str]:
    words = wording.words
    is_claimed = claim in ("success", "failure")
    brief = "" if is_claimed else ' class="brief"'
    yield f'<section{brief} aria-labelledby="claim-{claim}">'
    yield f'<h2 id="claim-{claim}">{words.claim_titles[claim]}</h2>'
    yield f"<p>{words.claim_about[claim]}</p>" + (_key(words) if is_claimed else "")
    for place, (section, entries) in enumerate(zip(report.of_claim(claim), numbered, strict=True)):
        yield f'<h3 id="{claim}-{place}">{stored(section.domain, wording.words.language)}</h3>'
        yield f'<p class="soft">{wording.counts(section)}</p>'
        if is_claimed:
            yield from (article(wording, claim, number, entry) for number, entry in entries)
        else:
            yield brief_table(wording, entries, f"{claim}-{place}")
        if section.left_out:
            yield f'<p class="soft">{wording.left_out(section)}</p>'
    yield "</section>"


def _key(words: Words) -> str:
    headings = words.headings
    items = [
        f'<li><svg width="14" height="14" aria-hidden="true"><rect class="{name}" width="14" height="14"/></svg>'
        f"{said}</li>"
        for name, said in words.endings.items()
    ]
    items.append(_INTERVAL_KEY.format(headings.key_interval))
    items.append(_BASELINE_KEY.format(headings.key_baseline))
    items.append(_GENERAL_KEY.format(headings.key_general))
    return f'<ul class="key" aria-label="{headings.key}">{"".join(items)}</ul>'


def _uncovered(wording: Wording, report: PatternReport) -> Iterator[str]:
    rest, headings = report.coverage.uncovered, wording.words.headings
    yield f'<section aria-labelledby="uncovered"><h2 id="uncovered">{headings.uncovered}</h2>'
    yield f"<p>{wording.covers(report.coverage)}.</p>"
    if rest:
        failures = headings.none_covers.format(counted(len(rest), wording.words.failure))
        yield f"<details><summary>{failures}</summary>"
        yield ids(wording, [(failed.id, failed.goal) for failed in rest]) + "</details>"
    yield "</section>"


def _footer(wording: Wording, report: PatternReport) -> Iterator[str]:
    words = wording.words
    yield f'<footer><h2>{words.headings.origin}</h2><p class="try">{words.whole.how_to_try}</p>'
    if report.mining is not None:
        yield "<dl>"
        for name, value in wording.provenance(report.mining):
            yield f"<dt>{name}</dt><dd>{escape_html(value)}</dd>"
        yield "</dl>"
    yield "</footer>"
