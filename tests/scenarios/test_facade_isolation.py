"""No public call crosses a tenant or reads another user's things: all of them, on every store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

import graphmem
from graphmem.errors import GraphMemError, InvalidInputError, NotFoundError
from graphmem.testing.clock import FakeClock

WHEN = datetime(2026, 2, 1, tzinfo=UTC)
SECRET = "수정구슬"
OpenMemory = Callable[..., graphmem.GraphMemory]

HOSTILE = [
    "",
    "a b",
    "../other",
    "a/b",
    "{tenant}",
    "x" * 129,
    "a\u202eb",
    "a\x00b",
    "\u1112\u1161\u11ab",
    "\ud800",
]


def plant(memory: graphmem.GraphMemory) -> None:
    """One of everything, each with the secret in it, under ids that everybody uses."""
    memory.episodes.add(
        graphmem.Episode(
            id="e1",
            goal=f"find the {SECRET}",
            outcome=graphmem.Outcome.SUCCESS,
            started_at=WHEN,
            domain=SECRET,
            variant=SECRET,
            steps=tuple(graphmem.Step(action=name, tools=(SECRET,)) for name in ("look", "find", "take")),
        )
    )
    memory.messages.add(f"where is the {SECRET}?", id="m1", session="s1", speaker=SECRET, at=WHEN, episode="e1")
    memory.remember(f"the {SECRET} is here", id="f1", subject=SECRET, predicate="lies_in", about=[SECRET])
    memory.concepts.relate(SECRET, "is_a", "thing")
    memory.procedures.add(graphmem.Procedure(id="p1", name=SECRET, steps=("look",)))


def reads(memory: graphmem.GraphMemory) -> Iterable[Callable[[], object]]:
    """Every public call that answers with something stored."""
    parts: list[Any] = [memory.messages, memory.episodes, memory.concepts, memory.facts, memory.procedures]
    yield from (part.list for part in (*parts, memory.patterns))
    yield lambda: memory.recall(f"{SECRET} look find", limit=50)
    yield lambda: memory.recall(SECRET, as_of=datetime(2030, 1, 1, tzinfo=UTC))
    yield lambda: memory.context(SECRET)
    yield lambda: memory.messages.get("m1")
    yield lambda: memory.episodes.get("e1")
    yield lambda: memory.episodes.graph("e1").nodes(data=True)
    yield lambda: list(memory.episodes.all())
    yield lambda: memory.episodes.to_frame().to_dict()
    yield lambda: memory.episodes.similar(f"find the {SECRET}", min_similarity=0.0)
    yield lambda: memory.concepts.get(SECRET)
    yield lambda: memory.concepts.show(SECRET)
    yield lambda: memory.concepts.tree("thing")
    yield lambda: memory.facts.get("f1")
    yield lambda: memory.facts.history(SECRET)
    yield lambda: memory.facts.as_of(WHEN)
    yield lambda: memory.facts.list(superseded=True)
    yield lambda: memory.procedures.get("p1")
    for filters in ({"about": SECRET}, {"tool": SECRET}, {"goal": SECRET}, {"task": SECRET}, {"since": WHEN}):
        yield partial(memory.patterns.list, **filters)
    yield lambda: memory.patterns.match(["look", "find"])
    yield lambda: memory.patterns.match("e1")
    yield lambda: memory.patterns.compare("v1", "v2")
    yield memory.patterns.matrix
    yield lambda: memory.patterns.matrix().to_frame().to_dict()
    yield lambda: memory.patterns.to_frame().to_dict()
    yield memory.patterns.block
    yield lambda: memory.consolidate(plan=True)
    for name in ("causes", "concepts", "findings", "growth", "outcomes", "tools"):
        yield lambda name=name: memory.query(f"reports/{name}").to_dicts()  # type: ignore[misc]


def writes(memory: graphmem.GraphMemory) -> Iterable[Callable[[], object]]:
    """Every public call that changes or removes something under an id."""
    yield lambda: memory.episodes.set_outcome("e1", "failure")
    yield lambda: memory.remember("newer", supersedes="f1")
    yield lambda: memory.messages.add("x", episode="e1")
    for kind, name in (
        ("message", "m1"),
        ("episode", "e1"),
        ("concept", SECRET),
        ("fact", "f1"),
        ("procedure", "p1"),
    ):
        yield lambda kind=kind, name=name: memory.forget(kind=kind, id=name)  # type: ignore[misc]


def shown(call: Callable[[], object]) -> str:
    """What a call shows: its answer or its error; of numbers what every run of a vector index agrees upon."""
    try:
        answer = call()
    except GraphMemError as error:
        return str(error).replace(f"'{SECRET}'", "")
    items = list(answer) if isinstance(answer, graphmem.RecallResult) else answer
    return re.sub(r"(\.\d{5})\d+", r"\1", f"{items!r}")


def test_another_tenant_reads_nothing_whatever_it_calls(open_memory: OpenMemory, tenant: str) -> None:
    plant(open_memory())
    other = open_memory(tenant=f"{tenant}-other")
    other.messages.add("an own message", id="own")
    for call in reads(other):
        assert SECRET not in shown(call)


def test_another_tenant_changes_nothing_whatever_it_calls(open_memory: OpenMemory, tenant: str) -> None:
    mine, other = open_memory(clock=FakeClock()), open_memory(tenant=f"{tenant}-other")
    plant(mine)
    other.messages.add("an own message", id="own")
    before = [shown(call) for call in reads(mine)]
    for call in writes(other):
        with pytest.raises(NotFoundError):
            call()
    plant(other)
    other.consolidate()
    other.patterns.mine()
    assert [shown(call) for call in reads(mine)] == before


def test_another_user_reads_nothing_that_is_personal(open_memory: OpenMemory) -> None:
    ada, bob = open_memory(user="ada"), open_memory(user="bob")
    plant(ada)
    bob.messages.add("an own message", id="own")
    personal: list[Callable[[], object]] = [
        bob.messages.list,
        bob.episodes.list,
        bob.facts.list,
        lambda: bob.messages.get("m1"),
        lambda: bob.episodes.get("e1"),
        lambda: bob.facts.get("f1"),
        lambda: bob.episodes.similar(f"find the {SECRET}", min_similarity=0.0),
        lambda: bob.facts.history(SECRET),
        lambda: bob.recall(SECRET, kinds=["message", "episode", "fact"], limit=50),
        lambda: bob.concepts.show(SECRET).mentions,
        lambda: bob.patterns.match("e1"),
        lambda: bob.patterns.matrix().to_frame().to_dict(),
        lambda: bob.patterns.compare("v1", "v2"),
        lambda: bob.patterns.list(goal=SECRET),
    ]
    for call in personal:
        # steps belong to the whole tenant's concepts only by name
        assert f"the {SECRET}" not in shown(call)


def test_another_user_changes_nothing_that_is_personal(open_memory: OpenMemory) -> None:
    ada, bob = open_memory(user="ada"), open_memory(user="bob")
    plant(ada)
    for call in list(writes(bob))[:2]:
        with pytest.raises(NotFoundError):
            call()
    for kind, name in (("message", "m1"), ("episode", "e1"), ("fact", "f1")):
        with pytest.raises(NotFoundError):
            bob.forget(kind=kind, id=name)
    assert (ada.messages.get("m1").id, ada.episodes.get("e1").outcome) == ("m1", graphmem.Outcome.SUCCESS)


def test_a_hostile_id_is_refused_by_every_call_and_changes_nothing(open_memory: OpenMemory) -> None:
    memory = open_memory(clock=FakeClock())
    plant(memory)
    before = [shown(call) for call in reads(memory)]
    for hostile in HOSTILE:
        for call in calls_with(memory, hostile):
            with pytest.raises(InvalidInputError):
                call()
        # a concept is named by its name as well, which may be anything that has a key
        with suppress(NotFoundError, InvalidInputError):
            memory.forget(kind="concept", id=hostile)
    assert [shown(call) for call in reads(memory)] == before


def calls_with(memory: graphmem.GraphMemory, name: str) -> list[Callable[[], object]]:
    """Every public call that takes an id, with this one."""
    kinds = ("message", "episode", "memory", "procedure", "pattern")
    return [
        lambda: memory.messages.get(name),
        lambda: memory.messages.add("x", id=name),
        lambda: memory.messages.add("x", session=name),
        lambda: memory.messages.add("x", episode=name),
        lambda: memory.episodes.get(name),
        lambda: memory.episodes.graph(name),
        lambda: memory.episodes.set_outcome(name, "success"),
        lambda: memory.episodes.add({"id": name, "goal": "g"}),
        lambda: memory.facts.get(name),
        lambda: memory.remember("x", id=name),
        lambda: memory.remember("x", supersedes=name),
        lambda: memory.procedures.get(name),
        lambda: memory.patterns.get(name),
        lambda: memory.patterns.match(name),
        *(partial(memory.forget, kind=kind, id=name) for kind in kinds),
    ]
