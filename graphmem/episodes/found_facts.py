"""Facts that rules or a model found in a conversation, as claims of a topic: pure.

What a claim makes of the memories of its topic is worked out in graphmem/graph/settling.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.graph.keys import label_key
from graphmem.graph.predicates import FactPolicy
from graphmem.graph.timeline import Claim
from graphmem.graph.topics import Topic, make_topic
from graphmem.language.facts import FoundFact, find_facts
from graphmem.models.message import Message
from graphmem.prompts.grounding import Sayings
from graphmem.prompts.summarise_episode import FactReply
from graphmem.prompts.transcript import Turn

MODEL_CONFIDENCE = 0.7
"""Of a fact that a model read and whose quote stands in the conversation."""

_POLICY = FactPolicy()


@dataclass(frozen=True, slots=True)
class StatedFact:
    """What a message states."""

    topic: Topic
    claim: Claim


def facts_by_rules(
    messages: Sequence[Message], episode: str | None = None, policy: FactPolicy = _POLICY
) -> Iterator[StatedFact]:
    """The facts that users state about themselves, in order.

    Args:
        messages: What was said.
        episode: Id of the episode in which it was said.
        policy: Which predicates hold one object at a time.
    """
    for message in messages:
        if message.role == "user":
            for found in find_facts(message.text, speaker=message.speaker, said_at=message.local_at):
                yield from _stated(message, found, episode, policy)


def facts_of_model(
    found: Sequence[FactReply],
    messages: Sequence[Message],
    model: str,
    episode: str | None = None,
    policy: FactPolicy = _POLICY,
) -> Iterator[StatedFact]:
    """A model's facts with the messages that hold their quotes; one without such a message is left out."""
    for reply in found:
        message = next((one for one in messages if Sayings([Turn("", one.text)]).holds(reply.quote)), None)
        if message is None:
            continue
        words = (reply.subject, reply.predicate, reply.object)
        topic = make_topic(policy, "fact", message.user_id, words)
        if topic is not None:
            claim = Claim(
                label_key(reply.object) or "",
                message.id,
                at=message.at,
                subject=reply.subject,
                predicate=reply.predicate,
                object=reply.object,
                text=reply.quote,
                why=f"stated, as read by {model}",
                confidence=MODEL_CONFIDENCE,
                episode=episode,
            )
            yield StatedFact(topic, claim)


def claims_by_topic(facts: Iterable[StatedFact]) -> dict[Topic, list[Claim]]:
    """The claims of each topic."""
    claims: defaultdict[Topic, list[Claim]] = defaultdict(list)
    for fact in facts:
        claims[fact.topic].append(fact.claim)
    return dict(claims)


def _stated(message: Message, found: FoundFact, episode: str | None, policy: FactPolicy) -> Iterator[StatedFact]:
    topic = make_topic(policy, "fact", message.user_id, (found.subject, found.predicate, found.object))
    if topic is None:
        return
    claim = Claim(
        label_key(found.object) or "",
        message.id,
        at=message.at,
        valid_from=found.valid_from,
        # what has ended without a time has ended when that was said
        valid_to=found.valid_to or message.at if found.ended else found.valid_to,
        subject=found.subject,
        predicate=found.predicate,
        object=found.object,
        text=found.sentence,
        why=f"stated, by the rule {found.rule}",
        confidence=found.confidence,
        episode=episode,
    )
    yield StatedFact(topic, claim)
