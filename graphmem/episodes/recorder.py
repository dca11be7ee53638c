"""Records an episode while it runs: every step is stored at once, and the close finalises it.

One recorder is used by one thread at a time. What is stored carries a hash, and every write says which it
expects: so of two writers of one open episode the second one gets a ConflictError and loses nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self

from graphmem.episodes.closing import Closing
from graphmem.episodes.growing_chat import GrowingChat, Messages, continued
from graphmem.episodes.journal import Journal
from graphmem.episodes.timed_step import RecordedStep, names
from graphmem.episodes.tool_errors import label_of_exception
from graphmem.errors import GraphMemError, RecordingError
from graphmem.models.checking import checked
from graphmem.models.episode import Cause, Episode, Outcome, Step

OnError = Literal["raise", "spool"]
"""What happens when the store is away: raise, or go on in a file beside it."""


class EpisodeLeftOpenWarning(UserWarning):
    """A recording ended without saying how the episode ended: it stays open."""


class Recorder:
    """An open episode. Use it as a context manager: an exception closes the episode as a failure.

    Example::

        with memory.episodes.record(goal="Refund order 17") as run:
            run.step("lookup_order", result="found", tools=["orders"])
            with run.step("issue_refund", tools=["payments"]) as step:
                step.result = "refunded"
            run.succeed("Refund issued")
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._closed = False
        self._chat = GrowingChat(is_resumed=bool(journal.episode.steps))
        self._raised: list[tuple[BaseException, int, str]] = []
        """The last exception that left the blocks of steps, each with the step and the label it added."""

    @property
    def id(self) -> str:
        """The episode's id."""
        return self._journal.episode.id

    @property
    def episode(self) -> Episode:
        """The episode as recorded so far."""
        return self._journal.episode

    @property
    def is_spooled(self) -> bool:
        """Whether the store went away and the rest is kept in a file."""
        return self._journal.is_spooled

    def step(
        self,
        action: str,
        *,
        reasoning: str = "",
        result: str = "",
        effective: bool = True,
        tools: Iterable[str] = (),
        concepts: Iterable[str] = (),
        errors: Iterable[str] = (),
        fixes: Iterable[str] = (),
        arguments: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        after: Sequence[int] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> RecordedStep:
        """Record a step; as a context manager it is timed, and an exception marks it ineffective.

        Args:
            action: What was done, as a short name: the label that mining uses.
            reasoning: Why.
            result: What came back.
            effective: Whether it did what it was meant to do.
            tools: Names of the tools used, in order.
            concepts: Names of what it is about.
            errors: Names of the symptoms it raised.
            fixes: Names of the causes it removed.
            arguments: What the action was called with.
            at: When it happened, aware; None: now.
            after: 0-based indices of the steps it follows; None: the one before; (): a new branch.
            extra: Anything else, kept as given, never searched.

        Returns:
            The step, whose `result`, `effective`, `errors`, `fixes` and `concepts` can still be set within
            its `with`.

        Raises:
            RecordingError: The episode is closed.
            InvalidInputError: A value is refused; nothing was recorded.
            ConflictError: Somebody else wrote to the episode.
            StoreError: It could not be stored.
        """
        fields: dict[str, Any] = {"action": action, "reasoning": reasoning, "result": result}
        fields |= {"effective": effective, "tools": names(tools), "concepts": names(concepts)}
        fields |= {"errors": names(errors), "fixes": names(fixes), "arguments": arguments or {}}
        fields |= {"at": self._journal.now() if at is None else at, "extra": extra or {}}
        fields["after"] = names(after)
        index = len(self.episode.steps)
        self._record(steps=(*self.episode.steps, checked(Step, fields)))
        return RecordedStep(index, self.episode.steps[index], self._replace_step, self._note, self._journal.now)

    def messages(self, messages: Messages) -> None:
        """Record the tool calls of a chat as steps, as an import of the run does.

        Args:
            messages: All messages so far in the form of OpenAI's chat completions, as mappings or as the
                objects of its client; give the longer list again as the run goes on, and what is new in it
                is recorded.

        Raises:
            RecordingError: The episode is closed, or the list is not the one before, continued.
            InvalidInputError: It is no list of messages; nothing was recorded.
        """
        self._refuse_closed()
        chat, changes = continued(self._chat, messages, self.episode)
        self._record(**changes)
        self._chat = chat

    def cause(self, effect: str, cause: str) -> None:
        """Say that one finding of the episode brought about another one.

        Raises:
            RecordingError: The episode is closed.
            InvalidInputError: A name is blank, or the causes would form a cycle.
        """
        link = checked(Cause, {"effect": effect, "cause": cause})
        self._record(causes=(*self.episode.causes, link))

    def succeed(self, resolution: str | None = None, **details: Any) -> Episode:
        """Close the episode as a success; see `close`."""
        return self.close(Outcome.SUCCESS, resolution, **details)

    def fail(self, resolution: str | None = None, **details: Any) -> Episode:
        """Close the episode as a failure; see `close`."""
        return self.close(Outcome.FAILURE, resolution, **details)

    def partial(self, resolution: str | None = None, **details: Any) -> Episode:
        """Close the episode as partly reached; see `close`."""
        return self.close(Outcome.PARTIAL, resolution, **details)

    def close(
        self,
        outcome: Outcome | str = Outcome.UNKNOWN,
        resolution: str | None = None,
        *,
        lessons: Iterable[str] = (),
        satisfaction: float | None = None,
        error: str | None = None,
        source: str = "",
        at: datetime | None = None,
    ) -> Episode:
        """Close the episode and finalise it.

        Args:
            outcome: success, partial, failure or unknown.
            resolution: What came out, in short.
            lessons: What to do or avoid next time.
            satisfaction: Estimated satisfaction of the user, 0..1.
            error: Label of the error that ended it.
            source: Who or what says how it ended; blank: the agent itself.
            at: When it ended, aware; None: now.

        Returns:
            The episode as it was closed.

        Raises:
            RecordingError: It is closed already.
            InvalidInputError: A value is refused; it stays open.
            ModelError: A model failed; the episode is kept with how it ended, and
                `episodes.finalize` finishes it.
        """
        self._refuse_closed()
        fields: dict[str, Any] = {
            "outcome": outcome,
            "resolution": resolution,
            "lessons": names(lessons),
            "error": error,
        }
        fields |= {"satisfaction": satisfaction, "source": source}
        fields["ended_at"] = self._end() if at is None else at
        closing = checked(Closing, fields)
        self._closed = True
        try:
            return self._journal.close(closing)
        except GraphMemError:
            self._closed = self._journal.is_ended
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._closed:
            return
        if fault is None:
            self._leave_open("left without saying how it ended")
            warnings.warn(
                f"episode {self.id!r} was left without saying how it ended and stays open: call succeed, fail,"
                " partial or close, or go on with episodes.resume",
                EpisodeLeftOpenWarning,
                stacklevel=2,
            )
            return
        try:
            if isinstance(fault, Exception):
                self._close_by(fault)
            else:
                # an interruption says nothing of the task: Ctrl-C, a cancelled task, a generator let go
                self._leave_open(type(fault).__name__)
        except GraphMemError as second:
            fault.add_note(f"and the episode {self.id!r} could not be closed: {second}")
        except Exception as second:  # noqa: BLE001 (a foreign model may raise anything, and must not hide the fault)
            fault.add_note(f"and the episode {self.id!r} could not be finalised: {type(second).__name__}")

    def _close_by(self, fault: Exception) -> None:
        """Close as a failure; what ended it is known in hindsight, so no step is said to have raised it."""
        label = label_of_exception(fault)
        steps = list(self.episode.steps)
        for raised, index, added in self._raised:
            if raised is fault:
                kept = tuple(name for name in steps[index].errors if name != added)
                steps[index] = steps[index].model_copy(update={"errors": kept})
        if tuple(steps) != self.episode.steps:
            self._record(steps=tuple(steps))
        self.close(Outcome.FAILURE, label, error=label, source="exception")

    def _note(self, fault: BaseException, index: int, label: str) -> None:
        if self._raised and self._raised[-1][0] is not fault:
            self._raised.clear()
        self._raised.append((fault, index, label))

    def _end(self) -> datetime:
        """This moment; the begin where that is later, since another machine's clock may run ahead."""
        now, begun = self._journal.now(), self.episode.started_at
        return now if begun is None else max(now, begun)

    def _record(self, **changes: Any) -> None:
        self._refuse_closed()
        self._journal.record(checked(Episode, {**_fields(self.episode), **changes}))

    def _replace_step(self, index: int, step: Step) -> None:
        steps = list(self.episode.steps)
        steps[index] = step
        self._record(steps=tuple(steps))

    def _leave_open(self, why: str) -> None:
        self._closed = True
        self._journal.interrupt(why)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise RecordingError(
                f"the recording of episode {self.id!r} is over: begin another one, or, where it is still open,"
                " go on with episodes.resume"
            )


def _fields(episode: Episode) -> dict[str, Any]:
    return {name: getattr(episode, name) for name in type(episode).model_fields}
