"""Names, aliases, merges and their undoing: the same on both stores."""

from __future__ import annotations

import io
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.errors import InvalidInputError, NotFoundError
from graphmem.models.concept import Concept
from graphmem.transfer.copying import copy_store
from graphmem.transfer.erasing import erase_user
from graphmem.transfer.exporting import export_domain, export_full
from graphmem.transfer.importing import import_records
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import stream_source
from neo4j_servers import shared_server

STORES = ["sqlite", pytest.param("2026", marks=pytest.mark.neo4j), pytest.param("5", marks=pytest.mark.neo4j)]
CITY = {"type": "concept", "name": "New York City", "aliases": ["뉴욕", "The Big Apple"], "definition": "A city."}


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path, tenant: str) -> Iterator[graphmem.GraphMemory]:
    if request.param == "sqlite":
        target, auth = str(tmp_path / "memory.db"), None
    else:
        server = shared_server(request.param, request.config)
        target, auth = server.uri, server.auth
    with graphmem.open(target, auth=auth, tenant=tenant, embedder="hashing") as opened:
        yield opened
        opened.store.tenant(tenant).erase()


def put(memory: graphmem.GraphMemory, *records: dict[str, Any]) -> ImportReport:
    data = "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()
    return import_records(memory.workspace, [stream_source("records.jsonl", io.BytesIO(data))])


def said(memory: graphmem.GraphMemory) -> list[str]:
    """A full export without what says when and how it came to be."""
    stream = io.BytesIO()
    export_full(memory.workspace.graph, stream, None)
    lines = stream.getvalue().decode().splitlines()
    return sorted(line for line in lines if '"label":"Merge"' not in line and "ImportRun" not in line)


def domain(memory: graphmem.GraphMemory) -> bytes:
    stream = io.BytesIO()
    export_domain(memory.workspace.graph, stream)
    return stream.getvalue()


def episode(name: str, *concepts: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "episode",
        "id": name,
        "goal": "g",
        "steps": [{"action": "visit", "concepts": [*concepts]}],
        **fields,
    }


def fill(memory: graphmem.GraphMemory) -> None:
    """Two concepts that are one, with all that a concept can have around it."""
    put(
        memory,
        CITY,
        {"type": "concept", "name": "NYC", "aliases": ["Gotham", "뉴욕"], "abstraction_level": 1},
        {"type": "relation", "head": "NYC", "relation": "part_of", "tail": "USA", "evidence": ["e1"]},
        {
            "type": "relation",
            "head": "New York City",
            "relation": "part_of",
            "tail": "USA",
            "evidence": ["e2", "e1"],
        },
        {"type": "relation", "head": "Bronx", "relation": "part_of", "tail": "NYC", "confidence": 0.7},
        {"type": "relation", "head": "NYC", "relation": "similar_to", "tail": "New York City"},
        episode("e1", "NYC", "New York City", "Seoul"),
        episode("e2", "NYC"),
        {"type": "memory", "id": "m1", "kind": "fact", "text": "It is loud", "about": ["NYC"]},
    )
    memory.consolidate()


def test_a_concept_is_found_by_any_of_its_aliases_however_they_are_written(memory: graphmem.GraphMemory) -> None:
    put(memory, CITY)
    memory.concepts.add(Concept(name="대한민국", aliases=("Republic of Korea", "한국")))
    for name in ("뉴욕", unicodedata.normalize("NFD", "뉴욕"), "the big apples", "new york city"):
        assert memory.concepts.get(name).name == "New York City"
        assert memory.concepts.show(name).concept.name == "New York City"
        assert memory.concepts.tree(name).name == "New York City"
    relation = memory.concepts.relate("뉴욕", "linked_to", unicodedata.normalize("NFD", "한국"))
    assert (relation.head, relation.tail) == ("New York City", "대한민국")
    assert {item.name for item in memory.concepts.list()} == {"New York City", "대한민국"}
    assert [item.name for item in memory.concepts.list(name="뉴욕")] == ["New York City"]


