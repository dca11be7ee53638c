"""The findings of an episode, derived from what its steps raised and fixed and from its causes."""

from __future__ import annotations

from graphmem.graph.mapping.label import key_of, label_properties
from graphmem.graph.masking import finding_label
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.episode import Episode
from graphmem.models.ids import finding_id


def findings_of(episode: Episode) -> dict[str, tuple[str, str]]:
    """Key -> (name as first given, kind).

    A name that is a cause anywhere is a cause, else a symptom; a name that was only fixed is a cause.
    """
    found: dict[str, str] = {}
    for name in (name for step in episode.steps for name in step.errors):
        found.setdefault(key_of(name), name)
    causes: set[str] = set()
    for link in episode.causes:
        found.setdefault(key_of(link.effect), link.effect)
        found.setdefault(key_of(link.cause), link.cause)
        causes.add(key_of(link.cause))
    for name in (name for step in episode.steps for name in step.fixes):
        if key_of(name) not in found:
            found[key_of(name)] = name
            causes.add(key_of(name))
    return {key: (name, "cause" if key in causes else "symptom") for key, name in found.items()}


CLOSE = "close"
"""Source of a finding that only says what ended its episode: known in hindsight, so mining leaves it out."""


def closing_node(episode: Episode, own: dict[str, Value]) -> NodeRecord | None:
    """The finding of the error that ended an episode, unless it is one of its findings anyway."""
    if episode.error is None or key_of(episode.error) in findings_of(episode):
        return None
    node = finding_node(episode.id, key_of(episode.error), episode.error, "symptom", own)
    return NodeRecord(node.label, node.id, {**node.properties, "source": CLOSE})


def finding_ref(episode: str, key: str) -> NodeRef:
    """The finding with this key within an episode."""
    return NodeRef("Finding", finding_id(episode, key))


def finding_node(episode: str, key: str, name: str, kind: str, own: dict[str, Value]) -> NodeRecord:
    """A finding as a node; `own` is what every part of the episode carries.

    Its id holds the key of its name, one an episode; the property `key` is what mining compares: masked.
    """
    label = label_properties(finding_label(key))
    properties: dict[str, Value] = {**own, **label, "episode": episode, "name": name, "kind": kind}
    return NodeRecord("Finding", finding_id(episode, key), properties)


def cause_edges(episode: Episode, own: dict[str, Value]) -> list[EdgeRecord]:
    """CAUSED_BY from effects to causes, each once; `own` is what every part of the episode carries."""
    edges: dict[tuple[str, str], EdgeRecord] = {}
    for link in episode.causes:
        ends = key_of(link.effect), key_of(link.cause)
        edges[ends] = EdgeRecord(
            "CAUSED_BY", finding_ref(episode.id, ends[0]), finding_ref(episode.id, ends[1]), own
        )
    return list(edges.values())
