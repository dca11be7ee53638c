"""The concepts of the samples and the relations given between them, English and Korean.

`RuntimeFault` and `가전` are where two planted patterns show; their leaves are too rare one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

RUNTIME_FAULTS = (
    "NullReference",
    "IndexOutOfRange",
    "MissingKey",
    "TypeMismatch",
    "DivisionByZero",
    "StackOverflow",
)
BUILD_FAULTS = ("MissingImport", "VersionConflict", "LinkerFailure")
APPLIANCES = ("냉장고", "세탁기", "건조기", "에어컨", "식기세척기", "로봇청소기")
FURNITURE = ("소파", "침대", "책상", "옷장")

_IS_A: dict[str, tuple[str, ...]] = {
    "RuntimeFault": RUNTIME_FAULTS,
    "BuildFault": BUILD_FAULTS,
    "SoftwareFault": ("RuntimeFault", "BuildFault"),
    "NetworkError": ("GatewayTimeout", "ConnectionReset", "NameNotResolved"),
    "CapacityProblem": ("PoolExhausted", "DiskFull", "NoisyNeighbor"),
    "QuotaError": ("RateLimited", "DailyQuotaUsed"),
    "가전": APPLIANCES,
    "가구": FURNITURE,
    "상품": ("가전", "가구"),
    "결제오류": ("승인거절", "한도초과"),
    "예약문제": ("좌석매진", "결항", "여권정보오류"),
}

_OTHER: tuple[tuple[str, str, str], ...] = (
    ("PoolExhausted", "causes", "GatewayTimeout"),
    ("connection pool", "part_of", "database"),
    ("refund policy", "used_for", "refund"),
    ("payment check", "prerequisite_of", "refund"),
    ("regression test", "used_for", "bug fix"),
    ("한도초과", "causes", "승인거절"),
    ("설치기사 방문", "prerequisite_of", "가전 설치"),
    ("환승", "part_of", "여정"),
    ("가전", "similar_to", "home appliance"),
)

_DEFINED: tuple[dict[str, object], ...] = (
    {
        "name": "RuntimeFault",
        "definition": "A fault that shows only while the program runs.",
        "abstraction_level": 3,
    },
    {
        "name": "BuildFault",
        "definition": "A fault that keeps the program from being built.",
        "abstraction_level": 3,
    },
    {"name": "SoftwareFault", "definition": "Anything wrong in the code itself.", "abstraction_level": 4},
    {
        "name": "NetworkError",
        "definition": "A request that got lost on its way.",
        "aliases": ["network failure"],
        "abstraction_level": 3,
    },
    {
        "name": "PoolExhausted",
        "definition": "All connections of a pool are in use and callers wait.",
        "abstraction_level": 1,
    },
    {"name": "RateLimited", "definition": "The service refuses calls that come too fast.", "abstraction_level": 1},
    {
        "name": "가전",
        "definition": "집에서 쓰는 전기 제품. 대부분 설치기사의 방문이 필요하다.",
        "aliases": ["가전제품"],
        "abstraction_level": 3,
    },
    {"name": "가구", "definition": "집 안에 들여놓고 쓰는 큰 살림.", "abstraction_level": 3},
    {"name": "상품", "definition": "쇼핑몰에서 파는 모든 것.", "abstraction_level": 4},
    {"name": "좌석매진", "definition": "요청한 항공편에 남은 좌석이 없는 상태.", "abstraction_level": 1},
    {"name": "승인거절", "definition": "카드사가 결제 승인을 거절한 상태.", "abstraction_level": 1},
)


def concept_records() -> Iterator[dict[str, object]]:
    """Yields the concepts that have more than a name."""
    for concept in _DEFINED:
        yield {"type": "concept", **concept}


def relation_records() -> Iterator[dict[str, object]]:
    """Yields the relations, the taxonomy first."""
    for parent, children in _IS_A.items():
        for child in children:
            yield {"type": "relation", "head": child, "relation": "is_a", "tail": parent, "source": "given"}
    for head, relation, tail in _OTHER:
        yield {"type": "relation", "head": head, "relation": relation, "tail": tail, "confidence": 0.9}
