"""Patterns to nodes and edges, and back.

What is filtered stands beside the whole record, which is one JSON text; its episodes are a list of
their own, because reports and erasure look at them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from graphmem.graph.mapping.values import content_hash, present, read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.fields import canonical_json
from graphmem.models.pattern import Pattern


def pattern_record(pattern: Pattern, recorded_at: datetime, vector: Vector | None = None) -> NodeRecord:
    """A pattern as a node."""
    labels = list(dict.fromkeys(node.label for node in pattern.nodes))
    properties = present(
        {
            "title": pattern.title,
            "description": pattern.recommendation or pattern.title,
            "domain": pattern.domain,
            "scope": pattern.scope,
            "tier": pattern.tier,
            "polarity": pattern.polarity,
            "support": pattern.support,
            "tasks": pattern.tasks,
            "users": pattern.users,
            "run": pattern.run,
            "first_seen": pattern.first_seen,
            "last_seen": pattern.last_seen,
            "labels": labels,
            "episodes": list(pattern.episodes),
            "record": canonical_json(pattern.model_dump(mode="json", exclude={"episodes"})),
            "created_at": recorded_at,
            "search_text": search_text("\n".join((pattern.title, *labels))),
            "content_hash": content_hash(pattern, without={"run"}),
        }
    )
    return NodeRecord("Pattern", pattern.id, properties, vector)


def pattern_edges(
    pattern: Pattern, roles: Mapping[str, Mapping[str, str]], recorded_at: datetime
) -> list[EdgeRecord]:
    """EVIDENCED_BY edges, each with one occurrence.

    Args:
        pattern: The pattern.
        roles: Episode id -> {index of a pattern node: name that stood there}.
        recorded_at: Becomes created_at.
    """
    ref = NodeRef("Pattern", pattern.id)
    return [
        EdgeRecord(
            "EVIDENCED_BY",
            ref,
            NodeRef("Episode", episode),
            present({"created_at": recorded_at, "roles": canonical_json(dict(roles.get(episode, {})))}),
        )
        for episode in pattern.episodes
    ]


def to_pattern(node: NodeRecord) -> Pattern:
    """The pattern that a node holds."""
    fields = read_json(node.properties, "record")
    episodes = node.properties.get("episodes", [])
    return Pattern(**fields, episodes=tuple(episodes))  # type: ignore[arg-type]
