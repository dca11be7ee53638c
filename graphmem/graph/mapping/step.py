"""A step to its node and edges, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.mapping.finding import finding_ref
from graphmem.graph.mapping.label import key_of, label_properties, tool_ref
from graphmem.graph.mapping.values import given, read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.episode import Episode, Step
from graphmem.models.fields import canonical_json

_STEP_FIELDS = ("action", "reasoning", "result", "effective", "at", "tools", "concepts", "errors", "fixes")


def step_node(  # noqa: C901 (written out: an import does this by the million)
    episode: Episode, index: int, node_id: str, own: dict[str, Value]
) -> NodeRecord:
    """A step as a node.

    Args:
        episode: The episode.
        index: The step's place.
        node_id: Its id.
        own: What every part of the episode carries.
    """
    step = episode.steps[index]
    properties: dict[str, Value] = {
        **own,
        **label_properties(key_of(step.action)),
        "episode": episode.id,
        "index": index,
        "action": step.action,
        "effective": step.effective,
    }
    # written out: an import does this by the million
    if step.reasoning:
        properties["reasoning"] = step.reasoning
    if step.result:
        properties["result"] = step.result
    if step.at:
        properties["at"] = step.at
    if step.tools:
        properties["tools"] = list(step.tools)
    if step.concepts:
        properties["concepts"] = list(step.concepts)
    if step.errors:
        properties["errors"] = list(step.errors)
    if step.fixes:
        properties["fixes"] = list(step.fixes)
    if step.after is not None:
        properties["after"] = canonical_json(step.after)
    if step.arguments:
        properties["arguments"] = canonical_json(step.arguments)
    if step.extra:
        properties["extra"] = canonical_json(step.extra)
    return NodeRecord("Step", node_id, properties)


def step_edges(
    episode: str, step: Step, ref: NodeRef, own: dict[str, Value], about: dict[str, Value]
) -> list[EdgeRecord]:
    """Edges of a step to what it used, is about, raised and fixed, each once.

    Args:
        episode: Id of the episode.
        step: The step.
        ref: Its node.
        own: What every part of the episode carries.
        about: What its edges to concepts carry.
    """
    edges: list[EdgeRecord] = []
    for target in _once(step.tools, tool_ref):
        edges.append(EdgeRecord("USED", ref, target, own))  # noqa: PERF401 (mostly one: a list costs more)
    for target in _once(step.concepts, concept_ref):
        edges.append(EdgeRecord("ABOUT", ref, target, about))  # noqa: PERF401 (as above)
    for kind, names in (("RAISED", step.errors), ("FIXED", step.fixes)):
        if names:
            found = dict.fromkeys([finding_ref(episode, key_of(name)) for name in names])
            edges += [EdgeRecord(kind, ref, target, own) for target in found]
    return edges


def _once(names: Sequence[str], ref_of: Callable[[str], NodeRef]) -> Iterable[NodeRef]:
    """The nodes of these names, each once; most steps name one."""
    return map(ref_of, names) if len(names) < 2 else dict.fromkeys(map(ref_of, names))


def to_step(node: NodeRecord) -> Step:
    """The step that a node holds."""
    properties = node.properties
    fields = given(properties, *_STEP_FIELDS)
    if "after" in properties:
        fields["after"] = tuple(read_json(properties, "after"))
    for name in ("arguments", "extra"):
        if name in properties:
            fields[name] = read_json(properties, name)
    return Step(**fields)
