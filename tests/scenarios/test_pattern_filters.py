"""Patterns are chosen by what they hold, how they ended and where they were seen; limited runs keep apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest

import graphmem
from graphmem.models.pattern import Pattern

DAY = datetime(2026, 3, 1, tzinfo=UTC)
OpenMemory = Callable[..., graphmem.GraphMemory]


def episode(name: str, *steps: dict[str, Any], day: int | None = 0, **fields: Any) -> graphmem.Episode:
    begun = None if day is None else DAY + timedelta(days=day)
    return graphmem.Episode(
        **{"id": name, "goal": "g", "outcome": "success", "started_at": begun, **fields}, steps=steps
    )


def titles(memory: graphmem.GraphMemory, **filters: Any) -> set[str]:
    return {pattern.title for pattern in memory.patterns.list(**filters)}


@pytest.fixture
def shop(memory: graphmem.GraphMemory) -> graphmem.GraphMemory:
    """Refunds in March, returns in April, and a network that fails now and then."""
    memory.concepts.relate("Timeout", "is_a", "NetworkError")
    memory.concepts.relate("NetworkError", "is_a", "오류")
    memory.concepts.relate("결제창", "is_a", "화면 도구")
    for number in range(3):
        memory.episodes.add_many(
            [
                episode(
                    f"refund-{number}",
                    {"action": "환불", "tools": ["결제창"]},
                    day=number,
                    goal=f"파손된 주문 {number}을 환불해 주세요",
                    task="refund",
                    domain="쇼핑",
                ),
                episode(
                    f"return-{number}",
                    {"action": "send_label", "concepts": ["Parcels"]},
                    day=31 + number,
                    goal="Returns a parcel that came late",
                    task=f"return-{number}",
                    domain="post",
                ),
                episode(
                    f"net-{number}", {"action": "call", "errors": ["Timeout"]}, day=10 * number, domain="쇼핑"
                ),
            ]
        )
    memory.patterns.mine()
    return memory


REFUND, RETURN, NET = "환불 uses 결제창", "send_label about Parcels", "call raises Timeout"


def test_a_pattern_is_found_by_what_it_is_about_and_by_every_kind_above(shop: graphmem.GraphMemory) -> None:
    assert titles(shop) == {REFUND, RETURN, NET}
    for name in (
        "Timeout",
        "timeouts",
        "networkerror",
        "NetworkErrors",
        "오류",
        unicodedata.normalize("NFD", "오류"),
    ):
        assert titles(shop, about=name) == {NET}, name
    for name in ("parcel", "PARCELS", "Ｐarcel"):
        assert titles(shop, about=name) == {RETURN}, name
    assert titles(shop, about="결제창") == set()
    assert titles(shop, about="error") == set()


def test_a_pattern_is_found_by_its_tool_or_what_kind_of_tool_it_is(shop: graphmem.GraphMemory) -> None:
    for name in ("결제창", unicodedata.normalize("NFD", "결제창"), "화면도구", "화면 도구"):
        assert titles(shop, tool=name) == {REFUND}, name
    assert titles(shop, tool="Timeout") == set()


def test_a_pattern_is_found_by_the_goal_of_an_episode(shop: graphmem.GraphMemory) -> None:
    for words in ("환불", "주문 환불", unicodedata.normalize("NFD", "파손된 주문")):
        assert titles(shop, goal=words) == {REFUND}, words
    assert titles(shop, goal="late parcels") == {RETURN}
    assert titles(shop, goal="Return a parcel that came late") == {RETURN}
    assert titles(shop, goal="late 환불") == set()


def test_a_pattern_is_found_by_a_task_and_by_when_its_episodes_began(shop: graphmem.GraphMemory) -> None:
    assert titles(shop, task="refund") == {REFUND}
    assert titles(shop, task="return-1") == {RETURN}
    assert titles(shop, domain="쇼핑") == {REFUND, NET}
    assert titles(shop, since=DAY + timedelta(days=25)) == {RETURN}
    assert titles(shop, until=DAY + timedelta(days=20)) == {REFUND, NET}
    assert titles(shop, since=DAY + timedelta(days=2), until=DAY + timedelta(days=2)) == {REFUND}
    # between the first and the last time the network failed, but at neither
    assert titles(shop, since=DAY + timedelta(days=11), until=DAY + timedelta(days=19)) == set()
    assert titles(shop, since=DAY + timedelta(days=10), until=DAY + timedelta(days=10)) == {NET}


def test_what_is_asked_of_evidence_holds_of_one_episode(shop: graphmem.GraphMemory) -> None:
    second = DAY + timedelta(days=32)
    assert titles(shop, task="return-1", since=second, until=second) == {RETURN}
    assert titles(shop, task="return-0", since=second, until=second) == set()
    assert titles(shop, goal="parcel", task="return-1", about="parcel", domain="post") == {RETURN}


def test_a_user_sees_only_patterns_with_evidence_of_their_own_where_evidence_is_asked_for(
    open_memory: OpenMemory,
) -> None:
    for user in ("ada", "서연"):
        memory = open_memory(user=user)
        memory.episodes.add_many(
            episode(f"{user}-{n}", {"action": user, "tools": ["x"]}, task="t") for n in range(3)
        )
    open_memory().patterns.mine()
    assert titles(open_memory(user="서연"), task="t") == {"서연 uses x"}
    assert titles(open_memory(user="서연"), since=DAY) == {"서연 uses x"}
    assert titles(open_memory(), task="t") == {"서연 uses x", "ada uses x"}


@pytest.mark.parametrize("order", ["-support", "id", "last_seen", "-first_seen"])
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_of_filtered_patterns_hold_each_once_and_end(
    memory: graphmem.GraphMemory, order: str, limit: int
) -> None:
    for kind in range(9):
        memory.concepts.relate(f"thing {kind}", "is_a", "even" if kind % 2 == 0 else "odd")
        memory.episodes.add_many(
            episode(
                f"e{kind}-{n}",
                {"action": "look", "concepts": [f"thing {kind}"]},
                day=None if kind == 4 else kind,
            )
            for n in range(3 + kind // 3)
        )
    memory.patterns.mine(max_generalised=0)
    whole = [pattern.id for pattern in memory.patterns.list(about="even", order=order)]
    assert len(whole) == 5
    read: list[str] = []
    after = None
    while True:
        page = memory.patterns.list(about="even", order=order, limit=limit, after=after)
        assert 1 <= len(page) <= limit
        read += [pattern.id for pattern in page]
        if page.next is None:
            break
        after = page.next
    assert read == whole


@pytest.mark.parametrize(
    ("filters", "word"),
    [
        ({"about": " "}, "about"),
        ({"tool": ""}, "tool"),
        ({"goal": " \t"}, "goal"),
        ({"since": datetime(2026, 1, 1)}, "since"),  # noqa: DTZ001 (naive is what is refused)
        ({"limit": 0}, "limit"),
        ({"about": "x", "limit": 10_001}, "limit"),
    ],
)
def test_a_filter_that_is_refused_says_which(
    memory: graphmem.GraphMemory, filters: dict[str, Any], word: str
) -> None:
    memory.remember("something")
    with pytest.raises(graphmem.InvalidInputError, match=word):
        memory.patterns.list(**filters)


def by_scope(memory: graphmem.GraphMemory) -> dict[str | None, Pattern]:
    return {pattern.scope: pattern for pattern in memory.patterns.list()}


def test_runs_of_other_limits_keep_their_patterns(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        episode(f"e{n}", {"action": "조회"}, {"action": "환불"}, day=n, task=f"t{n % 2}", domain="쇼핑")
        for n in range(8)
    )
    memory.episodes.add(episode("timeless", {"action": "조회"}, {"action": "환불"}, day=None))
    memory.patterns.mine()
    before = by_scope(memory)[None]
    reports = [
        memory.patterns.mine(task="t1"),
        memory.patterns.mine(since=DAY + timedelta(days=5)),
        memory.patterns.mine(until=DAY + timedelta(days=3)),
        memory.patterns.mine(domain="쇼핑", since=DAY, until=DAY + timedelta(days=6)),
        memory.patterns.mine(domain="쇼핑"),
    ]
    assert [report.episodes for report in reports] == [4, 3, 4, 7, 8]
    assert {report.removed for report in reports} == {0}
    found = by_scope(memory)
    assert found[None] == before
    assert sorted(pattern.support for pattern in found.values()) == [3, 4, 4, 7, 8, 9]
    assert len({pattern.id for pattern in found.values()}) == 6
    assert found["쇼핑"].support == 8
    assert memory.patterns.mine(since=(DAY + timedelta(days=5)).isoformat()).added == 0
    memory.episodes.add_many((episode(f"e{n}", {"action": "x"}, day=n) for n in (5, 6, 7)), replace=True)
    assert memory.patterns.mine(since=DAY + timedelta(days=5)).removed == 1
    assert len(by_scope(memory)) == 5


def test_the_evidence_query_of_a_limited_run_returns_its_episodes(
    memory: graphmem.GraphMemory, store_target: dict[str, Any]
) -> None:
    if "auth" not in store_target:
        pytest.skip("Cypher runs on Neo4j")
    memory.episodes.add_many(
        episode(f"e{n}", {"action": "조회"}, {"action": "환불"}, day=n, task=f"t{n % 2}", domain="쇼핑")
        for n in range(12)
    )
    limits: list[dict[str, Any]] = [
        {"task": "t1"},
        {"since": DAY + timedelta(days=5)},
        {"domain": "쇼핑", "task": "t0", "since": DAY + timedelta(days=2), "until": DAY + timedelta(days=8)},
    ]
    with neo4j.GraphDatabase.driver(store_target["target"], auth=store_target["auth"]) as driver:
        for limit in limits:
            memory.patterns.mine(**limit)
        for pattern in memory.patterns.list():
            records = driver.execute_query(pattern.cypher or "", pattern.cypher_parameters).records
            assert [record["episode"] for record in records] == list(pattern.episodes), pattern.cypher
    assert sorted(len(pattern.episodes) for pattern in memory.patterns.list()) == [4, 6, 7]


def test_looks_are_counted_for_each_limit(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add(episode("e", {"action": "a"}))
    looks = [
        memory.patterns.mine(**limits).look for limits in ({}, {"task": "t"}, {}, {"since": DAY}, {"task": "t"})
    ]
    assert looks == [1, 1, 2, 1, 2]


def test_a_domain_that_is_written_like_limits_is_a_domain(memory: graphmem.GraphMemory) -> None:
    name = '{"task":"t"}'
    memory.episodes.add_many(episode(f"d{n}", {"action": "a"}, {"action": "b"}, domain=name) for n in range(3))
    memory.episodes.add_many(episode(f"t{n}", {"action": "a"}, {"action": "b"}, task="t") for n in range(4))
    memory.patterns.mine(domain=name)
    memory.patterns.mine(task="t")
    assert sorted(pattern.support for pattern in memory.patterns.list()) == [3, 4]


def test_a_motif_of_several_runs_stands_once_in_a_prompt(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        episode(
            f"e{n}",
            {"action": "확인" if n % 2 else "건너뜀"},
            {"action": "환불", "tools": ["창구"]} if n % 2 else {"action": "거절"},
            day=n,
            domain="쇼핑",
            outcome="success" if n % 2 else "failure",
        )
        for n in range(40)
    )
    memory.patterns.mine()
    once = memory.patterns.block()
    assert "확인" in once
    memory.patterns.mine(domain="쇼핑")
    memory.patterns.mine(since=DAY)
    assert memory.patterns.block() == once
    assert titles(memory, polarity="positive") == {"확인 → 환불; 환불 uses 창구"}
    assert titles(memory, polarity="negative") == {"건너뜀 → 거절"}
