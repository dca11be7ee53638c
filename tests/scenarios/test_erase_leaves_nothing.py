"""Erasing a user or a tenant: what is his and what was learned from it is gone, from the raw files too."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.claim import ClaimEnd, ClaimWords, Evidence, claim_record, evidence_edge
from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.records import EdgeRecord, NodeRef, Value
from graphmem.graph.schema import NODE_TYPES
from graphmem.ports.workspace import Workspace
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.builders import node
from graphmem.transfer.erasing import erase_tenant, erase_user
from transferring import exported, import_lines, records_of, sqlite_workspace

CANARY = "카나리아"
AT = "2026-03-01T09:00:00Z"
SAID_AT = datetime.fromisoformat(AT)


def his(word: str = CANARY) -> list[dict[str, Any]]:
    """Records of one user, his word in every field that holds text."""
    step = {
        "action": f"act_{word}",
        "reasoning": word,
        "result": f"{word}!",
        "tools": [f"tool {word}", "http"],
        "concepts": [f"concept {word}", "refunds"],
        "errors": [f"error {word}"],
        "fixes": [f"cause {word}"],
        "arguments": {word: word},
        "extra": {word: [word]},
    }
    episode = {"goal": word, "summary": word, "lessons": [word], "tags": [word], "trigger": word, "domain": word}
    said = {"type": "message", "session": "s1", "at": AT}
    return [
        {"type": "session", "id": "s1", "user": "ada", "extra": {"note": word}},
        {
            "type": "episode",
            "id": "ada-1",
            "user": "ada",
            "session": "s1",
            "domain": word,
            "steps": [step],
            **episode,
        },
        {**said, "id": "m1", "user": "ada", "text": word, "speaker": f"Ada {word}"},
        {**said, "id": "m2", "text": f"You said {word}", "role": "assistant"},
        {**said, "id": "m3", "session": None, "episode": "ada-1", "text": f"As {word}", "role": "assistant"},
        {"type": "memory", "id": "k1", "user": "ada", "kind": "fact", "text": word, "subject": word, "why": word},
        {"type": "memory", "id": "k2", "kind": "lesson", "text": f"{word} taught us", "sources": ["ada-1"]},
        {"type": "procedure", "id": "p1", "name": f"How {word}", "steps": [word], "sources": ["ada-1"]},
        {"type": "outcome", "episode": "ada-1", "outcome": "failure", "source": word},
    ]


def others() -> list[dict[str, Any]]:
    step = {"action": "refund", "tools": ["http"], "concepts": ["refunds"], "errors": ["Timeout"]}
    return [
        {"type": "concept", "name": "Timeout", "definition": "No answer in time"},
        {"type": "relation", "head": "Timeout", "relation": "is_a", "tail": "NetworkError", "evidence": ["ada-1"]},
        {"type": "episode", "id": "bob-1", "user": "bob", "goal": "Refund", "steps": [step]},
        {"type": "message", "id": "m9", "user": "bob", "session": "s1", "text": "hello", "at": AT},
        {"type": "memory", "id": "k9", "kind": "lesson", "text": "Look up first", "sources": ["ada-1", "bob-1"]},
        {"type": "procedure", "id": "p9", "name": "Refund", "steps": ["refund"], "sources": ["bob-1", "ada-1"]},
    ]


def learn(workspace: Workspace) -> None:
    """What consolidation and mining leave behind: a pattern, a found concept, a relation with evidence."""
    found = f"city={CANARY}"
    argument = concept_ref(found, "argument")
    ends = concept_ref("refunds"), concept_ref("Timeout")
    evidence: dict[str, Value] = {"source": "extracted", "evidence_count": 7}
    bob, ada = NodeRef("Episode", "bob-1"), NodeRef("Episode", "ada-1")
    nodes = [
        node("Concept", argument.id, content_hash="", name=found, key=found, kind="argument"),
        node(
            "Pattern", "pat-1", title=f"act_{CANARY} -> refund", episodes=["ada-1", "bob-1"], record=f'"{CANARY}"'
        ),
        node("Pattern", "pat-2", title="refund", episodes=["bob-1"]),
    ]
    edges = [
        EdgeRecord("ABOUT", NodeRef("Step", "ada-1/0"), argument, {"source": "consolidated"}),
        EdgeRecord("IS_A", argument, concept_ref("refunds"), {"source": "consolidated"}),
        EdgeRecord("EVIDENCED_BY", NodeRef("Pattern", "pat-1"), ada),
        EdgeRecord("EVIDENCED_BY", NodeRef("Pattern", "pat-1"), bob),
        EdgeRecord("EVIDENCED_BY", NodeRef("Pattern", "pat-2"), bob),
        EdgeRecord("LINKED_TO", *ends, {**evidence, "evidence_ids": ["ada-1"]}),
        EdgeRecord("CAUSES", *ends, {**evidence, "evidence_ids": ["m1", "m9"]}),
    ]
    for tail, messages in ((CANARY, ("m1", "ada-1")), ("delay", ("m1", "m9"))):
        claim = claim_record(ClaimWords(ClaimEnd("timeout", "concept", "Timeout"), "causes", _end(tail)), SAID_AT)
        nodes.append(claim)
        for name in messages:
            source = NodeRef("Message" if name.startswith("m") else "Episode", name)
            sentence = "A timeout causes delay." if name == "m9" else f"A timeout causes {CANARY}."
            said = Evidence(source, sentence, "rule", 0.9, against=False, unit=f"session:{name}", at=SAID_AT)
            edges.append(evidence_edge(claim.ref, said, SAID_AT))
    with workspace.graph.transaction() as transaction:
        transaction.save_nodes(nodes)
        transaction.save_edges(edges)


def _end(name: str) -> ClaimEnd:
    return ClaimEnd(name, "concept", name)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    workspace = sqlite_workspace(path, embedder=HashingEmbedder())
    import_lines(workspace, *others())
    import_lines(workspace, *his())
    learn(workspace)
    import_lines(sqlite_workspace(path, tenant="other", embedder=HashingEmbedder()), *his("elsewhere"))
    return path


def raw(path: Path) -> bytes:
    """All bytes of the store's files."""
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_no_word_of_an_erased_user_is_left_in_the_files(store: Path) -> None:
    assert CANARY.encode() in raw(store)
    with_embedder = SqliteStore(store, embedder=HashingEmbedder().spec)
    erased = erase_user(with_embedder.tenant("acme"), "ada")
    with_embedder.close()
    assert CANARY.encode() not in raw(store)
    assert erased == {
        "Claim": 1,
        "Concept": 3,
        "Episode": 3,
        "Finding": 2,
        "Memory": 2,
        "Message": 3,
        "Pattern": 1,
        "Procedure": 1,
        "Session": 1,
        "Step": 1,
        "Tool": 1,
    }


