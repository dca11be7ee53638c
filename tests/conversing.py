"""What tests of conversations share: a message service that cuts episodes, and what it made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from graphmem.episodes.boundaries import BoundaryPolicy
from graphmem.episodes.reading import read_episodes
from graphmem.episodes.segmentation import Segmentation
from graphmem.graph.mapping.message import to_message
from graphmem.graph.records import NodeRef
from graphmem.messages.service import MessagesService
from graphmem.models.episode import Episode
from graphmem.models.message import Message
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace

WHEN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def cutting(workspace: Workspace, policy: BoundaryPolicy | None = None) -> MessagesService:
    """A message service with the boundaries of a policy."""
    return MessagesService(workspace, Segmentation(workspace, policy or BoundaryPolicy()))


def said(name: str, text: str, minutes: float = 0, **more: object) -> Message:
    """A message some minutes after the begin."""
    fields = {"session": "s1", **more}
    return Message(id=name, text=text, at=WHEN + timedelta(minutes=minutes), **fields)


def episodes_of(graph: TenantGraph) -> dict[str, Episode]:
    """All episodes by id."""
    roots = list(every_node(graph, "Episode"))
    return {episode.id: episode for episode in read_episodes(graph, roots)}


def parts(graph: TenantGraph) -> list[list[str]]:
    """The messages of each episode in time, episodes by their first message; checks that edges say the same."""
    found: dict[str, list[Message]] = defaultdict(list)
    for node in every_node(graph, "Message"):
        message = to_message(node)
        assert message.episode is not None
        found[message.episode].append(message)
    stored = episodes_of(graph)
    assert set(found) == set(stored)
    edges = graph.edges([NodeRef("Episode", name) for name in found], ["HAS_MESSAGE"], "out")
    assert sorted((edge.source.id, edge.target.id) for edge in edges) == sorted(
        (name, message.id) for name, messages in found.items() for message in messages
    )
    assert all(len({(one.user_id, one.session) for one in messages}) == 1 for messages in found.values())
    return by_time(found.values())


def by_time(found: Iterable[Sequence[Message]]) -> list[list[str]]:
    """Ids in the order of their times."""
    ordered = [sorted(messages, key=lambda one: (one.at, one.id)) for messages in found]
    return [[one.id for one in messages] for messages in sorted(ordered, key=lambda ms: (ms[0].at, ms[0].id))]
