"""One pattern, or a table of several, within the HTML report: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.ports.prompt_text import language_of
from graphmem.reports.patterns import wording
from graphmem.reports.patterns.bars import outcome_svg
from graphmem.reports.patterns.escaping import escape_html
from graphmem.reports.patterns.picture import motif_svg
from graphmem.reports.patterns.values import Claim, Entry


def stored(text: str) -> str:
    """Stored text within a page: apart from the direction of the text around it, Korean marked as such."""
    language = ' lang="ko"' if language_of(text) == "ko" else ""
    return f"<bdi{language}>{escape_html(text)}</bdi>"


def article(claim: Claim, number: int, entry: Entry) -> str:
    """A pattern that claims an outcome: picture, outcomes, figures, cautions, recommendation, evidence."""
    return "".join(_article(claim, number, entry))


def brief_table(entries: Sequence[tuple[int, Entry]], heading: str) -> str:
    """Patterns without a claim, a row each and one for its evidence.

    Args:
        entries: With their numbers on the page.
        heading: Id of the heading that names the table.
    """
    rows = "".join(_brief_row(number, entry) for number, entry in entries)
    return (
        f'<div class="scroll" role="region" aria-labelledby="{heading}" tabindex="0"><table><thead><tr>'
        '<th scope="col" class="name">Pattern</th><th scope="col">Seen in</th><th scope="col">Outcomes</th>'
        '<th scope="col" class="number">Smallest difference to be seen</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def ids(named: Iterable[tuple[str, str | None]]) -> str:
    """A list of ids, each with the text that goes with it."""
    items = (
        f"<li><code>{escape_html(name)}</code>{f': {stored(text)}' if text else ''}</li>" for name, text in named
    )
    return f'<ul class="ids">{"".join(items)}</ul>'


def _article(claim: Claim, number: int, entry: Entry) -> Iterator[str]:
    pattern = entry.pattern
    yield f'<article class="{claim}" id="pattern-{number}" aria-labelledby="title-{number}">'
    yield f'<h4 id="title-{number}">{stored(pattern.title)}</h4>'
    yield "<p>" + "".join(f'<span class="mark">{mark}</span>' for mark in wording.marks(pattern)) + "</p>"
    yield f'<div class="parts"><figure>{motif_svg(pattern, f"motif-{number}")}</figure>'
    yield f"<div><figure>{outcome_svg(pattern, f'bar-{number}')}</figure><dl>"
    yield from (f"<dt>{name}</dt><dd>{escape_html(value)}</dd>" for name, value in wording.facts(pattern))
    yield "</dl></div></div>"
    yield from (f'<p class="note">{sentence}</p>' for sentence in wording.cautions(pattern))
    if pattern.recommendation:
        yield f'<p class="try">{stored(pattern.recommendation)}</p>'
    yield f"{_evidence(entry)}{_family(entry)}{_examples(entry)}</article>"


def _brief_row(number: int, entry: Entry) -> str:
    pattern = entry.pattern
    visible = wording.visible(pattern) if pattern.tier == "recurrent" else ""
    return (
        f'<tr id="pattern-{number}"><th scope="row" class="name">{stored(pattern.title)}</th>'
        f"<td>{wording.extent(pattern)}</td><td>{wording.endings(pattern.outcomes)}</td>"
        f'<td class="number">{visible}</td></tr>'
        f'<tr><td colspan="4">{_evidence(entry)}{_family(entry)}{_examples(entry)}</td></tr>'
    )


def _evidence(entry: Entry) -> str:
    episodes = entry.pattern.episodes
    listed = ids((name, None) for name in episodes)
    return f"<details><summary>Evidence: {wording.counted(len(episodes), 'episode')}</summary>{listed}</details>"


def _family(entry: Entry) -> str:
    if not entry.family:
        return ""
    items = "".join(f"<li>{stored(folded.title)}</li>" for folded in entry.family)
    return f"<details><summary>{wording.folded(entry)}</summary><ul>{items}</ul></details>"


def _examples(entry: Entry) -> str:
    if not entry.examples:
        return ""
    parts = []
    for example in entry.examples:
        steps = "".join(f"<li>{stored(step.action)}: {stored(step.text)}</li>" for step in example.steps)
        goal = f"<code>{escape_html(example.episode)}</code>: {stored(example.goal)}"
        parts.append(f"<li>{goal}<ul>{steps}</ul></li>" if steps else f"<li>{goal}</li>")
    return f"<details><summary>Examples with texts</summary><ul>{''.join(parts)}</ul></details>"
