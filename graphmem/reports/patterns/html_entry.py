"""One pattern, or a table of several, within the HTML report: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.ports.prompt_text import Language, language_of
from graphmem.reports.patterns.bars import outcome_svg
from graphmem.reports.patterns.escaping import escape_html
from graphmem.reports.patterns.picture import motif_svg
from graphmem.reports.patterns.values import Claim, Entry
from graphmem.reports.patterns.wording import Wording, counted


def stored(text: str, page: Language = "en") -> str:
    """Stored text within a page: its direction apart from what is around it, its language marked if another."""
    spoken = language_of(text)
    language = "" if spoken == page else f' lang="{spoken}"'
    return f"<bdi{language}>{escape_html(text)}</bdi>"


def article(wording: Wording, claim: Claim, number: int, entry: Entry) -> str:
    """A pattern that claims an outcome: picture, outcomes, figures, cautions, recommendation, evidence."""
    return "".join(_article(wording, claim, number, entry))


def brief_table(wording: Wording, entries: Sequence[tuple[int, Entry]], heading: str) -> str:
    """Patterns without a claim, a row each and one for its evidence.

    Args:
        wording: Of the report.
        entries: With their numbers on the page.
        heading: Id of the heading that names the table.
    """
    rows = "".join(_brief_row(wording, number, entry) for number, entry in entries)
    name, seen, outcomes, visible = wording.words.headings.page_brief
    return (
        f'<div class="scroll" role="region" aria-labelledby="{heading}" tabindex="0"><table><thead><tr>'
        f'<th scope="col" class="name">{name}</th><th scope="col">{seen}</th><th scope="col">{outcomes}</th>'
        f'<th scope="col" class="number">{visible}</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def ids(wording: Wording, named: Iterable[tuple[str, str | None]]) -> str:
    """A list of ids, each with the text that goes with it."""
    items = (
        f"<li><code>{escape_html(name)}</code>{f': {stored(text, wording.words.language)}' if text else ''}</li>"
        for name, text in named
    )
    return f'<ul class="ids">{"".join(items)}</ul>'


def _article(wording: Wording, claim: Claim, number: int, entry: Entry) -> Iterator[str]:
    pattern = entry.pattern
    yield f'<article class="{claim}" id="pattern-{number}" aria-labelledby="title-{number}">'
    yield f'<h4 id="title-{number}">{stored(pattern.title, wording.words.language)}</h4>'
    yield "<p>" + "".join(f'<span class="mark">{mark}</span>' for mark in wording.marks(pattern)) + "</p>"
    yield f'<div class="parts"><figure>{motif_svg(pattern, f"motif-{number}", wording.words)}</figure>'
    yield f"<div><figure>{outcome_svg(wording, pattern, f'bar-{number}')}</figure><dl>"
    yield from (f"<dt>{name}</dt><dd>{escape_html(value)}</dd>" for name, value in wording.facts(pattern))
    yield "</dl></div></div>"
    yield from (f'<p class="note">{sentence}</p>' for sentence in wording.cautions(pattern))
    if pattern.recommendation:
        yield f'<p class="try">{stored(pattern.recommendation, wording.words.language)}</p>'
    yield f"{_foldable(wording, entry)}</article>"


def _brief_row(wording: Wording, number: int, entry: Entry) -> str:
    pattern = entry.pattern
    visible = wording.visible(pattern) if pattern.tier == "recurrent" else ""
    title = stored(pattern.title, wording.words.language)
    return (
        f'<tr id="pattern-{number}"><th scope="row" class="name">{title}</th>'
        f"<td>{wording.extent(pattern)}</td><td>{wording.endings(pattern.outcomes)}</td>"
        f'<td class="number">{visible}</td></tr>'
        f'<tr><td colspan="4">{_foldable(wording, entry)}</td></tr>'
    )


def _foldable(wording: Wording, entry: Entry) -> str:
    return _evidence(wording, entry) + _family(wording, entry) + _examples(wording, entry)


def _evidence(wording: Wording, entry: Entry) -> str:
    episodes = entry.pattern.episodes
    listed = ids(wording, ((name, None) for name in episodes))
    said = wording.words.headings.evidence_of.format(counted(len(episodes), wording.words.episode))
    return f"<details><summary>{said}</summary>{listed}</details>"


def _family(wording: Wording, entry: Entry) -> str:
    if not entry.family:
        return ""
    items = "".join(f"<li>{stored(folded.title, wording.words.language)}</li>" for folded in entry.family)
    return f"<details><summary>{wording.folded(entry)}</summary><ul>{items}</ul></details>"


def _examples(wording: Wording, entry: Entry) -> str:
    if not entry.examples:
        return ""
    parts = []
    for example in entry.examples:
        steps = "".join(
            f"<li>{stored(step.action, wording.words.language)}: {stored(step.text, wording.words.language)}</li>"
            for step in example.steps
        )
        goal = f"<code>{escape_html(example.episode)}</code>: {stored(example.goal, wording.words.language)}"
        parts.append(f"<li>{goal}<ul>{steps}</ul></li>" if steps else f"<li>{goal}</li>")
    said = wording.words.headings.examples_with_texts
    return f"<details><summary>{said}</summary><ul>{''.join(parts)}</ul></details>"
