"""An episode: one experience of an agent, from its goal to its outcome.

A value without IO. What is derived from it (summary without a model, links, embedding) is made elsewhere.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Self

from pydantic import Field, Strict, field_validator, model_validator

from graphmem.models.fields import Flag, Frozen, JsonObject, Name, Share, Text, UtcDatetime, sorted_object
from graphmem.models.ids import Id
from graphmem.models.offsets import UtcOffset, in_offset, with_offset


class Outcome(StrEnum):
    """How an episode ended."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    UNKNOWN = "unknown"
    """Recalled and counted, left out of outcome tests."""


class EpisodeState(StrEnum):
    """Whether an episode still runs."""

    OPEN = "open"
    CLOSED = "closed"


class Step(Frozen):
    """One action within an episode; its index is its place in `Episode.steps`."""

    action: Name = Field(description="What was done, as a short name: the label that mining uses.")
    reasoning: Text = Field("", description="Why the agent did it.")
    result: Text = Field("", description="What came back.")
    effective: Flag = Field(True, description="Whether the step did what it was meant to do.")
    tools: tuple[Name, ...] = Field((), description="Names of the tools used, in order.")
    concepts: tuple[Name, ...] = Field((), description="Names of what the step is about.")
    errors: tuple[Name, ...] = Field((), description="Names of the symptoms it raised.")
    fixes: tuple[Name, ...] = Field((), description="Names of the causes it removed.")
    arguments: JsonObject = Field(default_factory=dict, description="What the action was called with.")
    at: UtcDatetime | None = Field(None, description="When it happened; None when the source has no time.")
    after: tuple[Annotated[int, Strict(), Field(ge=0)], ...] | None = Field(
        None, description="0-based indices of the steps it follows; None: the one before; (): a new branch."
    )
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")


class Cause(Frozen):
    """One finding of an episode brought about by another one."""

    effect: Name = Field(description="Name of the finding that was seen.")
    cause: Name = Field(description="Name of the finding behind it.")


class OutcomeChange(Frozen):
    """A correction of an outcome, kept for ever."""

    outcome: Outcome = Field(description="The outcome from then on.")
    previous: Outcome | None = Field(
        None, description="The outcome until then; None where only its source is said."
    )
    source: Text = Field("", description="Who or what says so.")
    at: UtcDatetime | None = Field(None, description="When it was said; None when not known.")


