"""What `--outcome-map` and `--outcome-scale` say."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import InvalidInputError
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.fields import parse_assignments
from graphmem.transfer.outcomes import outcome_rule


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("resolved", "success"),
        (5, "failure"),
        (5.0, "failure"),
        ("5", "failure"),
        ("", "unknown"),
        (True, "partial"),
    ],
)
def test_a_map_names_values_as_they_are_written(value: Any, outcome: str) -> None:
    rule = outcome_rule("resolved=success, 5=failure,=unknown,true=partial")
    assert rule(value) == outcome


@pytest.mark.parametrize("value", ["other", 1, False, [], 0])
def test_a_value_that_the_map_does_not_name_is_refused(value: Any) -> None:
    with pytest.raises(RecordFault):
        outcome_rule("resolved=success")(value)


@pytest.mark.parametrize(("value", "outcome"), [(5, "success"), (1, "failure"), (1.5, "partial"), (4, "partial")])
def test_a_scale_has_success_at_its_top_and_failure_at_its_bottom(value: float, outcome: str) -> None:
    assert outcome_rule(scale="1:5")(value) == outcome


@pytest.mark.parametrize("value", [0, 6, "5", True, []])
def test_a_value_off_the_scale_is_refused(value: Any) -> None:
    with pytest.raises(RecordFault):
        outcome_rule(scale="1:5")(value)


def test_an_absent_outcome_is_unknown_under_every_rule() -> None:
    assert {rule(None) for rule in (outcome_rule(), outcome_rule("a=success"), outcome_rule(scale="0:1"))} == {
        "unknown"
    }


@pytest.mark.parametrize(
    "given", [("a", None), ("a=great", None), (None, "1"), (None, "5:1"), (None, "a:b"), ("a=success", "0:1")]
)
def test_a_malformed_rule_is_refused_at_once(given: tuple[str | None, str | None]) -> None:
    with pytest.raises(InvalidInputError):
        outcome_rule(*given)


def test_field_assignments_name_known_fields() -> None:
    assert parse_assignments(["messages=traj", "outcome=a=b"]) == {"messages": "traj", "outcome": "a=b"}
    for bad in ("messages", "messages=", "colour=red"):
        with pytest.raises(InvalidInputError, match="--field"):
            parse_assignments([bad])
