"""An agent's week on every store: what is written is found, corrected, forgotten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import graphmem

MONDAY = datetime(2026, 2, 2, 9, 0, tzinfo=UTC)
OpenMemory = Callable[..., graphmem.GraphMemory]


def refund(number: int, *, retried: bool) -> graphmem.Episode:
    """A refund that met a timeout; retrying made it a success."""
    steps = [
        graphmem.Step(action="lookup_order", tools=("orders",), concepts=("가전",)),
        graphmem.Step(action="issue_refund", tools=("payments",), errors=("Timeout",), effective=False),
    ]
    if retried:
        steps.append(graphmem.Step(action="retry_refund", tools=("payments",), fixes=("Timeout",)))
    return graphmem.Episode(
        id=f"run-{number}",
        goal=f"파손된 가전 환불 처리, 주문 {number}",
        domain="support",
        task=f"refund-{number % 5}",
        steps=tuple(steps),
        outcome=graphmem.Outcome.SUCCESS if retried else graphmem.Outcome.FAILURE,
        started_at=MONDAY + timedelta(hours=number),
        ended_at=MONDAY + timedelta(hours=number, minutes=4),
        resolution="환불 완료" if retried else "시간 초과로 중단",
    )


def test_a_week_of_an_agent(open_memory: OpenMemory) -> None:
    memory = open_memory(user="ada")
    runs = [refund(number, retried=number % 3 > 0) for number in range(12)]
    assert len(memory.episodes.add_many(runs).added) == 12
    assert len(memory.episodes.add_many(runs).unchanged) == 12
    stored = memory.episodes.get("run-4")
    assert stored.summary
    assert "파손된 가전 환불 처리, 주문 4" in stored.summary
    derived = {"summary": stored.summary, "lessons": stored.lessons}
    assert stored == runs[4].model_copy(update={"user_id": "ada", **derived})

    memory.messages.add_many(
        [
            {"id": "m1", "text": "환불이 아직 안 됐어요", "speaker": "민수", "session": "s1", "at": MONDAY},
            {"id": "m2", "text": "Your refund is on its way", "role": "assistant", "session": "s1", "at": MONDAY},
        ]
    )
    said = {"subject": "민수", "predicate": "lives_in"}
    memory.remember("민수는 부산에 산다", id="busan", valid_from=MONDAY - timedelta(days=900), **said)
    memory.remember("민수는 서울에 산다", id="seoul", valid_from=MONDAY, supersedes="busan", **said)
    memory.concepts.relate("Timeout", "is_a", "NetworkError")

    assert memory.recall("민수는 어디에 살아?", kinds=["fact"])[0].id == "seoul"
    assert memory.recall("민수는 어디에 살아?", kinds=["fact"], as_of=MONDAY - timedelta(days=1))[0].id == "busan"
    assert memory.recall("환불이 안 됐어요", kinds=["message"])[0].id == "m1"
    assert "민수는 서울에 산다" in memory.context("민수는 어디에 살아?")

    alike = memory.episodes.similar("파손된 가전 환불 처리", limit=2, min_similarity=0.1, outcome="failure")
    assert [match.episode.outcome for match in alike] == [graphmem.Outcome.FAILURE] * 2

    assert not memory.consolidate(plan=False).counts["remaining"]
    assert not memory.consolidate(plan=True)
    assert memory.patterns.mine().patterns > 0
    assert any("retry_refund" in pattern.title for pattern in memory.patterns.list(limit=1000))

    changed = memory.episodes.set_outcome("run-3", "partial", source="담당자")
    assert [entry.previous for entry in changed.outcome_history] == [graphmem.Outcome.FAILURE]
    memory.forget(kind="message", id="m1")
    assert [message.id for message in memory.messages.list()] == ["m2"]


def test_both_users_of_a_tenant_share_what_belongs_to_nobody(open_memory: OpenMemory) -> None:
    ada, bob, both = open_memory(user="ada"), open_memory(user="bob"), open_memory()
    ada.remember("the code of Ada's door is 17", id="hers")
    both.remember("the code of the office door is 42", id="common")
    for memory, expected in ((ada, {"hers", "common"}), (bob, {"common"}), (both, {"hers", "common"})):
        assert {item.id for item in memory.recall("code of the door")} == expected
        assert {item.id for item in memory.facts.list()} == expected


def test_recall_answers_alike_on_this_store_and_in_a_file(open_memory: OpenMemory, tmp_path: Path) -> None:
    messages = [
        {"id": f"m{number:02}", "text": text, "at": MONDAY, "speaker": "Ada" if number % 2 else "민수"}
        for number, text in enumerate(
            [
                "I moved to Seoul last spring",
                "서울에서 새 직장을 구했어",
                "The refund of order 17 timed out twice",
                "결제 서비스가 시간 초과로 멈췄어요",
                "We raised the pool and the timeout went away",
                "커넥션 풀을 늘렸더니 시간 초과가 사라졌다",
            ]
            * 4
        )
    ]
    here = open_memory()
    here.messages.add_many(messages)
    with graphmem.open(tmp_path / "beside.db", embedder="hashing") as file:
        file.messages.add_many(messages)
        for query in ("who moved to Seoul?", "시간 초과가 왜 사라졌지?", "order 17", "결제 timeout"):
            there, found = file.recall(query, limit=8), here.recall(query, limit=8)
            assert [item.id for item in found] == [item.id for item in there]
            for item, other in zip(found, there, strict=True):
                assert abs(item.score - other.score) < 1e-3
