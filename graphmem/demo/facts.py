"""What the samples remember beside episodes: facts, preferences, lessons and two written-down procedures."""

from __future__ import annotations

from collections.abc import Iterator

Record = dict[str, object]

_MEMORIES: tuple[Record, ...] = (
    {
        "kind": "fact",
        "id": "ada-berlin",
        "text": "Ada lives in Berlin.",
        "user": "ada",
        "subject": "Ada",
        "predicate": "lives_in",
        "object": "Berlin",
        "valid_from": "2024-05-01T00:00:00Z",
        "valid_to": "2026-02-25T00:00:00Z",
        "about": ["Ada"],
    },
    {
        "kind": "fact",
        "id": "ada-lisbon",
        "text": "Ada lives in Lisbon.",
        "user": "ada",
        "subject": "Ada",
        "predicate": "lives_in",
        "object": "Lisbon",
        "valid_from": "2026-02-25T00:00:00Z",
        "supersedes": "ada-berlin",
        "about": ["Ada"],
        "sources": ["ada-talk-1-1"],
    },
    {
        "kind": "preference",
        "id": "ada-mail",
        "text": "Ada prefers e-mail to chat.",
        "user": "ada",
        "about": ["Ada"],
        "sources": ["ada-talk-1-3"],
        "confidence": 0.95,
    },
    {
        "kind": "lesson",
        "id": "refund-order",
        "text": "Check policy and payment before a refund; an unsettled charge is rejected.",
        "about": ["refund", "payment check"],
        "why": "A refund on an unsettled charge was rejected twice.",
        "sources": ["ada-talk-2-2"],
    },
    {
        "kind": "correction",
        "id": "ada-payment-first",
        "text": "Look at the payment first, not only at the order.",
        "user": "ada",
        "sources": ["ada-talk-2-3"],
    },
    {
        "kind": "fact",
        "id": "ben-mia",
        "text": "Ben's daughter is called Mia.",
        "user": "ben",
        "subject": "Ben",
        "predicate": "has_daughter",
        "object": "Mia",
        "sources": ["ben-talk-2-1"],
    },
    {
        "kind": "preference",
        "id": "ben-no-on-call",
        "text": "Ben takes no on-call in the week when school starts in August.",
        "user": "ben",
        "valid_from": "2026-08-01T00:00:00Z",
        "valid_to": "2026-09-01T00:00:00Z",
        "sources": ["ben-talk-2-1"],
    },
    {
        "kind": "lesson",
        "id": "pool-timeouts",
        "text": "Timeouts under normal load often mean that the connection pool is exhausted.",
        "about": ["GatewayTimeout", "PoolExhausted"],
        "sources": ["ben-talk-1-4"],
        "confidence": 0.8,
    },
    {
        "kind": "domain",
        "id": "net-revenue",
        "text": "Revenue means net of refunds and without gift cards.",
        "user": "chloe",
        "about": ["revenue"],
        "sources": ["chloe-talk-1-1"],
    },
    {
        "kind": "preference",
        "id": "chloe-charts",
        "text": "Chloe wants lines and bars, never pie charts.",
        "user": "chloe",
        "sources": ["chloe-talk-1-3"],
    },
    {
        "kind": "lesson",
        "id": "pause-after-429",
        "text": "After a refused call wait as long as the reply asks; calling at once prolongs the block.",
        "about": ["RateLimited"],
        "sources": ["dana-talk-1-2"],
    },
    {
        "kind": "validation",
        "id": "dana-pause-works",
        "text": "Dana confirmed that the client with a pause is no longer blocked.",
        "user": "dana",
        "at": "2026-04-03T09:00:00Z",
    },
    {
        "kind": "fact",
        "id": "eli-reviews",
        "text": "Eli reviews all changes to billing.py.",
        "user": "eli",
        "subject": "Eli",
        "predicate": "reviews",
        "object": "billing.py",
    },
    {
        "kind": "preference",
        "id": "minji-window",
        "text": "민지 님은 창가 좌석을 선호한다.",
        "user": "minji",
        "about": ["김민지"],
        "sources": ["minji-talk-1-1"],
    },
    {
        "kind": "fact",
        "id": "minji-peanut",
        "text": "민지 님은 땅콩 알레르기가 있다.",
        "user": "minji",
        "subject": "김민지",
        "predicate": "알레르기",
        "object": "땅콩",
        "sources": ["minji-talk-1-3"],
    },
    {
        "kind": "lesson",
        "id": "sold-out-offer",
        "text": "좌석이 매진되면 바로 다른 시간대를 제안하고 그 자리에서 예약을 바꾼다.",
        "about": ["좌석매진"],
        "sources": ["minji-talk-2-2"],
    },
    {
        "kind": "preference",
        "id": "junho-saturday",
        "text": "준호 님은 토요일 오전 방문을 원한다.",
        "user": "junho",
        "sources": ["junho-talk-1-3"],
    },
    {
        "kind": "domain",
        "id": "appliance-visit",
        "text": "가전 교환은 설치기사 방문이 필요하고, 일반 택배로는 수거할 수 없다.",
        "about": ["가전", "설치기사 방문"],
    },
    {
        "kind": "lesson",
        "id": "declined-card",
        "text": "승인이 거절되면 같은 카드로 반복하지 말고 한도를 확인하거나 결제수단을 바꾼다.",
        "about": ["승인거절", "한도초과"],
        "sources": ["seoyeon-talk-1-2"],
    },
    {
        "kind": "fact",
        "id": "haneul-seoul",
        "text": "하늘 님은 서울 마포에 산다.",
        "user": "haneul",
        "subject": "정하늘",
        "predicate": "거주지",
        "object": "서울 마포",
        "valid_to": "2026-05-10T00:00:00+09:00",
    },
    {
        "kind": "fact",
        "id": "haneul-busan",
        "text": "하늘 님은 부산 해운대에 산다.",
        "user": "haneul",
        "subject": "정하늘",
        "predicate": "거주지",
        "object": "부산 해운대",
        "valid_from": "2026-05-10T00:00:00+09:00",
        "supersedes": "haneul-seoul",
        "sources": ["haneul-talk-1-1"],
    },
)

_PROCEDURES: tuple[Record, ...] = (
    {
        "id": "rotate-certificate",
        "name": "Rotate a certificate",
        "when": "A certificate expires within two weeks.",
        "steps": ["Order the new certificate", "Install it beside the old one", "Switch", "Remove the old one"],
    },
    {
        "id": "현금영수증-발급",
        "name": "현금영수증 발급",
        "when": "고객이 결제한 뒤에 현금영수증을 요청할 때",
        "steps": ["주문을 조회한다", "휴대전화 번호를 확인한다", "현금영수증을 발급한다", "문자로 알린다"],
    },
)


def memory_records() -> Iterator[Record]:
    """Yields the memories, what is superseded before what supersedes it."""
    for memory in _MEMORIES:
        yield {"type": "memory", **memory}


def procedure_records() -> Iterator[Record]:
    """Yields the procedures that people wrote down; learned ones come from consolidation."""
    for procedure in _PROCEDURES:
        yield {"type": "procedure", **procedure}
