"""The texts that consolidation reads: messages, and all that a closed episode says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from graphmem.consolidation.linking import FINDING, mentions_of
from graphmem.consolidation.marks import MARK, is_marked, mark_of
from graphmem.consolidation.phases import in_batches
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.keys import canonical_key
from graphmem.graph.records import And, Filter, Missing, NodeRecord, NodeRef, Range
from graphmem.language.extraction import Genre
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_episode, pages

SPEAKING = frozenset({"user", "assistant"})
"""Roles whose messages state something: system and tool messages are orders and data."""

LONGEST = 20_000
"""Characters of a text that are read: what is longer is a log or a whole file."""

_ROOT = ("goal", "trigger", "summary", "resolution", "error")
_STEP = ("reasoning", "result")


@dataclass(frozen=True, slots=True)
class Source:
    """A message or episode, with what it says."""

    ref: NodeRef
    content_hash: str
    unit: str
    """See `Evidence.unit`."""
    at: datetime
    texts: tuple[str, ...]
    """Empty where nothing is to be read."""
    genre: Genre
    user: str | None = None
    findings: tuple[str, ...] = ()
    """Keys of the findings of the episode."""
    steps: tuple[tuple[str, NodeRef], ...] = ()
    """Its steps by the keys that a text would name them with."""
    is_excerpt: bool = False
    """Whether its texts are taken from messages, which are sources of their own."""

    def mark(self, reader: str) -> str:
        """The mark that a reader leaves on it."""
        return mark_of(self.ref.label, self.content_hash, reader)


def due_sources(
    graph: TenantGraph, done: tuple[Range, ...], policy: ConsolidationPolicy, *, unread: bool = False
) -> Iterator[list[Source]]:
    """What carries none of these marks yet, in batches: messages, then closed episodes, each by id.

    Args:
        graph: The tenant.
        done: Marks of what is to be left alone, such as `Readers.read`.
        policy: Size of a batch.
        unread: Whether what carries any mark is passed over unseen.
    """
    messages = (message_source(node) for node in _due_messages(graph, done, unread=unread))
    episodes = (
        episode_source(root, steps)
        for root, steps in every_episode(graph, And((CLOSED, Missing(MARK))) if unread else CLOSED)
        if not is_marked(root, done)
    )
    yield from in_batches(chain(messages, episodes), policy.batch_texts)


def _due_messages(graph: TenantGraph, done: tuple[Range, ...], *, unread: bool) -> Iterator[NodeRecord]:
    """Messages without these marks; those with others are looked for only where there are any."""
    new = Missing(MARK)
    known: tuple[Filter, ...] = (new, *done)
    others = 0
    if not unread:
        others = graph.count("Message") - sum(graph.count("Message", marks) for marks in known)
    for page in pages(graph, "Message", None if others > 0 else new):
        yield from (node for node in page if not is_marked(node, done))


def message_source(node: NodeRecord) -> Source:
    """A message as a source of evidence."""
    held = node.properties
    said = str(held.get("text", ""))[:LONGEST] if held.get("role", "user") in SPEAKING else ""
    texts = (said,) if said.strip() else ()
    return Source(node.ref, node.content_hash, _unit(node), _time(node, "at"), texts, "chat", _user(node))


def episode_source(root: NodeRecord, steps: Sequence[NodeRecord]) -> Source:
    """A closed episode as a source of evidence, with all its texts.

    One that was cut out of messages is dialogue; what its messages say stands in them.
    """
    policy = ConsolidationPolicy()
    named = [one.name for one in mentions_of(root, steps, frozenset(), policy) if one.kind == FINDING]
    said = [root.properties.get(name) for name in _ROOT]
    said += [step.properties.get(name) for step in steps for name in _STEP]
    texts = [text[:LONGEST] for text in (*said, *dict.fromkeys(named)) if isinstance(text, str) and text.strip()]
    keys = dict.fromkeys(key for name in named if (key := canonical_key(name)) is not None)
    is_cut = "origin" in root.properties
    genre: Genre = "chat" if is_cut else "prose"
    at = _time(root, "ended_at", "started_at")
    acts = [(key, step.ref) for step in steps if (key := _act(step)) is not None]
    return Source(
        root.ref,
        root.content_hash,
        _unit(root),
        at,
        tuple(texts),
        genre,
        _user(root),
        findings=tuple(keys),
        steps=tuple(acts),
        is_excerpt=is_cut,
    )


def _act(step: NodeRecord) -> str | None:
    """The key of a step's action in words: `restart_service` is "restart service"."""
    return canonical_key(str(step.properties.get("action", "")).replace("_", " "))


def _unit(node: NodeRecord) -> str:
    for name in ("session", "episode"):
        value = node.properties.get(name)
        if isinstance(value, str):
            return f"{name}:{value}"
    return f"{node.label.lower()}:{node.id}"


def _user(node: NodeRecord) -> str | None:
    value = node.properties.get("user_id")
    return value if isinstance(value, str) else None


def _time(node: NodeRecord, *names: str) -> datetime:
    for name in (*names, "created_at"):
        value = node.properties.get(name)
        if isinstance(value, datetime):
            return value
    raise TypeError(f"{node.label} {node.id!r} was stored without created_at")
