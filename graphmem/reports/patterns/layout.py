"""Where the nodes and edges of a motif stand in its picture: pure.

Steps stand in one column along NEXT, a row each, so that no line crosses a box; tools, concepts and
findings stand in a second column, near the steps they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.language.cell_width import cell_width
from graphmem.models.pattern import PatternNode
from graphmem.patterns.titles import shown_name
from graphmem.ports.prompt_text import Language, one_line

UNIT = 7.2
"""Width of half a wide character in the label's type, in units of the drawing."""

LINE = 17.0
"""Height of a line of a label."""

_CAPTION, _PADDING, _ROW_GAP, _COLUMN_GAP = 14.0, 8.0, 34.0, 104.0
_WIDEST, _MOST_LINES = 19, 3
_SIDE = 18.0
"""Room between two curves beside a column."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node in the picture."""

    node: PatternNode
    lines: tuple[str, ...]
    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Its height on the page."""
        return self.top + self.height / 2

    @property
    def centre(self) -> float:
        """Its place across the page."""
        return self.left + self.width / 2

    @property
    def right(self) -> float:
        """Its right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower side."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the picture."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge in the picture: a line, or a curve with two control points."""

    path: tuple[Point, ...]
    label: str
    at: Point
    """Middle of the label."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A motif with places."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    """In the order of the motif's nodes."""
    arrows: tuple[Arrow, ...]


def draw_motif(
    nodes: Sequence[PatternNode], edges: Sequence[tuple[int, int, str]], language: Language = "en"
) -> Drawing:
    """Place a motif.

    Args:
        nodes: Its nodes.
        edges: (from, to, type) by places in `nodes`; edges between the same two nodes become one arrow.
        language: Of the words around labels.
    """
    joined: dict[tuple[int, int], list[str]] = {}
    for source, target, kind in edges:
        joined.setdefault((source, target), []).append(kind)
    steps = _step_order(nodes, joined)
    lines = [_wrapped(one_line(shown_name(node, language))) for node in nodes]
    widths = [max(88.0, UNIT * max(map(cell_width, held)) + 34) for held in lines]
    heights = [_CAPTION + 2 * _PADDING + LINE * len(held) for held in lines]
    curved = [pair for pair in joined if pair[0] in steps and pair[1] in steps and not _follows(steps, pair)]
    left = 44.0 + _SIDE * len(curved) if curved else 2.0
    tops = _stacked(dict.fromkeys(steps, 2.0), heights)
    others = _others(nodes, joined, steps, {place: tops[place] + heights[place] / 2 for place in steps}, heights)
    second = left + max((widths[place] for place in steps), default=-_COLUMN_GAP) + _COLUMN_GAP
    column_width = max((widths[place] for place in steps), default=0.0)
    boxes = []
    for place, node in enumerate(nodes):
        is_step = place in steps
        at, top = (left, tops[place]) if is_step else (second, others[place])
        boxes.append(Box(node, lines[place], at, top, column_width if is_step else widths[place], heights[place]))
    arrows = _arrows(boxes, joined, steps, list(others))
    points = [point for arrow in arrows for point in (*arrow.path, Point(arrow.at.x + 38, arrow.at.y + 10))]
    width = max([box.right for box in boxes] + [point.x for point in points])
    height = max([box.bottom for box in boxes] + [point.y for point in points])
    return Drawing(width + 2, height + 2, tuple(boxes), tuple(arrows))


def _wrapped(text: str) -> tuple[str, ...]:
    """A label in lines of bounded width; what does not fit ends in an ellipsis."""
    lines = [""]
    for word in text.split():
        first, *more = _pieces(word)
        joined = f"{lines[-1]} {first}".strip()
        if cell_width(joined) <= _WIDEST:
            lines[-1] = joined
        else:
            lines.append(first)
        lines += more
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1]}…"]
    return tuple(lines)


def _pieces(word: str) -> list[str]:
    """A word; one that is too wide for a line is cut, after a separator where it has one."""
    pieces = []
    while cell_width(word) > _WIDEST:
        fits = next(length for length in range(1, len(word)) if cell_width(word[: length + 1]) > _WIDEST)
        cut = max(word.rfind(mark, 1, fits) + 1 for mark in "_-./:") or fits
        pieces.append(word[:cut])
        word = word[cut:]
    return [*pieces, word]


