"""Laws of merging: undoing gives back what was, in any order of siblings, and grouping makes no difference."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphmem.concepts.service import ConceptsService
from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.origins import combined, joined, moved, taken
from graphmem.ports.aliased_graph import AliasedGraph
from graphmem.ports.workspace import Workspace
from graphmem.transfer.exporting import export_full
from graphmem.transfer.importing import import_records
from graphmem.transfer.sources import stream_source
from workspaces import Desk, desk

NAMES = ("Alpha", "Beta", "Gamma", "Delta", "서울")
ALIASES = ("Alpha", "gamma", "알파", "베타", "B.", "서울")
TENANTS = count()

name = st.sampled_from(NAMES)
concept = st.fixed_dictionaries(
    {"type": st.just("concept"), "name": name},
    optional={
        "aliases": st.lists(st.sampled_from(ALIASES), max_size=3, unique=True),
        "definition": st.sampled_from(["one", "two"]),
        "abstraction_level": st.integers(1, 5),
    },
)
relation = st.fixed_dictionaries(
    {
        "type": st.just("relation"),
        "head": name,
        "relation": st.sampled_from(["is_a", "part_of", "causes", "similar_to"]),
        "tail": name,
        "confidence": st.sampled_from([0.25, 0.5, 1.0]),
        "source": st.sampled_from(["given", "extracted"]),
        "evidence": st.lists(st.sampled_from(["a", "b", "c"]), max_size=3, unique=True),
    }
)
memory = st.fixed_dictionaries(
    {
        "type": st.just("memory"),
        "kind": st.just("fact"),
        "text": st.just("t"),
        "about": st.lists(name, max_size=3, unique=True),
    }
)
episode = st.fixed_dictionaries(
    {
        "type": st.just("episode"),
        "goal": st.just("g"),
        "steps": st.lists(
            st.fixed_dictionaries({"action": st.just("a"), "concepts": st.lists(name, max_size=3, unique=True)}),
            max_size=2,
        ),
    }
)
worlds = st.tuples(
    st.lists(concept, max_size=4, unique_by=lambda record: record["name"]),
    st.lists(relation, max_size=6),
    st.lists(memory, max_size=2),
    st.lists(episode, max_size=2),
)
LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


def made(at_hand: Desk, world: tuple[list[dict[str, Any]], ...]) -> Workspace:
    """A tenant of its own that holds a world; all five concepts are stored."""
    inner = at_hand.workspace(f"t{next(TENANTS)}")
    workspace = Workspace(AliasedGraph(inner.graph), None, inner.embedder, inner.clock, inner.entropy)
    records = [dict(record) for part in world for record in part]
    for number, record in enumerate(records):
        if record["type"] in {"memory", "episode"}:
            record["id"] = f"x{number}"
    # nothing is led away before the law begins: every concept is named before any alias is given
    everything = {"type": "memory", "id": "all", "kind": "fact", "text": "all", "about": list(NAMES)}
    for some in ([everything], records):
        data = "\n".join(json.dumps(record, ensure_ascii=False) for record in some).encode()
        import_records(workspace, [stream_source("world.jsonl", io.BytesIO(data))])
    return workspace


def state(workspace: Workspace, *, plainly: bool = False) -> list[str]:
    """A full export without merges; plainly also without the nesting of origins and the vectors' bits."""
    stream = io.BytesIO()
    export_full(workspace.graph, stream, None)
    records = [json.loads(line) for line in stream.getvalue().decode().splitlines()]
    kept = []
    for record in records:
        if record.get("label") in {"Merge", "ImportRun"}:
            continue
        if plainly:
            record.get("properties", {}).pop("origins", None)
            if record.get("label") == "Alias":
                record["properties"].pop("merge", None)
        kept.append(json.dumps(record, ensure_ascii=False, sort_keys=True))
    return sorted(kept)


def merged(concepts: ConceptsService, keep: str, other: str) -> bool:
    try:
        return concepts.merge(keep, other).merge is not None
    except InvalidInputError:
        return False


@LAW
@example(
    world=([{"type": "concept", "name": "Beta", "aliases": ["gamma"]}], [], [], []),
    pairs=[("Alpha", "Beta"), ("Alpha", "Gamma")],
)
@given(world=worlds, pairs=st.lists(st.tuples(name, name), min_size=1, max_size=4))
def test_merges_undone_in_turn_leave_what_was(
    at_hand: Desk, world: tuple[list[dict[str, Any]], ...], pairs: list[tuple[str, str]]
) -> None:
    workspace = made(at_hand, world)
    concepts = ConceptsService(workspace)
    states, done = [state(workspace)], []
    for keep, other in pairs:
        gone = concepts.get(other).name
        if merged(concepts, keep, other):
            done.append(gone)
            states.append(state(workspace))
        else:
            assert state(workspace) == states[-1]
    for other in reversed(done):
        states.pop()
        concepts.split(other)
        assert state(workspace) == states[-1]


@LAW
@given(world=worlds, others=st.permutations(NAMES[1:]), undone=st.permutations(NAMES[1:]))
def test_siblings_are_undone_in_any_order(
    at_hand: Desk, world: tuple[list[dict[str, Any]], ...], others: list[str], undone: list[str]
) -> None:
    workspace = made(at_hand, world)
    concepts = ConceptsService(workspace)
    before = state(workspace)
    done = {other for other in others if concepts.get(other).name == other and merged(concepts, "Alpha", other)}
    for other in undone:
        if other in done:
            concepts.split(other)
    assert state(workspace) == before


@LAW
@given(world=worlds)
def test_grouping_makes_no_difference(at_hand: Desk, world: tuple[list[dict[str, Any]], ...]) -> None:
    results = []
    for order in ((("Alpha", "Beta"), ("Alpha", "Gamma")), (("Beta", "Gamma"), ("Alpha", "Beta"))):
        workspace = made(at_hand, world)
        concepts = ConceptsService(workspace)
        if not all(merged(concepts, keep, other) for keep, other in order):
            return
        results.append(state(workspace, plainly=True))
    assert results[0] == results[1]


parts = st.fixed_dictionaries(
    {},
    optional={
        "source": st.sampled_from(["given", "extracted", "consolidated"]),
        "confidence": st.sampled_from([0.1, 0.5, 0.9]),
        "count": st.integers(1, 9),
        "evidence": st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True),
    },
)


@given(st.lists(parts, min_size=3, max_size=3))
def test_what_edges_say_together_does_not_depend_on_grouping(three: list[dict[str, Any]]) -> None:
    first, second, third = three
    assert combined([combined([first, second]), third]) == combined([first, combined([second, third])])


@given(parts, st.lists(parts, min_size=1, max_size=4), st.data())
def test_parts_come_out_of_an_edge_as_they_went_in(
    own: dict[str, Any], arriving: list[dict[str, Any]], data: st.DataObject
) -> None:
    edge: Any = dict(own)
    for number, said in enumerate(arriving):
        edge = joined(edge, moved(said, f"c{number}"))
    for number in data.draw(st.permutations(range(len(arriving)))):
        found = taken(edge, f"c{number}")
        assert found.part == arriving[number]
        edge = found.rest
    assert edge == own


@given(parts, parts, st.sampled_from(["e", "f"]))
def test_evidence_that_came_later_stays(own: dict[str, Any], said: dict[str, Any], late: str) -> None:
    edge = joined(own, moved(said, "b"))
    edge["evidence"] = [*edge.get("evidence", []), late]  # type: ignore[misc]  # texts
    found = taken(edge, "b")
    assert found.part == said
    assert found.rest == {**own, "evidence": [*own.get("evidence", []), late]}
