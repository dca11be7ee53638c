"""An episode to the tree a store keeps, and back.

The root and its steps hold all that was given, names as written; findings and edges are derived, so
reading an episode needs its root and its steps alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from graphmem.graph.keys import label_key
from graphmem.graph.mapping.concept import concept_ref, named_concept, other_concept_key
from graphmem.graph.mapping.values import content_hash, given, json_text, present, read_json
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Tree, Value, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.episode import Episode, EpisodeState, Step
from graphmem.models.fields import canonical_json
from graphmem.models.ids import finding_id, step_id

_EPISODE_FIELDS = (
    "goal",
    "state",
    "outcome",
    "started_at",
    "ended_at",
    "user_id",
    "task",
    "session",
    "domain",
    "trigger",
    "resolution",
    "satisfaction",
    "summary",
    "lessons",
    "tags",
)
_STEP_FIELDS = ("action", "reasoning", "result", "effective", "at", "tools", "concepts", "errors", "fixes")


_NAME_CACHE = 65_536
"""Names whose key is remembered: runs use the same few actions, tools and errors over and over."""


def episode_hash(episode: Episode) -> str:
    """Hash of an episode as given, its later outcomes aside."""
    return content_hash(episode, without={"outcome_history"})


def episode_tree(
    episode: Episode, recorded_at: datetime, vector: Vector | None = None, *, content: str | None = None
) -> Tree:
    """The nodes an episode owns and all their edges.

    Args:
        episode: What to store.
        recorded_at: Becomes created_at of every node and edge.
        vector: Embedding of the summary, where there is one.
        content: Its `episode_hash`, where that is known.

    Returns:
        A tree whose edges may end at the nodes of `shared_nodes`.
    """
    findings = findings_of(episode)
    own: dict[str, Value] = {"created_at": recorded_at}
    if episode.user_id is not None:
        own["user_id"] = episode.user_id
    root = NodeRef("Episode", episode.id)
    steps = [NodeRef("Step", step_id(episode.id, index)) for index in range(len(episode.steps))]
    nodes = [_step_node(episode, index, steps[index].id, own) for index in range(len(steps))]
    nodes.extend(_finding_node(episode.id, key, name, kind, own) for key, (name, kind) in findings.items())
    edges = [EdgeRecord("HAS_STEP", root, ref, own) for ref in steps]
    edges.extend(EdgeRecord("HAS_FINDING", root, _finding_ref(episode.id, key), own) for key in findings)
    if episode.session is not None:
        edges.append(EdgeRecord("OF_SESSION", root, NodeRef("Session", episode.session), own))
    for index, ref in enumerate(steps):
        edges.extend(EdgeRecord("NEXT", steps[earlier], ref, own) for earlier in episode.predecessors(index))
        edges.extend(_step_edges(episode, episode.steps[index], ref, own))
    edges.extend(_cause_edges(episode, own))
    record = NodeRecord("Episode", episode.id, _root_properties(episode, own, content), vector)
    return Tree(record, tuple(nodes), tuple(edges))


def shared_nodes(episode: Episode, recorded_at: datetime) -> list[NodeRecord]:
    """Tools, concepts and the session that an episode names, as placeholders to be saved before its tree."""
    nodes: dict[tuple[str, str], NodeRecord] = {}
    for step in episode.steps:
        for name in step.tools:
            key = key_of(name)
            if ("Tool", key) not in nodes:
                properties: dict[str, Value] = {
                    "key": key,
                    "name": name,
                    "created_at": recorded_at,
                    "content_hash": PLACEHOLDER,
                }
                _name_concept(properties, key)
                nodes["Tool", key] = NodeRecord("Tool", key, properties)
        for name in step.concepts:
            concept = named_concept(name, recorded_at)
            nodes.setdefault(("Concept", concept.id), concept)
    if episode.session is not None:
        nodes["Session", episode.session] = session_placeholder(episode.session, episode.user_id, recorded_at)
    return list(nodes.values())


def session_placeholder(session: str, user_id: str | None, recorded_at: datetime) -> NodeRecord:
    """A session that was only mentioned."""
    return NodeRecord(
        "Session",
        session,
        present({"user_id": user_id, "created_at": recorded_at}) | {"content_hash": PLACEHOLDER},
    )


@lru_cache(_NAME_CACHE)
def key_of(name: str) -> str:
    """The key of an action, tool or finding.

    Raises:
        ValueError: The name has no visible character that a key could hold.
    """
    key = label_key(name)
    if key is None:
        raise ValueError(f"the name {name!r} has nothing a key could hold")
    return key


def to_episode(root: NodeRecord, steps: Sequence[NodeRecord]) -> Episode:
    """The episode that a root and its steps, in any order, hold."""
    properties = root.properties
    fields: dict[str, Any] = {"id": root.id, **given(properties, *_EPISODE_FIELDS)}
    if "variant" in properties:
        fields["variant"] = _read_variant(properties)
    for name in ("causes", "outcome_history"):
        if name in properties:
            fields[name] = tuple(read_json(properties, name))
    if "extra" in properties:
        fields["extra"] = read_json(properties, "extra")
    ordered = sorted(steps, key=lambda node: int(node.properties["index"]))  # type: ignore[arg-type]
    return Episode(steps=tuple(_to_step(node) for node in ordered), **fields)


def variant_text(variant: str | dict[str, Any] | None) -> str | None:
    """A variant as one filterable text: the name itself, or the map as canonical JSON."""
    return canonical_json(variant) if isinstance(variant, dict) else variant


def _read_variant(properties: Any) -> str | dict[str, Any]:
    text: str = properties["variant"]
    if not text.startswith("{"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text


def _root_properties(episode: Episode, own: dict[str, Value], content: str | None) -> dict[str, Value]:
    extra = {
        "duration_ms": episode.duration_ms,
        "variant": variant_text(episode.variant),
        "tools_used": list(episode.tools_used),
        "causes": json_text([link.model_dump() for link in episode.causes]),
        "outcome_history": json_text(
            [change.model_dump(mode="json", exclude_none=True) for change in episode.outcome_history]
        ),
        "extra": json_text(episode.extra),
        "search_text": search_text(_searchable(episode)),
    }
    plain = {
        name: list(value) if isinstance(value, tuple) else value
        for name in _EPISODE_FIELDS
        if (value := getattr(episode, name)) is not None
    }
    properties = present(plain | extra)
    properties.update(own)
    properties["goal"] = episode.goal
    properties["state"] = episode.state.value
    if episode.outcome is not None:
        properties["outcome"] = episode.outcome.value
    properties["time_unknown"] = episode.time_unknown
    properties["step_count"] = len(episode.steps)
    properties["content_hash"] = content or episode_hash(episode)
    return properties


def _searchable(episode: Episode) -> str:
    parts: list[str] = [
        part
        for part in (
            episode.goal,
            episode.trigger,
            episode.summary,
            episode.resolution,
            episode.domain,
            *episode.lessons,
            *episode.tags,
        )
        if part
    ]
    for step in episode.steps:
        parts.append(step.action)
        parts.extend(step.tools)
        parts.extend(step.concepts)
        parts.extend(step.errors)
        parts.extend(step.fixes)
    return "\n".join(parts)


def _step_node(episode: Episode, index: int, node_id: str, own: dict[str, Value]) -> NodeRecord:
    step = episode.steps[index]
    key = key_of(step.action)
    properties: dict[str, Value] = {
        **own,
        "episode": episode.id,
        "index": index,
        "key": key,
        "action": step.action,
        "effective": step.effective,
    }
    _name_concept(properties, key)
    for name in ("reasoning", "result", "at"):
        value = getattr(step, name)
        if value:
            properties[name] = value
    for name in ("tools", "concepts", "errors", "fixes"):
        names = getattr(step, name)
        if names:
            properties[name] = list(names)
    if step.after is not None:
        properties["after"] = canonical_json(step.after)
    if step.arguments:
        properties["arguments"] = canonical_json(step.arguments)
    if step.extra:
        properties["extra"] = canonical_json(step.extra)
    return NodeRecord("Step", node_id, properties)


def _to_step(node: NodeRecord) -> Step:
    properties = node.properties
    fields = given(properties, *_STEP_FIELDS)
    if "after" in properties:
        fields["after"] = tuple(read_json(properties, "after"))
    for name in ("arguments", "extra"):
        if name in properties:
            fields[name] = read_json(properties, name)
    return Step(**fields)


def findings_of(episode: Episode) -> dict[str, tuple[str, str]]:
    """Key -> (name as first given, kind): a name that is a cause anywhere is a cause, else a symptom."""
    found: dict[str, str] = {}
    causes: set[str] = set()
    for step in episode.steps:
        for name in step.errors:
            found.setdefault(key_of(name), name)
        for name in step.fixes:
            key = key_of(name)
            if key not in found:
                found[key] = name
                causes.add(key)
    for link in episode.causes:
        found.setdefault(key_of(link.effect), link.effect)
        key = key_of(link.cause)
        found.setdefault(key, link.cause)
        causes.add(key)
    return {key: (name, "cause" if key in causes else "symptom") for key, name in found.items()}


def _finding_ref(episode: str, key: str) -> NodeRef:
    return NodeRef("Finding", finding_id(episode, key))


def _finding_node(episode: str, key: str, name: str, kind: str, own: dict[str, Value]) -> NodeRecord:
    properties: dict[str, Value] = {**own, "episode": episode, "key": key, "name": name, "kind": kind}
    _name_concept(properties, key)
    return NodeRecord("Finding", finding_id(episode, key), properties)


def _name_concept(properties: dict[str, Value], key: str) -> None:
    """Add the key of the concept that a label means, where the two keys differ."""
    concept = other_concept_key(key)
    if concept is not None:
        properties["concept_key"] = concept


def _step_edges(episode: Episode, step: Step, ref: NodeRef, own: dict[str, Value]) -> list[EdgeRecord]:
    edges: dict[tuple[str, NodeRef], EdgeRecord] = {}
    for name in step.tools:
        target = NodeRef("Tool", key_of(name))
        edges["USED", target] = EdgeRecord("USED", ref, target, own)
    for name in step.concepts:
        target = concept_ref(name)
        edges["ABOUT", target] = EdgeRecord("ABOUT", ref, target, {**own, "source": "given"})
    for name in step.errors:
        target = _finding_ref(episode.id, key_of(name))
        edges["RAISED", target] = EdgeRecord("RAISED", ref, target, own)
    for name in step.fixes:
        target = _finding_ref(episode.id, key_of(name))
        edges["FIXED", target] = EdgeRecord("FIXED", ref, target, own)
    return list(edges.values())


def _cause_edges(episode: Episode, own: dict[str, Value]) -> list[EdgeRecord]:
    edges: dict[tuple[str, str], EdgeRecord] = {}
    for link in episode.causes:
        ends = key_of(link.effect), key_of(link.cause)
        edges[ends] = EdgeRecord(
            "CAUSED_BY", _finding_ref(episode.id, ends[0]), _finding_ref(episode.id, ends[1]), own
        )
    return list(edges.values())


def is_closed(root: NodeRecord) -> bool:
    """Whether a stored episode has ended."""
    return root.properties.get("state") == EpisodeState.CLOSED.value
