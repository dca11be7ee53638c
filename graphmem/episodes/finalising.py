"""Finalises episodes that have ended: summary, lessons, outcome, facts, embedding, then one transaction.

All that a model or an embedder makes is made before that transaction, so a failure leaves the episode as it was
recorded: open, with its closing, to be finalised later. Finalising twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.episodes.closing import Closing, closed
from graphmem.episodes.conversations import conversation_hash, is_conversation, told
from graphmem.episodes.derivation import as_given, derived_by_rules, language_of_episode
from graphmem.episodes.found_facts import StatedFact, claims_by_topic, facts_by_rules, facts_of_model
from graphmem.episodes.reading import read_given_episodes
from graphmem.errors import ConflictError
from graphmem.graph.mapping.episode import RULES, Derived, episode_hash, episode_tree, is_blank
from graphmem.graph.mapping.message import to_message
from graphmem.graph.records import NodeRecord, NodeRef, Tree
from graphmem.graph.timeline import Claim
from graphmem.graph.topics import Topic
from graphmem.models.checking import refusals
from graphmem.models.episode import Episode, Outcome, OutcomeChange
from graphmem.models.message import Message
from graphmem.ports.embedding import with_vectors
from graphmem.ports.graph_store import Transaction
from graphmem.ports.segmenting import retried
from graphmem.ports.settling import settle, topics_from, write_settled
from graphmem.ports.workspace import Workspace
from graphmem.prompts.summarise_episode import EpisodeSummary, summarise_episode
from graphmem.prompts.transcript import episode_turns


@dataclass(frozen=True, slots=True)
class Finalised:
    """Everything that finalising an episode writes."""

    tree: Tree
    expected: str
    """content_hash that the stored episode must still have."""
    facts: tuple[StatedFact, ...]
    """What was stated in it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """An episode that waits to be finalised."""

    root: NodeRecord
    """As it is stored."""
    closing: Closing
    messages: Sequence[Message]
    """What was said in it, in order."""


def finalise(workspace: Workspace, root: NodeRecord, closing: Closing) -> None:
    """Close an open episode for good.

    Args:
        workspace: Where it is stored.
        root: The episode as it is stored.
        closing: How it ended.

    Raises:
        ModelError: The language model or the embedder failed; nothing was written.
        ConflictError: Somebody else changed the episode meanwhile; nothing was written.
    """
    finalise_together(workspace, [Ended(root, closing, read_messages(workspace, root.id))])


def finalise_together(workspace: Workspace, ended: Sequence[Ended]) -> None:
    """Close several open episodes for good, in one transaction: all of them or none; see `finalise`."""
    now = workspace.now()
    with refusals():
        episodes = read_given_episodes(workspace.graph, [one.root for one in ended])
        drafts = [_draft(workspace, one, episode) for one, episode in zip(ended, episodes, strict=True)]
    complete = _embedded(workspace, drafts)
    said = claims_by_topic(fact for one in complete for fact in one.facts)
    _write_with_facts(workspace, complete, said, [message.id for one in ended for message in one.messages], now)
    # another writer may have read the same topics before this one wrote
    write_settled(workspace, now, said)


def _write_with_facts(
    workspace: Workspace,
    complete: Sequence[Finalised],
    said: Mapping[Topic, Sequence[Claim]],
    messages: Sequence[str],
    now: datetime,
) -> None:
    """Write all in one transaction, again where only the facts met another writer.

    What the messages said when they were finalised before no longer counts: one may have been replaced.
    """
    sources = [NodeRef("Message", name) for name in messages]

    def write(_: bool) -> ConflictError | None:
        before = topics_from(workspace, sources)
        settlement = settle(workspace, now, said=said, topics=before, withdrawn=messages)
        try:
            with workspace.graph.transaction() as transaction:
                _write(transaction, complete)
                settlement.write(transaction)
        except ConflictError as fault:
            if not said or not _are_as_expected(workspace, complete):
                return fault
            raise
        return None

    fault = retried(workspace, write)
    if fault is not None:
        raise fault


def _are_as_expected(workspace: Workspace, complete: Sequence[Finalised]) -> bool:
    stored = workspace.known([one.tree.root.ref for one in complete])
    return all(
        ref in stored and stored[ref].content_hash == one.expected
        for one in complete
        for ref in [one.tree.root.ref]
    )


