"""From a name in brackets to one concept, in English and Korean: heard, adopted, merged, split and erased."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from unicodedata import normalize

import pytest

import graphmem
from graphmem.errors import NotFoundError
from graphmem.transfer.erasing import erase_user
from graphmem.transfer.exporting import export_full

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
OpenMemory = Callable[..., graphmem.GraphMemory]

ENGLISH = ("Virtual Private Network (VPN) causes delays.", "Again, Virtual Private Network (VPN) was down.")
KOREAN = ("서울(Seoul)은 크다.", "서울(Seoul)에는 강이 있다.")
WORLDS = [
    pytest.param(ENGLISH, "Virtual Private Network", "VPN", "network", id="english"),
    pytest.param(KOREAN, "서울", "Seoul", "도시", id="korean"),
]


@pytest.fixture
def memory(open_memory: OpenMemory) -> graphmem.GraphMemory:
    """A memory whose texts are read by rules over the surface, whatever is installed."""
    return open_memory(analyzer="plain")


def say(memory: graphmem.GraphMemory, *texts: str, first: int = 0) -> None:
    """Keep each text as a message of a conversation of its own, one a day from the `first` day on."""
    for day, text in enumerate(texts, first):
        at = MONDAY + timedelta(days=day)
        memory.messages.add(text, id=f"m{day}", session=f"s{day}", at=at)


def everything(memory: graphmem.GraphMemory) -> str:
    stream = io.BytesIO()
    export_full(memory.workspace.graph, stream, None)
    return stream.getvalue().decode()


@pytest.mark.parametrize(("texts", "name", "alias", "kind"), WORLDS)
def test_a_name_that_texts_introduce_twice_is_one_concept_with_the_old_one(
    memory: graphmem.GraphMemory, texts: tuple[str, ...], name: str, alias: str, kind: str
) -> None:
    # both names are known already, and things are about the second one
    memory.concepts.relate(name, "is_a", kind)
    memory.concepts.relate(alias, "used_for", "prediction")
    memory.remember("It matters", about=[normalize("NFD", alias)], id="note")
    say(memory, texts[0])
    memory.consolidate()
    assert memory.concepts.get(alias).name == alias
    say(memory, *texts[1:], first=1)
    memory.consolidate()
    for spelled in (name, alias, alias.lower(), normalize("NFD", name)):
        view = memory.concepts.show(spelled)
        assert view.concept.name == name
        assert alias in view.concept.aliases
        assert {(one.relation.value, one.tail) for one in view.relations} >= {
            ("is_a", kind),
            ("used_for", "prediction"),
        }
        assert "note" in {said.id for said in view.mentions}
    assert memory.concepts.tree(alias).above[0].name == kind
    (merge,) = memory.concepts.merges()
    assert (merge.name, merge.into) == (alias, name)
    assert merge.reason
    # what comes later goes there, and an operator may take the decision back
    memory.remember("Later", about=[alias], id="later")
    assert "later" in {said.id for said in memory.concepts.show(name).mentions}
    memory.concepts.split(alias)
    assert {said.id for said in memory.concepts.show(alias).mentions} >= {"note", "later"}
    assert {one.tail for one in memory.concepts.show(alias).relations} == {"prediction"}
    memory.consolidate()
    assert memory.concepts.get(alias).name == alias


@pytest.mark.parametrize(("texts", "name", "alias", "kind"), WORLDS)
def test_a_name_that_only_one_user_gave_goes_with_him(
    open_memory: OpenMemory, texts: tuple[str, ...], name: str, alias: str, kind: str
) -> None:
    memory = open_memory(analyzer="plain", user="ada")
    memory.concepts.relate(name, "is_a", kind)
    say(memory, *texts)
    memory.consolidate()
    assert memory.concepts.get(alias).name == name
    erase_user(memory.workspace.graph, "ada")
    with pytest.raises(NotFoundError):
        memory.concepts.get(alias)
    assert memory.concepts.get(name).aliases == ()
    assert f'"{alias}"' not in everything(memory)


def test_a_policy_keeps_concepts_apart_whatever_texts_say(open_memory: OpenMemory) -> None:
    memory = open_memory(analyzer="plain", consolidation={"merge_told_names": False})
    memory.concepts.relate("서울", "is_a", "도시")
    memory.concepts.relate("Seoul", "used_for", "visits")
    say(memory, *KOREAN)
    memory.consolidate()
    assert memory.concepts.get("Seoul").name == "Seoul"
    assert list(memory.concepts.merges()) == []
