from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import pytest

import graphmem
from graphmem.embedders.cached import CachedEmbedder
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.errors import (
    InvalidInputError,
    NotFoundError,
    SettingsError,
    StoreMissingError,
    StoreUnavailableError,
)
from graphmem.testing.clock import START, FakeClock


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[graphmem.GraphMemory]:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing", clock=FakeClock()) as opened:
        yield opened


def test_the_signature_is_the_documented_one() -> None:
    parameters = inspect.signature(graphmem.open).parameters
    assert list(parameters) == [
        *("target", "tenant", "user", "database", "auth", "driver"),
        *("embedder", "language_model", "clock", "settings"),
    ]
    assert parameters["tenant"].default == "default"
    assert parameters["settings"].kind is inspect.Parameter.VAR_KEYWORD


def test_opening_makes_nothing_and_reading_neither(tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing") as memory:
        with pytest.raises(StoreMissingError, match="no store at"):
            memory.recall("anything")
        with pytest.raises(StoreMissingError):
            memory.facts.list()
    assert list(tmp_path.iterdir()) == []


def test_the_first_write_of_any_service_makes_the_store(tmp_path: Path) -> None:
    writes: dict[str, Callable[[graphmem.GraphMemory], object]] = {
        "remember": lambda memory: memory.remember("a", about=["x"]),
        "messages": lambda memory: memory.messages.add("a", speaker="Ada", session="s"),
        "episodes": lambda memory: memory.episodes.add(graphmem.Episode(id="e", goal="g")),
        "concepts": lambda memory: memory.concepts.add(graphmem.Concept(name="a")),
        "relate": lambda memory: memory.concepts.relate("a", "is_a", "b"),
        "procedures": lambda memory: memory.procedures.add(
            graphmem.Procedure(id="p", name="a", steps=(), sources=("e",))
        ),
    }
    for name, write in writes.items():
        with graphmem.open(tmp_path / f"{name}.db", embedder="hashing") as memory:
            write(memory)
        assert (tmp_path / f"{name}.db").exists()


def test_without_a_target_the_setting_or_the_current_folder_holds_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with graphmem.open(embedder="hashing") as memory:
        memory.remember("x")
    monkeypatch.setenv("GRAPHMEM_STORE", "named.db")
    with graphmem.open(embedder="hashing") as memory:
        memory.remember("x")
    assert {"graphmem.db", "named.db"} <= {path.name for path in tmp_path.iterdir()}


def test_a_tenant_that_is_given_holds_even_when_it_is_the_default_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_TENANT", "acme")
    assert graphmem.open(tmp_path / "a.db").tenant == "acme"
    assert graphmem.open(tmp_path / "a.db", tenant="default").tenant == "default"


def test_settings_open_a_memory_and_arguments_change_them(tmp_path: Path) -> None:
    settings = graphmem.Settings(store=str(tmp_path / "a.db"), tenant="acme", user="ada", embedder="hashing")
    assert (graphmem.open(settings).tenant, graphmem.open(settings).user) == ("acme", "ada")
    assert graphmem.open(settings, tenant="other", user="bob").user == "bob"
    assert settings.user == "ada"


def test_an_unknown_keyword_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="did you mean 'tenant'"):
        graphmem.open(tmp_path / "a.db", tennant="x")
    with pytest.raises(SettingsError, match="did you mean 'embedding_dimension'"):
        graphmem.open(tmp_path / "a.db", embedding_dimensions=3)


@pytest.mark.parametrize("hostile", ["a b", "../x", "a/b", "{x}", "", "x" * 129, "a\u202eb"])
def test_a_hostile_tenant_or_user_is_refused(tmp_path: Path, hostile: str) -> None:
    for keyword in ("tenant", "user"):
        with pytest.raises(SettingsError, match=keyword):
            graphmem.open(tmp_path / "a.db", **{keyword: hostile})  # type: ignore[arg-type]


def test_an_embedder_is_given_by_name_or_as_an_object(tmp_path: Path) -> None:
    own = HashingEmbedder()
    assert isinstance(graphmem.open(tmp_path / "a.db", embedder=own).workspace.embedder, CachedEmbedder)
    assert graphmem.open(tmp_path / "a.db", embedder="none").workspace.embedder is None
    with pytest.raises(SettingsError, match="embedder"):
        graphmem.open(tmp_path / "a.db", embedder="nonsense")


def test_an_openai_embedder_needs_a_dimension_unless_it_is_known(tmp_path: Path) -> None:
    known = graphmem.open(tmp_path / "a.db", embedder="openai:text-embedding-3-small").workspace.embedder
    given = graphmem.open(tmp_path / "a.db", embedder="openai:own", embedding_dimension=7).workspace.embedder
    assert known is not None
    assert given is not None
    assert (known.spec.dimension, given.spec.dimension) == (1536, 7)
    with pytest.raises(SettingsError, match="'embedding_dimension' is needed"):
        graphmem.open(tmp_path / "a.db", embedder="openai:own")


def test_authentication_for_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="auth is for a Neo4j store"):
        graphmem.open(tmp_path / "a.db", auth=("ada", "horse"))


def test_a_server_that_is_not_there_is_opened_without_a_word_and_without_its_password() -> None:
    with graphmem.open("neo4j://127.0.0.1:1", auth=("ada", "horse"), embedder="hashing") as memory:
        assert "horse" not in repr(memory)
        assert memory.tenant == "default"


