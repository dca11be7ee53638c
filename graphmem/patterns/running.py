"""A running episode as the graph that patterns are looked for in: its steps as given, or as stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol, runtime_checkable

from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.episode import episode_tree, shared_nodes
from graphmem.graph.records import NodeRef
from graphmem.models.checking import checked, refusals
from graphmem.models.episode import Episode, EpisodeState, Step
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.reading import mined_episode
from graphmem.ports.reading import steps_of
from graphmem.ports.workspace import Workspace

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands where a stored node has its time; nothing of this is stored."""


@runtime_checkable
class Recording(Protocol):
    """A recorder, or anything else that holds an episode."""

    @property
    def episode(self) -> Episode:
        """The episode as recorded so far."""
        ...


GivenStep = Step | Mapping[str, Any] | str
Running = Episode | Recording | str | Iterable[GivenStep]
"""An episode, a recorder, the id of a stored episode, or steps: models, mappings of their fields, or actions."""


def running_graph(workspace: Workspace, running: Running) -> EpisodeGraph:
    """The graph of an episode that still runs, or of one that is over.

    Raises:
        InvalidInputError: A step is refused, or it is none of these.
        NotFoundError: No episode has this id, or it is another user's.
    """
    if isinstance(running, str):
        return _stored(workspace, running)
    if isinstance(running, Episode):
        return _given(running)
    if isinstance(running, Recording):
        return _given(running.episode)
    if isinstance(running, Mapping) or not isinstance(running, Iterable):
        raise InvalidInputError("steps are a list of steps, an episode, a recorder or the id of an episode")
    steps = tuple(_step(one) for one in running)
    return _given(checked(Episode, {"id": "running", "goal": "", "state": EpisodeState.OPEN, "steps": steps}))


def _step(given: GivenStep) -> Step:
    if isinstance(given, Step):
        return given
    if isinstance(given, str):
        return checked(Step, {"action": given})
    if isinstance(given, Mapping):
        return checked(Step, given)
    raise InvalidInputError("a step is a Step, a mapping of its fields, or its action")


def _given(episode: Episode) -> EpisodeGraph:
    with refusals():
        tree = episode_tree(episode, _NEVER)
        concepts = {
            node.ref: (str(node.properties["key"]), str(node.properties["name"]))
            for node in shared_nodes(episode, _NEVER)
            if node.label == "Concept"
        }
    about: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for edge in tree.edges:
        if edge.type == "ABOUT":
            about[edge.source].append(edge.target)
    steps = [node for node in tree.nodes if node.label == "Step"]
    return mined_episode(tree.root, steps, about, concepts).graph


def _stored(workspace: Workspace, name: str) -> EpisodeGraph:
    root = workspace.fetch("Episode", name, "episode")
    graph = workspace.graph
    steps = steps_of(graph, [root.id])[root.id]
    about: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for edge in graph.edges([step.ref for step in steps], ["ABOUT"], "out") if steps else ():
        about[edge.source].append(edge.target)
    found = graph.get({target for targets in about.values() for target in targets})
    concepts = {ref: (str(node.properties["key"]), str(node.properties["name"])) for ref, node in found.items()}
    return mined_episode(root, steps, about, concepts).graph
