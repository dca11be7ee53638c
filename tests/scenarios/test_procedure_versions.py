"""A newer version takes the place of the older one, which stays readable; one user's steps are his alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import graphmem
from graphmem.errors import ConflictError, NotFoundError
from graphmem.transfer.erasing import erase_user

OpenMemory = Callable[..., graphmem.GraphMemory]


def version(number: int, **fields: object) -> graphmem.Procedure:
    given = {"id": f"v{number}", "name": "배포", "steps": ("빌드", f"테스트 {number}"), **fields}
    return graphmem.Procedure.model_validate(given)


def test_lists_and_recall_know_the_newest_version_alone(memory: graphmem.GraphMemory) -> None:
    memory.procedures.add(version(1))
    memory.procedures.add(version(2, supersedes="v1"))
    memory.procedures.add(version(3, supersedes="v2"))
    assert [one.id for one in memory.procedures.list()] == ["v3"]
    assert [one.id for one in memory.procedures.list(superseded=True)] == ["v1", "v2", "v3"]
    assert [item.id for item in memory.recall("배포", kinds=["procedure"])] == ["v3"]
    for one in ("v1", "v2", "v3"):
        assert [found.id for found in memory.procedures.history(one)] == ["v3", "v2", "v1"]
    assert memory.procedures.get("v1").steps == ("빌드", "테스트 1")


def test_a_version_that_replaces_nothing_or_itself_is_refused(memory: graphmem.GraphMemory) -> None:
    with pytest.raises(NotFoundError):
        memory.procedures.add(version(2, supersedes="v1"))
    with pytest.raises(ConflictError):
        memory.procedures.add(version(2, supersedes="v2"))
    memory.procedures.add(version(1))
    assert len(memory.procedures.list()) == 1


def test_a_replaced_version_stays_replaced_when_it_is_corrected(memory: graphmem.GraphMemory) -> None:
    memory.procedures.add(version(1))
    memory.procedures.add(version(2, supersedes="v1"))
    memory.procedures.add(version(1, successes=3), replace=True)
    assert [one.id for one in memory.procedures.list()] == ["v2"]


def test_what_is_one_users_is_hidden_from_others_and_goes_with_him(open_memory: OpenMemory) -> None:
    ada, bob = open_memory(user="ada"), open_memory(user="bob")
    ada.procedures.add(version(1, user_id="ada"))
    ada.procedures.add(version(2))
    assert [one.id for one in ada.procedures.list()] == ["v1", "v2"]
    assert [one.id for one in bob.procedures.list()] == ["v2"]
    assert [item.id for item in bob.recall("배포", kinds=["procedure"])] == ["v2"]
    with pytest.raises(NotFoundError):
        bob.procedures.history("v1")
    erase_user(ada.workspace.graph, "ada")
    assert [one.id for one in ada.procedures.list()] == ["v2"]
