"""A full export and a copy lose nothing: nodes, edges, vectors, whatever the store."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.errors import SchemaError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.graph.schema import NODE_TYPES
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.workspace import Workspace
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.builders import node
from graphmem.transfer.copying import copy_store
from graphmem.transfer.exporting import export_file, export_full
from graphmem.transfer.policy import ImportPolicy
from transferring import exported, import_data, import_lines, records_of, sqlite_workspace


class OtherEmbedder(HashingEmbedder):
    """The same vectors under another name: only the name tells that they must not be mixed."""

    spec = EmbedderSpec(name="other", dimension=HashingEmbedder.spec.dimension)


AT = "2026-03-01T09:00:00Z"


def fill(workspace: Workspace, episodes: int = 3) -> None:
    for number in range(episodes):
        steps: list[dict[str, Any]] = [
            {"action": "call_api", "tools": ["http"], "errors": ["시간 초과"], "concepts": ["결제"]},
            {"action": "raise_pool", "fixes": ["PoolExhausted"], "after": []},
        ]
        name = f"run-{number}"
        import_lines(
            workspace,
            {"type": "episode", "id": name, "goal": f"Refund {number}", "steps": steps, "session": "s1"},
            {"type": "message", "id": f"m{number}", "text": "안녕", "at": AT, "speaker": "영희", "episode": name},
            {"type": "memory", "kind": "lesson", "text": f"Lesson {number}", "sources": [name], "about": ["결제"]},
            {"type": "relation", "head": "시간 초과", "relation": "is_a", "tail": "오류"},
            {"type": "outcome", "episode": name, "outcome": "failure"},
        )
    with workspace.graph.transaction() as transaction:
        transaction.save_nodes([node("Pattern", "p1", title="call_api -> raise_pool", episodes=["run-0"])])
        transaction.save_edges(
            [
                EdgeRecord("EVIDENCED_BY", NodeRef("Pattern", "p1"), NodeRef("Episode", "run-0"), {"roles": "{}"}),
                EdgeRecord("FOLLOWED_BY", NodeRef("Episode", "run-0"), NodeRef("Episode", "run-1")),
            ]
        )


def everything(graph: TenantGraph) -> tuple[list[Any], list[EdgeRecord]]:
    """All nodes with their vectors, and all edges."""
    nodes: list[NodeRecord] = []
    for label in NODE_TYPES:
        nodes += graph.scan(label, limit=10_000, vectors=True).records
    edges = graph.edges([found.ref for found in nodes])
    plain = [
        (found.ref, dict(found.properties), None if found.vector is None else np.asarray(found.vector).tobytes())
        for found in nodes
    ]
    return plain, edges


def full(graph: TenantGraph, workspace: Workspace) -> bytes:
    stream = io.BytesIO()
    export_full(graph, stream, None if workspace.embedder is None else workspace.embedder.spec)
    return stream.getvalue()


@pytest.mark.parametrize("batch", [1, 500])
def test_a_full_export_imported_elsewhere_is_the_same_graph(tmp_path: Path, batch: int) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db", embedder=HashingEmbedder())
    fill(workspace)
    first = full(workspace.graph, workspace)
    other = sqlite_workspace(tmp_path / "b.db", embedder=HashingEmbedder())
    report = import_data(other, first, policy=ImportPolicy(batch_records=batch))
    assert report.refused == []
    assert report.added == report.read == len(first.splitlines()) - 1
    nodes, edges = everything(workspace.graph)
    runs = [found for found in everything(other.graph)[0] if found not in nodes]
    assert [found[0].label for found in runs] == ["ImportRun"]
    assert [found for found in everything(other.graph)[0] if found in nodes] == nodes
    assert everything(other.graph)[1] == edges
    again = import_data(other, first)
    assert (again.added, again.unchanged) == (0, report.read)
    assert exported(other.graph) == exported(workspace.graph)


def test_vectors_of_another_embedder_are_made_anew(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db", embedder=HashingEmbedder())
    fill(workspace)
    plain = sqlite_workspace(tmp_path / "b.db")
    assert import_data(plain, full(workspace.graph, workspace)).refused == []
    assert all(found[2] is None for found in everything(plain.graph)[0])
    other = sqlite_workspace(tmp_path / "c.db", embedder=OtherEmbedder())
    assert import_data(other, full(workspace.graph, workspace)).refused == []
    assert other.graph.missing_vectors("Episode") == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": "Dream"}, "unknown label"),
        ({"vector": "???"}, "vector is not base64"),
        ({"vector": "AADAfw=="}, "not finite"),
        ({"properties": {"colour": "red"}}, "no property 'colour'"),
        ({"properties": {"text": 17}}, "text is not text"),
        ({"properties": {"at": "yesterday"}}, "not ISO 8601"),
        ({"properties": 3}, "properties is not an object"),
        ({"colour": "red"}, "unknown field 'colour'"),
        ({"id": "x" * 701}, "701 characters"),
        ({"id": 17}, "id is not text"),
        ({"label": "Concept", "properties": {"aliases": [1]}}, "holds something that is not text"),
        ({"label": "Concept", "properties": {"abstraction_level": 2**63}}, "out of range"),
        ({"label": "Concept", "properties": {"abstraction_level": True}}, "not integer"),
    ],
)
def test_a_bad_stored_record_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    record = {"type": "node", "label": "Message", "id": "m1", "properties": {"text": "t"}, **change}
    report = import_lines(sqlite_workspace(tmp_path / "a.db"), record)
    assert [words in refused.reason for refused in report.refused] == [True]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"relationship": "EATS"}, "unknown relationship"),
        ({"source": ["Concept"]}, "source is not a list of label and id"),
        ({"target": ["Message", "m"]}, "IS_A cannot join"),
        ({"properties": {"colour": 1}}, "no property"),
        ({"source": None}, "source is not"),
    ],
)
def test_a_bad_stored_edge_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    record = {
        "type": "edge",
        "relationship": "IS_A",
        "source": ["Concept", "a"],
        "target": ["Concept", "b"],
        **change,
    }
    report = import_lines(sqlite_workspace(tmp_path / "a.db"), record)
    assert [words in refused.reason for refused in report.refused] == [True]


def test_a_dry_run_of_a_full_export_foresees_what_is_new(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db")
    fill(workspace)
    data = full(workspace.graph, workspace)
    other = sqlite_workspace(tmp_path / "b.db")
    report = import_data(other, data, dry_run=True)
    assert (report.added, report.refused) == (report.read, [])
    import_data(other, data)
    assert import_data(other, data, dry_run=True).unchanged == report.read


def test_an_update_from_a_full_export_replaces_whole_episodes(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db")
    fill(workspace)
    data = full(workspace.graph, workspace)
    import_lines(
        workspace, {"type": "episode", "id": "run-0", "goal": "other", "steps": [], "session": "s1"}, update=True
    )
    assert import_data(workspace, data).to_dict()["changed"] > 1
    report = import_data(workspace, data, update=True)
    assert report.refused == []
    assert workspace.graph.count("Step") == 6


def test_a_stored_node_that_comes_twice_is_written_once(tmp_path: Path) -> None:
    record = {"type": "node", "label": "Tool", "id": "http", "properties": {"key": "http", "name": "http"}}
    other = {**record, "properties": {"key": "http", "name": "HTTP"}}
    report = import_lines(sqlite_workspace(tmp_path / "a.db"), record, record, other)
    assert (report.added, report.unchanged, len(report.refused)) == (1, 1, 1)


def test_an_edge_without_its_ends_is_refused_at_the_end(tmp_path: Path) -> None:
    edge = {"type": "edge", "relationship": "IS_A", "source": ["Concept", "a"], "target": ["Concept", "b"]}
    step = {"type": "node", "label": "Step", "id": "x/0", "properties": {"episode": "x", "index": 0}}
    report = import_lines(sqlite_workspace(tmp_path / "a.db"), edge, step)
    assert [refused.line for refused in report.refused] == [1, 2]


def test_a_copy_there_and_back_loses_nothing(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db", embedder=HashingEmbedder())
    fill(workspace, episodes=60)
    fill(sqlite_workspace(tmp_path / "a.db", tenant="other", embedder=HashingEmbedder()))
    stores = [SqliteStore(tmp_path / name, embedder=HashingEmbedder().spec) for name in ("a.db", "b.db", "c.db")]
    copied: list[int] = []
    report = copy_store(stores[0], stores[1], progress=copied.append)
    assert sum(copied) > 63
    assert report.complete
    assert report.tenants == ("acme", "other")
    assert report.counts["Episode"] == (63, 63)
    copy_store(stores[1], stores[2])
    for tenant in ("acme", "other"):
        assert everything(stores[2].tenant(tenant)) == everything(stores[0].tenant(tenant))
    json.dumps(report.to_dict())


def test_a_copy_of_one_tenant_takes_no_other_along_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    fill(sqlite_workspace(tmp_path / "a.db"))
    fill(sqlite_workspace(tmp_path / "a.db", tenant="other"))
    source, target = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "b.db")
    with target.tenant("acme").transaction() as transaction:
        transaction.save_nodes(source.tenant("acme").scan("Concept").records)
    assert copy_store(source, target, ["acme"]).complete
    version = target.tenant("acme").version()
    assert copy_store(source, target, ["acme"]).complete
    assert target.tenant("acme").version() == version
    assert target.tenants() == ("acme",)


def test_a_second_copy_brings_outcomes_that_were_said_meanwhile(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db")
    fill(workspace)
    source, target = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "b.db")
    copy_store(source, target)
    import_lines(workspace, {"type": "outcome", "episode": "run-1", "outcome": "partial", "source": "later"})
    assert copy_store(source, target).complete
    assert everything(target.tenant("acme")) == everything(source.tenant("acme"))


def test_stores_of_different_embedders_are_not_mixed(tmp_path: Path) -> None:
    fill(sqlite_workspace(tmp_path / "a.db", embedder=HashingEmbedder()))
    fill(sqlite_workspace(tmp_path / "b.db", embedder=OtherEmbedder()))
    source = SqliteStore(tmp_path / "a.db", embedder=HashingEmbedder().spec)
    target = SqliteStore(tmp_path / "b.db", embedder=OtherEmbedder().spec)
    with pytest.raises(SchemaError, match="reembed"):
        copy_store(source, target)


def test_an_export_file_appears_when_it_is_complete_or_not_at_all(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "a.db")
    fill(workspace)
    file = tmp_path / "out.jsonl"
    file.write_text("old")

    def fails(stream: Any) -> dict[str, int]:
        stream.write(b"half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        export_file(file, fails)
    assert file.read_text() == "old"
    told: list[int] = []
    written = export_file(file, lambda stream: export_full(workspace.graph, stream, None, progress=told.append))
    assert sum(told) == sum(written.values())
    assert len(records_of(file.read_bytes())) == sum(written.values()) + 1
    assert sorted(path.name for path in tmp_path.iterdir() if "part" in path.name) == []