class Episode(Frozen):
    """One experience: what was wanted, what was done, and how it ended.

    Raises:
        pydantic.ValidationError: A field breaks its bounds, `after` does not point backwards, the causes
            form a cycle, or the episode ends before it starts.
    """

    id: Id = Field(description="The caller's own id, unique among the tenant's episodes.")
    goal: Text = Field(description="What was wanted.")
    steps: tuple[Step, ...] = Field((), description="What was done, in order; may be empty.")
    state: EpisodeState = Field(EpisodeState.CLOSED, description="open while it runs, else closed.")
    outcome: Outcome | None = Field(None, description="How it ended; None exactly while it is open.")
    started_at: UtcDatetime | None = Field(None, description="Begin; None when the source has none.")
    ended_at: UtcDatetime | None = Field(None, description="End, not before the begin.")
    utc_offset: UtcOffset | None = Field(
        None,
        description="Minutes east of UTC of the begin (else the end) as it was given, for showing it;"
        " None: UTC, or not known.",
    )
    user_id: Id | None = Field(None, description="Whose experience it is.")
    task: Name | None = Field(None, description="What runs repeat: the independence unit of statistics.")
    variant: Name | dict[str, Any] | None = Field(
        None, description="Agent version, model or prompt: a name or a flat map."
    )
    session: Id | None = Field(None, description="Id of the session it belongs to.")
    domain: Name | None = Field(None, description="Subject area such as coding or support.")
    trigger: Text | None = Field(None, description="The request that began it.")
    resolution: Text | None = Field(None, description="What came out, in short.")
    satisfaction: Share | None = Field(None, description="Estimated satisfaction of the user, 0..1.")
    summary: Text | None = Field(None, description="Three to five sentences: goal, course, result.")
    lessons: tuple[Text, ...] = Field((), description="What to do or avoid next time.")
    tags: tuple[Name, ...] = Field((), description="Free labels.")
    causes: tuple[Cause, ...] = Field((), description="Which finding brought about which.")
    error: Name | None = Field(None, description="Label of the error that ended it, where one did.")
    outcome_history: tuple[OutcomeChange, ...] = Field((), description="Corrections of the outcome, oldest first.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")

    @model_validator(mode="before")
    @classmethod
    def _closed_means_an_outcome(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("outcome") is None and given.get("state", "closed") == "closed":
            return {**given, "outcome": Outcome.UNKNOWN}
        return given

    @model_validator(mode="before")
    @classmethod
    def _keep_the_offset(cls, given: Any) -> Any:
        return with_offset(given, "started_at", "ended_at")

    @field_validator("steps")
    @classmethod
    def _steps_follow_earlier_steps(cls, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(_with_plain_after(step, index) for index, step in enumerate(steps))

    @field_validator("variant")
    @classmethod
    def _variant_is_flat(cls, variant: str | dict[str, Any] | None) -> str | dict[str, Any] | None:
        if isinstance(variant, dict):
            if any(isinstance(value, dict | list) for value in variant.values()):
                raise ValueError("variant is a nested map: give text or a flat map")
            return sorted_object(variant)
        return variant

    @model_validator(mode="after")
    def _state_and_times_agree(self) -> Self:
        if self.state is EpisodeState.OPEN and self.outcome is not None:
            raise ValueError("an open episode has no outcome yet: close it or leave the outcome out")
        if self.started_at and self.ended_at and self.ended_at < self.started_at:
            raise ValueError("ended_at lies before started_at")
        if self.causes:
            _refuse_cycle(self.causes)
        return self

    @property
    def local_started_at(self) -> datetime | None:
        """The begin in the offset that it was given with."""
        return None if self.started_at is None else in_offset(self.started_at, self.utc_offset)

    @property
    def local_ended_at(self) -> datetime | None:
        """The end in the offset of the begin, else its own."""
        return None if self.ended_at is None else in_offset(self.ended_at, self.utc_offset)

    @property
    def time_unknown(self) -> bool:
        """Whether the source had no times: functions of time leave such an episode out."""
        return self.started_at is None and self.ended_at is None

    @property
    def duration_ms(self) -> int | None:
        """Milliseconds from begin to end; None when either is not known."""
        if self.started_at is None or self.ended_at is None:
            return None
        return round((self.ended_at - self.started_at).total_seconds() * 1000)

    @property
    def tools_used(self) -> tuple[str, ...]:
        """Distinct tools in order of first use."""
        return tuple(dict.fromkeys(tool for step in self.steps for tool in step.tools))

    def predecessors(self, index: int) -> tuple[int, ...]:
        """0-based indices of the steps that the step at `index` follows."""
        after = self.steps[index].after
        if after is None:
            return (index - 1,) if index else ()
        return after


def _with_plain_after(step: Step, index: int) -> Step:
    """The step with `after` checked, and None where it says what the default says."""
    after = step.after
    if after is None:
        return step
    if len(set(after)) < len(after):
        raise ValueError(f"step {index}: after names a step twice")
    for earlier in after:
        if earlier >= index:
            place = "itself" if earlier == index else "a later step"
            raise ValueError(f"step {index}: after points to {place} ({earlier}); it may name earlier steps only")
    usual = (index - 1,) if index else ()
    return step.model_copy(update={"after": None}) if after == usual else step


def _refuse_cycle(causes: tuple[Cause, ...]) -> None:
    """Raise when following effect -> cause comes back to where it began."""
    behind: dict[str, list[str]] = {}
    for link in causes:
        behind.setdefault(link.effect, []).append(link.cause)
    order: TopologicalSorter[str] = TopologicalSorter(behind)
    try:
        order.prepare()
    except CycleError as fault:
        raise ValueError(f"causes form a cycle: {' <- '.join(fault.args[1])}") from fault
