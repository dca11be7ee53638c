from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import ConceptMention
from graphmem.language.relations.aliases import introductions, with_aliases
from graphmem.language.relations.initials import abbreviates


def pairs(text: str, *names: str) -> list[tuple[str, str]]:
    """(name, alias) of a text in which an analyzer found these names."""
    spans = [(text.index(name), text.index(name) + len(name)) for name in names]
    return [(one.name, one.alias) for one in introductions(text, spans)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She moved to New York City (NYC) in May.", [("New York City", "NYC")]),
        ("He never liked NYC (New York City) much.", [("New York City", "NYC")]),
        ("Random Access Memory, or RAM, forgets.", [("Random Access Memory", "RAM")]),
        ("our random access memory (RAM) is full", [("random access memory", "RAM")]),
        ("Large Language Models (LLMs) guess.", [("Large Language Models", "LLMs")]),
        ("The Internet of Things (IoT) grows.", [("Internet of Things", "IoT")]),
        ("research and development (R&D) costs", [("research and development", "R&D")]),
        ("deoxyribonucleic acid (DNA) is long", [("deoxyribonucleic acid", "DNA")]),
        ("NYC stands for New York City.", [("New York City", "NYC")]),
        ("NYC, short for New York City, is loud.", [("New York City", "NYC")]),
        ("Los Angeles, also known as the City of Angels, is dry.", [("Los Angeles", "City of Angels")]),
        ("aspirin, also known as acetylsalicylic acid, helps", [("aspirin", "acetylsalicylic acid")]),
        ("Robert Lee, a.k.a. Bobby, left.", [("Robert Lee", "Bobby")]),
        ("Robert Lee aka Bobby left.", [("Robert Lee", "Bobby")]),
        ("Mumbai (also known as Bombay) is big.", [("Mumbai", "Bombay")]),
        ("Seoul (서울) is big.", [("Seoul", "서울")]),
    ],
)
def test_english_texts_introduce_names(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("나는 서울(Seoul)에 산다.", [], [("서울", "Seoul")]),
        ("서울 (Seoul)은 크다.", [], [("서울", "Seoul")]),
        (
            "기계 학습(machine learning, ML)은 쉽다.",
            ["기계 학습"],
            [("기계 학습", "machine learning"), ("기계 학습", "ML")],
        ),
        ("서울(영어: Seoul, 한자: 首爾)은", [], [("서울", "Seoul"), ("서울", "首爾")]),
        ("이순신(李舜臣) 장군은", [], [("이순신", "李舜臣")]),
        ("한국전력공사(이하 한전)는", [], [("한국전력공사", "한전")]),
        ("한국전력(한전)은", [], [("한국전력", "한전")]),
        ("대구, 일명 '대프리카'는 덥다.", [], [("대구", "대프리카")]),
        ("대구(일명 대프리카)는 덥다.", [], [("대구", "대프리카")]),
        ("제주, 이른바 삼다도는 바람이 많다.", [], [("제주", "삼다도")]),
        ("국제통화기금(IMF)은", [], [("국제통화기금", "IMF")]),
    ],
)
def test_korean_texts_introduce_names(text: str, names: list[str], expected: list[tuple[str, str]]) -> None:
    assert pairs(text, *names) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Paris (France) is old.",
        "Mina Kim (CEO) said so.",
        "The Fox (2013) was shown.",
        "Kim (born 1970) sings.",
        "He came (see Figure 1).",
        "an apple (a fruit) fell",
        "New York City (LA)",
        "the US (us) team",
        "It is also known as Foo.",
        "Paris, or London, will do",
        "서울(대한민국)은",
        "서울(Korea)은",
        "김철수(CEO)는",
        "가격(USD)은",
        "비타민(C)은",
        "삼성전자(005930)는",
        "삼성전자(삼성)는",
        "이른바 '갭투자'가 늘었다.",
        "함수 f(x)는",
        # without an analyzer nobody knows where the name begins
        "새 기계 학습(machine learning)은",
    ],
)
def test_other_remarks_are_no_names(text: str) -> None:
    assert pairs(text) == []


@given(
    st.lists(
        st.sampled_from(
            [
                *"()（）,;'\" .",
                " or ",
                " aka ",
                ", also known as ",
                "일명 ",
                "NYC",
                "New ",
                "York",
                "서울",
                "의 ",
                "\n",
                "x",
            ]
        ),
        max_size=40,
    ).map("".join)
    | st.text(max_size=80)
)
def test_a_name_lies_where_it_is_said_to_lie_and_no_alias_is_blank_or_the_name(text: str) -> None:
    for one in introductions(text):
        assert text[one.start : one.end] == one.name
        assert canonical_key(one.alias) is not None
        assert one.alias.casefold() != one.name.casefold()


@given(st.lists(st.sampled_from(["Alpha", "beta", "Gamma", "Nu", "Omega"]), min_size=2, max_size=8))
def test_initials_abbreviate_and_a_foreign_letter_does_not(words: list[str]) -> None:
    initials = "".join(word[0].upper() for word in words)
    assert abbreviates(initials, " ".join(words))
    assert not abbreviates(initials + "Z", " ".join(words))
    assert not abbreviates("Z" + initials, " ".join(words))


def test_decomposed_hangul_and_full_width_brackets_are_read_alike() -> None:
    text = "한국전력（한전）은"
    found = introductions(unicodedata.normalize("NFC", text))
    assert [(one.name, one.alias) for one in found] == [("한국전력", "한전")]


def test_mentions_take_the_aliases_that_follow_them() -> None:
    text = "New York City (NYC) is big. We like New York City."
    city, short, again = (
        ConceptMention("New York City", "new york city", start=0, end=13),
        ConceptMention("NYC", "nyc", start=15, end=18),
        ConceptMention("New York City", "new york city", start=36, end=49),
    )
    filled = with_aliases(text, [city, short, again])
    assert [mention.aliases for mention in filled] == [("NYC",), (), ("NYC",)]


def test_long_texts_take_time_in_proportion() -> None:
    for text in (
        "New York (" * 20_000,
        "a " * 50_000 + "(",
        "x, or " * 20_000,
        "(" * 100_000,
        " " * 100_000,
        "A" * 100_000,
    ):
        introductions(text)
