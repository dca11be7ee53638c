"""The tables of a consolidation plan, for people: a kind of change each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Table = tuple[list[str], list[Sequence[Any]]]
"""Columns and rows."""


def plan_tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    """The tables that hold anything.

    Args:
        answer: `to_dict` of a plan; of a report, which names no single change, there are none.
    """
    for columns, rows in _tables(answer):
        if rows:
            yield columns, rows


def _tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    yield ["episode", "link", "to"], [(one["episode"], one["type"], one["to"]) for one in answer.get("links", ())]
    yield ["change", "relation", "confidence"], list(_relations(answer))
    yield (
        ["refused", "cycle"],
        [(f"{one['head']} {one['relation']} {one['tail']}", one["why"]) for one in answer.get("refusals", ())],
    )
    yield (
        ["cause", "effect", "episodes", "confidence"],
        [(one["cause"], one["effect"], one["episodes"], one["confidence"]) for one in answer.get("causes", ())],
    )
    yield (
        ["episode", "link", "next", "names"],
        [(one["episode"], one["type"], one["next"], ", ".join(one["names"])) for one in answer.get("order", ())],
    )
    yield (
        ["episode", "similar", "similarity"],
        [(one["episode"], one["similar"], one["similarity"]) for one in answer.get("similar", ())],
    )
    yield ["procedure", "origin", "user", "replaces"], list(map(_procedure, answer.get("taught", ())))


def _relations(answer: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    for change, name in (("learned", "learned"), ("taken back", "unlearned")):
        for one in answer.get(name, ()):
            yield change, f"{one['head']} {one['relation']} {one['tail']}", one["confidence"]


def _procedure(one: Mapping[str, Any]) -> Sequence[Any]:
    return " → ".join(one["steps"]), one["origin"], one.get("user_id", ""), one.get("supersedes", "")
