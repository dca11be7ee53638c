"""A plan passes when each of its operators only reads, on the one database."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import InvalidInputError
from graphmem.stores.neo4j.free_plan import check_plan


def plan(operator: str, *below: dict[str, Any], details: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {"operatorType": operator, "args": {"Details": details} if details else {}}
    return {**found, "children": list(below)} if below else found


def read(operator: str, *below: dict[str, Any], details: str = "") -> dict[str, Any]:
    return plan("ProduceResults@neo4j", plan(operator, *below, details=details))


@pytest.mark.parametrize(
    "operator",
    [
        "NodeIndexSeek@neo4j",
        "DirectedRelationshipIndexSeek@neo4j",
        "PartitionedUndirectedUnionRelationshipTypesScan@neo4j",
        "VarLengthExpand(Pruning,BFS,All)@neo4j",
        "StatefulShortestPath(All, Trail)@neo4j",
        "NodeVectorIndexSearch@Neo4j",
        "Expand(All)",
    ],
)
def test_operators_that_read_pass_with_their_variants(operator: str) -> None:
    check_plan(read(operator), "r", "neo4j")


@pytest.mark.parametrize(
    "operator",
    [
        "LoadCSV",
        "Create",
        "Merge",
        "DetachDelete",
        "SetProperty",
        "Foreach",
        "TransactionApply",
        "TransactionForeach",
        "ShowIndexes",
        "ShowTransactions",
        "TerminateTransactions",
        "CreateIndex",
        "DropConstraint",
        "AdministrationCommand",
        "RunQueryAt",
        "SomethingNew",
        "PartitionedLoadCSV",
        "Directed",
        "",
    ],
)
def test_any_other_operator_is_refused_however_deep(operator: str) -> None:
    with pytest.raises(InvalidInputError, match="operator"):
        check_plan(read("Apply@neo4j", plan("Argument@neo4j"), plan(f"{operator}@neo4j")), "r", "neo4j")


@pytest.mark.parametrize("query_type", ["w", "rw", "s", None, ""])
def test_the_servers_own_word_must_be_that_it_reads(query_type: str | None) -> None:
    with pytest.raises(InvalidInputError, match="only reads"):
        check_plan(read("Argument@neo4j"), query_type, "neo4j")


def test_a_statement_without_a_plan_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        check_plan(None, "r", "neo4j")


def test_another_database_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="turns to system"):
        check_plan(read("AllNodesScan@system"), "r", "neo4j")


def test_only_procedures_of_the_list_are_called() -> None:
    check_plan(read("ProcedureCall@neo4j", details="db.labels() :: (label :: STRING)"), "r", "neo4j")
    for details in ("db.awaitIndexes($autoint_0) :: ()", "apoc.db.labels() :: ()", ""):
        with pytest.raises(InvalidInputError, match="does not call"):
            check_plan(read("ProcedureCall@neo4j", details=details), "r", "neo4j")
