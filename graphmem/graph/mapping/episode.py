"""An episode to the tree a store keeps, and back.

The root and its steps hold all that was given, names as written; findings and edges are derived, so
reading an episode needs its root and its steps alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from graphmem.graph.mapping.concept import concept_ref, named_concept
from graphmem.graph.mapping.finding import cause_edges, closing_node, finding_node, findings_of
from graphmem.graph.mapping.label import label_properties, tool_ref
from graphmem.graph.mapping.message import session_placeholder
from graphmem.graph.mapping.step import step_edges, step_node, to_step
from graphmem.graph.mapping.values import content_hash, given, json_text, present, read_json
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Tree, Value, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.episode import Episode, EpisodeState, Outcome
from graphmem.models.fields import canonical_json
from graphmem.models.ids import step_id

_EPISODE_FIELDS = (
    "goal",
    "state",
    "outcome",
    "started_at",
    "ended_at",
    "utc_offset",
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
    "error",
)

_MAY_BE_EMPTY = ("trigger", "resolution", "summary")

_PLACEHOLDERS = 4096
"""Mentioned tools that are remembered as nodes: those of one import are the same ones."""

RULES = "rules"
"""Source of a summary that was made without a model."""


@dataclass(frozen=True, slots=True)
class Derived:
    """What was found out about an episode rather than given; it is no part of its content."""

    summary: str
    """Stands where no summary was given."""
    source: str
    """`RULES`, or the name of the language model."""
    lessons: tuple[str, ...] = ()
    """They follow those that were given."""


def is_blank(summary: str | None) -> bool:
    """Whether a summary says nothing."""
    return summary is None or not summary.strip()


def first_outcome(episode: Episode) -> Outcome | None:
    """The outcome before it was corrected; None while it is open."""
    history = episode.outcome_history
    if episode.outcome is None or not history:
        return episode.outcome
    return history[0].previous or history[0].outcome


def episode_hash(episode: Episode) -> str:
    """Hash of an episode as given, its later outcomes aside."""
    # an empty text is not stored, and reads back as none
    changes: dict[str, Any] = {name: None for name in _MAY_BE_EMPTY if getattr(episode, name) == ""}
    if episode.outcome_history:
        changes["outcome"] = first_outcome(episode)
    if changes:
        episode = episode.model_copy(update=changes)
    return content_hash(episode, without={"outcome_history"})


def episode_tree(
    episode: Episode,
    recorded_at: datetime,
    vector: Vector | None = None,
    *,
    content: str | None = None,
    derived: Derived | None = None,
    first: int = 0,
) -> Tree:
    """The nodes an episode owns and all their edges.

    Args:
        episode: What to store.
        recorded_at: Becomes created_at of every node and edge.
        vector: Embedding of the summary, where there is one.
        content: Its `episode_hash`, where that is known.
        derived: What is stored beside what was given.
        first: 0-based index of the first step that is wanted: those before it, with the edges out of them
            and to them, are left out.

    Returns:
        A tree whose edges may end at the nodes of `shared_nodes`.
    """
    findings = findings_of(episode)
    own: dict[str, Value] = {"created_at": recorded_at}
    if episode.user_id is not None:
        own["user_id"] = episode.user_id
    root = NodeRef("Episode", episode.id)
    steps = [NodeRef("Step", step_id(episode.id, index)) for index in range(len(episode.steps))]
    wanted = range(first, len(steps))
    nodes = [step_node(episode, index, steps[index].id, own) for index in wanted]
    nodes.extend(finding_node(episode.id, key, name, kind, own) for key, (name, kind) in findings.items())
    closing = closing_node(episode, own)
    if closing is not None:
        nodes.append(closing)
    edges = [EdgeRecord("HAS_STEP", root, steps[index], own) for index in wanted]
    edges.extend(EdgeRecord("HAS_FINDING", root, node.ref, own) for node in nodes[len(wanted) :])
    if episode.session is not None:
        edges.append(EdgeRecord("OF_SESSION", root, NodeRef("Session", episode.session), own))
    # one map for all of them: stores encode each map once
    about: dict[str, Value] = {**own, "source": "given"}
    for index in wanted:
        ref = steps[index]
        edges.extend(EdgeRecord("NEXT", steps[earlier], ref, own) for earlier in episode.predecessors(index))
        edges.extend(step_edges(episode.id, episode.steps[index], ref, own, about))
    edges.extend(cause_edges(episode, own))
    record = NodeRecord("Episode", episode.id, _root_properties(episode, own, content, derived), vector)
    return Tree(record, tuple(nodes), tuple(edges))


def shared_nodes(episode: Episode, recorded_at: datetime) -> list[NodeRecord]:
    """Tools, concepts and the session that an episode names, as placeholders to be saved before its tree."""
    nodes: dict[NodeRef, NodeRecord] = {}
    for step in episode.steps:
        for name in step.tools:
            ref = tool_ref(name)
            if ref not in nodes:
                nodes[ref] = _tool(ref.id, name, recorded_at)
        for name in step.concepts:
            ref = concept_ref(name)
            if ref not in nodes:
                nodes[ref] = named_concept(name, recorded_at)
    found = list(nodes.values())
    if episode.session is not None:
        found.append(session_placeholder(episode.session, episode.user_id, recorded_at))
    return found


@lru_cache(_PLACEHOLDERS)
def _tool(key: str, name: str, recorded_at: datetime) -> NodeRecord:
    named: dict[str, Value] = {"name": name, "created_at": recorded_at, "content_hash": PLACEHOLDER}
    return NodeRecord("Tool", key, label_properties(key) | named)


def to_episode(root: NodeRecord, steps: Sequence[NodeRecord]) -> Episode:
    """The episode that a root and its steps, in any order, hold; what was derived stands in its place."""
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
    return Episode(steps=tuple(to_step(node) for node in ordered), **fields)


def given_root(root: NodeRecord) -> NodeRecord:
    """A stored episode without what rules derived: they derive it again. What a model wrote stays."""
    properties = dict(root.properties)
    if properties.pop("summary_source", None) == RULES:
        properties.pop("summary", None)
    kept = properties.pop("lessons_given", None)
    lessons = properties.get("lessons")
    if (
        isinstance(kept, int)
        and isinstance(lessons, list)
        and root.properties.get("summary_source", RULES) == RULES
    ):
        properties["lessons"] = lessons[:kept]
    return replace(root, properties=properties)


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


def _root_properties(
    episode: Episode, own: dict[str, Value], content: str | None, derived: Derived | None
) -> dict[str, Value]:
    extra = {
        "duration_ms": episode.duration_ms,
        "variant": variant_text(episode.variant),
        "tools_used": list(episode.tools_used),
        "causes": json_text([link.model_dump() for link in episode.causes]),
        "outcome_history": json_text(
            [change.model_dump(mode="json", exclude_none=True) for change in episode.outcome_history]
        ),
        "extra": json_text(episode.extra),
        "search_text": search_text("\n".join(_searchable(episode, derived))),
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
    if derived is not None:
        _add_derived(properties, episode, derived)
    return properties


def _add_derived(properties: dict[str, Value], episode: Episode, derived: Derived) -> None:
    if is_blank(episode.summary):
        properties["summary"] = derived.summary
        properties["summary_source"] = derived.source
    if derived.lessons:
        properties["lessons"] = [*episode.lessons, *derived.lessons]
        if derived.source == RULES or is_blank(episode.summary):
            # else nothing says that a model wrote them, and rules would be taken for their source
            properties["lessons_given"] = len(episode.lessons)


def _searchable(episode: Episode, derived: Derived | None) -> list[str]:
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
    if derived is not None:
        parts.extend(derived.lessons)
        # what rules write of the course repeats words of the episode, and adds none to search for
        if derived.source != RULES and is_blank(episode.summary):
            parts.append(derived.summary)
    return parts


def is_closed(root: NodeRecord) -> bool:
    """Whether a stored episode has ended."""
    return root.properties.get("state") == EpisodeState.CLOSED.value
