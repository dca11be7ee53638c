"""Short conversations of the sample users, English and Korean, so that recall has something to find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

Record = dict[str, object]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages of one session; those of the user and of the assistant take turns, the user first."""

    session: str
    user: str
    speaker: str
    """The user's name as others would say it."""
    starts: datetime
    turns: tuple[str, ...]


def _on(month: int, day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


CONVERSATIONS = (
    Conversation(
        "ada-talk-1",
        "ada",
        "Ada",
        _on(3, 4, 9, 5),
        (
            "I moved from Berlin to Lisbon last week, please use the new office for parcels.",
            "Noted: parcels go to the Lisbon office.",
            "And write to me by e-mail, I never look at the chat in the morning.",
            "E-mail it is.",
        ),
    ),
    Conversation(
        "ada-talk-2",
        "ada",
        "Ada",
        _on(4, 16, 15, 40),
        (
            "The refund for the coffee grinder was rejected again. What did we do last time?",
            "Last time the charge had not settled. After the payment check it went through.",
            "Then check the payment first from here on.",
            "I will: policy, payment, then the refund.",
        ),
    ),
    Conversation(
        "ben-talk-1",
        "ben",
        "Ben",
        _on(3, 11, 7, 20),
        (
            "Checkout shows 504 every few minutes although traffic is low.",
            "Low traffic and timeouts: how many connections are waiting?",
            "Forty. The pool limit is forty as well.",
            "Then the pool is exhausted; raise the limit and probe again.",
        ),
    ),
    Conversation(
        "ben-talk-2",
        "ben",
        "Ben",
        _on(5, 6, 18, 2),
        (
            "My daughter Mia starts school in August, so no on-call for me in that week.",
            "I will keep that week free of on-call.",
        ),
    ),
    Conversation(
        "chloe-talk-1",
        "chloe",
        "Chloe",
        _on(3, 25, 10, 30),
        (
            "For the board, revenue always means net of refunds and without gift cards.",
            "Understood, net of refunds and without gift cards.",
            "And please no pie charts.",
            "Lines and bars only.",
        ),
    ),
    Conversation(
        "dana-talk-1",
        "dana",
        "Dana",
        _on(4, 2, 13, 15),
        (
            "The price service blocked us after three quick calls. How long is the pause?",
            "The reply asks for a pause of sixty seconds.",
            "Good, put the pause into the client.",
            "The client waits as long as the reply says.",
        ),
    ),
    Conversation(
        "minji-talk-1",
        "minji",
        "김민지",
        _on(3, 9, 1, 10),
        (
            "다음 주 도쿄 출장은 꼭 창가 좌석으로 부탁해요.",
            "창가 좌석으로 요청해 두겠습니다.",
            "아, 그리고 저는 땅콩 알레르기가 있어요.",
            "기내식에 땅콩이 들어가지 않도록 알려 두겠습니다.",
        ),
    ),
    Conversation(
        "minji-talk-2",
        "minji",
        "김민지",
        _on(4, 20, 5, 45),
        (
            "지난번처럼 매진되면 어떻게 하죠?",
            "매진이면 바로 다른 시간대를 제안하고 예약을 바꿔 드리겠습니다.",
            "저녁 비행기도 괜찮아요.",
            "저녁 항공편까지 함께 찾아보겠습니다.",
        ),
    ),
    Conversation(
        "junho-talk-1",
        "junho",
        "박준호",
        _on(3, 18, 2, 0),
        (
            "세탁기 교환을 신청했는데 기사님은 언제 오시나요?",
            "설치기사 방문은 목요일 오전으로 예약되어 있습니다.",
            "목요일은 어렵고 토요일이면 좋겠어요.",
            "토요일 오전으로 바꾸었습니다.",
        ),
    ),
    Conversation(
        "seoyeon-talk-1",
        "서연",
        "이서연",
        _on(4, 27, 8, 30),
        (
            "카드 승인이 계속 거절되는데 다시 눌러도 될까요?",
            "같은 카드로 계속 시도하면 카드가 잠길 수 있습니다. 한도를 먼저 확인해 주세요.",
            "한도가 부족했네요. 계좌이체로 할게요.",
            "계좌이체로 결제수단을 바꾸었습니다.",
        ),
    ),
    Conversation(
        "haneul-talk-1",
        "haneul",
        "정하늘",
        _on(5, 12, 3, 25),
        (
            "이사해서 이제 부산 해운대에 살아요. 배송지를 바꿔 주세요.",
            "배송지를 부산 해운대로 바꾸었습니다.",
        ),
    ),
)


def session_records() -> Iterator[Record]:
    """Yields the sessions of the conversations."""
    for talk in CONVERSATIONS:
        yield {
            "type": "session",
            "id": talk.session,
            "user": talk.user,
            "started_at": talk.starts.isoformat(),
        }


def message_records() -> Iterator[Record]:
    """Yields all messages, twenty seconds apart within a session."""
    for talk in CONVERSATIONS:
        for turn, text in enumerate(talk.turns):
            yield {
                "type": "message",
                "id": f"{talk.session}-{turn + 1}",
                "text": text,
                "at": (talk.starts + timedelta(seconds=20 * turn)).isoformat(),
                "user": talk.user,
                "session": talk.session,
            } | _spoken_by(talk, turn)


def _spoken_by(talk: Conversation, turn: int) -> Record:
    if turn % 2:
        return {"role": "assistant"}
    return {"role": "user", "speaker": talk.speaker}
