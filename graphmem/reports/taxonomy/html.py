"""A concept or its tree as one HTML page that needs nothing else and lets nothing else in: pure.

Stored text enters through `stored` alone, as in the pattern report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphmem.concepts.standing import Standing, Witness
from graphmem.concepts.views import ConceptTree, ConceptView
from graphmem.reports.patterns.escaping import escape_html
from graphmem.reports.patterns.html_entry import stored
from graphmem.reports.patterns.style import content_policy
from graphmem.reports.taxonomy.style import STYLE
from graphmem.reports.taxonomy.wording import known, outline


def tree_page(tree: ConceptTree) -> str:
    """A tree as a page, ending with a line feed."""
    return _page(tree.name, _tree(tree))


def view_page(view: ConceptView) -> str:
    """A concept with its relations and mentions as a page, ending with a line feed."""
    return _page(view.concept.name, _view(view))


def _page(name: str, body: Iterable[str]) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape_html(content_policy(STYLE))}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="referrer" content="no-referrer"/>\n'
        f"<title>{escape_html(name)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header><h1>{stored(name)}</h1></header>\n<main>\n" + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )


def _tree(tree: ConceptTree) -> Iterator[str]:
    for is_above, title in ((True, "Is a kind of"), (False, "Kinds of it")):
        if tree.above if is_above else tree.below:
            yield f"<section><h2>{title}</h2>{''.join(_list(tree, is_above=is_above))}</section>"
    if not (tree.above or tree.below):
        yield '<p class="soft">No is_a leads to it or from it.</p>'
    if tree.truncated:
        yield '<p class="soft">More concepts were left out.</p>'


def _list(tree: ConceptTree, *, is_above: bool) -> Iterator[str]:
    """Nested lists, opened and closed by the depth of what comes next."""
    deep = 0
    for depth, above, node in outline(tree):
        if above is not is_above:
            continue
        if depth > deep:
            yield '<ul class="tree">' if depth == 1 else "<ul>"
        else:
            yield "</li></ul>" * (deep - depth) + "</li>"
        deep = depth
        again = ' <span class="soft">(see above)</span>' if node.repeated else ""
        yield f"<li>{stored(node.name)}{again}{_known(node.standing)}"
    yield "</li></ul>" * deep


def _view(view: ConceptView) -> Iterator[str]:
    concept = view.concept
    yield f'<p class="soft">kind: {stored(concept.kind)}</p>'
    if concept.definition:
        yield f"<p>{stored(concept.definition)}</p>"
    if concept.aliases:
        yield f"<p>Also: {', '.join(map(stored, concept.aliases))}</p>"
    if view.relations:
        yield "<section><h2>Relations</h2><ul>"
        for place, relation in enumerate(view.relations):
            standing = view.standings[place] if place < len(view.standings) else None
            said = f"{stored(relation.head)} {relation.relation.value} {stored(relation.tail)}"
            yield f"<li>{said}{_known(standing)}</li>"
        yield "</ul></section>"
    if view.mentions:
        yield "<section><h2>Mentions</h2><ul>"
        for one in view.mentions:
            yield f"<li>{escape_html(one.kind)} <code>{escape_html(one.id)}</code>: {stored(one.text)}</li>"
        yield "</ul></section>"
    if view.truncated:
        yield '<p class="soft">More was left out.</p>'


def _known(standing: Standing | None) -> str:
    words = known(standing)
    if standing is None or not (words or standing.witnesses):
        return ""
    if not standing.witnesses:
        return f' <span class="soft">({escape_html(words)})</span>'
    summary = escape_html(words or "evidence")
    items = "".join(map(_item, standing.witnesses))
    return f' <details><summary>{summary}</summary><ul class="evidence">{items}</ul></details>'


def _item(witness: Witness) -> str:
    side = "against" if witness.against else "for"
    where = escape_html(f"{witness.kind} {witness.id}".strip())
    return f'<li class="{side}">{side} ({where}): {stored(witness.sentence)}</li>'
