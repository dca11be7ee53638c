"""Runs that read what is new alone learn the same as runs that read everything, and read no more than that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphmem
from graphmem.bootstrap import open_memory as opened
from graphmem.consolidation.consolidate import consolidate
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.errors import GraphMemError
from graphmem.graph.schema import NODE_TYPES
from graphmem.language.relations.extractor import Extractor
from graphmem.models.concept import Concept, Relation
from graphmem.ports.noted_graph import forget_known
from graphmem.testing.clock import FakeClock
from graphmem.text.plain import PlainAnalyzer

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
OpenMemory = Callable[..., graphmem.GraphMemory]

SAID = (
    *("Smoking causes cancer.", "Smoking does not cause cancer.", "Rust causes leakage.", "I fear cancer."),
    *("비타민 부족은 괴혈병을 유발한다.", "비타민 부족이 괴혈병을 유발했다.", "소음은 피로를 유발하지 않는다."),
    *("A router is a kind of device.", "A device is a kind of router.", "A switch is a kind of device."),
    *("Always check the order before you restart the queue.", "서울은 한국의 일부이다.", "Thanks, I will look."),
    *("Optical character recognition (OCR) reads text.", "OCR causes delay."),
)
NAMES = ("smoking", "cancer", "router", "device", "rust", "OCR")
PLACES = st.integers(0, 5)

MESSAGE = st.tuples(st.just("say"), PLACES, st.sampled_from(SAID), st.sampled_from(("ada", "bob", None)))
EPISODE = st.tuples(
    st.just("live"),
    PLACES,
    st.integers(0, 6),
    st.sampled_from(("success", "failure", "partial")),
    st.sampled_from(("ada", "bob", None)),
)
CHANGE = st.one_of(
    st.tuples(st.just("forget"), st.sampled_from(("message", "episode")), PLACES),
    st.tuples(st.just("outcome"), PLACES, st.sampled_from(("success", "failure"))),
    st.tuples(st.just("relate"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("unrelate"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("merge"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("erase"), st.sampled_from(("ada", "bob"))),
    st.tuples(st.just("concept"), st.sampled_from(NAMES), st.sampled_from(("concept", "event", "tool"))),
)
STEP = st.one_of(MESSAGE, MESSAGE, EPISODE, EPISODE, CHANGE, st.just(("consolidate",)), st.just(("consolidate",)))


def take(memory: graphmem.GraphMemory, step: tuple[Any, ...]) -> None:
    """Do one thing; what is refused changes nothing."""
    with suppress(GraphMemError):
        _take(memory, *step)


def _take(memory: graphmem.GraphMemory, kind: str, *what: Any) -> None:
    match kind:
        case "say":
            place, text, user = what
            message = {"id": f"m{place}", "session": f"s{place % 4}", "at": MONDAY + timedelta(days=place)}
            memory.messages.add_many([{**message, "text": text, "user_id": user}], replace=True)
        case "live":
            place, number, outcome, user = what
            memory.episodes.add_many([episode(place, number, outcome, user)], replace=True)
        case "forget":
            memory.forget(kind=what[0], id=f"{what[0][0]}{what[1]}")
        case "outcome":
            memory.episodes.set_outcome(f"e{what[0]}", what[1])
        case "relate":
            memory.concepts.relate(what[0], "is_a", what[1])
        case "unrelate":
            memory.concepts.unrelate(Relation(head=what[0], relation="is_a", tail=what[1]))
        case "merge":
            memory.concepts.merge(*what)
        case "erase":
            memory.workspace.graph.erase(what[0])
        case "concept":
            memory.concepts.add(Concept(name=what[0], kind=what[1]))


def episode(
    place: int, number: int, outcome: str, user: str | None, reasoning: str | None = None
) -> dict[str, Any]:
    """An episode whose words meet those of others; `place` and `number` decide on all of it."""
    began = MONDAY + timedelta(minutes=20 * ((place * 7 + number * 3) % 11))
    symptom, cause = ("queue stuck", "disk full") if number % 2 else ("login refused", "token expired")
    return {
        "id": f"e{place}",
        "goal": f"handle the {symptom}" if number % 3 else "look at the queue stuck again",
        "outcome": outcome,
        "steps": [
            {"action": "check", "tools": ["order"], "arguments": {"region": "south" if number % 2 else "north"}},
            {"action": "restart", "errors": [symptom], "reasoning": reasoning or SAID[number]},
            {"action": "notify", "concepts": [NAMES[number % 6]]},
        ],
        "causes": [{"effect": symptom, "cause": cause}] if number < 4 else [],
        "started_at": began,
        "ended_at": began + timedelta(minutes=5),
        "user_id": user,
        "session": "s1" if place == 1 else None,
        "task": f"t{place % 3}",
    }


def picture(memory: graphmem.GraphMemory) -> list[Any]:
    """All that is stored but the records of runs and merges."""
    graph = memory.workspace.graph
    labels = sorted(NODE_TYPES.keys() - {"ConsolidationRun", "Merge"})
    nodes = [node for label in labels for node in graph.scan(label, limit=10_000).records]
    edges = [(*edge[:3], dict(edge.properties)) for edge in graph.edges([node.ref for node in nodes])]
    said = [{name: value for name, value in node.properties.items() if name != "merge"} for node in nodes]
    return [[(node.ref, one) for node, one in zip(nodes, said, strict=True)], edges]


@contextmanager
def two(folder: Path) -> Iterator[tuple[graphmem.GraphMemory, graphmem.GraphMemory, FakeClock]]:
    """Memories of two tenants with one clock."""
    clock = FakeClock()
    common: dict[str, Any] = {"embedder": "hashing", "analyzer": "plain", "boundary": {"enabled": False}}
    common["clock"] = clock
    with (
        opened(folder / "memory.db", tenant="new", **common) as new,
        opened(folder / "memory.db", tenant="all", **common) as everything,
    ):
        yield new, everything, clock


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEP, max_size=14))
def test_reading_what_is_new_learns_what_reading_everything_does(
    steps: list[tuple[Any, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("law")
    with two(folder) as (new, everything, clock):
        take(new, ("say", 0, SAID[0], None))
        take(everything, ("say", 0, SAID[0], None))
        for step in (*steps, ("consolidate",), ("consolidate",)):
            clock.advance(minutes=1)
            if step == ("consolidate",):
                forget_known(everything.workspace.graph)
                planned = new.consolidate(plan=True).counts()
                assert new.consolidate().counts == everything.consolidate().counts
                assert planned is not None
                assert picture(new) == picture(everything)
            else:
                take(new, step)
                take(everything, step)


class Reading:
    """Counts the records that a store hands out."""

    def __init__(self, memory: graphmem.GraphMemory, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts: Counter[str] = Counter()
        store = type(memory.store.tenant("any"))
        for name in ("get", "edges", "nearest", "search"):
            self._count(monkeypatch, store, name, len)
        self._count(monkeypatch, store, "scan", lambda page: len(page.records))

    def _count(self, monkeypatch: pytest.MonkeyPatch, store: type, name: str, size: Callable[[Any], int]) -> None:
        read = getattr(store, name)

        def counted(*given: Any, **named: Any) -> Any:
            answer = read(*given, **named)
            self.counts[name] += size(answer)
            return answer

        monkeypatch.setattr(store, name, counted)

    def during(self, work: Callable[[], Any]) -> int:
        """Records read by some work."""
        self.counts.clear()
        work()
        return self.counts.total()


def said(number: int) -> str:
    """Each text once, then statements of ever new things: the evidence of a relation is read as a whole."""
    return SAID[number] if number < len(SAID) else f"Part {number} causes leak {number}."


def fill(memory: graphmem.GraphMemory, begin: int, end: int) -> None:
    """As many messages as episodes, in sessions, tasks and users of their own."""
    memory.messages.add_many(
        {"id": f"m{n}", "text": said(n), "session": f"s{n}", "at": MONDAY + timedelta(hours=n)}
        for n in range(begin, end)
    )
    memory.episodes.add_many(
        {**episode(n, n % 7, "success", f"u{n}", said(n)), "id": f"e{n}", "task": f"t{n}", "session": None}
        for n in range(begin, end)
    )


def read_of(memory: graphmem.GraphMemory, size: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Records read by a run with nothing to do, and by one over a new message and a new episode."""
    fill(memory, 0, size)
    while memory.consolidate(plan=True):
        memory.consolidate()
    reading = Reading(memory, monkeypatch)
    unchanged = reading.during(memory.consolidate)
    fill(memory, size, size + 1)
    return unchanged, reading.during(memory.consolidate)