def test_whatever_names_an_alias_is_about_its_concept(memory: graphmem.GraphMemory) -> None:
    put(memory, CITY, {"type": "concept", "name": "Ada Lovelace", "kind": "person", "aliases": ["에이다"]})
    put(
        memory,
        episode("e1", "뉴욕", "New York City"),
        {"type": "memory", "id": "m1", "kind": "fact", "text": "큰 도시", "about": ["뉴욕"]},
        {"type": "message", "id": "s1", "text": "hi", "speaker": "에이다", "at": "2026-03-01T09:00:00Z"},
        {"type": "relation", "head": "뉴욕", "relation": "is_a", "tail": "city"},
    )
    memory.remember("It never sleeps", about=["The Big Apple"], id="m2")
    view = memory.concepts.show("뉴욕")
    assert {one.id for one in view.mentions if one.relation == "about"} == {"e1/0", "m1", "m2"}
    assert [one.tail for one in view.relations] == ["city"]
    assert [one.id for one in memory.concepts.show("Ada Lovelace").mentions] == ["s1"]
    assert {item.name for item in memory.concepts.list()} == {"New York City", "Ada Lovelace", "city"}


def test_an_alias_of_two_concepts_means_neither_and_says_so(memory: graphmem.GraphMemory) -> None:
    for name in ("New York City", "New York Cosmos"):
        memory.concepts.add(Concept(name=name, aliases=("NYC",)))
    for ask in (memory.concepts.get, memory.concepts.show, memory.concepts.tree):
        with pytest.raises(InvalidInputError, match=r"New York City.*New York Cosmos"):
            ask("NYC")
    with pytest.raises(InvalidInputError, match="several concepts"):
        memory.concepts.relate("NYC", "part_of", "USA")
    put(memory, episode("e1", "NYC"))
    assert memory.concepts.get("NYC").name == "NYC"


def test_kinds_keep_homonyms_apart(memory: graphmem.GraphMemory) -> None:
    memory.concepts.add(Concept(name="Hermes", kind="god", aliases=("Mercury",)))
    memory.concepts.add(Concept(name="Planet 1", kind="planet", aliases=("Mercury",)))
    assert memory.concepts.get("Mercury", kind="god").name == "Hermes"
    assert memory.concepts.get("Mercury", kind="planet").name == "Planet 1"
    with pytest.raises(NotFoundError):
        memory.concepts.get("Mercury", kind="metal")
    memory.concepts.add(Concept(name="Mercury", kind="metal"))
    assert memory.concepts.get("Mercury").kind == "metal"


def test_a_description_keeps_its_aliases_up_to_date(memory: graphmem.GraphMemory) -> None:
    memory.concepts.add(Concept(name="Seoul", aliases=("서울", "한양")))
    memory.concepts.add(Concept(name="Seoul", aliases=("서울", "경성")), replace=True)
    assert memory.concepts.get("경성").name == memory.concepts.get("서울").name == "Seoul"
    with pytest.raises(NotFoundError):
        memory.concepts.get("한양")
    memory.concepts.forget("서울")
    for name in ("Seoul", "서울", "경성"):
        with pytest.raises(NotFoundError):
            memory.concepts.get(name)
    assert memory.workspace.graph.count("Alias") == 0


def test_a_merge_moves_everything_and_keeps_the_name(memory: graphmem.GraphMemory) -> None:
    fill(memory)
    done = memory.concepts.merge("New York City", "NYC", reason="the same city")
    assert done.concept == Concept(
        name="New York City",
        aliases=("뉴욕", "The Big Apple", "NYC", "Gotham"),
        definition="A city.",
        abstraction_level=1,
    )
    for name in ("NYC", "Gotham", "뉴욕"):
        view = memory.concepts.show(name)
        assert {(one.head, one.relation.value, one.tail) for one in view.relations} == {
            ("New York City", "part_of", "USA"),
            ("Bronx", "part_of", "New York City"),
        }
        assert {one.id for one in view.mentions} == {"e1", "e1/0", "e2", "e2/0", "m1"}
    (part,) = [one for one in memory.concepts.show("NYC").relations if one.tail == "USA"]
    assert set(part.evidence) == {"e1", "e2"}
    assert [item.name for item in memory.concepts.list()] == ["Bronx", "New York City", "Seoul", "USA"]
    assert memory.recall("Gotham", kinds=["concept"])[0].id == memory.concepts.show("NYC").id
    assert memory.concepts.merge("NYC", "New York City").merge is None
    plan = memory.consolidate(plan=True)
    memory.consolidate()
    assert not memory.consolidate(plan=True), plan


