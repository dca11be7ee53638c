"""What statements share that bear on each other: kind, owner, subject, predicate, and object where many hold."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.graph.keys import label_key
from graphmem.graph.predicates import FactPolicy, predicate_key
from graphmem.graph.records import NodeRecord
from graphmem.graph.validity import TIMED_KINDS


@dataclass(frozen=True, slots=True)
class Topic:
    """What claims must share to bear on each other."""

    kind: str
    user_id: str | None
    subject_key: str
    predicate_key: str
    object_key: str | None = None
    """None where the predicate holds one object at a time."""
    is_unchanging: bool = False
    """Whether the predicate holds one object, and always the same."""


def make_topic(policy: FactPolicy, kind: str, user: str | None, words: tuple[str, str, str]) -> Topic | None:
    """The topic of a statement.

    Args:
        policy: Which predicates hold one object at a time: objects of others do not bear on each other.
        kind: fact or preference.
        user: Whose memory it is.
        words: Subject, predicate and object as written.

    Returns:
        None where one of the words has nothing that a key could hold.
    """
    subject, relation, object_key = label_key(words[0]), predicate_key(words[1]), label_key(words[2])
    if subject is None or relation is None or object_key is None:
        return None
    if not policy.is_functional(relation):
        return Topic(kind, user, subject, relation, object_key)
    return Topic(kind, user, subject, relation, is_unchanging=policy.is_unchanging(relation))


def topic_of(record: NodeRecord, policy: FactPolicy) -> Topic | None:
    """What a stored memory bears on; None where it is no statement."""
    properties = record.properties
    words = tuple(str(properties.get(name) or "") for name in ("subject", "predicate", "object"))
    if record.label != "Memory" or properties.get("kind") not in TIMED_KINDS or len(words) != 3:
        return None
    user = properties.get("user_id")
    return make_topic(policy, str(properties["kind"]), None if user is None else str(user), words)
