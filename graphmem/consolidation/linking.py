"""What an episode speaks of, and the edges that say so: pure.

Concepts given in steps keep their own edges (written with the episode). Here every mention is counted,
tools and findings become instances of concepts, and steps are tied to the categories of their arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.consolidation.categories import ARGUMENT, categories_of
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.mapping.concept import concept_key
from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.models.ids import finding_id

TOOL = "tool"
FINDING = "finding"
"""Kinds of the concepts that tools and findings are instances of."""


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A name in the place where it stands: the kind says how a concept for it is looked up."""

    kind: str
    """tool, finding, argument or concept."""
    name: str
    source: NodeRef
    """The tool, finding or step that names it."""


def mentions_of(
    root: NodeRecord, steps: Sequence[NodeRecord], categories: frozenset[str], policy: ConsolidationPolicy
) -> list[Mention]:
    """Every mention of a concept in an episode, with repetition.

    Args:
        root: The episode's root.
        steps: Its steps in their order.
        categories: Categories that hold for the whole tenant.
        policy: Bounds of a category.
    """
    found: list[Mention] = []
    for step in steps:
        properties = step.properties
        found += [Mention(DEFAULT_CONCEPT_KIND, name, step.ref) for name in _names(properties, "concepts")]
        found += [Mention(TOOL, name, NodeRef("Tool", key_of(name))) for name in _names(properties, "tools")]
        for name in (*_names(properties, "errors"), *_names(properties, "fixes")):
            found.append(_finding(root.id, name))
        arguments = read_json(properties, "arguments")
        found += [Mention(ARGUMENT, name, step.ref) for name in categories_of(arguments, categories, policy)]
    for link in read_json(root.properties, "causes"):
        found += [_finding(root.id, link["effect"]), _finding(root.id, link["cause"])]
    return found


def _finding(episode: str, name: str) -> Mention:
    return Mention(FINDING, name, NodeRef("Finding", finding_id(episode, key_of(name))))


def _names(properties: Mapping[str, Value], name: str) -> list[str]:
    value = properties.get(name)
    return value if isinstance(value, list) else []


def link_edges(
    root: NodeRecord,
    mentions: Sequence[Mention],
    concepts: Mapping[tuple[str, str], NodeRef],
    recorded_at: datetime,
) -> list[EdgeRecord]:
    """The edges that an episode's mentions ask for.

    Args:
        root: The episode's root.
        mentions: From `mentions_of`.
        concepts: (kind, concept key) -> concept, for every mention.
        recorded_at: Becomes created_at.

    Returns:
        MENTIONS with count and salience (the concept's share of all mentions, 0..1), INSTANCE_OF of tools
        and findings, ABOUT of steps and their categories; each edge once.
    """
    own: dict[str, Value] = {"created_at": recorded_at, "source": "consolidated"}
    if "user_id" in root.properties:
        own["user_id"] = root.properties["user_id"]
    targets = [concepts[mention.kind, concept_key(mention.name)] for mention in mentions]
    edges: dict[tuple[str, NodeRef, NodeRef], EdgeRecord] = {}
    for target, count in Counter(targets).items():
        weight: dict[str, Value] = {**own, "count": count, "salience": round(count / len(targets), 6)}
        edges["MENTIONS", root.ref, target] = EdgeRecord("MENTIONS", root.ref, target, weight)
    for mention, target in zip(mentions, targets, strict=True):
        edge = _tie(mention, target, own)
        if edge is not None:
            edges[edge.type, edge.source, edge.target] = edge
    return list(edges.values())


def _tie(mention: Mention, target: NodeRef, own: dict[str, Value]) -> EdgeRecord | None:
    match mention.kind:
        case "tool":
            # A tool is shared by all users of the tenant: its tie names none of them.
            shared = {name: value for name, value in own.items() if name != "user_id"}
            return EdgeRecord("INSTANCE_OF", mention.source, target, shared)
        case "finding":
            return EdgeRecord("INSTANCE_OF", mention.source, target, own)
        case "argument":
            return EdgeRecord("ABOUT", mention.source, target, own)
        case _:
            return None
