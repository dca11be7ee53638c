"""The pattern report as one HTML page that needs nothing else and lets nothing else in: pure.

Stored text enters through `stored` and `escape_html` only.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.reports.patterns import wording
from graphmem.reports.patterns.escaping import escape_html
from graphmem.reports.patterns.html_entry import article, brief_table, ids, stored
from graphmem.reports.patterns.style import STYLE, content_policy
from graphmem.reports.patterns.values import CLAIMS, Claim, Entry, PatternReport

Numbered = list[tuple[int, Entry]]

_OUTCOMES = ("success", "partial", "failure", "unknown")

_INTERVAL_KEY = (
    '<li><svg width="26" height="14" aria-hidden="true"><line class="interval" x1="0" y1="7" x2="26" y2="7"/>'
    '<circle class="rate" cx="13" cy="7" r="5"/></svg>success with its 95 % interval</li>'
)
_BASELINE_KEY = (
    '<li><svg width="8" height="14" aria-hidden="true"><line class="baseline" x1="4" y1="0" x2="4" y2="14"/>'
    "</svg>baseline: success among comparable episodes</li>"
)
_GENERAL_KEY = (
    '<li><svg width="34" height="16" aria-hidden="true"><g class="node action general">'
    '<rect x="2" y="2" width="30" height="12" rx="3"/></g></svg>generalised: it or a kind of it</li>'
)


def html_page(report: PatternReport) -> str:
    """The report as a page, ending with a line feed."""
    title = f"Patterns of tenant {escape_html(report.tenant)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape_html(content_policy())}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="referrer" content="no-referrer"/>\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(_body(report))
        + "\n</body>\n</html>\n"
    )


def _body(report: PatternReport) -> Iterator[str]:
    yield f"<header><h1>Patterns of tenant {stored(report.tenant)}</h1>"
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
        yield from _overview(numbered)
    for claim in CLAIMS:
        if numbered[claim]:
            yield from _claim(report, claim, numbered[claim])
    yield from _uncovered(report)
    yield "</main>"
    yield from _footer(report)


def _overview(numbered: dict[Claim, list[Numbered]]) -> Iterator[str]:
    yield '<section aria-labelledby="glance"><h2 id="glance">At a glance</h2>'
    yield '<div class="scroll" role="region" aria-labelledby="glance" tabindex="0"><table>'
    yield "<caption>What went with success and what with failure, the surest first within a domain</caption>"
    yield (
        '<thead><tr><th scope="col" class="name">Pattern</th><th scope="col">Went with</th>'
        '<th scope="col" class="more">Tier</th><th scope="col" class="number more">Episodes</th>'
        '<th scope="col" class="number">Success</th><th scope="col" class="number more">Baseline</th>'
        '<th scope="col" class="number">Difference</th><th scope="col" class="more">Compared</th>'
        "</tr></thead><tbody>"
    )
    claimed: tuple[Claim, ...] = ("success", "failure")
    for claim in claimed:
        for entries in numbered[claim]:
            for number, entry in entries:
                yield _overview_row(claim, number, entry)
    yield "</tbody></table></div></section>"


def _overview_row(claim: Claim, number: int, entry: Entry) -> str:
    pattern = entry.pattern
    return (
        f'<tr><th scope="row" class="name"><a href="#pattern-{number}">{stored(pattern.title)}</a></th>'
        f'<td>{claim}</td><td class="more">{", ".join(wording.marks(pattern))}</td>'
        f'<td class="number more">{wording.support(pattern)}</td>'
        f'<td class="number">{wording.success(pattern)}</td>'
        f'<td class="number more">{wording.baseline(pattern)}</td>'
        f'<td class="number">{wording.difference(pattern)}</td>'
        f'<td class="more">{wording.compared_within(pattern)}</td></tr>'
    )


def _claim(report: PatternReport, claim: Claim, numbered: list[Numbered]) -> Iterator[str]:
    is_claimed = claim in ("success", "failure")
    brief = "" if is_claimed else ' class="brief"'
    yield f'<section{brief} aria-labelledby="claim-{claim}"><h2 id="claim-{claim}">{wording.TITLES[claim]}</h2>'
    yield f"<p>{wording.ABOUT_CLAIM[claim]}</p>" + (_key() if is_claimed else "")
    for place, (section, entries) in enumerate(zip(report.of_claim(claim), numbered, strict=True)):
        yield f'<h3 id="{claim}-{place}">{stored(section.domain)}</h3>'
        yield (
            f'<p class="soft">{wording.rate(section.outcomes)}; {wording.counted(section.patterns, "pattern")}</p>'
        )
        if is_claimed:
            yield from (article(claim, number, entry) for number, entry in entries)
        else:
            yield brief_table(entries, f"{claim}-{place}")
        if section.left_out:
            yield f'<p class="soft">{wording.left_out(section)}</p>'
    yield "</section>"


def _key() -> str:
    items = [
        f'<li><svg width="14" height="14" aria-hidden="true"><rect class="{name}" width="14" height="14"/></svg>'
        f"{name}</li>"
        for name in _OUTCOMES
    ]
    items += [_INTERVAL_KEY, _BASELINE_KEY, _GENERAL_KEY]
    return f'<ul class="key" aria-label="Key to the pictures">{"".join(items)}</ul>'


def _uncovered(report: PatternReport) -> Iterator[str]:
    rest = report.coverage.uncovered
    yield '<section aria-labelledby="uncovered"><h2 id="uncovered">Failures that no pattern covers</h2>'
    yield f"<p>{wording.covers(report.coverage)}.</p>"
    if rest:
        yield f"<details><summary>{wording.counted(len(rest), 'failure')} that none covers</summary>"
        yield ids([(failed.id, failed.goal) for failed in rest]) + "</details>"
    yield "</section>"


def _footer(report: PatternReport) -> Iterator[str]:
    yield f'<footer><h2>How to go on, and where this comes from</h2><p class="try">{wording.HOW_TO_TRY}</p>'
    if report.mining is not None:
        yield "<dl>"
        for name, value in wording.provenance(report.mining):
            yield f"<dt>{name}</dt><dd>{escape_html(value)}</dd>"
        yield "</dl>"
    yield "</footer>"
