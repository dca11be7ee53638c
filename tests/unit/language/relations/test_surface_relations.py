"""Relations of sentences that nobody parsed."""

from __future__ import annotations

import pytest

from graphmem.language.extraction import Extraction
from graphmem.language.relations.extractor import Extractor
from graphmem.text.plain import PlainAnalyzer

EXTRACTOR = Extractor(PlainAnalyzer())


def _triples(found: Extraction) -> list[tuple[str, str, str]]:
    return [(one.head.name, one.relation.value, one.tail.name) for one in found.relations]


def _refused(found: Extraction) -> list[tuple[str, str, str]]:
    return [
        (one.relation.head.name, one.relation.relation.value, one.relation.tail.name) for one in found.rejected
    ]


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        ("The outage was caused by a full disk.", [("full disk", "causes", "outage")]),
        ("The crash caused by the NullPointerError lasted an hour.", [("NullPointerError", "causes", "crash")]),
        (
            "A memory leak causes slow responses and timeouts.",
            [("memory leak", "causes", "slow responses"), ("memory leak", "causes", "timeouts")],
        ),
        (
            "The engine consists of a pump and a filter.",
            [("pump", "part_of", "engine"), ("filter", "part_of", "engine")],
        ),
        ("Snails and slugs cause holes.", [("Snails", "causes", "holes"), ("slugs", "causes", "holes")]),
        ("Overheating leads to failures.", [("Overheating", "causes", "failures")]),
        ("Smoking is the main cause of lung cancer.", [("Smoking", "causes", "lung cancer")]),
        ("The valve is part of the pump.", [("valve", "part_of", "pump")]),
        (
            "Cities such as Los Angeles, Seoul and Paris are large.",
            [(city, "instance_of", "Cities") for city in ("Los Angeles", "Seoul", "Paris")],
        ),
        (
            "We store invoices, receipts and other documents.",
            [("invoices", "is_a", "documents"), ("receipts", "is_a", "documents")],
        ),
        ("A leak causes crashes, and users complained.", [("leak", "causes", "crashes")]),
        ("The database, which was slow, caused timeouts.", []),
        ("Ada is proud to be part of the team.", []),
        ("Work is kind of a challenge.", []),
        ("In later years the abuse of him and his parents resulted in crime.", []),
        ("The HD 39, a plane, led to an order.", [("HD 39", "causes", "order")]),
        ("Possession by Bob results in trouble.", []),
        ("A deadlock is a kind of failure.", [("deadlock", "is_a", "failure")]),
        ("메모리 누수는 장애를 유발한다.", [("메모리 누수", "causes", "장애")]),
        ("과부하로 인한 장애를 복구했다.", [("과부하", "causes", "장애")]),
        ("고래는 포유류의 일종이다.", [("고래", "is_a", "포유류")]),
        (
            "데이터베이스의 연결 부족이 결제 서비스의 지연을 초래했다.",
            [("연결 부족", "causes", "지연")],
        ),
        (
            "잘못된 설정은 연결 오류와 데이터 손실을 자주 유발한다.",
            [("설정", "causes", "연결 오류"), ("설정", "causes", "데이터 손실")],
        ),
        ("말라리아를 일으키는 원충을 모기가 옮긴다.", [("원충", "causes", "말라리아")]),
        ("수면 부족은 집중력 저하를 유발합니다.", [("수면 부족", "causes", "집중력 저하")]),
        (
            "홍수와 폭설로 인한 교통 체증이 심하다.",
            [("홍수", "causes", "교통 체증"), ("폭설", "causes", "교통 체증")],
        ),
        ("포유류의 일종인 고래가 숨을 쉰다.", [("고래", "is_a", "포유류")]),
    ],
)
def test_a_phrase_that_says_a_relation_is_read(text: str, triples: list[tuple[str, str, str]]) -> None:
    assert _triples(EXTRACTOR.extract(text)) == triples


@pytest.mark.parametrize(
    ("text", "triple", "reason"),
    [
        ("The outage was not caused by a full disk.", ("full disk", "causes", "outage"), "denies"),
        ("No drug causes addiction.", ("drug", "causes", "addiction"), "denies"),
        ("A leak may cause timeouts.", ("leak", "causes", "timeouts"), "may be"),
        ("Does a leak cause timeouts?", ("leak", "causes", "timeouts"), "asks"),
        ("Ada said that stress causes headaches.", ("stress", "causes", "headaches"), "somebody says"),
        ("If rain causes floods, we leave.", ("rain", "causes", "floods"), "supposes"),
        ("It causes pain.", ("It", "causes", "pain"), "pronoun"),
        ("We like books and other stuff.", ("books", "is_a", "stuff"), "nothing by itself"),
        ("Pain causes pain.", ("Pain", "causes", "pain"), "same concept"),
        ("메모리 누수는 장애를 유발하지 않는다.", ("메모리 누수", "causes", "장애"), "denies"),
        ("고래는 어류의 일종이 아니다.", ("고래", "is_a", "어류"), "denies"),
        ("스트레스가 두통을 유발할 수 있다.", ("스트레스", "causes", "두통"), "may be"),
        ("스트레스가 두통을 유발하나요?", ("스트레스", "causes", "두통"), "asks"),
        ("정부는 공매도가 주가 폭락을 초래한다고 설명했다.", ("공매도", "causes", "주가 폭락"), "somebody says"),
        ("높은 온도는 폭발을 일으킬 수도 있다.", ("온도", "causes", "폭발"), "may be"),
        ("이것은 두통을 유발한다.", ("이것", "causes", "두통"), "pronoun"),
    ],
)
def test_what_is_not_asserted_is_rejected_with_the_reason(
    text: str, triple: tuple[str, str, str], reason: str
) -> None:
    found = EXTRACTOR.extract(text)
    assert _triples(found) == []
    assert _refused(found) == [triple]
    assert reason in found.rejected[0].reason
