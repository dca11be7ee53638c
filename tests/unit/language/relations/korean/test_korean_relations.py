from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from graphmem.language.extraction import EVENT, ExtractedRelation
from graphmem.language.relations.korean import KOREAN_RULES
from graphmem.language.relations.rules import RelationRule

Relate = Callable[..., list[ExtractedRelation]]


def said(relations: list[ExtractedRelation]) -> list[tuple[str, str, str, str]]:
    return [
        (
            unicodedata.normalize("NFC", one.head.name),
            one.relation.value,
            unicodedata.normalize("NFC", one.tail.name),
            one.factuality,
        )
        for one in relations
    ]


EXAMPLES = {
    "causes.유발하다": ("과부하", "causes", "지연"),
    "causes.유발하는": ("물질", "causes", "암"),
    "causes.유발되다": ("스트레스", "causes", "두통"),
    "causes.로_인한": ("폭설", "causes", "정체"),
    "causes.원인이다": ("흡연", "causes", "폐암"),
    "causes.원인은": ("누전", "causes", "화재"),
    "causes.로_인해": ("폭우", "causes", "다리가 무너지다"),
    "causes.때문에": ("안개", "causes", "비행기가 연착되다"),
    "causes.기_때문에": ("수요가 줄다", "causes", "가격이 떨어지다"),
    "causes.아서": ("비가 오다", "causes", "경기가 취소되다"),
    "is_a.의_일종": ("고래", "is_a", "포유류"),
    "is_a.인": ("메탄", "is_a", "온실가스"),
    "is_a.이다": ("첼로", "is_a", "현악기"),
    "is_a.로": ("수달", "is_a", "포유류"),
    "instance_of.인": ("부산", "instance_of", "항구 도시"),
    "instance_of.이다": ("부산", "instance_of", "항구 도시"),
    "instance_of.로": ("한강", "instance_of", "강"),
    "part_of.의_일부": ("망막", "part_of", "눈"),
    "part_of.로_구성되다": ("원자핵", "part_of", "원자"),
    "part_of.포함하다": ("간", "part_of", "소화계"),
}


@pytest.mark.parametrize("rule", KOREAN_RULES, ids=lambda rule: rule.name)
def test_each_rule_finds_what_its_example_states(relate: Relate, rule: RelationRule) -> None:
    found = {(one.rule, *said([one])[0]) for one in relate(rule.example)}
    assert (rule.name, *EXAMPLES[rule.name], "asserted") in found


def test_each_rule_is_named_once_and_speaks_of_korean() -> None:
    assert len({rule.name for rule in KOREAN_RULES}) == len(KOREAN_RULES) == len(EXAMPLES)
    for rule in KOREAN_RULES:
        assert rule.name.startswith(f"{rule.relation.value}.")
        assert (rule.language, rule.form) == ("ko", "morphemes")
        assert 0 < rule.prior < 1