def test_a_split_restores_exactly_what_was(memory: graphmem.GraphMemory) -> None:
    fill(memory)
    before, given = said(memory), domain(memory)
    merge = memory.concepts.merge("New York City", "NYC").merge
    assert merge is not None
    assert said(memory) != before
    assert memory.concepts.split("NYC").concept.aliases == ("Gotham", "뉴욕")
    assert said(memory) == before
    assert domain(memory) == given
    (history,) = memory.concepts.merges("NYC")
    assert (history.id, history.undone_at is not None) == (merge.id, True)
    with pytest.raises(InvalidInputError, match="merged into nothing"):
        memory.concepts.split("NYC")


def test_what_is_said_after_a_merge_goes_with_its_name(memory: graphmem.GraphMemory) -> None:
    fill(memory)
    memory.concepts.merge("New York City", "NYC")
    report = put(
        memory,
        {"type": "concept", "name": "NYC", "aliases": ["Gotham", "뉴욕"], "abstraction_level": 1},
        episode("e2", "NYC"),
        episode("e3", "NYC"),
        episode("e4", "New York City"),
    )
    assert (report.added, report.unchanged, report.changed) == (2, 2, 0)
    about = {one.id for one in memory.concepts.show("New York City").mentions if one.relation == "about"}
    assert about == {"e1/0", "e2/0", "e3/0", "e4/0", "m1"}
    memory.concepts.split("NYC")
    mine, theirs = (
        {one.id for one in memory.concepts.show(name).mentions if one.relation == "about"}
        for name in ("New York City", "NYC")
    )
    assert (mine, theirs) == ({"e1/0", "e4/0"}, {"e1/0", "e2/0", "e3/0", "m1"})


def test_kinds_and_cycles_refuse_a_merge(memory: graphmem.GraphMemory) -> None:
    memory.concepts.add(Concept(name="Mercury", kind="god"))
    memory.concepts.add(Concept(name="Mercury", kind="planet"))
    with pytest.raises(InvalidInputError, match="kind"):
        memory.concepts.merge("Mercury", "Mercury", kind="god", other_kind="planet")
    for head, tail in (("poodle", "dog"), ("dog", "animal")):
        memory.concepts.relate(head, "is_a", tail)
    before = said(memory)
    for keep, other in (("poodle", "animal"), ("dog", "poodle"), ("animal", "dog")):
        with pytest.raises(InvalidInputError, match="is_a"):
            memory.concepts.merge(keep, other)
    with pytest.raises(NotFoundError):
        memory.concepts.merge("dog", "cat")
    assert said(memory) == before
    memory.concepts.merge("Mercury", "Mercury", kind="god", other_kind="planet", force=True)
    assert memory.concepts.get("Mercury").kind == "god"
    memory.concepts.split("Mercury")
    assert said(memory) == before


def test_merges_of_merges_are_undone_from_the_outside_in(memory: graphmem.GraphMemory) -> None:
    put(memory, CITY, episode("e1", "NYC"), episode("e2", "뉴욕시"), episode("e3", "New York City"))
    states = [said(memory)]
    memory.concepts.merge("NYC", "뉴욕시")
    states.append(said(memory))
    memory.concepts.merge("New York City", "뉴욕시")
    assert {one.id for one in memory.concepts.show("뉴욕시").mentions} == {"e1/0", "e2/0", "e3/0"}
    with pytest.raises(InvalidInputError, match="split 'NYC' first"):
        memory.concepts.split("뉴욕시")
    memory.concepts.split("NYC")
    assert said(memory) == states[1]
    memory.concepts.split("뉴욕시")
    assert said(memory) == states[0]


