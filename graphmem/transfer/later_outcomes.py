"""Outcomes that were said after an episode was recorded: records of files to the stored history and back."""

from __future__ import annotations

from graphmem.graph.mapping.episode import episode_hash, given_root, to_episode
from graphmem.graph.mapping.values import json_text, read_json
from graphmem.graph.records import NodeRecord, Value
from graphmem.models.episode import Episode, Outcome, OutcomeChange
from graphmem.transfer.items import OutcomeRecord

History = tuple[OutcomeChange, ...]


def history_of(root: NodeRecord) -> History:
    """What was said of a stored episode, oldest first."""
    return tuple(OutcomeChange(**entry) for entry in read_json(root.properties, "outcome_history") or ())


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


def appended(history: History, said: OutcomeRecord, current: Outcome | None) -> History:
    """The history with one more statement; one that only says whose the outcome is has none before it."""
    previous = None if not history and current is said.outcome else current
    return (*history, OutcomeChange(outcome=said.outcome, previous=previous, source=said.source, at=said.at))


def history_properties(history: History) -> dict[str, Value]:
    """What to set on an episode: the last statement holds."""
    entries = [change.model_dump(mode="json", exclude_none=True) for change in history]
    return {"outcome": history[-1].outcome.value, "outcome_history": json_text(entries) or "[]"}


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
