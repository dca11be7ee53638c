"""Trees and concepts for readers: order, evidence, hostile names, deep trees."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from graphmem.concepts.service import ConceptsService
from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.claim import ClaimEnd, ClaimWords, Evidence, claim_record, evidence_edge
from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.records import EdgeRecord, NodeRef, Value
from graphmem.messages.service import MessagesService
from graphmem.models.concept import Concept
from graphmem.ports.workspace import Workspace
from graphmem.reports.taxonomy.documents import tree_document, view_document
from graphmem.reports.taxonomy.html import tree_page, view_page
from graphmem.reports.taxonomy.text import tree_lines, view_lines
from workspaces import Desk, desk_without_embedder

AT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def at_hand(tmp_path: Path) -> Desk:
    return desk_without_embedder(tmp_path)


def related(workspace: Workspace, *pairs: tuple[str, str]) -> ConceptsService:
    concepts = ConceptsService(workspace)
    for head, tail in pairs:
        concepts.relate(head, "is_a", tail)
    return concepts


def learned(at_hand: Desk) -> None:
    """An is_a that one message of Ada states and one of Bob denies."""
    work = at_hand.workspace()
    related(work, ("푸들", "개"))
    for name, user, text in (("m1", "ada", "푸들은 개의 일종이다."), ("m2", "bob", "푸들은 개가 아니다.")):
        MessagesService(at_hand.workspace(user=user)).add(text, id=name, at=AT)
    ends = [ClaimEnd(key, "concept", key) for key in ("푸들", "개")]
    claim = claim_record(ClaimWords(ends[0], "is_a", ends[1]), AT)
    head, tail = concept_ref("푸들"), concept_ref("개")
    said = [
        Evidence(NodeRef("Message", name), text, "rule", 0.9, against, name, AT)
        for name, text, against in (("m1", "푸들은 개의 일종이다.", False), ("m2", "푸들은 개가 아니다.", True))
    ]
    known: dict[str, Value] = {
        "source": "extracted",
        "confidence": 0.5,
        "weight": 0.5,
        "evidence_count": 2,
        "created_at": AT,
    }
    with work.graph.transaction() as transaction:
        transaction.save_nodes([claim])
        transaction.set_properties(
            "Claim",
            [(claim.id, {"support": 1, "against": 1, "head_concept": head.id, "tail_concept": tail.id})],
        )
        transaction.save_edges([evidence_edge(claim.ref, one, AT) for one in said])
        transaction.save_edges([EdgeRecord("IS_A", head, tail, known | {"evidence_ids": ["m2", "m1"]})])


def test_a_tree_leaves_out_what_a_longer_way_implies(at_hand: Desk) -> None:
    concepts = related(at_hand.workspace(), ("푸들", "개"), ("개", "동물"), ("푸들", "동물"))
    assert list(tree_lines(concepts.tree("푸들"))) == ["푸들", "  is a 개", "    is a 동물"]
    assert list(tree_lines(concepts.tree("동물"))) == ["동물", "  <- 개", "    <- 푸들"]


def test_a_tree_is_bounded_in_depth_and_size(at_hand: Desk) -> None:
    concepts = related(at_hand.workspace(), ("a", "b"), ("b", "c"), ("b", "d"))
    assert list(tree_lines(concepts.tree("a", depth=1))) == ["a", "  is a b"]
    bounded = concepts.tree("b", limit=1)
    assert bounded.truncated
    assert len(bounded.above) == 1
    for depth, limit, told in ((0, 1, "depth"), (101, 1, "depth"), (1, 0, "limit"), (1, 1001, "limit")):
        with pytest.raises(InvalidInputError, match=told):
            concepts.tree("a", depth=depth, limit=limit)


def test_what_was_learned_is_shown_with_sentences_for_and_against(at_hand: Desk) -> None:
    learned(at_hand)
    concepts = ConceptsService(at_hand.workspace())
    assert set(view_lines(concepts.show("푸들"))) >= {
        "  푸들 is_a 개  (extracted, 0.50, 1 for, 1 against)",
        "    for (message m1): 푸들은 개의 일종이다.",
        "    against (message m2): 푸들은 개가 아니다.",
    }
    assert "    against (message m2): 푸들은 개가 아니다." in tree_lines(concepts.tree("푸들"), evidence=True)
    assert "for" not in "".join(tree_lines(concepts.tree("개"))).replace("1 for", "")
    (known,) = [relation["known"] for relation in view_document(concepts.show("개"))["relations"]]
    assert (known["support"], known["against"], known["count"]) == (1, 1, 2)
    assert tree_document(concepts.tree("푸들"))["above"][0]["known"] == known


def test_texts_of_other_users_are_not_shown(at_hand: Desk) -> None:
    learned(at_hand)
    mine = ConceptsService(at_hand.workspace(user="ada"))
    shown = "\n".join((*view_lines(mine.show("푸들")), *tree_lines(mine.tree("푸들"), evidence=True)))
    assert "푸들은 개의 일종이다." in shown
    assert "아니다" not in shown
    assert "아니다" not in tree_page(mine.tree("푸들")) + view_page(mine.show("푸들"))


class _Page(HTMLParser):
    """Counts elements, and keeps text and what could act."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words = ""
        self.acting: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "br"}:
            self.open.append(tag)
        if tag in {"script", "img", "iframe", "a", "link", "form"} or any(
            name.startswith("on") for name, _ in attrs
        ):
            self.acting.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing to close."""

    def handle_data(self, data: str) -> None:
        self.words += data


HOSTILE = '<script>alert(1)</script>"onmouseover="x'


def test_a_page_lets_stored_text_be_nothing_but_text(at_hand: Desk) -> None:
    concepts = related(at_hand.workspace(), (HOSTILE, "<b>개</b>"), ("\x1b[31mred\u202e", HOSTILE))
    concepts.add(Concept(name=HOSTILE, definition="<img src=x>", aliases=("</style>",)), replace=True)
    for page in (tree_page(concepts.tree(HOSTILE)), view_page(concepts.show(HOSTILE))):
        read = _Page(page)
        assert read.open == []
        assert read.acting == []
        assert HOSTILE in read.words
        assert "\x1b" not in page
        assert "\u202e" not in page
        style = re.search("<style>(.*?)</style>", page, re.DOTALL)
        assert style is not None
        digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
        assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;" in page
        assert "prefers-color-scheme:dark" in page


def test_a_page_nests_its_lists_rightly(at_hand: Desk) -> None:
    concepts = related(at_hand.workspace(), ("a", "b"), ("b", "c"), ("a", "d"), ("e", "a"), ("f", "e"), ("g", "a"))
    read = _Page(tree_page(concepts.tree("a")))
    assert read.open == []
    assert [name for name in "bcdefg" if name in read.words] == list("bcdefg")


def test_a_deep_tree_is_shown_in_every_form(at_hand: Desk) -> None:
    workspace = at_hand.workspace()
    concepts = related(workspace, *((f"k{number:03}", f"k{number + 1:03}") for number in range(100)))
    tree = concepts.tree("k000")
    assert list(tree_lines(tree))[-1].endswith("is a k100")
    assert _Page(tree_page(tree)).open == []
    assert tree_document(tree)["above"][0]["name"] == "k001"


def test_a_concept_that_stands_alone_has_a_page(at_hand: Desk) -> None:
    concepts = ConceptsService(at_hand.workspace())
    concepts.add(Concept(name="혼자"))
    assert "No is_a" in tree_page(concepts.tree("혼자"))
    assert "혼자" in view_page(concepts.show("혼자"))