def _draft(workspace: Workspace, ended: Ended, episode: Episode) -> Finalised:
    """What finalising writes, without vectors."""
    root, messages = ended.root, ended.messages
    is_cut = is_conversation(root.properties)
    given = told(episode, ended.closing, messages) if is_cut else closed(episode, ended.closing)
    given, derived, facts = _derived(workspace, given, messages)
    recorded_at = root.properties["created_at"]
    assert isinstance(recorded_at, datetime)  # noqa: S101 (every node carries it)
    content = conversation_hash(given, messages) if is_cut else _content(given, derived)
    tree = episode_tree(given, recorded_at, content=content, derived=derived)
    kept = {name: root.properties[name] for name in ("origin",) if name in root.properties}
    complete = replace(tree.root, properties={**tree.root.properties, **kept})
    return Finalised(replace(tree, root=complete), root.content_hash, tuple(facts))


def _embedded(workspace: Workspace, drafts: Sequence[Finalised]) -> list[Finalised]:
    """The same with vectors, which are asked for together."""
    roots = with_vectors([one.tree.root for one in drafts], workspace.embedder)
    return [replace(one, tree=replace(one.tree, root=root)) for one, root in zip(drafts, roots, strict=True)]


def _content(given: Episode, derived: Derived | None) -> str:
    """Content hash under which the episode is known when it is read back, or exported, and given again."""
    if derived is not None and derived.source != RULES:
        # what a model wrote cannot be told apart from what was given, nor be written again
        summary = derived.summary if is_blank(given.summary) else given.summary
        given = given.model_copy(update={"summary": summary, "lessons": (*given.lessons, *derived.lessons)})
    return episode_hash(as_given(given))


def read_messages(workspace: Workspace, episode: str) -> list[Message]:
    """What was said in an episode, in order."""
    return read_messages_of(workspace, [episode])[episode]


def read_messages_of(workspace: Workspace, episodes: Sequence[str]) -> dict[str, list[Message]]:
    """What was said in some episodes, each in order."""
    edges = workspace.graph.edges([NodeRef("Episode", name) for name in episodes], ["HAS_MESSAGE"], "out")
    nodes = workspace.graph.get(dict.fromkeys(edge.target for edge in edges))
    said: dict[str, list[Message]] = {name: [] for name in episodes}
    for edge in edges:
        if edge.target in nodes:
            said[edge.source.id].append(to_message(nodes[edge.target]))
    for messages in said.values():
        messages.sort(key=lambda message: (message.at, message.id))
    return said


def _derived(
    workspace: Workspace, given: Episode, messages: Sequence[Message]
) -> tuple[Episode, Derived | None, list[StatedFact]]:
    """The episode with its outcome, what is derived from it, and the facts in it."""
    model = workspace.language_model
    if model is None:
        return given, derived_by_rules(given, messages), list(facts_by_rules(messages, given.id, workspace.facts))
    reply = summarise_episode(model, episode_turns(given, messages), language_of_episode(given))
    lessons = tuple(one for one in reply.lessons if one not in given.lessons)
    facts = list(facts_of_model(reply.facts, messages, model.name, given.id, workspace.facts))
    return _judged(given, reply, model.name), Derived(reply.summary, model.name, lessons), facts


def _judged(given: Episode, reply: EpisodeSummary, model: str) -> Episode:
    """An episode of whose outcome nothing was said has the one that the model shows with a quote."""
    if given.outcome is not Outcome.UNKNOWN or reply.outcome is Outcome.UNKNOWN:
        return given
    said = OutcomeChange(outcome=reply.outcome, previous=Outcome.UNKNOWN, source=model, at=given.ended_at)
    return given.model_copy(update={"outcome": reply.outcome, "outcome_history": (*given.outcome_history, said)})


def _write(transaction: Transaction, finalised: Sequence[Finalised]) -> None:
    """Write finalised episodes with all that belongs to them.

    Raises:
        ConflictError: A stored episode is not the one that was finalised.
    """
    roots = [one.tree.root for one in finalised]
    expected = {one.tree.root.ref: one.expected for one in finalised}
    transaction.save_nodes(roots, expected=expected)
    nodes = [node for one in finalised for node in one.tree.nodes]
    if nodes:
        present = transaction.get(node.ref for node in nodes)
        transaction.save_nodes([node for node in nodes if node.ref not in present])
    transaction.save_edges([edge for one in finalised for edge in one.tree.edges])
