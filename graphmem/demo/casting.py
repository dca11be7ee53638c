"""Decides what each sample episode is: its task, whether it carries the planted pattern, how it ends.

Counts are dealt, not drawn, so prevalence and success rates hold exactly for every seed; each task gets
its part of planted and other runs, so that they can be compared within a task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Literal, TypeVar

from graphmem.demo.theme import Task, Theme

_T = TypeVar("_T")
Kind = Literal["planted", "decoy", "walk", "empty"]
Outcome = Literal["success", "partial", "failure", "unknown"]

_UNKNOWN_SHARE = 0.06
_PARTIAL_SHARE = 0.1
_ONE_OFF_SHARE = 0.14
_OPEN = ("refund", "travel")
"""Themes with one episode that is still open."""
_EMPTY = ("bug", "exchange")
"""Themes with one episode that was closed before its first step."""


@dataclass(frozen=True, slots=True)
class Role:
    """One episode before it has steps; `outcome` None means still open, `task` None a one-off."""

    theme: Theme
    kind: Kind
    outcome: Outcome | None
    task: Task | None = None


def cast_theme(theme: Theme, rng: Random) -> list[Role]:
    """Returns the roles of one theme, `theme.size` of them."""
    planted = _shuffled([Role(theme, "planted", outcome) for outcome in _planted_outcomes(theme)], rng)
    others = _shuffled(_other_outcomes(theme), rng)
    decoys = [Role(theme, "decoy", outcome) for outcome in others[: len(others) // 2]]
    walks = [Role(theme, "walk", outcome) for outcome in others[len(others) // 2 :]]
    one_offs = min(len(walks) - 1, round(theme.size * _ONE_OFF_SHARE)) if theme.one_offs else 0
    repeated = _deal([*planted, *decoys, *walks[one_offs:]], theme.tasks)
    return [*repeated, *_mark_unfinished(walks[:one_offs])]


def _planted_outcomes(theme: Theme) -> list[Outcome]:
    cast = theme.cast
    return _repeated({"success": cast.success, "partial": cast.partial, "failure": cast.failure})


def _other_outcomes(theme: Theme) -> list[Outcome]:
    count = theme.size - theme.cast.episodes
    success = round(count * theme.other_success)
    unknown = round(count * _UNKNOWN_SHARE)
    partial = round(count * _PARTIAL_SHARE)
    failure = count - success - unknown - partial
    return _repeated({"success": success, "unknown": unknown, "partial": partial, "failure": failure})


def _repeated(counts: dict[Outcome, int]) -> list[Outcome]:
    return [outcome for outcome, count in counts.items() for _ in range(count)]


def _shuffled(items: list[_T], rng: Random) -> list[_T]:
    return rng.sample(items, k=len(items))


def _deal(roles: list[Role], tasks: tuple[Task, ...]) -> list[Role]:
    return [replace(role, task=tasks[index % len(tasks)]) for index, role in enumerate(roles)]


def _mark_unfinished(one_offs: list[Role]) -> list[Role]:
    if not one_offs:
        return []
    first, *rest = one_offs
    if first.theme.key in _OPEN:
        first = replace(first, outcome=None)
    elif first.theme.key in _EMPTY:
        first = replace(first, kind="empty", outcome="failure")
    return [first, *rest]
