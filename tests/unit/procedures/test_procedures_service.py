from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.errors import ConflictError, InvalidInputError, NotFoundError
from graphmem.graph.records import NodeRef
from graphmem.models.episode import Episode
from graphmem.models.procedure import Procedure
from graphmem.procedures.service import ProceduresService
from workspaces import Desk, desk

REFUND = Procedure(
    id="p1",
    name="환불",
    when="파손 신고",
    steps=("주문 확인", "환불"),
    successes=3,
    failures=1,
    sources=("e1", "gone"),
)


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def procedures(at_hand: Desk) -> ProceduresService:
    return ProceduresService(at_hand.workspace())


def test_a_procedure_comes_back_as_it_was_given(procedures: ProceduresService) -> None:
    assert len(procedures.add(REFUND).added) == 1
    assert procedures.get("p1") == REFUND
    assert len(procedures.add(REFUND).unchanged) == 1


def test_another_procedure_under_the_same_id_is_refused_unless_it_shall_replace(
    procedures: ProceduresService,
) -> None:
    procedures.add(REFUND)
    better = REFUND.model_copy(update={"successes": 4})
    with pytest.raises(ConflictError):
        procedures.add(better)
    procedures.add(better, replace=True)
    assert procedures.get("p1").successes == 4


def test_a_procedure_is_linked_to_the_episodes_it_was_learned_from(
    procedures: ProceduresService, at_hand: Desk
) -> None:
    EpisodesService(at_hand.workspace()).add(Episode(id="e1", goal="g"))
    procedures.add(REFUND)
    edges = at_hand.workspace().graph.edges([NodeRef("Procedure", "p1")])
    assert [(edge.type, edge.target.id) for edge in edges] == [("DERIVED_FROM", "e1")]


def test_procedures_are_listed_by_name_however_it_is_written(procedures: ProceduresService) -> None:
    procedures.add(Procedure(id="a", name="Restart Pool", steps=("restart",)))
    procedures.add(Procedure(id="b", name="환불", steps=("a",)))
    assert [procedure.id for procedure in procedures.list()] == ["a", "b"]
    assert [procedure.id for procedure in procedures.list(name="restart  POOL")] == ["a"]
    assert [procedure.id for procedure in procedures.list(name="\u3164")] == []


def test_a_forgotten_procedure_is_gone(procedures: ProceduresService) -> None:
    procedures.add(REFUND)
    procedures.forget("p1")
    with pytest.raises(NotFoundError):
        procedures.get("p1")


def test_a_name_that_no_key_can_hold_is_refused(procedures: ProceduresService) -> None:
    with pytest.raises(InvalidInputError):
        procedures.add(Procedure(id="x", name="\u3164", steps=()))


def test_another_tenant_has_other_procedures(procedures: ProceduresService, at_hand: Desk) -> None:
    procedures.add(REFUND)
    other = ProceduresService(at_hand.workspace("other"))
    assert len(other.list()) == 0
    with pytest.raises(NotFoundError):
        other.get("p1")
