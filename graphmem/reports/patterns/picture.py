"""A motif as an inline SVG picture: pure.

Nothing but shapes, lines and text: no script, no style attribute, no reference. Colours and dashes come
from the classes of the page's style; kinds differ in shape and caption too, generalised nodes in outline.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphmem.models.pattern import Pattern, PatternNode
from graphmem.patterns.titles import shown_name
from graphmem.ports.prompt_text import one_line
from graphmem.reports.patterns.escaping import escape_html
from graphmem.reports.patterns.layout import LINE, Arrow, Box, Point, draw_motif
from graphmem.reports.patterns.words import Words

_HEAD = 8.0


def motif_svg(pattern: Pattern, name: str, words: Words) -> str:
    """The picture of a motif.

    Args:
        pattern: The motif.
        name: Makes the ids of the picture's title and description unique on the page.
        words: Of the report.
    """
    drawing = draw_motif(pattern.nodes, pattern.edges, words.language)
    parts = "".join([*map(_arrow, drawing.arrows), *(_box(box, words) for box in drawing.boxes)])
    title = words.picture.motif.format(len(pattern.nodes))
    said = escape_html(description(pattern.nodes, pattern.edges, words))
    return (
        f'<svg class="motif" role="img" aria-labelledby="{name}-t {name}-d" '
        f'viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}" width="{_n(drawing.width)}" '
        f'height="{_n(drawing.height)}"><title id="{name}-t">{title}</title>'
        f'<desc id="{name}-d">{said}</desc>{parts}</svg>'
    )


def description(nodes: Sequence[PatternNode], edges: Sequence[tuple[int, int, str]], words: Words) -> str:
    """The picture in words: every edge with the nodes it joins."""
    said = [
        f"{_said(nodes[source], words)} {kind} {_said(nodes[target], words)}" for source, target, kind in edges
    ]
    return "; ".join(said)


def _said(node: PatternNode, words: Words) -> str:
    return f"{words.picture.kinds[node.kind]} {one_line(shown_name(node, words.language))}"


def _box(box: Box, words: Words) -> str:
    picture = words.picture
    caption = picture.kinds[box.node.kind] + (f", {picture.generalised}" if box.node.generalised else "")
    general = " general" if box.node.generalised else ""
    lines = "".join(_line(box, number, line) for number, line in enumerate(box.lines))
    return (
        f'<g class="node {box.node.kind}{general}">{_shape(box)}'
        f'<text class="kind" x="{_n(box.centre)}" y="{_n(box.top + 16)}">{caption}</text>{lines}</g>'
    )


def _line(box: Box, number: int, line: str) -> str:
    height = box.top + 34 + LINE * number
    return f'<text class="label" x="{_n(box.centre)}" y="{_n(height)}">{escape_html(line)}</text>'


def _shape(box: Box) -> str:
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    match box.node.kind:
        case "tool":
            corners = [(left + 10, top), (right - 10, top), (right, box.middle)]
            corners += [(right - 10, bottom), (left + 10, bottom), (left, box.middle)]
        case "symptom":
            corners = [(left + 8, top), (right - 8, top), (right, top + 8), (right, bottom - 8)]
            corners += [(right - 8, bottom), (left + 8, bottom), (left, bottom - 8), (left, top + 8)]
        case "cause":
            corners = [(left + 10, top), (right, top), (right - 10, bottom), (left, bottom)]
        case kind:
            radius = box.height / 2 if kind == "concept" else 6
            return (
                f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(box.width)}" height="{_n(box.height)}" '
                f'rx="{_n(radius)}"/>'
            )
    return f'<polygon points="{" ".join(f"{_n(x)},{_n(y)}" for x, y in corners)}"/>'


def _arrow(arrow: Arrow) -> str:
    start, *rest = arrow.path
    order = "C" if len(rest) == 3 else "L"
    path = f"M{_n(start.x)} {_n(start.y)}{order}" + " ".join(f"{_n(point.x)} {_n(point.y)}" for point in rest)
    return (
        f'<g class="edge"><path d="{path}"/><polygon points="{_head(arrow.path[-2], arrow.path[-1])}"/>'
        f'<text x="{_n(arrow.at.x)}" y="{_n(arrow.at.y + 4)}">{escape_html(arrow.label)}</text></g>'
    )


def _head(before: Point, tip: Point) -> str:
    length = math.hypot(tip.x - before.x, tip.y - before.y) or 1.0
    along_x, along_y = (tip.x - before.x) / length * _HEAD, (tip.y - before.y) / length * _HEAD
    corners = [
        (tip.x, tip.y),
        (tip.x - along_x - along_y / 2, tip.y - along_y + along_x / 2),
        (tip.x - along_x + along_y / 2, tip.y - along_y - along_x / 2),
    ]
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
