"""Outcomes that were said after an episode was recorded: records of files to the stored history and back."""

from __future__ import annotations

from graphmem.episodes.outcomes import History
from graphmem.graph.mapping.episode import episode_hash, given_root, to_episode
from graphmem.graph.records import NodeRecord
from graphmem.models.episode import Episode
from graphmem.transfer.items import OutcomeRecord


def place_in(history: History, said: OutcomeRecord, begin: int) -> int | None:
    """Where a history says the same, at or after a place; None when it does not.

    Records of one episode are looked for in the order of their file, each behind the one before: so
    "success, failure, success" without times is three statements, and still the same ones when read again.
    """
    wanted = (said.outcome, said.source, said.at)
    for index in range(begin, len(history)):
        entry = history[index]
        if (entry.outcome, entry.source, entry.at) == wanted:
            return index
    return None


def as_given(episode: Episode) -> tuple[Episode, list[OutcomeRecord]]:
    """An episode as its record once said it, and the later statements as records."""
    history = episode.outcome_history
    if not history:
        return episode, []
    first = history[0].previous or history[0].outcome
    given = episode.model_copy(update={"outcome": first, "outcome_history": ()})
    return given, [
        OutcomeRecord(episode=episode.id, outcome=change.outcome, source=change.source, at=change.at)
        for change in history
    ]


def exported_hash(root: NodeRecord) -> str:
    """Content hash of the record that a stored conversation is exported as: its messages are records too."""
    return episode_hash(as_given(to_episode(given_root(root), ()))[0])
