"""How an episode is to be closed: the intent, which is kept with the open episode until it is finalised.

So a close that could not be completed (a model failed, the process was killed) loses nothing that was said of
it. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import Value
from graphmem.models.episode import Episode, EpisodeState, Outcome, OutcomeChange
from graphmem.models.fields import Frozen, Name, Share, Text, UtcDatetime, canonical_json


class Closing(Frozen):
    """What is said of an episode when it ends."""

    outcome: Outcome = Field(description="How it ended.")
    source: Text = Field("", description="Who or what says so; blank: the agent itself.")
    ended_at: UtcDatetime | None = Field(None, description="When it ended; None: not known.")
    resolution: Text | None = Field(None, description="What came out, in short.")
    satisfaction: Share | None = Field(None, description="Estimated satisfaction of the user, 0..1.")
    lessons: tuple[Text, ...] = Field((), description="What to do or avoid next time.")
    error: Name | None = Field(None, description="Label of the error that ended it.")


def closed(episode: Episode, closing: Closing) -> Episode:
    """An open episode as it is when it has ended.

    An outcome that the agent did not say itself begins the episode's history, with its source and time.

    Raises:
        pydantic.ValidationError: It would end before it started.
    """
    fields: dict[str, Any] = {name: getattr(episode, name) for name in type(episode).model_fields}
    fields |= {"state": EpisodeState.CLOSED, "outcome": closing.outcome}
    fields |= {"ended_at": closing.ended_at or episode.ended_at, "error": closing.error or episode.error}
    fields["resolution"] = closing.resolution if closing.resolution is not None else episode.resolution
    if closing.satisfaction is not None:
        fields["satisfaction"] = closing.satisfaction
    fields["lessons"] = (*episode.lessons, *(one for one in closing.lessons if one not in episode.lessons))
    if closing.source:
        said = OutcomeChange(outcome=closing.outcome, source=closing.source, at=closing.ended_at)
        fields["outcome_history"] = (*episode.outcome_history, said)
    return Episode(**fields)


def closing_text(closing: Closing) -> str:
    """A closing as the property `closing` of an open episode."""
    return canonical_json(closing.model_dump(mode="json", exclude_defaults=True))


def read_closing(properties: Mapping[str, Value]) -> Closing | None:
    """The closing that an open episode waits for; None when it has not ended."""
    return Closing(**read_json(properties, "closing")) if "closing" in properties else None
