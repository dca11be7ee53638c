"""Concepts that a sentence mentions, where nobody parsed it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.extraction import Extraction
from graphmem.language.relations.extractor import Extractor
from graphmem.text.plain import PlainAnalyzer

EXTRACTOR = Extractor(PlainAnalyzer())
PIECES = (
    *("The", "a", "is", "of", "caused", "by", "causes", "such", "as", "and", "other", "consists", "not", "may"),
    *("?", ".", ",", '"', "'", "(", ")", "\n", "leak", "Seoul", "slow_query", "서울이", "장애를", "유발한다"),
    *("과부하로", "인한", "포유류의", "일종", "\ud800", "\x00", "İ", "\u1100\u1161"),
)


def _names(text: str) -> list[str]:
    return [concept.name for concept in EXTRACTOR.extract(text).concepts]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Call restart_pod() when kube.apiserver answers HTTP 503.",
            {"restart_pod", "kube.apiserver", "HTTP 503"},
        ),
        ("We saw ORA-00600 and a NullPointerError.", {"ORA-00600", "NullPointerError"}),
        ('The "connection refused" error came back.', {"connection refused"}),
        ("Ada Lovelace moved to New York City in May.", {"Ada Lovelace", "New York City"}),
        ("\x1b[31mERROR\x1b[0m The disk is full.", {"ERROR"}),
        ("She works at IBM and he at Bank of America.", {"IBM", "Bank of America"}),
        ("Hey James, Last Friday I met Maria O'Brien.", {"James", "Maria O'Brien"}),
        ("Los Angeles and Seoul are cities.", {"Los Angeles", "Seoul"}),
        (
            "The payment service crashed because the connection pool was full.",
            {"payment service", "connection pool"},
        ),
        ("메모리 누수가 결제 서비스의 지연을 초래했다.", {"메모리 누수", "메모리", "누수", "결제 서비스", "지연"}),
        ("어제 서울에서 API 게이트웨이가 멈췄다.", {"서울", "API 게이트웨이", "API"}),
        ("홍길동, 김철수 그리고 이영희는 네이버에서 일한다.", {"홍길동", "김철수", "이영희", "네이버"}),
        ("고래는 포유류입니다.", {"고래", "포유류"}),
    ],
)
def test_names_and_nouns_are_mentioned(text: str, names: set[str]) -> None:
    assert names <= set(_names(text))


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("It works, e.g. for us.", {"It", "e.g", "us"}),
        ("They said so.", {"They", "so"}),
        ("ERROR The disk is full.", {"ERROR The"}),
        ("Hey James! Thanks, that's cool. I'm glad.", {"Hey James", "Thanks", "that's", "I'm", "glad"}),
        ("The service crashed yesterday.", {"crashed", "yesterday", "service crashed"}),
        ('He said "I will come back tomorrow morning."', {"I will come back tomorrow morning"}),
        ("나는 커피를 좋아해요.", {"나", "좋아해요"}),
        ("이것은 그때 발생하는 문제다.", {"이것", "발생하"}),
    ],
)
def test_pronouns_verbs_and_quotations_are_not(text: str, absent: set[str]) -> None:
    assert not absent & set(_names(text))


def test_a_concept_is_given_once_in_order_of_first_mention() -> None:
    assert _names("The disk failed. The pump failed. The disk is new.") == ["disk", "pump"]


def test_an_offset_is_that_of_the_text() -> None:
    text = "Well. 서울에서 the disk failed.\n  The API gateway is in Seoul."
    for concept in EXTRACTOR.extract(text).concepts:
        assert text[concept.start : concept.end] == concept.name


def test_decomposed_hangul_gives_the_same_concepts() -> None:
    text = "메모리 누수는 장애를 유발한다."
    composed, decomposed = EXTRACTOR.extract(text), EXTRACTOR.extract(unicodedata.normalize("NFD", text))
    assert [one.key for one in decomposed.concepts] == [one.key for one in composed.concepts]
    assert len(decomposed.relations) == len(composed.relations) == 1


@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from(PIECES),
        max_size=30,
    ).map(" ".join)
)
def test_whatever_is_read_the_answer_keeps_its_promises(text: str) -> None:
    found = EXTRACTOR.extract(text)
    _check(found)
    assert EXTRACTOR.extract(text) == found


def _check(found: Extraction) -> None:
    keys = [(one.key, one.kind) for one in found.concepts]
    assert len(set(keys)) == len(keys)
    assert all(key.strip() for key, _ in keys)
    triples = [(one.head.key, one.relation, one.tail.key) for one in found.relations]
    assert len(set(triples)) == len(triples)
    for one in found.relations:
        assert one.factuality == "asserted"
        assert one.head.key != one.tail.key
        assert {(one.head.key, one.head.kind), (one.tail.key, one.tail.kind)} <= set(keys)
    assert all(one.reason for one in found.rejected)