@pytest.mark.parametrize(
    ("text", "factuality"),
    [
        ("과부하는 지연을 유발하지 않는다.", "denied"),
        ("과부하는 지연을 유발하지는 못했다.", "denied"),
        ("과부하가 지연을 안 일으킨다.", "denied"),
        ("과부하가 지연을 유발하는 것은 아니다.", "denied"),
        ("과부하가 지연을 유발할 수 없다.", "denied"),
        ("과부하가 지연을 유발합니까?", "asked"),
        ("과부하가 지연을 유발하나요", "asked"),
        ("과부하가 지연을 유발하니?", "asked"),
        ("과부하가 지연을 유발할까", "asked"),
        ("과부하는 지연을 유발할 수 있다.", "possible"),
        ("과부하가 지연을 유발한 것 같아요.", "possible"),
        ("과부하가 지연을 유발했을 것이다.", "possible"),
        ("과부하가 지연을 유발할지도 모른다.", "possible"),
        ("과부하가 지연을 유발한 것으로 보인다.", "possible"),
        ("아마 과부하가 지연을 유발했다.", "possible"),
        ("과부하가 지연을 유발한다고 한다.", "reported"),
        ("민수는 과부하가 지연을 유발했다고 주장했다.", "reported"),
        ("과부하가 지연을 유발했대요.", "reported"),
        ("기사에 따르면 과부하가 지연을 유발했다.", "reported"),
        ("과부하가 지연을 유발하면 줄인다.", "supposed"),
        ("만약 과부하가 지연을 유발한다면 줄인다.", "supposed"),
        ("과부하가 지연을 유발한다.", "asserted"),
        ("과부하가 지연을 유발하고 있다.", "asserted"),
        ("과부하가 지연을 유발하는 것이다.", "asserted"),
    ],
)
def test_the_ending_says_how_the_sentence_stands_to_it(relate: Relate, text: str, factuality: str) -> None:
    assert said(relate(text)) == [("과부하", "causes", "지연", factuality)]


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("암을 유발하지 않는 물질을 찾았다.", ("물질", "causes", "암", "denied")),
        ("암을 유발할 수 있는 물질을 찾았다.", ("물질", "causes", "암", "possible")),
        ("두통은 스트레스에 의해 유발되지 않는다.", ("스트레스", "causes", "두통", "denied")),
        ("두통은 스트레스에 의해 유발될 수 있다.", ("스트레스", "causes", "두통", "possible")),
        ("폭설로 인한 정체가 있었나요?", ("폭설", "causes", "정체", "asked")),
        ("흡연은 폐암의 원인이 아니다.", ("흡연", "causes", "폐암", "denied")),
        ("흡연은 폐암의 원인일 수 있다.", ("흡연", "causes", "폐암", "possible")),
        ("흡연이 폐암의 원인인가요?", ("흡연", "causes", "폐암", "asked")),
        ("화재의 원인은 누전이 아니다.", ("누전", "causes", "화재", "denied")),
        ("화재의 원인은 누전일 것이다.", ("누전", "causes", "화재", "possible")),
        ("폭우로 인해 다리가 무너졌나요?", ("폭우", "causes", "다리가 무너지다", "asked")),
        ("폭우로 인해 다리가 무너질 수 있다.", ("폭우", "causes", "다리가 무너지다", "possible")),
        ("안개 때문에 비행기가 연착됐니?", ("안개", "causes", "비행기가 연착되다", "asked")),
        ("안개 때문에 비행기가 연착될 것 같다.", ("안개", "causes", "비행기가 연착되다", "possible")),
        ("수요가 줄었기 때문에 가격이 떨어졌다고 한다.", ("수요가 줄다", "causes", "가격이 떨어지다", "reported")),
        ("수요가 줄었기 때문에 가격이 떨어졌을까?", ("수요가 줄다", "causes", "가격이 떨어지다", "asked")),
        ("비가 와서 경기가 취소됐을 것이다.", ("비가 오다", "causes", "경기가 취소되다", "possible")),
        ("비가 와서 경기가 취소되면 연락해.", ("비가 오다", "causes", "경기가 취소되다", "supposed")),
        ("고래는 어류의 일종이 아니다.", ("고래", "is_a", "어류", "denied")),
        ("고래는 어류의 일종인가요?", ("고래", "is_a", "어류", "asked")),
        ("고래는 어류의 일종일 것이다.", ("고래", "is_a", "어류", "possible")),
        ("온실가스인 메탄이 빠져나갔나요?", ("메탄", "is_a", "온실가스", "asked")),
        ("첼로는 관악기가 아니다.", ("첼로", "is_a", "관악기", "denied")),
        ("첼로는 관악기입니까?", ("첼로", "is_a", "관악기", "asked")),
        ("첼로는 관악기일 수도 있다.", ("첼로", "is_a", "관악기", "possible")),
        ("망막은 귀의 일부가 아니다.", ("망막", "part_of", "귀", "denied")),
        ("망막은 귀의 일부인가?", ("망막", "part_of", "귀", "asked")),
        ("망막은 눈의 일부라고 배웠다.", ("망막", "part_of", "눈", "reported")),
        ("원자는 분자로 구성되지 않는다.", ("분자", "part_of", "원자", "denied")),
        ("원자는 분자로 구성될 수 있다.", ("분자", "part_of", "원자", "possible")),
        ("소화계는 폐를 포함하지 않는다.", ("폐", "part_of", "소화계", "denied")),
        ("소화계는 폐를 포함합니까?", ("폐", "part_of", "소화계", "asked")),
    ],
)
def test_no_rule_asserts_what_is_denied_asked_or_possible(
    relate: Relate, text: str, relation: tuple[str, str, str, str]
) -> None:
    assert relation in said(relate(text))
    assert not [one for one in relate(text) if one.factuality == "asserted"]


@pytest.mark.parametrize(
    "text",
    [
        "책상 위에는 노트북이 있다.",
        "집에 가서 저녁을 먹었다.",
        "내가 자리에 앉아서 책이 젖었다.",
        "환경을 위해서 시민들이 나섰다.",
        "나는 학생이다.",
        "이것은 좋은 생각이다.",
        "우리 서버는 백업 서버다.",
        "그는 아버지가 의사이다.",
        "회의는 내일이다.",
        "너 때문에 기분이 상했다.",
    ],
)
def test_what_states_no_relation_gives_none(relate: Relate, text: str) -> None:
    assert relate(text) == []


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("충치는 세균 때문에 생긴다.", ("세균", "causes", "충치", "asserted")),
        ("멀미로 인해 생긴 두통이 심하다.", ("멀미", "causes", "두통", "asserted")),
        ("수은 중독은 신경 손상의 원인이 된다.", ("수은 중독", "causes", "신경 손상", "asserted")),
        ("Nginx는 웹 서버 중 하나다.", ("Nginx", "is_a", "웹 서버", "asserted")),
        ("수박은 과일이 아니라 채소이다.", ("수박", "is_a", "채소", "asserted")),
        ("정사각형으로 이루어진 체스보드를 샀다.", ("정사각형", "part_of", "체스보드", "asserted")),
        ("디스크가 가득 차서 서버가 멈췄다.", ("디스크가 가득 차다", "causes", "서버가 멈추다", "asserted")),
        ("배터리가 방전되어서 시동이 안 걸렸다.", ("배터리가 방전되다", "causes", "시동이 안 걸리다", "asserted")),
        ("‘기생충’(Parasite)은 가난을 다룬 영화이다.", ("기생충", "is_a", "영화", "asserted")),
        ("바람이 거칠게 불어서 간판이 떨어졌다.", ("바람이 거칠게 불다", "causes", "간판이 떨어지다", "asserted")),
        ("약이 졸음을 유발한다.", ("약", "causes", "졸음", "asserted")),
        ("손님이 복통을 일으킨 것과 상한 우유가 두통을 일으킨 것을 안다.", ("우유", "causes", "두통", "asserted")),
        ("고래는 포유류, 상어는 어류이다.", ("상어", "is_a", "어류", "asserted")),
        ("흡연으로 인한 심각한 질병이 많다.", ("흡연", "causes", "질병", "asserted")),
    ],
)
def test_variants_of_the_rules(relate: Relate, text: str, relation: tuple[str, str, str, str]) -> None:
    assert relation in said(relate(text))


