from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphmem.language.relations.korean import korean_mentions, korean_relations
from graphmem.ports.text_analyzer import Sentence

Cut = Callable[[str], list[Sentence]]


def names(cut: Cut, text: str) -> list[str]:
    return [unicodedata.normalize("NFC", one.name) for sentence in cut(text) for one in korean_mentions(sentence)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("할머니께서 부산에서 오셨다.", ["할머니", "부산"]),
        ("검색 엔진을 새로 만들었다.", ["검색 엔진", "검색", "엔진"]),
        ("이번 배포는 성공적인 경험이었다.", ["배포", "경험"]),
        ("GPT-4와 C++를 배운다.", ["GPT-4", "C++"]),
        ("서울(Seoul)은 넓다.", ["서울", "Seoul"]),
        ("회의가 취소되었다.", ["회의"]),
        ("회사는 사원 50명을 뽑았다.", ["회사", "사원"]),
        ("나는 그것을 보았다.", []),
        ("오늘 저녁에 만나자.", ["저녁"]),
    ],
)
def test_mentions_are_runs_of_nouns_without_particles(cut: Cut, text: str, expected: list[str]) -> None:
    assert names(cut, text) == expected


def test_decomposed_text_mentions_the_same(cut: Cut) -> None:
    text = "할머니께서 검색 엔진과 Redis를 배우신다."
    assert names(cut, unicodedata.normalize("NFD", text)) == names(cut, text)


def test_a_sentence_without_morphemes_mentions_and_states_nothing() -> None:
    sentence = Sentence("고래는 포유류의 일종이다.", 0, "ko")
    assert korean_mentions(sentence) == ()
    assert korean_relations(sentence) == ()


PIECES = st.sampled_from(
    [
        *(
            "고래",
            "는",
            "이",
            "가",
            "을",
            "의",
            "일종",
            "이다",
            "로 인한",
            "로 인해",
            "때문",
            "에",
            "유발",
            "하",
            "ᆫ다",
        ),
        *("하는", "않는다", "비가 와서", "취소됐다", ",", ".", "?", "(", ")", "[", "]", "“", "”", "‘", "와", "및"),
        *(
            "기",
            "지",
            "다고",
            "라고",
            "한다",
            "수 있다",
            "것 같다",
            "만약",
            "면",
            "원인",
            "일부",
            "구성",
            "되",
            "포함",
        ),
        *("갖추", "GPT", "-", "4", "C++", "🎉", "어서", "는데", "고", "며", "적", "인", "님", "일으킬", "로,"),
    ]
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES | st.just(" "), max_size=25).map("".join) | st.text(max_size=60))
def test_any_text_is_read_and_all_spans_lie_in_their_sentence(cut: Cut, text: str) -> None:
    for sentence in cut(text):
        ends = [end for one in korean_relations(sentence) for end in (one.head, one.tail)]
        for mention in (*korean_mentions(sentence), *ends):
            assert mention.key
            assert mention.name.strip()
            assert sentence.start <= mention.start < mention.end <= sentence.start + len(sentence.text)


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES | st.just(" "), max_size=20).map("".join))
@example("고래고래고래고래원인만약")
def test_composed_and_decomposed_text_give_the_same_keys(cut: Cut, text: str) -> None:
    def keys(written: str) -> list[tuple[str, str, str, str]]:
        return [
            (one.head.key, one.rule, one.tail.key, one.factuality)
            for sentence in cut(written)
            for one in korean_relations(sentence)
        ]

    assert keys(unicodedata.normalize("NFD", text)) == keys(unicodedata.normalize("NFC", text))
