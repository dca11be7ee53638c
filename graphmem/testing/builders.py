"""Records for tests, each with what the schema wants and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Tree, Value, Vector
from graphmem.graph.schema import NODE_TYPES
from graphmem.graph.tokens import search_text
from graphmem.testing.clock import START

FIRST_HASH = "hash-1"


def vector(dimension: int, *components: float) -> Vector:
    """A vector that begins with these components, the rest 0."""
    return np.array([*components, *[0.0] * (dimension - len(components))], dtype=np.float32)


def node(
    label: str,
    node_id: str,
    /,
    *,
    content_hash: str = FIRST_HASH,
    vector: Vector | None = None,
    **properties: Value,
) -> NodeRecord:
    """A node with created_at and content_hash; a searchable one gets the tokens of `text`, `name` or `goal`."""
    return _node(label, node_id, properties, content_hash, vector)


def memory(
    node_id: str,
    text: str = "",
    *,
    content_hash: str = FIRST_HASH,
    vector: Vector | None = None,
    **properties: Value,
) -> NodeRecord:
    """A memory of kind fact unless another one is given."""
    words: dict[str, Value] = {"text": text} if text else {}
    return _node("Memory", node_id, {"kind": "fact", **words, **properties}, content_hash, vector)


def concept(
    node_id: str,
    name: str = "",
    *,
    content_hash: str = FIRST_HASH,
    vector: Vector | None = None,
    **properties: Value,
) -> NodeRecord:
    """A concept of kind entity whose name is its id unless one is given."""
    named: dict[str, Value] = {"name": name or node_id, "key": name or node_id, "kind": "entity"}
    return _node("Concept", node_id, {**named, **properties}, content_hash, vector)


def _node(
    label: str, node_id: str, properties: dict[str, Value], content_hash: str, vector: Vector | None
) -> NodeRecord:
    filled: dict[str, Value] = {"created_at": START, "content_hash": content_hash, **properties}
    if NODE_TYPES[label].searchable and "search_text" not in properties:
        words = search_text(str(properties.get("text") or properties.get("name") or properties.get("goal") or ""))
        if words:
            filled["search_text"] = words
    return NodeRecord(label, node_id, filled, vector)


def edge(type_: str, source: NodeRef, target: NodeRef, /, **properties: Value) -> EdgeRecord:
    """An edge with created_at."""
    return EdgeRecord(type_, source, target, {"created_at": START, **properties})


def tree(
    episode_id: str,
    *,
    steps: int = 2,
    findings: Sequence[str] = (),
    concepts: Sequence[NodeRef] = (),
    content_hash: str = FIRST_HASH,
    created_at: datetime = START,
    vector: Vector | None = None,
    **properties: Value,
) -> Tree:
    """An episode with steps in a row and findings that its first step raised."""
    own: dict[str, Value] = {"created_at": created_at}
    if "user_id" in properties:
        own["user_id"] = properties["user_id"]
    given: dict[str, Value] = {"goal": f"goal of {episode_id}", "state": "closed", **properties, **own}
    root = _node("Episode", episode_id, given, content_hash, vector)
    step_nodes = [
        NodeRecord(
            "Step",
            f"{episode_id}/{index}",
            {**own, "episode": episode_id, "index": index, "key": f"action {index}", "action": f"Action {index}"},
        )
        for index in range(steps)
    ]
    finding_nodes = [
        NodeRecord(
            "Finding",
            f"{episode_id}/{key}",
            {**own, "episode": episode_id, "key": key, "name": key, "kind": "symptom"},
        )
        for key in findings
    ]
    edges = [EdgeRecord("HAS_STEP", root.ref, step.ref, own) for step in step_nodes]
    edges += [EdgeRecord("HAS_FINDING", root.ref, finding.ref, own) for finding in finding_nodes]
    edges += [EdgeRecord("NEXT", step_nodes[i].ref, step_nodes[i + 1].ref, own) for i in range(steps - 1)]
    if step_nodes:
        edges += [EdgeRecord("RAISED", step_nodes[0].ref, finding.ref, own) for finding in finding_nodes]
    edges += [EdgeRecord("MENTIONS", root.ref, ref, own) for ref in concepts]
    return Tree(root, (*step_nodes, *finding_nodes), tuple(edges))


def refs(label: str, *ids: str) -> list[NodeRef]:
    """Names of nodes of one label."""
    return [NodeRef(label, node_id) for node_id in ids]
