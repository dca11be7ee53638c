"""Korean words without morphemes: what ends like a verb is no concept, and one pair has one relation of kinds."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from graphmem.language.extraction import ConceptMention, ExtractedRelation
from graphmem.language.relations.extracting import assembled, extract
from graphmem.models.concept import RelationType
from graphmem.text.plain import PlainAnalyzer


def concepts(text: str) -> list[str]:
    (sentences,) = PlainAnalyzer().analyze([text])
    return [unicodedata.normalize("NFC", one.name) for one in extract(sentences).concepts]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("데이터가 쌓여 있다.", ["데이터"]),
        ("로그가 쌓이는 서버를 늘렸다.", ["로그", "서버"]),
        ("쌓인 Kafka 로그를 보았다.", ["Kafka 로그", "Kafka", "로그"]),
        ("폭설로 인한 정체가 이어졌다.", ["폭설", "정체"]),
        ("사용자가 늘어난 서버에서 오류가 났다.", ["사용자", "서버", "오류"]),
        ("서버를 껐다가 다시 켰다.", ["서버"]),
        ("김치를 먹고 학교에 갔다.", ["김치", "학교"]),
        ("창고 광고를 냈다.", ["창고 광고", "창고", "광고"]),
        ("물값이 올랐다.", ["물값"]),
    ],
)
def test_words_that_end_like_verbs_are_no_concepts(text: str, names: list[str], form: str) -> None:
    assert concepts(unicodedata.normalize(form, text)) == names  # type: ignore[arg-type]


def stated(relation: RelationType, confidence: float) -> ExtractedRelation:
    head = ConceptMention(name="부산", key="부산", kind="concept", start=0, end=2)
    tail = ConceptMention(name="도시", key="도시", kind="concept", start=4, end=6)
    return ExtractedRelation(head, relation, tail, "rule", confidence, "부산은 도시다.")


@pytest.mark.parametrize(
    ("kind", "instance", "kept"),
    [
        (0.6, 0.8, RelationType.INSTANCE_OF),
        (0.7, 0.7, RelationType.INSTANCE_OF),
        (0.9, 0.8, RelationType.IS_A),
    ],
)
def test_what_is_both_a_kind_and_an_instance_is_the_surer_of_both(
    kind: float, instance: float, kept: RelationType
) -> None:
    found = [stated(RelationType.IS_A, kind), stated(RelationType.INSTANCE_OF, instance)]
    for order in (found, found[::-1]):
        extraction = assembled((), order)
        assert [one.relation for one in extraction.relations] == [kept]
        (rejected,) = extraction.rejected
        assert "both" in rejected.reason


def test_other_relations_of_one_pair_stay() -> None:
    part = replace(stated(RelationType.IS_A, 0.9), relation=RelationType.PART_OF)
    assert len(assembled((), [stated(RelationType.IS_A, 0.9), part]).relations) == 2