def test_what_is_of_others_stays(store: Path) -> None:
    workspace = sqlite_workspace(store, embedder=HashingEmbedder())
    erase_user(workspace.graph, "ada")
    ids = {(found["type"], found.get("id")) for found in records_of(exported(workspace.graph))}
    assert {("episode", "bob-1"), ("message", "m9"), ("memory", "k9"), ("procedure", "p9")} <= ids
    sources = [found["sources"] for found in records_of(exported(workspace.graph)) if "sources" in found]
    assert sources == [["bob-1"], ["bob-1"]]
    assert [found.id for found in workspace.graph.scan("Pattern").records] == ["pat-2"]
    assert [found.id for found in workspace.graph.scan("Tool").records] == ["http"]
    edges = workspace.graph.edges([concept_ref("refunds")])
    assert [(edge.type, edge.properties["evidence_ids"], edge.properties["evidence_count"]) for edge in edges] == [
        ("CAUSES", ["m9"], 6)
    ]
    (claim,) = workspace.graph.scan("Claim").records
    (said,) = workspace.graph.edges([claim.ref])
    assert (claim.properties["tail"], said.target.id) == ("delay", "m9")
    (relation,) = workspace.graph.edges([concept_ref("Timeout")], ["IS_A"])
    assert "evidence" not in relation.properties
    assert sqlite_workspace(store, tenant="other", embedder=HashingEmbedder()).graph.count("Episode") == 3


def test_episodes_of_nobody_in_a_session_of_his_go_with_their_messages(store: Path) -> None:
    workspace = sqlite_workspace(store, embedder=HashingEmbedder())
    run = {"type": "episode", "id": "run", "goal": "x", "session": "s1", "steps": [{"action": "a"}]}
    said = {"type": "message", "id": "m4", "text": "x", "at": AT, "episode": "run"}
    import_lines(workspace, run, said, {**run, "id": "bob-2", "user": "bob"})
    erased = erase_user(workspace.graph, "ada")
    assert (erased["Episode"], erased["Message"], erased["Step"]) == (4, 4, 2)
    left = workspace.graph.scan("Episode").records
    assert {found.id for found in left if "origin" not in found.properties} == {"bob-1", "bob-2"}
    assert [found.properties["user_id"] for found in left] == ["bob"] * 3, "his conversation among them"


def test_erasing_twice_finds_nothing_the_second_time(store: Path) -> None:
    workspace = sqlite_workspace(store, embedder=HashingEmbedder())
    assert erase_user(workspace.graph, "ada")
    assert erase_user(workspace.graph, "ada") == {}
    assert erase_user(workspace.graph, "nobody") == {}
    with pytest.raises(InvalidInputError):
        erase_user(workspace.graph, "a/b")


def test_an_erased_tenant_leaves_nothing_and_others_everything(store: Path) -> None:
    with_embedder = SqliteStore(store, embedder=HashingEmbedder().spec)
    before = exported(with_embedder.tenant("other"))
    erased = erase_tenant(with_embedder.tenant("acme"))
    assert erased["Episode"] == 5
    assert all(with_embedder.tenant("acme").count(label) == 0 for label in NODE_TYPES)
    assert exported(with_embedder.tenant("other")) == before
    with_embedder.close()
    assert CANARY.encode() not in raw(store)
    assert b"Look up first" not in raw(store)
