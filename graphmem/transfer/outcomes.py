"""What a foreign value says about how a run ended: by a map, by a scale, or by the plain default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.errors import InvalidInputError
from graphmem.models.episode import Outcome
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.fields import scalar_text

OutcomeRule = Callable[[Any], Outcome]
"""Outcome of a value; raises RecordFault for a value it has no answer for."""


def outcome_rule(mapping: str | None = None, scale: str | None = None) -> OutcomeRule:
    """The rule that the command's options ask for.

    Args:
        mapping: `value=outcome,...`, such as `resolved=success,5=failure`.
        scale: `MIN:MAX`.

    Returns:
        A function of the value; None (absent) is unknown under every rule.

    Raises:
        InvalidInputError: An option is malformed, or both are given.
    """
    if mapping is not None and scale is not None:
        raise InvalidInputError("give an outcome map or an outcome scale, not both")
    if mapping is not None:
        return _Mapped(_read_map(mapping))
    if scale is not None:
        return _Scaled(*_read_scale(scale))
    return plain_outcome


def plain_outcome(value: Any) -> Outcome:
    """The default: true, 1 and "success"; false, 0 and "failure"; between 0 and 1 partial.

    Raises:
        RecordFault: Any other value.
    """
    match value:
        case None:
            return Outcome.UNKNOWN
        case "success" | "failure":
            return Outcome(value)
        case bool() | int() | float() if 0 <= value <= 1:
            return _place(value, 0, 1)
        case _:
            raise RecordFault(
                "outcome is none of true, false, 0 to 1, success and failure: say what it means with "
                "--outcome-map or --outcome-scale"
            )


@dataclass(frozen=True)
class _Mapped:
    outcomes: Mapping[str, Outcome]

    def __call__(self, value: Any) -> Outcome:
        if value is None:
            return Outcome.UNKNOWN
        found = self.outcomes.get(scalar_text(value, "outcome"))
        if found is None:
            raise RecordFault("outcome is a value that --outcome-map does not name")
        return found


@dataclass(frozen=True)
class _Scaled:
    low: float
    high: float

    def __call__(self, value: Any) -> Outcome:
        if value is None:
            return Outcome.UNKNOWN
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise RecordFault("outcome is not a number, as --outcome-scale needs")
        if not self.low <= value <= self.high:
            raise RecordFault("outcome lies outside --outcome-scale")
        return _place(value, self.low, self.high)


def _place(value: float, low: float, high: float) -> Outcome:
    if value == high:
        return Outcome.SUCCESS
    return Outcome.FAILURE if value == low else Outcome.PARTIAL


def _read_map(text: str) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    for part in text.split(","):
        value, sign, outcome = part.rpartition("=")
        if not sign or outcome.strip() not in Outcome.__members__.values():
            raise InvalidInputError(
                f"--outcome-map: {part!r} is not VALUE=OUTCOME with success, partial, failure or unknown"
            )
        found[value.strip()] = Outcome(outcome.strip())
    return found


def _read_scale(text: str) -> tuple[float, float]:
    low, _, high = text.partition(":")
    try:
        bounds = float(low), float(high)
    except ValueError:
        raise InvalidInputError(f"--outcome-scale {text!r} is not MIN:MAX, as in 1:5") from None
    if not bounds[0] < bounds[1]:
        raise InvalidInputError(f"--outcome-scale {text!r}: the minimum must be below the maximum")
    return bounds
