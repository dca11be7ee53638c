"""Facts that rules or a model found in a conversation, as memories: pure.

A fact's id is made of what it says, so the same fact found again is the same memory, in whatever episode.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from graphmem.graph.mapping.label import key_of
from graphmem.language.facts import find_facts
from graphmem.models.memories import Fact
from graphmem.models.message import Message
from graphmem.prompts.grounding import Sayings
from graphmem.prompts.summarise_episode import FactReply
from graphmem.prompts.transcript import Turn

MODEL_CONFIDENCE = 0.7
"""Of a fact that a model read and whose quote stands in the conversation."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact with the message that states it."""

    fact: Fact
    message: Message
    ended: bool = False
    """Whether it holds no longer from `fact.valid_to` on."""


def facts_by_rules(messages: Sequence[Message]) -> Iterator[StatedFact]:
    """The facts that users state about themselves, in order."""
    for message in messages:
        if message.role != "user":
            continue
        for found in find_facts(message.text, speaker=message.speaker, said_at=message.local_at):
            fact = Fact(
                id=fact_id(message.user_id, found.subject, found.predicate, found.object),
                text=found.sentence,
                user_id=message.user_id,
                why=f"stated, by the rule {found.rule}",
                confidence=found.confidence,
                at=message.at,
                subject=found.subject,
                predicate=found.predicate,
                object=found.object,
                valid_from=found.valid_from,
                valid_to=found.valid_to,
                sources=(message.id,),
            )
            yield StatedFact(fact, message, found.ended)


def facts_of_model(found: Sequence[FactReply], messages: Sequence[Message], model: str) -> Iterator[StatedFact]:
    """A model's facts with the messages that hold their quotes; one without such a message is left out."""
    for reply in found:
        message = next((one for one in messages if Sayings([Turn("", one.text)]).holds(reply.quote)), None)
        if message is None:
            continue
        fact = Fact(
            id=fact_id(message.user_id, reply.subject, reply.predicate, reply.object),
            text=reply.quote,
            user_id=message.user_id,
            why=f"stated, as read by {model}",
            confidence=MODEL_CONFIDENCE,
            at=message.at,
            subject=reply.subject,
            predicate=reply.predicate,
            object=reply.object,
            sources=(message.id,),
        )
        yield StatedFact(fact, message)


def fact_id(user: str | None, subject: str, predicate: str, object_: str) -> str:
    """Id of a fact out of what it says and of whose memory it is."""
    parts = (user or "", *(key_of(part) for part in (subject, predicate, object_)))
    return f"fact-{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"


def ended_at(stated: StatedFact) -> datetime:
    """From when an ended fact no longer holds: what was said of it, else when that was said."""
    return stated.fact.valid_to or stated.message.at
