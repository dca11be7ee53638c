"""Importing twice, updating, linking, resuming: what a tenant holds afterwards."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.records import Equals, NodeRef
from graphmem.models.fields import OPEN_END
from graphmem.ports.workspace import Workspace
from graphmem.transfer.exporting import export_domain
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions, ImportPolicy
from transferring import (
    exported,
    exported_records,
    import_data,
    import_lines,
    lines,
    reasons,
    records_of,
    source,
    sqlite_workspace,
)

EPISODE = {
    "type": "episode",
    "id": "run-17",
    "task": "refund-damaged",
    "domain": "support",
    "goal": "Refund order 17",
    "outcome": "success",
    "session": "s1",
    "started_at": "2026-03-01T09:00:00Z",
    "ended_at": "2026-03-01T09:04:10Z",
    "steps": [
        {"action": "call_api", "tools": ["http"], "errors": ["Timeout"], "effective": False},
        {"action": "raise_pool", "fixes": ["PoolExhausted"], "concepts": ["connection pool"]},
    ],
    "causes": [{"effect": "Timeout", "cause": "PoolExhausted"}],
}
RELATION = {"type": "relation", "head": "Timeout", "relation": "is_a", "tail": "NetworkError"}
MESSAGE = {
    "type": "message",
    "id": "m1",
    "text": "서울로 이사했어요",
    "at": "2026-03-01T09:00:00Z",
    "speaker": "영희",
    "session": "s1",
    "episode": "run-17",
}
OLD = {"type": "memory", "id": "old", "kind": "fact", "text": "Ada lives in Oslo", "at": "2026-01-01T00:00:00Z"}
NEW = {
    "type": "memory",
    "id": "new",
    "kind": "fact",
    "text": "Ada lives in Seoul",
    "at": "2026-03-01T00:00:00Z",
    "supersedes": "old",
    "about": ["Seoul"],
    "sources": ["m1", "run-17", "nowhere"],
}
PROCEDURE = {"type": "procedure", "id": "p1", "name": "Refund", "steps": ["a", "b"], "sources": ["run-17", "x"]}
OUTCOME = {"type": "outcome", "episode": "run-17", "outcome": "failure", "source": "support team"}
EVERYTHING: list[dict[str, Any]] = [
    {"type": "header", "version": 1, "producer": "somebody"},
    {"type": "session", "id": "s1", "user": "ada", "started_at": "2026-03-01T09:00:00Z"},
    {"type": "concept", "name": "Timeout", "kind": "symptom", "definition": "No answer in time"},
    RELATION,
    EPISODE,
    MESSAGE,
    OLD,
    NEW,
    PROCEDURE,
    OUTCOME,
]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sqlite_workspace(tmp_path / "memory.db")


def edges(workspace: Workspace, ref: NodeRef, kind: str) -> list[NodeRef]:
    return [edge.target for edge in workspace.graph.edges([ref], [kind])]


def memory(workspace: Workspace, name: str) -> dict[str, Any]:
    ref = NodeRef("Memory", name)
    return dict(workspace.graph.get([ref])[ref].properties)


def outcome(workspace: Workspace) -> Any:
    ref = NodeRef("Episode", "run-17")
    return workspace.graph.get([ref])[ref].properties["outcome"]


def test_every_type_is_imported_and_linked(workspace: Workspace) -> None:
    report = import_lines(workspace, *EVERYTHING)
    assert report.to_dict() | {"seconds": 0} == {
        "read": 9,
        "added": 9,
        "unchanged": 0,
        "changed": 0,
        "refused": [],
        "extra": {},
        "seconds": 0,
    }
    assert edges(workspace, NodeRef("Episode", "run-17"), "HAS_MESSAGE") == [NodeRef("Message", "m1")]
    assert edges(workspace, NodeRef("Message", "m1"), "SPOKEN_BY") == [concept_ref("영희", "person")]
    sources = [NodeRef("Episode", "run-17"), NodeRef("Message", "m1")]
    assert edges(workspace, NodeRef("Memory", "new"), "ASSERTED_IN") == sources
    assert edges(workspace, NodeRef("Procedure", "p1"), "DERIVED_FROM") == [NodeRef("Episode", "run-17")]
    assert edges(workspace, concept_ref("Timeout", "symptom"), "IS_A") == [concept_ref("NetworkError")]
    assert outcome(workspace) == "failure"


def test_a_second_import_adds_nothing(workspace: Workspace) -> None:
    import_lines(workspace, *EVERYTHING)
    before, version = exported(workspace.graph), workspace.graph.version()
    report = import_lines(workspace, *EVERYTHING)
    assert (report.read, report.added, report.unchanged, report.changed) == (9, 0, 9, 0)
    assert exported(workspace.graph) == before
    assert workspace.graph.version() == version
    assert workspace.graph.count("ImportRun") == 1


def test_an_export_imported_elsewhere_and_exported_again_is_the_same_bytes(
    workspace: Workspace, tmp_path: Path
) -> None:
    import_lines(workspace, *EVERYTHING)
    first = exported(workspace.graph)
    other = sqlite_workspace(tmp_path / "other.db", tenant="elsewhere")
    assert import_data(other, first).refused == []
    assert exported(other.graph) == first
    assert import_data(other, first).added == 0


def test_an_export_has_a_fixed_order_of_types_and_no_dates_in_its_header(workspace: Workspace) -> None:
    import_lines(workspace, *reversed(EVERYTHING))
    records = records_of(exported(workspace.graph))
    kinds = ["header", "session", "concept", "relation", "episode", "message", "memory", "procedure", "outcome"]
    assert list(dict.fromkeys(record["type"] for record in records)) == kinds
    assert records[0] == {"type": "header", "version": 1, "producer": "graphmem"}


def test_the_order_of_records_does_not_matter(workspace: Workspace, tmp_path: Path) -> None:
    import_lines(workspace, *EVERYTHING)
    other = sqlite_workspace(tmp_path / "other.db")
    policy = ImportPolicy(batch_records=1)
    assert import_lines(other, *reversed(EVERYTHING), policy=policy).refused == []
    assert exported(other.graph) == exported(workspace.graph)
    assert memory(other, "old")["superseded_at"] < OPEN_END


def test_a_superseded_memory_is_retired_and_says_since_when(workspace: Workspace) -> None:
    import_lines(workspace, OLD, NEW)
    assert memory(workspace, "old")["superseded_at"] == workspace.now()
    assert memory(workspace, "new")["superseded_at"] == OPEN_END
    assert edges(workspace, NodeRef("Memory", "new"), "SUPERSEDES") == [NodeRef("Memory", "old")]
    assert memory(workspace, "old")["valid_to"] == memory(workspace, "new")["at"]
    assert import_lines(workspace, OLD, NEW).unchanged == 2


def test_a_memory_that_supersedes_what_is_not_there_is_kept(workspace: Workspace) -> None:
    assert import_lines(workspace, NEW).added == 1
    assert import_lines(workspace, OLD, NEW).added == 1
    assert edges(workspace, NodeRef("Memory", "new"), "SUPERSEDES") == [NodeRef("Memory", "old")]


def test_a_memory_without_an_id_is_the_same_one_when_it_comes_again(workspace: Workspace) -> None:
    record = {"type": "memory", "kind": "preference", "text": "전화보다 이메일"}
    assert import_lines(workspace, record, record).to_dict()["added"] == 1
    assert import_lines(workspace, record).unchanged == 1


def test_other_content_is_reported_and_left_alone_without_update(workspace: Workspace) -> None:
    import_lines(workspace, EPISODE, MESSAGE)
    before = exported(workspace.graph)
    report = import_lines(workspace, {**EPISODE, "goal": "x"}, {**MESSAGE, "text": "y"})
    assert (report.added, report.changed, report.refused) == (0, 2, [])
    assert exported(workspace.graph) == before


def test_update_replaces_content_and_removes_steps_that_are_gone(workspace: Workspace) -> None:
    import_lines(workspace, *EVERYTHING)
    steps = [{"action": "apologise", "tools": ["mail"]}]
    report = import_lines(workspace, {**EPISODE, "steps": steps, "causes": []}, update=True)
    assert (report.added, report.changed) == (0, 1)
    assert exported_records(workspace.graph, "episode")[0]["steps"] == steps
    assert (workspace.graph.count("Step"), workspace.graph.count("Finding")) == (1, 0)
    assert edges(workspace, NodeRef("Episode", "run-17"), "HAS_MESSAGE") == [NodeRef("Message", "m1")]


def test_update_changes_an_outcome_that_nobody_corrected(workspace: Workspace) -> None:
    import_lines(workspace, EPISODE)
    assert import_lines(workspace, {**EPISODE, "outcome": "partial"}, update=True).changed == 1
    assert outcome(workspace) == "partial"


def test_relations_between_concepts_of_other_kinds_keep_their_kinds(workspace: Workspace) -> None:
    kinds = {"head_kind": "person", "tail_kind": "city"}
    relation = {"type": "relation", "head": "Ada", "relation": "linked_to", "tail": "Oslo", **kinds}
    import_lines(workspace, relation)
    assert exported_records(workspace.graph, "relation") == [relation]


def test_update_replaces_the_links_of_a_message_and_a_memory(workspace: Workspace) -> None:
    import_lines(workspace, *EVERYTHING)
    report = import_lines(
        workspace,
        {**MESSAGE, "speaker": "Bob", "session": "s2"},
        {**NEW, "about": ["Busan"], "sources": ["m1"]},
        update=True,
    )
    assert report.changed == 2
    assert edges(workspace, NodeRef("Message", "m1"), "SPOKEN_BY") == [concept_ref("Bob", "person")]
    assert edges(workspace, NodeRef("Message", "m1"), "IN_SESSION") == [NodeRef("Session", "s2")]
    assert edges(workspace, NodeRef("Memory", "new"), "ABOUT") == [concept_ref("Busan")]
    assert edges(workspace, NodeRef("Memory", "new"), "ASSERTED_IN") == [NodeRef("Message", "m1")]
    assert edges(workspace, NodeRef("Memory", "new"), "SUPERSEDES") == [NodeRef("Memory", "old")]


def test_a_corrected_outcome_outlives_an_import_of_the_same_and_of_a_changed_episode(workspace: Workspace) -> None:
    import_lines(workspace, EPISODE)
    assert import_lines(workspace, OUTCOME).added == 1
    assert import_lines(workspace, EPISODE, OUTCOME).unchanged == 2
    assert outcome(workspace) == "failure"
    assert import_lines(workspace, {**EPISODE, "goal": "x"}, update=True).changed == 1
    assert outcome(workspace) == "failure"
    assert [record["outcome"] for record in exported_records(workspace.graph, "episode")] == ["success"]
    assert exported_records(workspace.graph, "outcome") == [OUTCOME]


def test_outcomes_without_times_are_kept_in_their_order_and_found_again(workspace: Workspace) -> None:
    said = [{**OUTCOME, "outcome": value} for value in ("success", "failure", "success")]
    assert import_lines(workspace, *said, EPISODE).added == 4
    assert outcome(workspace) == "success"
    assert import_lines(workspace, *said).unchanged == 3
    assert exported_records(workspace.graph, "outcome") == said


def test_an_open_episode_takes_no_outcome(workspace: Workspace) -> None:
    report = import_lines(
        workspace, {"type": "episode", "id": "run-17", "goal": "g", "steps": [], "state": "open"}, OUTCOME
    )
    assert reasons(report) == [(2, "episode 'run-17' is still open: it has no outcome yet")]


def test_the_user_of_the_import_stamps_records_that_name_nobody(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "memory.db", user="ada")
    import_lines(workspace, EPISODE, {**MESSAGE, "user": "bob"}, NEW)
    users = {record["type"]: record.get("user") for record in records_of(exported(workspace.graph))}
    assert (users["episode"], users["message"], users["memory"]) == ("ada", "bob", "ada")


def test_an_import_of_a_user_says_nothing_of_anothers_episode(tmp_path: Path) -> None:
    import_lines(sqlite_workspace(tmp_path / "memory.db", user="bob"), EPISODE)
    workspace = sqlite_workspace(tmp_path / "memory.db", user="ada")
    outcome = {"type": "outcome", "episode": EPISODE["id"], "outcome": "failure"}
    report = import_lines(workspace, outcome, {**MESSAGE, "episode": EPISODE["id"]})
    why = f"episode {EPISODE['id']!r} is neither in the files nor stored"
    assert sorted(reasons(report)) == [(1, why), (2, why)]


def test_an_id_of_another_user_is_not_taken_over(tmp_path: Path) -> None:
    import_lines(sqlite_workspace(tmp_path / "memory.db", user="bob"), EPISODE)
    workspace = sqlite_workspace(tmp_path / "memory.db", user="ada")
    report = import_lines(workspace, {**EPISODE, "goal": "x"}, update=True)
    assert reasons(report) == [(1, "the id is stored for another user")]


def test_tenants_never_meet(tmp_path: Path) -> None:
    acme, other = (sqlite_workspace(tmp_path / "memory.db", tenant=name) for name in ("acme", "other"))
    import_lines(acme, *EVERYTHING)
    assert import_lines(other, *EVERYTHING).added == 9
    assert import_lines(other, {**EPISODE, "goal": "x"}, update=True).changed == 1
    assert exported_records(acme.graph, "episode")[0]["goal"] == EPISODE["goal"]


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    policy = ImportPolicy(batch_records=1)
    report = import_lines(workspace, *EVERYTHING, {"type": "x"}, dry_run=True, policy=policy)
    assert (report.read, report.added, len(report.refused)) == (10, 9, 1)
    assert not (tmp_path / "memory.db").exists()
    import_lines(workspace, *EVERYTHING)
    before = exported(workspace.graph)
    report = import_lines(workspace, *EVERYTHING[:-1], {**OUTCOME, "outcome": "partial"}, dry_run=True)
    assert (report.added, report.unchanged) == (1, 8)
    assert import_lines(workspace, {**EPISODE, "goal": "x"}, dry_run=True, update=True).changed == 1
    assert exported(workspace.graph) == before


def test_relations_merge_and_are_found_again(workspace: Workspace) -> None:
    first = {**RELATION, "confidence": 0.5, "evidence": ["a"], "source": "extracted"}
    second = {**RELATION, "confidence": 0.8, "evidence": ["b", "a"]}
    assert import_lines(workspace, first, second).to_dict()["changed"] == 1
    (stored,) = exported_records(workspace.graph, "relation")
    assert stored == {**RELATION, "confidence": 0.8, "evidence": ["a", "b"]}
    assert import_lines(workspace, first, second).unchanged == 2


@pytest.mark.parametrize("batch", [1, 500])
@pytest.mark.parametrize("relation", ["is_a", "part_of"])
def test_a_relation_that_closes_a_cycle_is_refused_and_the_rest_is_kept(
    workspace: Workspace, relation: str, batch: int
) -> None:
    pairs = [("b", "c"), ("a", "b"), ("c", "a"), ("a", "a"), ("a", "c")]
    records = [{"type": "relation", "head": head, "relation": relation, "tail": tail} for head, tail in pairs]
    report = import_lines(workspace, *records, policy=ImportPolicy(batch_records=batch))
    assert [number for number, _ in reasons(report)] == [3, 4]
    assert all("cycle" in reason for _, reason in reasons(report))
    assert len(exported_records(workspace.graph, "relation")) == 3
    again = import_lines(workspace, *records, policy=ImportPolicy(batch_records=batch))
    assert (again.added, again.unchanged, len(again.refused)) == (0, 3, 2)


def test_a_concept_that_is_its_own_kind_is_refused_by_its_name(workspace: Workspace) -> None:
    loop = {"type": "relation", "head": "서버", "relation": "is_a", "tail": "서버"}
    ((_, reason),) = reasons(import_lines(workspace, loop))
    assert reason.startswith("서버 is_a 서버 would close a cycle: 서버 is_a 서버;")


def test_causes_may_form_a_circle(workspace: Workspace) -> None:
    records = [{"type": "relation", "head": h, "relation": "causes", "tail": t} for h, t in ("ab", "ba")]
    assert import_lines(workspace, *records).added == 2


def test_a_relation_means_the_plain_concept_before_the_only_one_of_its_name(workspace: Workspace) -> None:
    person = {"type": "concept", "name": "Seoul", "kind": "person", "definition": "A friend's nickname"}
    relation = {"type": "relation", "head": "Seoul", "relation": "linked_to", "tail": "Korea"}
    import_lines(workspace, person, relation)
    assert edges(workspace, concept_ref("Seoul", "person"), "LINKED_TO") == [concept_ref("Korea")]
    # the plain concept comes later: the relation that is there stays the one that is meant
    import_lines(workspace, {"type": "concept", "name": "Seoul", "definition": "A city"})
    assert import_lines(workspace, relation).unchanged == 1
    import_lines(workspace, {**relation, "tail": "Asia"})
    assert edges(workspace, concept_ref("Seoul"), "LINKED_TO") == [concept_ref("Asia")]


def test_homonyms_survive_an_export(workspace: Workspace, tmp_path: Path) -> None:
    relation = {"type": "relation", "head": "Ada", "relation": "linked_to", "tail": "Oslo"}
    import_lines(workspace, relation)
    import_lines(workspace, {**MESSAGE, "speaker": "Ada", "episode": None})
    import_lines(workspace, {**relation, "head_kind": "person", "tail": "Seoul"})
    first = exported(workspace.graph)
    other = sqlite_workspace(tmp_path / "other.db")
    import_data(other, first)
    assert exported(other.graph) == first
    assert edges(other, concept_ref("Ada"), "LINKED_TO") == [concept_ref("Oslo")]
    assert edges(other, concept_ref("Ada", "person"), "LINKED_TO") == [concept_ref("Seoul")]


def test_a_described_concept_fills_in_the_one_that_was_named(workspace: Workspace) -> None:
    import_lines(workspace, EPISODE)
    described = {"type": "concept", "name": "connection pool", "definition": "Ready connections"}
    assert exported_records(workspace.graph, "concept") == []
    assert import_lines(workspace, described).added == 1
    assert exported_records(workspace.graph, "concept") == [described]
    assert import_lines(workspace, EPISODE).unchanged == 1


def test_with_an_embedder_everything_embedded_has_a_vector(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "memory.db", embedder=HashingEmbedder())
    import_lines(workspace, *EVERYTHING)
    for label in ("Episode", "Message", "Concept", "Memory", "Procedure"):
        assert workspace.graph.missing_vectors(label) == []
        assert all(node.vector is not None for node in workspace.graph.scan(label, vectors=True).records)


def test_progress_tells_every_record_and_byte(workspace: Workspace) -> None:
    told: list[tuple[int, int]] = []
    data = lines(*EVERYTHING)
    import_records(
        workspace,
        [source(data)],
        ImportOptions(policy=ImportPolicy(batch_records=3)),
        progress=lambda records, size: told.append((records, size)),
    )
    assert len(told) == 4
    assert sum(records for records, _ in told) == len(EVERYTHING)
    assert sum(size for _, size in told) == len(data) - len(EVERYTHING)


def test_a_batch_holds_at_most_the_bytes_and_records_that_the_policy_says(workspace: Workspace) -> None:
    policy = ImportPolicy(batch_records=7, batch_bytes=400)
    records = [{"type": "session", "id": f"s{number}"} for number in range(50)]
    assert import_lines(workspace, *records, policy=policy).added == 50
    assert workspace.graph.count("Session") == 50


def test_refusals_come_in_the_order_of_files_and_lines(workspace: Workspace) -> None:
    waiting = {**MESSAGE, "episode": "none"}
    report = import_data(workspace, lines(waiting, "x"), lines("y", OUTCOME))
    assert [(refused.path, refused.line) for refused in report.refused] == [
        ("file-0", 1),
        ("file-0", 2),
        ("file-1", 1),
        ("file-1", 2),
    ]


def test_the_export_of_a_user_holds_what_is_his_alone(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "memory.db")
    import_lines(workspace, *EVERYTHING, {**EPISODE, "id": "run-18", "user": "ada"})
    stream = io.BytesIO()
    told: list[int] = []
    export_domain(workspace.graph, stream, user="ada", progress=told.append)
    assert sum(told) == 2
    kinds = [(record["type"], record.get("id")) for record in records_of(stream.getvalue())]
    assert kinds == [("header", None), ("session", "s1"), ("episode", "run-18")]


def test_a_message_of_a_forgotten_episode_is_exported_without_it(workspace: Workspace, tmp_path: Path) -> None:
    import_lines(workspace, EPISODE, MESSAGE)
    with workspace.graph.transaction() as transaction:
        transaction.remove_nodes([NodeRef("Episode", "run-17")])
    other = sqlite_workspace(tmp_path / "other.db")
    assert import_data(other, exported(workspace.graph)).refused == []
    assert workspace.graph.count("Message", Equals("episode", "run-17")) == 1
    assert exported(other.graph) == exported(workspace.graph)
