"""The picture of a motif: nothing overlaps, every edge is there, kinds and generalised nodes are told apart."""

from __future__ import annotations

import unicodedata
from itertools import combinations
from typing import get_args
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.language.cell_width import cell_width
from graphmem.models.pattern import EdgeType, NodeKind, PatternNode
from graphmem.reports.patterns.layout import UNIT, Box, draw_motif
from graphmem.reports.patterns.picture import motif_svg
from graphmem.reports.patterns.wording import WORDS
from reported import pattern

KINDS = st.sampled_from(get_args(NodeKind))
ELEMENTS = {"svg", "title", "desc", "g", "rect", "polygon", "path", "text"}
TYPES = st.sampled_from(get_args(EdgeType))


def node(label: str, kind: NodeKind = "action", *, generalised: bool = False) -> PatternNode:
    return PatternNode(label=label, kind=kind, key=label, generalised=generalised)


def overlaps(one: Box, other: Box) -> bool:
    apart = (
        one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top
    )
    return not apart


@st.composite
def motifs(draw: st.DrawFn) -> tuple[list[PatternNode], list[tuple[int, int, str]]]:
    nodes = draw(st.lists(st.builds(node, st.text(min_size=1, max_size=60), KINDS), min_size=1, max_size=6))
    places = st.integers(0, len(nodes) - 1)
    return nodes, draw(st.lists(st.tuples(places, places, TYPES), max_size=8))


@settings(deadline=None)
@given(motifs())
def test_boxes_lie_apart_within_the_picture_and_each_edge_is_drawn(
    motif: tuple[list[PatternNode], list[tuple[int, int, str]]],
) -> None:
    nodes, edges = motif
    drawing = draw_motif(nodes, edges)
    assert not any(overlaps(one, other) for one, other in combinations(drawing.boxes, 2))
    for box in drawing.boxes:
        assert 0 <= box.left <= box.right <= drawing.width
        assert 0 <= box.top <= box.bottom <= drawing.height
    assert len(drawing.arrows) == len({edge[:2] for edge in edges})
    drawn = sorted(kind for arrow in drawing.arrows for kind in arrow.label.split(" + "))
    assert drawn == sorted(kind for _, _, kind in edges)
    for arrow in drawing.arrows:
        assert all(0 <= point.x <= drawing.width and 0 <= point.y <= drawing.height for point in arrow.path)


@settings(deadline=None)
@given(motifs())
def test_any_motif_is_a_well_formed_picture(motif: tuple[list[PatternNode], list[tuple[int, int, str]]]) -> None:
    nodes, edges = motif
    whole = pattern().model_copy(update={"nodes": tuple(nodes), "edges": tuple(edges)})
    root = ET.fromstring(motif_svg(whole, "m", WORDS["en"]))  # noqa: S314 (made by this test)
    assert {element.tag for element in root.iter()} <= ELEMENTS


def test_labels_fit_their_boxes_in_both_scripts_and_both_forms_of_hangul() -> None:
    long = "설치기사예약을확인하고고객에게알리기"
    for label in (
        "lookup_order_and_verify_payment",
        long,
        unicodedata.normalize("NFD", "결제 재시도"),
        "환불 refund",
    ):
        for box in draw_motif([node(label)], []).boxes:
            assert all(UNIT * cell_width(line) < box.width for line in box.lines)
    korean, latin = (draw_motif([node(label)], []).boxes[0] for label in ("항공편조회항공편", "abcdefgh"))
    assert korean.width > latin.width


def test_a_long_name_is_broken_where_it_may_be_and_ends_in_an_ellipsis_when_it_is_too_long() -> None:
    [box] = draw_motif([node("write_failing_regression_test")], []).boxes
    assert box.lines == ("write_failing_", "regression_test")
    [longest] = draw_motif([node("아주 긴 이름 " * 30)], []).boxes
    assert len(longest.lines) == 3
    assert longest.lines[-1].endswith("…")


def test_steps_stand_below_each_other_along_next_and_their_tools_beside_them() -> None:
    nodes = [node("환불"), node("조회"), node("orders", "tool")]
    refund, lookup, orders = draw_motif(nodes, [(1, 0, "NEXT"), (1, 2, "USED")]).boxes
    assert lookup.bottom < refund.top
    assert lookup.left == refund.left
    assert orders.left > lookup.right
    assert lookup.top <= orders.middle <= lookup.bottom


def test_the_picture_says_in_words_what_it_shows_and_marks_what_is_generalised() -> None:
    nodes = (node("조회", generalised=True), node("Timeout", "symptom"))
    whole = pattern().model_copy(update={"nodes": nodes, "edges": ((0, 1, "RAISED"), (0, 1, "FIXED"))})
    root = ET.fromstring(motif_svg(whole, "m", WORDS["en"]))  # noqa: S314 (made by this test)
    assert root.findtext("desc") == "step any 조회 RAISED symptom Timeout; step any 조회 FIXED symptom Timeout"
    classes = [element.get("class") for element in root.iter("g")]
    assert classes == ["edge", "node action general", "node symptom"]
    texts = [element.text for element in root.iter("text")]
    assert "FIXED + RAISED" in texts
    assert "step, generalised" in texts
    assert "any 조회" in texts
