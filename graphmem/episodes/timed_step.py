"""A step that was recorded, and as a context manager one that is timed while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from graphmem.episodes.tool_errors import label_of_exception
from graphmem.errors import GraphMemError
from graphmem.models.checking import checked
from graphmem.models.episode import Step

DURATION = "duration_ms"
"""In a step's `extra`: milliseconds that its block took."""


class RecordedStep:
    """One step of a running recording.

    Within its `with`, what is assigned to `result`, `effective`, `concepts`, `errors` or `fixes` is stored when
    the block ends, with the milliseconds it took. An exception marks the step ineffective, with the error
    among its errors, and goes on.
    """

    def __init__(
        self,
        index: int,
        step: Step,
        store: Callable[[int, Step], None],
        note: Callable[[BaseException, int, str], None],
        now: Callable[[], datetime],
    ) -> None:
        self.index = index
        """0-based place in the episode."""
        self.result: str = step.result
        """What came back."""
        self.effective: bool = step.effective
        """Whether it did what it was meant to do."""
        self.concepts: Iterable[str] = step.concepts
        """Names of what it is about."""
        self.errors: Iterable[str] = step.errors
        """Names of the symptoms it raised."""
        self.fixes: Iterable[str] = step.fixes
        """Names of the causes it removed."""
        self._step = step
        self._store = store
        self._note = note
        self._now = now
        self._begun: datetime | None = None

    def __enter__(self) -> Self:
        self._begun = self._now()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if isinstance(fault, Exception):
                self._mark(fault)
            self._store(self.index, checked(Step, self._fields()))
        except GraphMemError as second:
            if fault is None:
                raise
            fault.add_note(f"and step {self.index} could not be stored: {second}")

    def _mark(self, fault: Exception) -> None:
        """Say that the step failed, and by what."""
        self.effective = False
        label, errors = label_of_exception(fault), names(self.errors)
        if isinstance(errors, tuple) and label not in errors:
            self.errors = (*errors, label)
            self._note(fault, self.index, label)

    def _fields(self) -> dict[str, Any]:
        fields = {name: getattr(self._step, name) for name in type(self._step).model_fields}
        fields |= {"result": self.result, "effective": self.effective, "concepts": names(self.concepts)}
        fields |= {"errors": names(self.errors), "fixes": names(self.fixes)}
        if self._begun is not None:
            took = round((self._now() - self._begun).total_seconds() * 1000)
            fields["extra"] = {**self._step.extra, DURATION: took}
        return fields


def names(given: object) -> object:
    """An iterable as a tuple; a text stays one, and is refused, since its letters are no names."""
    return tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else given
