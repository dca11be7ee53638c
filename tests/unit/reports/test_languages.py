"""The pattern report in Korean and in English: the same figures, each in words of its own table only."""

from __future__ import annotations

import dataclasses
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from graphmem.models.pattern import LengthAdjusted, PatternNode, Replication, Strata
from graphmem.ports.prompt_text import Language
from graphmem.reports.patterns.english import ENGLISH
from graphmem.reports.patterns.korean import KOREAN
from graphmem.reports.patterns.values import Entry, Example, ExampleStep, PatternReport, Section
from graphmem.reports.render import ReportFormat, render_report
from reported import claimed, coverage, mining, pattern, report

SINCE = datetime(2026, 3, 1, tzinfo=UTC)

FORMS: tuple[ReportFormat, ...] = ("text", "md", "html")

NAMES_OF_COMMANDS = set("graphmem patterns mine compare format json html most mining".split())  # noqa: SIM905 (a list)
"""What a reader types or looks up: the same in every language, like the types of edges in a picture."""


def said_by(value: object) -> Iterator[str]:
    """Every string within a table of words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from said_by(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from said_by(part)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from said_by(getattr(value, field.name))


def words_in(text: str) -> set[str]:
    """Latin words of two letters and more, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Za-z]{2,}", text)}


class Read(HTMLParser):
    """What a page tells eyes and ears: its text, and the names that only who hears it gets."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.styled = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.styled = tag == "style"
        self.parts += [value or "" for name, value in attrs if name == "aria-label"]

    def handle_data(self, data: str) -> None:
        if not self.styled:
            self.parts.append(data)


def told(made: PatternReport, form: ReportFormat) -> str:
    """What a form tells a reader, without what only its parser reads."""
    shown = render_report(made, form)
    if form != "html":
        return shown.replace("\\", "")
    page = Read()
    page.feed(shown)
    return "\n".join(page.parts)


def everything(language: Language) -> PatternReport:
    """A report in which everything that can be said is said; labels and ids are Korean."""
    nodes = (
        PatternNode(label="조회", kind="action", key="조회", generalised=True),
        PatternNode(label="편집기", kind="tool", key="편집기"),
        PatternNode(label="가전", kind="concept", key="가전"),
        PatternNode(label="시간초과", kind="symptom", key="시간초과"),
        PatternNode(label="잔액부족", kind="cause", key="잔액부족"),
    )
    edges = ((0, 1, "USED"), (0, 2, "ABOUT"), (0, 3, "RAISED"), (3, 4, "CAUSED_BY"))
    adjusted = LengthAdjusted(risk_difference=0.1, interval=(-0.2, 0.4), p=1.0)
    careful = {"late": True, "hindsight": True, "single_user": True, "support_is_lower_bound": True}
    held = {"labels": ("조회", "환불"), "recommendation": "먼저 조회"}
    good = claimed("가", "가나다", nodes=nodes, edges=edges, length_adjusted=adjusted, **careful)
    later = Replication(since=SINCE, direction="positive", episodes=3, successes=2, p=0.2)
    held_up = claimed(
        "나", "가나다", tier="replicated", replication=later, strata=Strata(by="domain", informative=2), **held
    )
    bad = claimed("다", "가나다", polarity="negative", replication=later, **held)
    bare = pattern("라", "가나다라마바사아자차", tier="recurrent", visible_difference=0.6, labels=("조회", "환불"))
    shown = report(good, held_up, bad, bare, pattern("마", "가", labels=("조회", "환불")), folded=0)
    example = Example("가", "환불 요청", (ExampleStep("조회", "주문 확인"),))
    sections = tuple(with_example(section, example) for section in shown.sections)
    return dataclasses.replace(
        shown,
        tenant="상점",
        sections=sections,
        coverage=dataclasses.replace(coverage(2, *"가나다라마바사아자차카타파하거너더러머버서어"), only_late=1),
        mining=mining(
            run="실행",
            limits={"domain": "상점"},
            incomplete="중단",
            stale=True,
            capped=2,
            set_aside=4,
            policy="0123",
        ),
        min_users=2,
        language=language,
    )


def with_example(section: Section, example: Example) -> Section:
    entries = tuple(Entry(entry.pattern, entry.family, (example,)) for entry in section.entries)
    return dataclasses.replace(section, entries=entries, left_out=3)


@pytest.mark.parametrize("form", FORMS)
def test_a_korean_report_leaves_no_english_word_beside_labels_and_names_of_commands(form: ReportFormat) -> None:
    english = {word for text in said_by(ENGLISH) for word in words_in(re.sub(r"\{\w*(:[^}]*)?\}", "", text))}
    shown = re.sub(r"\b(NEXT|USED|ABOUT|RAISED|CAUSED_BY)\b", "", told(everything("ko"), form))
    left = words_in(shown) & english
    assert left <= NAMES_OF_COMMANDS | {"max", "alike", "motifs"}
    assert english - NAMES_OF_COMMANDS > {"success", "tier", "episodes", "caution", "outcomes", "baseline"}


@pytest.mark.parametrize("form", FORMS)
def test_an_english_report_says_no_korean_but_labels(form: ReportFormat) -> None:
    shown = told(everything("en"), form)
    for korean in ("성공", "실패", "에피소드", "종류", "근거", "차이", "도메인"):
        assert korean not in shown


@pytest.mark.parametrize("form", FORMS)
def test_figures_are_the_same_in_both_languages(form: ReportFormat) -> None:
    plain = report(
        claimed(),
        claimed("b", polarity="negative"),
        pattern(tier="recurrent", visible_difference=0.6),
        mining=mining(),
    )
    numbers = [
        Counter(re.findall(r"[+-]?\d+(?:\.\d+)?", told(dataclasses.replace(plain, language=language), form)))
        for language in ("en", "ko")
    ]
    assert numbers[0] == numbers[1]
    assert numbers[0]["+66"]


def test_both_tables_put_the_same_into_every_template() -> None:
    fields = [
        [
            Counter(
                (name or "").replace("nth", "number")
                for _, name, _, _ in string.Formatter().parse(text)
                if name is not None
            )
            for text in said_by(words)
            if text not in ("en", "ko")
        ]
        for words in (ENGLISH, KOREAN)
    ]
    assert fields[0] == fields[1]


def test_a_page_says_its_language_and_marks_what_is_stored_in_another_one() -> None:
    spoken: tuple[tuple[Language, Language, str, str], ...] = (
        ("ko", "en", "refund → lookup", "상점"),
        ("en", "ko", "조회 → 환불", "acme"),
    )
    for language, other, name, tenant in spoken:
        made = dataclasses.replace(report(claimed(name), tenant=tenant), language=language)
        root = ET.fromstring(render_report(made, "html").removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 (made by this test)
        assert root.get("lang") == language
        marked = {part.text: part.get("lang") for part in root.iter("bdi")}
        assert marked[name] == other
        assert marked[made.tenant] is None


def test_a_korean_page_names_its_pictures_in_korean() -> None:
    root = ET.fromstring(render_report(everything("ko"), "html").removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 (made by this test)
    titles = {part.text for part in root.iter("title")}
    assert {"노드 5개의 모티프", "결과"} <= titles
    described = " ".join(part.text or "" for part in root.iter("desc"))
    assert "단계 조회 종류 USED 도구 편집기" in described
    assert "성공률 95%; 95 % 구간 78% ~ 99%; 기준 68%" in described
