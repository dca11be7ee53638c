"""Messages and sessions to nodes and edges, and back."""

from __future__ import annotations

from datetime import datetime

from graphmem.graph.mapping.concept import concept_ref, named_concept
from graphmem.graph.mapping.values import content_hash, edge_origin, given, json_text, present, read_json
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Value, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.message import Message, Session

PERSON = "person"
"""Kind of the concept that a speaker is."""


def message_record(message: Message, recorded_at: datetime, vector: Vector | None = None) -> NodeRecord:
    """A message as a node; its search text holds the speaker's name too."""
    words = f"{message.speaker}\n{message.text}" if message.speaker else message.text
    properties = present(
        {
            "text": message.text,
            "at": message.at,
            "utc_offset": message.utc_offset,
            "user_id": message.user_id,
            "session": message.session,
            "role": message.role,
            "speaker": message.speaker,
            "episode": message.episode,
            "extra": json_text(message.extra),
            "created_at": recorded_at,
            "search_text": search_text(words),
            "content_hash": content_hash(message),
        }
    )
    return NodeRecord("Message", message.id, properties, vector)


def says_the_same(message: Message, content: str, stored: NodeRecord) -> bool:
    """Whether a message is what is stored: whether it names the episode that it is in is no matter.

    Args:
        message: A message as it was given.
        content: Its content hash.
        stored: What is stored under its id.
    """
    if content == stored.content_hash:
        return True
    kept = stored.properties.get("episode")
    if kept is None or message.episode not in (None, kept):
        return False
    other = None if message.episode is not None else kept
    return content_hash(message.model_copy(update={"episode": other})) == stored.content_hash


def message_neighbours(message: Message, recorded_at: datetime) -> list[NodeRecord]:
    """The session and the speaker that a message names, as placeholders."""
    nodes = []
    if message.session is not None:
        nodes.append(session_placeholder(message.session, message.user_id, recorded_at))
    if message.speaker is not None:
        nodes.append(named_concept(message.speaker, recorded_at, PERSON))
    return nodes


def message_edges(message: Message, recorded_at: datetime) -> list[EdgeRecord]:
    """Edges to the session, the speaker and the episode of a message."""
    own = edge_origin(message.user_id, recorded_at)
    ref = NodeRef("Message", message.id)
    edges = []
    if message.session is not None:
        edges.append(EdgeRecord("IN_SESSION", ref, NodeRef("Session", message.session), own))
    if message.speaker is not None:
        edges.append(EdgeRecord("SPOKEN_BY", ref, concept_ref(message.speaker, PERSON), own))
    if message.episode is not None:
        edges.append(EdgeRecord("HAS_MESSAGE", NodeRef("Episode", message.episode), ref, own))
    return edges


def to_message(node: NodeRecord) -> Message:
    """The message that a node holds."""
    fields = given(node.properties, "at", "utc_offset", "user_id", "session", "role", "speaker", "episode")
    text = str(node.properties.get("text", ""))
    return Message(id=node.id, text=text, extra=read_json(node.properties, "extra"), **fields)


def session_placeholder(session: str, user_id: str | None, recorded_at: datetime) -> NodeRecord:
    """A session that was only mentioned."""
    return NodeRecord(
        "Session",
        session,
        present({"user_id": user_id, "created_at": recorded_at}) | {"content_hash": PLACEHOLDER},
    )


def session_record(session: Session, recorded_at: datetime) -> NodeRecord:
    """A described session as a node."""
    properties: dict[str, Value] = present(
        {
            "user_id": session.user_id,
            "started_at": session.started_at,
            "extra": json_text(session.extra),
            "created_at": recorded_at,
            "content_hash": content_hash(session),
        }
    )
    return NodeRecord("Session", session.id, properties)


def to_session(node: NodeRecord) -> Session:
    """The session that a node holds."""
    fields = given(node.properties, "user_id", "started_at")
    return Session(id=node.id, extra=read_json(node.properties, "extra"), **fields)
