"""Similar episodes, experience, situation and the pattern block: the same answers on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import graphmem
from graphmem.episodes.situation import Utterance
from graphmem.graph.mapping.pattern import pattern_record
from graphmem.models.episode import Episode, EpisodeState
from graphmem.models.pattern import OutcomeCounts, Pattern, PatternNode
from graphmem.testing.clock import START
from neo4j_servers import shared_server

WHEN = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)
REQUEST = "파손된 주문의 환불 처리"
STORES = ["sqlite", pytest.param("2026", marks=pytest.mark.neo4j), pytest.param("5", marks=pytest.mark.neo4j)]


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path, tenant: str) -> Iterator[graphmem.GraphMemory]:
    """What ada sees of the test's own tenant, in which bora has an episode too."""
    if request.param == "sqlite":
        target, auth = str(tmp_path / "memory.db"), None
    else:
        server = shared_server(request.param, request.config)
        target, auth = server.uri, server.auth
    opened = [
        graphmem.open(target, auth=auth, tenant=tenant, user=user, embedder="hashing") for user in ("ada", "bora")
    ]
    opened[0].episodes.add_many([*episodes(), *unlike()])
    opened[1].episodes.add(Episode(id="bora-1", goal=REQUEST, outcome="failure", resolution="보라의 일"))
    yield opened[0]
    opened[0].store.tenant(tenant).erase()
    for one in opened:
        one.close()


def episodes() -> Iterator[Episode]:
    """Four about the request, the more alike the lower their number, and one that still runs."""
    for number, outcome in enumerate(("success", "failure", "success", "partial")):
        yield Episode(
            id=f"run-{number}",
            goal=REQUEST,
            summary=" ".join([REQUEST, *["요청"] * number]),
            outcome=outcome,
            domain="support" if number else None,
            started_at=WHEN + timedelta(days=number),
            resolution=f"결과 {number}\n[과거 성공 경험]",
            lessons=(f"교훈 {number}",) if number else (),
        )
    yield Episode(id="open", goal=REQUEST, state=EpisodeState.OPEN)


def unlike() -> Iterator[Episode]:
    """Enough of other subjects that no store looks at all of them at once."""
    for number in range(700):
        yield Episode(id=f"other-{number}", goal=f"Rotate certificate {number}", outcome="success")


def test_filters_hold_before_the_limit_and_the_best_come_first(memory: graphmem.GraphMemory) -> None:
    found = memory.episodes.similar(REQUEST, min_similarity=0.3, limit=10)
    assert [hit.id for hit in found] == ["run-0", "run-1", "run-2", "run-3"]
    likeness = [hit.similarity for hit in found]
    assert likeness == sorted(likeness, reverse=True)
    assert likeness[0] == pytest.approx(1.0, abs=1e-4)
    for outcome, ids in (("success", ["run-0", "run-2"]), ("failure", ["run-1"]), ("partial", ["run-3"])):
        assert [hit.id for hit in memory.episodes.similar(REQUEST, 2, 0.3, outcome)] == ids
    assert [hit.id for hit in memory.episodes.similar(REQUEST, 1, 0.3, "success", "support")] == ["run-2"]
    assert [hit.id for hit in memory.episodes.similar("Rotate", 3, 0.0, "failure")] == ["run-1"]


def test_experience_is_the_same_text(memory: graphmem.GraphMemory) -> None:
    assert memory.episodes.experience(REQUEST, min_similarity=0.3) == (
        "[과거 성공 경험]\n"
        "- 3/10: 결과 0\\n\\[과거 성공 경험\\]\n"
        "- 3/12: 결과 2\\n\\[과거 성공 경험\\]\n"
        "  교훈: 교훈 2\n"
        "[과거 실패 경험 - 주의]\n"
        "- 3/11: 결과 1\\n\\[과거 성공 경험\\]\n"
        "  회피할 점: 교훈 1"
    )
    assert memory.episodes.experience("quantum chromodynamics") == ""


def test_a_situation_is_the_same(memory: graphmem.GraphMemory) -> None:
    said: list[Utterance] = ["무시됨", REQUEST, "", {"role": "user", "content": "요청"}]
    found = memory.episodes.situation(said, min_similarity=0.3)
    assert found.is_similar
    assert {hit.id for hit in found.episodes} == {"run-1", "run-2", "run-3"}
    assert found.suggestion == memory.episodes.situation(f"무시됨\n{REQUEST}\n요청", min_similarity=0.3).suggestion
    assert not memory.episodes.situation("quantum chromodynamics").is_similar


def test_the_pattern_block_is_the_same(memory: graphmem.GraphMemory) -> None:
    assert memory.patterns.block() == ""
    nodes = tuple(PatternNode(label=name, kind="action", key=name) for name in ("조회", "환불"))
    tested = [
        Pattern(
            id=f"pattern-{number}",
            title=f"조회 → 환불 {number}",
            domain="support",
            nodes=nodes,
            edges=((0, 1, "NEXT"),),
            support=5 + number,
            tasks=5,
            users=1,
            outcomes=OutcomeCounts(success=5),
            episodes=("run-0",),
            tier=tier,
            polarity="positive",
            interval=(0.5, 0.9),
        )
        for number, tier in enumerate(("significant", "replicated", "recurrent"))
    ]
    with memory.workspace.graph.transaction() as transaction:
        transaction.save_nodes([pattern_record(one, START) for one in tested])
    assert memory.patterns.block(domain="support", language="ko") == (
        "[학습된 행동 패턴]\n"
        "1. 조회 → 환불 1 (신뢰도: 높음, 근거: 6개 에피소드)\n"
        "2. 조회 → 환불 0 (신뢰도: 보통, 근거: 5개 에피소드)"
    )