def test_exports_and_copies_keep_merges(memory: graphmem.GraphMemory, tmp_path: Path, tenant: str) -> None:
    fill(memory)
    before = said(memory)
    memory.concepts.merge("New York City", "NYC")
    merged = said(memory)
    stream = io.BytesIO()
    assert memory.workspace.embedder is not None
    export_full(memory.workspace.graph, stream, memory.workspace.embedder.spec)
    with graphmem.open(tmp_path / "restored.db", tenant=tenant, embedder="hashing") as restored:
        for _ in range(2):
            import_records(restored.workspace, [stream_source("full.jsonl", io.BytesIO(stream.getvalue()))])
            assert said(restored) == merged
        restored.concepts.split("NYC")
        assert said(restored) == before
    with graphmem.open(tmp_path / "copied.db", tenant=tenant, embedder="hashing") as copied:
        assert copy_store(memory.store, copied.store, [tenant]).complete
        copied.concepts.split("NYC")
        assert said(copied) == before
    with graphmem.open(tmp_path / "given.db", tenant=tenant, embedder="hashing") as given:
        import_records(given.workspace, [stream_source("given.jsonl", io.BytesIO(domain(memory)))])
        assert domain(given) == domain(memory)
        assert given.concepts.get("NYC") == memory.concepts.get("NYC")


def test_exports_of_older_versions_get_their_aliases(memory: graphmem.GraphMemory, tmp_path: Path) -> None:
    fill(memory)
    stream = io.BytesIO()
    export_full(memory.workspace.graph, stream, None)
    lines = [line for line in stream.getvalue().splitlines() if b"ALIAS_OF" not in line and b'"Alias"' not in line]
    with graphmem.open(tmp_path / "restored.db", embedder="none") as restored:
        for _ in range(2):
            import_records(restored.workspace, [stream_source("full.jsonl", io.BytesIO(b"\n".join(lines)))])
            assert restored.concepts.get("Gotham").name == "NYC"
        assert restored.workspace.graph.count("Alias") == 3


def test_nothing_crosses_tenants(memory: graphmem.GraphMemory) -> None:
    fill(memory)
    graph = memory.store.tenant(f"{memory.tenant}-other")
    with graph.transaction() as transaction:
        transaction.save_nodes(list(memory.workspace.graph.scan("Concept").records))
    before = graph.version()
    memory.concepts.merge("New York City", "NYC")
    memory.concepts.split("NYC")
    assert graph.version() == before
    graph.erase()


def test_a_person_s_erasure_takes_the_names_that_he_gave(memory: graphmem.GraphMemory) -> None:
    put(memory, CITY, episode("e1", "카나리아", user="ada"), episode("e2", "뉴욕", user="bob"))
    memory.concepts.merge("New York City", "카나리아")
    erase_user(memory.workspace.graph, "ada")
    assert "카나리아" not in "".join(said(memory))
    stream = io.BytesIO()
    export_full(memory.workspace.graph, stream, None)
    assert "카나리아" not in stream.getvalue().decode()
    assert [one.id for one in memory.concepts.show("뉴욕").mentions] == ["e2/0"]


def test_a_name_that_others_gave_as_well_survives_an_erasure(memory: graphmem.GraphMemory) -> None:
    put(memory, CITY, episode("e1", "NYC", user="ada"), episode("e2", "NYC", user="bob"))
    memory.concepts.merge("New York City", "NYC")
    erase_user(memory.workspace.graph, "ada")
    assert [one.id for one in memory.concepts.show("NYC").mentions] == ["e2/0"]
    memory.concepts.split("NYC")
    assert [one.id for one in memory.concepts.show("NYC").mentions] == ["e2/0"]


def test_candidates_are_explained_and_likeness_alone_is_none(memory: graphmem.GraphMemory) -> None:
    put(
        memory,
        CITY,
        {"type": "concept", "name": "The Big Apple"},
        {"type": "concept", "name": "NYC"},
        {"type": "concept", "name": "e-mail", "definition": "A letter by wire"},
        {"type": "concept", "name": "email"},
        {"type": "concept", "name": "machine learning models"},
        {"type": "concept", "name": "machine learning modules"},
        {"type": "relation", "head": "RAM", "relation": "is_a", "tail": "Random Access Memory"},
    )
    found = {(one.keep, one.other): one for one in memory.concepts.candidates()}
    suggested = {pair for pair, one in found.items() if one.suggested}
    assert suggested == {("New York City", "The Big Apple"), ("New York City", "NYC"), ("e-mail", "email")}
    refused = found["Random Access Memory", "RAM"]
    assert (refused.suggested, "is_a" in refused.decision) == (False, True)
    alike = memory.concepts.candidates("machine learning models", min_similarity=0.2)
    assert [(one.other, one.evidence, one.suggested) for one in alike][:1] == [
        ("machine learning modules", (), False)
    ]