def _step_order(nodes: Sequence[PatternNode], joined: dict[tuple[int, int], list[str]]) -> list[int]:
    """The steps along NEXT; within a circle by their places."""
    level = {place: 0 for place, node in enumerate(nodes) if node.kind == "action"}
    for _ in level:
        for source, target in joined:
            if source in level and target in level and source != target:
                level[target] = max(level[target], min(level[source] + 1, len(level) - 1))
    return sorted(level, key=lambda place: (level[place], place))


def _follows(steps: Sequence[int], pair: tuple[int, int]) -> bool:
    return steps.index(pair[1]) == steps.index(pair[0]) + 1


def _stacked(wanted: dict[int, float], heights: Sequence[float]) -> dict[int, float]:
    """Tops of boxes in one column, each as near to where it is wanted as those above it let it be."""
    tops: dict[int, float] = {}
    free = 2.0
    for place, top in wanted.items():
        tops[place] = max(top, free)
        free = tops[place] + heights[place] + _ROW_GAP
    return tops


def _others(
    nodes: Sequence[PatternNode],
    joined: dict[tuple[int, int], list[str]],
    steps: Sequence[int],
    middles: dict[int, float],
    heights: Sequence[float],
) -> dict[int, float]:
    """Tops of the second column: beside the steps a node belongs to, or below the finding it is tied to."""
    left = [place for place in range(len(nodes)) if place not in steps]
    wanted: dict[int, float] = {}
    for round_number in range(len(left) + 1):
        for place in left:
            if place in wanted:
                continue
            known = middles if round_number == 0 else {**middles, **{at: wanted[at] + 1 for at in wanted}}
            near = [known[one] for pair in joined for one in pair if place in pair and one in known]
            if near:
                wanted[place] = sum(near) / len(near)
    order = sorted(left, key=lambda place: (wanted.get(place, 0.0), place))
    return _stacked({place: wanted.get(place, 0.0) - heights[place] / 2 for place in order}, heights)


def _arrows(
    boxes: Sequence[Box], joined: dict[tuple[int, int], list[str]], steps: Sequence[int], others: Sequence[int]
) -> list[Arrow]:
    arrows: list[Arrow] = []
    curves = {True: 0, False: 0}
    taken: list[float] = []
    for (source, target), kinds in sorted(joined.items()):
        start, end, label = boxes[source], boxes[target], " + ".join(sorted(kinds))
        column = steps if source in steps else others
        if (source in steps) != (target in steps):
            arrows.append(_across(start, end, label, taken))
        elif _follows(column, (source, target)):
            path = (Point(start.centre, start.bottom), Point(end.centre, end.top))
            half = 3.2 * len(label) + 8
            arrows.append(Arrow(path, label, Point(start.centre + half, (start.bottom + end.top) / 2)))
        else:
            curves[source in steps] += 1
            arrows.append(_beside(start, end, label, curves[source in steps], to_left=source in steps))
    return arrows


def _across(start: Box, end: Box, label: str, taken: list[float]) -> Arrow:
    """A line between the columns; its label gives way to those that stand there already."""
    leftward = start.left > end.left
    path = (
        Point(start.left if leftward else start.right, start.middle),
        Point(end.right if leftward else end.left, end.middle),
    )
    height = (path[0].y + path[1].y) / 2
    while any(abs(height - other) < 14 for other in taken):
        height += 4
    taken.append(height)
    return Arrow(path, label, Point((path[0].x + path[1].x) / 2 - 3, height))


def _beside(start: Box, end: Box, label: str, number: int, *, to_left: bool) -> Arrow:
    """A curve beside a column: back, over several rows, or from a node to itself."""
    reach = 26 + _SIDE * number
    side = -1 if to_left else 1
    first, last = (box.left if to_left else box.right for box in (start, end))
    bend = (min(first, last) if to_left else max(first, last)) + side * reach
    above, below = (start.middle - 8, end.middle + 8) if start is end else (start.middle + 4, end.middle - 4)
    path = (Point(first, above), Point(bend, above), Point(bend, below), Point(last, below))
    middle = (first + last) / 8 + bend * 3 / 4
    return Arrow(path, label, Point(middle, (above + below) / 2))