def test_a_password_in_the_environment_is_used_and_a_driver_needs_no_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "horse")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    with graphmem.open("neo4j", embedder="none") as memory, pytest.raises(StoreUnavailableError) as caught:
        memory.facts.list()
    assert "127.0.0.1:1" in str(caught.value)
    assert "horse" not in str(caught.value)


def test_a_driver_of_the_caller_stays_open() -> None:
    with neo4j.GraphDatabase.driver("bolt://127.0.0.1:1") as driver:
        graphmem.open(driver=driver, embedder="none").close()
        with pytest.raises(neo4j.exceptions.ServiceUnavailable):
            driver.verify_connectivity()


def test_closing_twice_is_fine(tmp_path: Path) -> None:
    memory = graphmem.open(tmp_path / "a.db", embedder="hashing")
    memory.remember("x")
    memory.close()
    memory.close()


def test_everyday_verbs_work_together(memory: graphmem.GraphMemory) -> None:
    kept = memory.remember("아다는 이메일을 좋아한다", kind="preference")
    assert memory.facts.get(kept.id) == kept
    assert memory.recall("이메일", limit=1, kinds=["preference"])[0].id == kept.id
    assert memory.context("이메일", budget=100).endswith("MEMORY: (2026-03-01) 아다는 이메일을 좋아한다")
    assert [item.id for item in memory.context_block("이메일").items] == [kept.id]
    assert memory.context("zzzz") == ""


def test_consolidation_is_planned_or_done(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add(
        graphmem.Episode(id="e1", goal="g", steps=(graphmem.Step(action="look", tools=("search",)),))
    )
    plan = memory.consolidate(plan=True)
    assert plan
    memory.consolidate()
    assert not memory.consolidate(plan=True)


def test_patterns_are_mined_and_forgotten(memory: graphmem.GraphMemory) -> None:
    steps = tuple(graphmem.Step(action=name) for name in ("look", "wait", "pay"))
    memory.episodes.add_many(
        graphmem.Episode(id=f"e{number}", goal="g", steps=steps, outcome="success", task=f"t{number}")
        for number in range(4)
    )
    memory.patterns.mine()
    found = memory.patterns.list()
    assert found.items
    memory.forget(kind="pattern", id=found.items[0].id)
    assert len(memory.patterns.list()) == len(found) - 1


def test_named_queries_answer_with_rows(memory: graphmem.GraphMemory) -> None:
    memory.remember("x")
    rows = memory.query("reports/growth", days=30)
    assert [row["memories"] for row in rows.to_dicts()] == [1]
    assert list(rows.to_frame()["memories"]) == [1]
    assert len(rows) == len(list(rows)) == 1
    with pytest.raises(InvalidInputError):
        memory.query("reports/nothing")
    with pytest.raises(InvalidInputError):
        memory.query("reports/growth", weeks=1)


def test_anything_can_be_forgotten_by_kind(memory: graphmem.GraphMemory) -> None:
    memory.messages.add("x", id="m1")
    memory.episodes.add(graphmem.Episode(id="e1", goal="g"))
    memory.concepts.add(graphmem.Concept(name="시간 초과"))
    memory.procedures.add(graphmem.Procedure(id="p1", name="n", steps=()))
    memory.remember("x", id="f1")
    memory.remember("x", id="l1", kind="lesson")
    memory.remember("x", id="x1")
    forgotten = [
        *(("message", "m1"), ("episode", "e1"), ("concept", "시간초과"), ("procedure", "p1")),
        *(("fact", "f1"), ("lesson", "l1"), ("memory", "x1")),
    ]
    for kind, name in forgotten:
        memory.forget(kind=kind, id=name)
        with pytest.raises(NotFoundError):
            memory.forget(kind=kind, id=name)
    with pytest.raises(InvalidInputError, match=re.escape("unknown kind 'step'; there are message, episode")):
        memory.forget(kind="step", id="e1/0")


def test_a_memory_says_whose_it_is(memory: graphmem.GraphMemory) -> None:
    assert repr(memory) == "<GraphMemory tenant='default' user=None>"
    assert memory.workspace.now() == START
    memory.remember("x")
    assert memory.store.info().kind == "sqlite"


@pytest.mark.parametrize("name", ["messages", "episodes", "facts", "concepts", "procedures"])
@pytest.mark.parametrize("given", ["캐시 system", 7, None, ["text"]], ids=["text", "number", "nothing", "list"])
def test_what_is_no_record_is_refused_and_says_what_to_give(tmp_path: Path, name: str, given: object) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing") as memory:
        service = getattr(memory, name)
        add = service.add if name in {"concepts", "procedures"} else lambda one: service.add_many([one])
        with pytest.raises(InvalidInputError, match=r"give an? \w+ or a mapping of its fields"):
            add(given)


def test_concepts_and_procedures_are_given_as_mappings_too(tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.concepts.add({"name": "캐시", "kind": "tool"})
        assert memory.concepts.get("캐시").kind == "tool"
        memory.procedures.add({"id": "p1", "name": "재시작", "steps": ["stop", "start"]})
        assert memory.procedures.get("p1").steps == ("stop", "start")
        with pytest.raises(InvalidInputError, match="nonsense"):
            memory.concepts.add({"name": "캐시", "nonsense": 1})
