"""Sets or corrects the outcome of a closed episode and keeps every earlier one: pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.episodes.summary import corrected
from graphmem.errors import RecordingError
from graphmem.graph.mapping.episode import RULES, is_closed
from graphmem.graph.mapping.values import json_text, read_json
from graphmem.graph.records import NodeRecord, Value
from graphmem.models.episode import Outcome, OutcomeChange

History = tuple[OutcomeChange, ...]


def outcome_changes(
    root: NodeRecord, outcome: Outcome, source: str, at: datetime | None, now: datetime
) -> dict[str, Value] | None:
    """What to set on an episode whose outcome is said.

    Args:
        root: The episode as stored.
        outcome: How it ended.
        source: Who or what says so.
        at: When it was said; None: at this moment.
        now: This moment.

    Returns:
        Properties to set, the content hash not among them: a later import of the same record still
        counts as unchanged. None when the same was said before.

    Raises:
        RecordingError: The episode is still open.
    """
    if not is_closed(root):
        raise RecordingError(f"episode {root.id!r} is still open: close it, which sets its outcome")
    previous = Outcome(str(root.properties["outcome"]))
    history = history_of(root)
    if _said_before(history, outcome, source, at):
        return None
    longer = continued(history, previous, OutcomeChange(outcome=outcome, source=source, at=at or now))
    return history_properties(longer) | summary_changes(root, outcome)


def history_of(root: NodeRecord) -> History:
    """What was said of a stored episode, oldest first."""
    return tuple(OutcomeChange(**entry) for entry in read_json(root.properties, "outcome_history") or ())


def continued(history: History, current: Outcome, said: OutcomeChange) -> History:
    """The history with one more statement; one that only says whose the outcome is has none before it."""
    previous = None if not history and current is said.outcome else current
    return (*history, said.model_copy(update={"previous": previous}))


def history_properties(history: History) -> dict[str, Value]:
    """What to set on an episode: the last statement holds."""
    return {"outcome": history[-1].outcome.value, "outcome_history": history_text(history)}


def summary_changes(root: NodeRecord, outcome: Outcome) -> dict[str, Value]:
    """What to set where rules wrote the summary of a stored episode: its last sentence says the outcome."""
    summary = root.properties.get("summary")
    if root.properties.get("summary_source") != RULES or not isinstance(summary, str):
        return {}
    return {"summary": corrected(summary, Outcome(str(root.properties["outcome"])), outcome)}


def history_text(history: Sequence[OutcomeChange]) -> str:
    """A history as it is stored."""
    entries: list[dict[str, Any]] = [change.model_dump(mode="json", exclude_none=True) for change in history]
    return json_text(entries) or "[]"


def _said_before(history: Sequence[OutcomeChange], outcome: Outcome, source: str, at: datetime | None) -> bool:
    if at is None:
        return bool(history) and (history[-1].outcome, history[-1].source) == (outcome, source)
    return any((entry.outcome, entry.source, entry.at) == (outcome, source, at) for entry in history)
