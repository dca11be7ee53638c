"""A motif in one line, whatever its shape."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.models.pattern import EdgeType, NodeKind, PatternNode
from graphmem.patterns.graphs import GraphEdge
from graphmem.patterns.titles import motif_title
from graphmem.ports.prompt_text import Language


def title(
    labels: str, edges: Sequence[tuple[int, int, EdgeType]], any_of: int | None = None, language: Language = "en"
) -> str:
    kinds: dict[str, NodeKind] = {"t:": "tool", "c:": "concept", "e:": "symptom", "k:": "cause"}
    nodes = [
        PatternNode(
            label=label.removeprefix(label[:2]) if label[:2] in kinds else label,
            kind=kinds.get(label[:2], "action"),
            key=label,
            generalised=place == any_of,
        )
        for place, label in enumerate(labels.split())
    ]
    return motif_title(nodes, [GraphEdge(*edge) for edge in edges], language)


def test_steps_stand_in_their_order_and_the_rest_behind() -> None:
    assert title("c a b t:editor", [(1, 2, "NEXT"), (2, 0, "NEXT"), (0, 3, "USED")]) == "a → b → c; c uses editor"


def test_branches_that_join_name_every_following_once() -> None:
    edges: list[tuple[int, int, EdgeType]] = [(0, 1, "NEXT"), (0, 2, "NEXT"), (1, 3, "NEXT"), (2, 3, "NEXT")]
    assert title("a b c d", edges) == "a → b → d; a → c → d"


def test_a_loop_of_equal_steps_counts_what_each_ran_into() -> None:
    edges: list[tuple[int, int, EdgeType]] = [(0, 1, "NEXT"), (0, 2, "RAISED"), (1, 2, "RAISED")]
    assert title("재시도 재시도 e:시간초과", edges) == "재시도 → 재시도; 재시도 raises 시간초과 (2 times)"


def test_a_symptom_its_cause_and_the_fix() -> None:
    edges: list[tuple[int, int, EdgeType]] = [(0, 1, "CAUSED_BY"), (2, 1, "FIXED")]
    assert title("e:Timeout k:Pool raise_pool", edges) == "Timeout caused by Pool; raise_pool fixes Pool"


def test_a_generalised_label_says_so() -> None:
    assert title("교환 c:가전", [(0, 1, "ABOUT")], any_of=1) == "교환 about any 가전"


def test_korean_titles_hold_no_particle_that_a_label_would_bend() -> None:
    edges: list[tuple[int, int, EdgeType]] = [(0, 1, "NEXT"), (0, 2, "RAISED"), (1, 2, "RAISED")]
    assert title("재시도 재시도 e:Timeout", edges, language="ko") == (
        "재시도 → 재시도; 재시도, 발생한 증상: Timeout (2회)"
    )
    edges = [(0, 1, "CAUSED_BY"), (2, 1, "FIXED")]
    assert title("e:Timeout k:Pool 늘리기", edges, language="ko") == (
        "Timeout, 원인: Pool; 늘리기, 해결한 것: Pool"
    )
    assert title("교환 c:가전", [(0, 1, "ABOUT")], any_of=1, language="ko") == "교환, 대상: 가전 종류"
    assert title("c a t:editor", [(1, 0, "NEXT"), (0, 2, "USED")], language="ko") == "a → c; c, 도구: editor"