def test_a_run_reads_no_more_than_what_is_new_asks_for(
    open_memory: OpenMemory, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_: dict[str, Any] = {
        "analyzer": "plain",
        "boundary": {"enabled": False},
        "consolidation": {"repeated_most_episodes": 0, "late_mention_texts": 5},
    }
    small, large = (open_memory(**settings_, tenant=f"{tenant}-{name}") for name in ("small", "large"))
    with monkeypatch.context() as patch:
        few_unchanged, few_new = read_of(small, 105, patch)
    with monkeypatch.context() as patch:
        many_unchanged, many_new = read_of(large, 315, patch)
    assert few_unchanged <= 3
    assert many_unchanged == few_unchanged
    assert few_new > 3
    # a relation names its newest 50 episodes, and one of 30 has fewer to compare
    assert many_new <= few_new + 50


@pytest.mark.parametrize("change", ["forget", "replace", "unrelate", "outcome", "erase", "merge"])
def test_what_no_mark_tells_of_is_noticed(change: str, open_memory: OpenMemory) -> None:
    memory = open_memory(analyzer="plain", boundary={"enabled": False}, user="ada")
    texts = (
        "비타민 부족은 괴혈병을 유발한다.",
        "비타민 부족이 괴혈병을 유발했다.",
        "Rust causes leakage.",
        "So rust causes leakage.",
    )
    for day, text in enumerate(texts):
        memory.messages.add(text, id=f"m{day}", session=f"s{day}", at=MONDAY + timedelta(days=day))
    memory.episodes.add_many([episode(0, 1, "success", "ada")])
    memory.consolidate()
    memory.consolidate()
    assert not memory.consolidate(plan=True)
    match change:
        case "forget":
            memory.forget(kind="message", id="m1")
        case "replace":
            memory.messages.add_many([{"id": "m1", "text": "안녕하세요.", "session": "s1"}], replace=True)
        case "unrelate":
            memory.concepts.unrelate(Relation(head="비타민 부족", relation="causes", tail="괴혈병"))
        case "outcome":
            memory.episodes.set_outcome("e0", "failure")
        case "erase":
            memory.workspace.graph.erase("ada")
        case "merge":
            memory.concepts.merge("rust", "비타민 부족")
    expected = memory.consolidate(plan=True).counts()
    forget_known(memory.workspace.graph)
    assert memory.consolidate(plan=True).counts() == expected
    if change not in {"outcome", "merge"}:
        assert any(expected.values())
    memory.consolidate()
    assert not memory.consolidate(plan=True)


def test_what_is_forgotten_while_a_run_works_is_noticed_by_the_next(open_memory: OpenMemory) -> None:
    memory = open_memory(analyzer="plain", boundary={"enabled": False})
    for day, text in enumerate(("Rust causes leakage.", "So rust causes leakage.", "Frost causes damage.")):
        memory.messages.add(text, id=f"m{day}", session=f"s{day}")
    left = ["m1"]

    def forget(items: int) -> None:
        if items and left:
            memory.forget(kind="message", id=left.pop())

    work = memory.workspace
    reader = Extractor(PlainAnalyzer())
    common: dict[str, Any] = {"embedder": work.embedder, "clock": work.clock, "reader": reader}
    consolidate(
        work.graph, entropy=bytes(10), progress=forget, policy=ConsolidationPolicy(batch_texts=3), **common
    )
    assert not left
    consolidate(work.graph, entropy=bytes(9) + b"1", policy=ConsolidationPolicy(batch_texts=3), **common)
    claims = work.graph.scan("Claim", limit=100).records
    assert {str(node.properties["head"]).casefold(): node.properties["support"] for node in claims} == {
        "rust": 1,
        "frost": 1,
    }
