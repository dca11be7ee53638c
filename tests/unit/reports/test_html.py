"""The HTML report: well formed, self-contained, closed to everything else, readable without sight or colour."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from graphmem.models.pattern import OutcomeCounts, PatternNode
from graphmem.ports.prompt_text import Language
from graphmem.reports.patterns.html import html_page
from graphmem.reports.patterns.values import Entry, Example, ExampleStep, Folded, PatternReport, Section
from reported import HOSTILE, claimed, coverage, mining, pattern, report

ALLOWED = set(
    """html head meta title style body header main footer section article figure h1 h2 h3 h4 p ul li dl dt dd a
    span bdi code details summary div table caption thead tbody tr th td svg g path polygon rect line circle text
    desc""".split()  # noqa: SIM905 (a table reads better than a wall of quotes)
)
ATTRIBUTES = set(
    """lang colspan charset content http-equiv name id class href scope role tabindex aria-label aria-labelledby
    aria-hidden viewbox width height x y x1 y1 x2 y2 cx cy r rx d points""".split()  # noqa: SIM905 (as above)
)


class Seen(HTMLParser):
    """Collects elements, attributes and text as a browser's parser would tell them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(page: str) -> Seen:
    seen = Seen()
    seen.feed(page)
    seen.close()
    return seen


def tree(page: str) -> ET.Element:
    """The page as XML, which forgives nothing."""
    return ET.fromstring(page.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 (made by this test)


def everything_hostile(language: Language = "en") -> PatternReport:
    nodes = (
        PatternNode(label=HOSTILE, kind="action", key="a", generalised=True),
        PatternNode(label=HOSTILE, kind="tool", key="b"),
        PatternNode(label=HOSTILE, kind="concept", key="c"),
        PatternNode(label=HOSTILE, kind="symptom", key="d"),
        PatternNode(label=HOSTILE, kind="cause", key="e"),
    )
    edges = ((0, 1, "USED"), (0, 2, "ABOUT"), (0, 3, "RAISED"), (3, 4, "CAUSED_BY"), (0, 3, "FIXED"))
    named: dict[str, Any] = {"nodes": nodes, "edges": edges, "domain": HOSTILE, "recommendation": HOSTILE}
    bad = claimed(HOSTILE, **named).model_copy(update={"episodes": (HOSTILE,)})
    brief = pattern(HOSTILE, tier="recurrent", nodes=nodes, edges=edges)
    example = Example(HOSTILE, HOSTILE, (ExampleStep(HOSTILE, HOSTILE),))
    entries = (Entry(bad, (Folded(HOSTILE, HOSTILE),), (example,)),)
    counts = OutcomeCounts(success=1)
    return report(
        tenant=HOSTILE,
        notes=(HOSTILE,),
        sections=(
            Section("success", HOSTILE, counts, entries, 1),
            Section("none", HOSTILE, counts, (Entry(brief),), 1),
        ),
        coverage=coverage(0, HOSTILE),
        mining=mining(run=HOSTILE, limits={"domain": HOSTILE}, incomplete=HOSTILE, policy=HOSTILE),
        language=language,
    )


PAGES = {
    "hostile": everything_hostile(),
    "hostile, in Korean": everything_hostile("ko"),
    "plain": report(claimed(), claimed("b", polarity="negative"), pattern(tier="recurrent"), mining=mining()),
    "candidates": report(pattern()),
    "empty": report(),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_holds_only_elements_and_attributes_that_carry_nothing_active(name: str) -> None:
    page = html_page(PAGES[name])
    assert {element.tag for element in tree(page).iter()} <= ALLOWED
    seen = parsed(page)
    assert set(seen.tags) <= ALLOWED
    assert {attribute for _, attribute, _ in seen.attributes} <= ATTRIBUTES
    assert all(value.startswith("#") for _, attribute, value in seen.attributes if attribute == "href")
    assert "url(" not in page
    assert "@import" not in page


@pytest.mark.parametrize("language", ["en", "ko"])
def test_stored_text_adds_no_element_and_no_attribute(language: Language) -> None:
    plain = re.sub(re.escape(HOSTILE), "x", html_page(everything_hostile(language)))
    seen = parsed(plain)
    assert "script" not in seen.tags
    assert seen.tags.count("style") == 1
    assert any("<script>alert(1)</script>" in text for text in seen.texts)


@pytest.mark.parametrize("name", PAGES)
def test_the_policy_lets_in_the_one_style_by_its_hash_and_nothing_else(name: str) -> None:
    root = tree(html_page(PAGES[name]))
    [policy] = [meta.get("content") for meta in root.iter("meta") if meta.get("http-equiv")]
    [style] = root.iter("style")
    digest = base64.b64encode(hashlib.sha256((style.text or "").encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert all("style" not in element.attrib for element in root.iter())


@pytest.mark.parametrize("name", PAGES)
def test_every_picture_table_and_section_has_a_name(name: str) -> None:
    root = tree(html_page(PAGES[name]))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in root.iter():
        names = (element.get("aria-labelledby") or "").split()
        assert set(names) <= set(ids)
        if element.tag == "svg":
            assert element.get("aria-hidden") == "true" or (element.get("role") == "img" and len(names) == 2)
        if element.tag in ("section", "article"):
            assert names
    links = [link.get("href", "") for link in root.iter("a")]
    assert {link.removeprefix("#") for link in links} <= set(ids)
    levels = [int(element.tag[1]) for element in root.iter() if re.fullmatch("h[1-4]", element.tag)]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_a_page_speaks_the_language_of_what_it_holds() -> None:
    root = tree(html_page(report(claimed("주문 조회 → 환불"))))
    assert root.get("lang") == "en"
    names = [element for element in root.iter("bdi") if element.text == "주문 조회 → 환불"]
    assert names
    assert all(element.get("lang") == "ko" for element in names)


def test_a_page_fits_a_phone_darkness_and_paper() -> None:
    page = html_page(PAGES["plain"])
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in page
    for media in ("prefers-color-scheme:dark", "@media print", "max-width:44rem"):
        assert media in page


def test_the_whole_evidence_and_every_folded_pattern_is_listed() -> None:
    root = tree(html_page(report(claimed(episodes="abcdefghijklmnop"), folded=2)))
    codes = {element.text for element in root.iter("code")}
    assert set("abcdefghijklmnop") <= codes
    items = {"".join(element.itertext()) for element in root.iter("li")}
    assert {"folded 0", "folded 1"} <= items


def test_an_outcome_bar_tells_in_words_what_it_shows() -> None:
    outcomes = OutcomeCounts(success=3, partial=1, failure=1)
    root = tree(html_page(report(claimed(outcomes=outcomes))))
    said = [element.text or "" for element in root.iter("desc")]
    assert "3 success, 1 partial, 1 failure; success 95%; 95 % interval 78% to 99%; baseline 68%" in said
    bars = [element.get("class") for element in root.iter("rect") if element.get("height") == "20"]
    assert bars == ["success", "partial", "failure"]