@pytest.mark.parametrize(
    "text",
    [
        "유생들이 반란을 일으켰다.",
        "그는 그녀를 대사로, 나를 영사로 임명했다.",
        "대중적인 영향력을 갖추었다.",
        "길이는 3.5 km 이다.",
        "우승자는 한국이다.",
        "경찰서는 교수가 쓰러진 것과 그가 두통을 일으킨 것과 관련해 검사를 맡겼다.",
        "김민수 시장은 전문가이다.",
        "그를 포함해 다섯 명이 왔다.",
        "회의가 서울에서 처음으로 이루어졌다.",
        "학생을 도와서 선생님이 웃었다고 말하는 사람을 보았다.",
    ],
)
def test_what_looks_like_a_relation_and_is_none(relate: Relate, text: str) -> None:
    assert [one for one in said(relate(text)) if one[3] == "asserted"] == []


def test_a_name_is_an_instance_and_a_noun_a_kind(relate: Relate) -> None:
    assert said(relate("부산은 항구 도시이다.")) == [("부산", "instance_of", "항구 도시", "asserted")]
    assert said(relate("PostgreSQL은 데이터베이스이다.")) == [
        ("PostgreSQL", "instance_of", "데이터베이스", "asserted")
    ]
    assert said(relate("첼로는 현악기이다.")) == [("첼로", "is_a", "현악기", "asserted")]


def test_scripts_may_be_mixed(relate: Relate) -> None:
    assert said(relate("Redis는 데이터베이스의 일종이다")) == [("Redis", "is_a", "데이터베이스", "asserted")]
    assert said(relate("OOM으로 인한 Pod 재시작이 잦다.")) == [("OOM", "causes", "Pod 재시작", "asserted")]


def test_each_of_a_list_is_related(relate: Relate) -> None:
    assert {one[0] for one in said(relate("오케스트라는 현악기, 관악기 및 타악기로 구성된다."))} == {
        *("현악기", "관악기", "타악기"),
    }


def test_an_event_has_one_name_whatever_its_ending(relate: Relate) -> None:
    texts = [
        "비가 와서 경기가 취소됐다.",
        "비가 왔기 때문에 경기가 취소되었다.",
        "비가 오기 때문에 경기가 취소된다.",
    ]
    (event,) = {(one.head.key, one.head.kind) for text in texts for one in relate(text)}
    assert event == ("비가오다", EVENT)


@pytest.mark.parametrize("text", ["소화계는 위와 간을 포함한다.", "첼로는 현악기이다.", "온실가스인 메탄이 샌다."])
def test_rules_for_prose_are_off_in_chat(relate: Relate, text: str) -> None:
    assert relate(text, "prose")
    assert relate(text, "chat") == []


def test_chat_says_of_names_what_they_are(relate: Relate) -> None:
    assert said(relate("MongoDB는 데이터베이스예요.", "chat")) == [
        ("MongoDB", "instance_of", "데이터베이스", "asserted")
    ]
    assert said(relate("고래는 포유류의 일종이야.", "chat")) == [("고래", "is_a", "포유류", "asserted")]


def test_spans_are_those_of_the_text_that_was_read(relate: Relate) -> None:
    text = unicodedata.normalize("NFD", "어제 회의를 했다. 비가 와서 경기가 취소됐다. 고래는 포유류의 일종이다.")
    cause, kind = relate(text)
    assert unicodedata.normalize("NFC", text[kind.head.start : kind.head.end]) == "고래"
    assert unicodedata.normalize("NFC", text[cause.tail.start : cause.tail.end]).startswith("경기가 취소")


@pytest.mark.parametrize("rule", KOREAN_RULES, ids=lambda rule: rule.name)
def test_decomposed_text_states_the_same(relate: Relate, rule: RelationRule) -> None:
    composed = relate(rule.example)
    decomposed = relate(unicodedata.normalize("NFD", rule.example))
    assert said(decomposed) == said(composed)
    assert [(one.head.key, one.tail.key) for one in decomposed] == [
        (one.head.key, one.tail.key) for one in composed
    ]
