"""Causes and effects with what they need to mean something, and effects that are denied or in doubt."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import pytest

from graphmem.language.extraction import ExtractedRelation

Relate = Callable[..., list[ExtractedRelation]]


def causes(found: Sequence[ExtractedRelation]) -> list[tuple[str, str, str]]:
    return [
        (unicodedata.normalize("NFC", one.head.name), unicodedata.normalize("NFC", one.tail.name), one.factuality)
        for one in found
        if one.relation.value == "causes"
    ]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "head", "tail"),
    [
        ("강수량의 감소는 가뭄을 초래했다.", "강수량의 감소", "가뭄"),
        ("태풍으로 인한 어획량의 감소가 이어졌다.", "태풍", "어획량의 감소"),
        ("CPU 온도의 상승으로 인한 재부팅이 잦았다.", "CPU 온도의 상승", "재부팅"),
        ("비리에 대한 폭로가 시위를 촉발했다.", "비리에 대한 폭로", "시위"),
        ("온도 상승은 오작동을 유발한다.", "온도 상승", "오작동"),
        ("카페인은 불면을 유발하는 물질이다.", "카페인", "불면"),
        ("해킹으로 인한 정보 유출의 마지막 단계를 막았다.", "해킹", "정보 유출"),
        ("구안와사는 근육이 굳는 질환으로 불편을 초래한다.", "구안와사", "불편"),
    ],
)
def test_what_means_nothing_alone_takes_its_complement_along(
    relate: Relate, text: str, head: str, tail: str, form: str
) -> None:
    assert causes(relate(unicodedata.normalize(form, text))) == [(head, tail, "asserted")]  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_noun_that_may_go_on_behind_a_middle_dot_is_not_named(relate: Relate, form: str) -> None:
    text = unicodedata.normalize(form, "물가·환율 변동으로 인한 손해가 컸다.")  # type: ignore[arg-type]
    assert causes(relate(text)) == [("환율 변동", "손해", "asserted")]


@pytest.mark.parametrize(
    ("text", "factuality"),
    [
        ("지진으로 인한 인명 피해는 없었다.", "denied"),
        ("지진으로 인한 피해가 아니다.", "denied"),
        ("정전으로 인한 피해는 보고되지 않았다.", "denied"),
        ("감염으로 인한 사망 여부를 조사했다.", "possible"),
        ("누전으로 인한 화재 가능성을 살폈다.", "possible"),
        ("과로로 인한 두통일 수 있다.", "possible"),
        ("경합으로 인한 지연 예상", "possible"),
        ("카페인은 불면을 유발할 수 있는 물질이다.", "possible"),
        ("공급 감소로 인한 혼란이 생길 수 있다.", "possible"),
        ("설정을 바꾸면 버그가 장애를 유발한다.", "supposed"),
        ("버퍼가 비었을 때 함수가 예외를 일으킨다.", "supposed"),
        ("정전으로 인한 데이터 손실이 발생했다.", "asserted"),
        ("정전으로 인한 피해는 크지 않았다.", "asserted"),
        ("정전으로 인한 손해를 물어냈다.", "asserted"),
    ],
)
def test_an_effect_is_denied_or_in_doubt_with_its_predicate(relate: Relate, text: str, factuality: str) -> None:
    assert [one for _, _, one in causes(relate(text))] == [factuality]


@pytest.mark.parametrize(
    "text",
    [
        "늘어난 수요는 혼란을 초래했다.",
        "확대된 적자로 인한 파산이 있었다.",
        "그는 소동을 일으킨 인물을 만났다.",
        "불안을 유발하는 방법도 있다.",
        "할아버지는 기업을 일으켰다.",
        "빠르게 진행된 상승은 혼란을 초래했다.",
        "과로로 인한 목에 통증 증가.",
        "정전으로 인한 서비스 중지 안내입니다.",
        "객체 ↔ 표 변환은 혼란을 초래한다.",
        "이것은 병을 일으키는 요인이 아니다.",
        "이 설정은 장애를 유발한다.",
        "중복된 문서는 혼란을 초래한다.",
        "구조적 한계는 실패를 초래했다.",
        "락(Lock) 경합으로 인한 지연이 있었다.",
        "반복해서 부르는 패턴은 지연을 초래한다.",
        "속도는 느리지만 피해를 일으키는 파동이다.",
    ],
)
def test_a_change_without_its_verb_and_anybody_are_no_causes(relate: Relate, text: str) -> None:
    assert causes(relate(text)) == []
