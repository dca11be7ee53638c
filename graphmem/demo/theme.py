"""What a theme of sample episodes is made of: tasks, actions with their words, and scenes of moves.

The data is in `graphmem.demo.themes`; how it becomes episodes is in `scenes` and `episodes`.
Every text may hold `{slot}` places, filled by `wording`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Language = Literal["en", "ko"]


@dataclass(frozen=True, slots=True)
class Action:
    """One action: the tools it uses and how a run tells of it."""

    tools: tuple[str, ...]
    why: tuple[str, ...]
    """Reasonings before the step."""
    good: tuple[str, ...]
    """Results when the step was effective."""
    bad: tuple[str, ...] = ("Nothing came of it.",)
    """Results when it was not."""
    arguments: Mapping[str, tuple[str | bool | int, ...]] = field(default_factory=dict)
    """Argument name to the values it is called with; a text may hold slots."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step before its words: what mining sees of it."""

    action: str
    concepts: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    effective: bool = True
    after: tuple[int, ...] | None = None
    """Indices within the scene; None is the move before."""
    tools_always: bool = False
    """Whether the record never leaves out its tools, since a planted pattern needs them."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Moves that belong together; `causes` are (effect, cause) pairs of their findings."""

    moves: tuple[Move, ...]
    causes: tuple[tuple[str, str], ...] = ()
    lessons: tuple[str, ...] = ()
    slots: Mapping[str, str] = field(default_factory=dict)
    """Slots that take another slot's value, as a template: what the scene is about."""


@dataclass(frozen=True, slots=True)
class Task:
    """A goal that runs repeat, told in one or more ways as (goal, trigger)."""

    id: str
    tellings: tuple[tuple[str, str], ...]
    slots: Mapping[str, str] = field(default_factory=dict)
    """Slots that this task settles."""


@dataclass(frozen=True, slots=True)
class Cast:
    """How many episodes of a theme carry the planted pattern `name`, by outcome."""

    name: str
    success: int
    partial: int
    failure: int

    @property
    def episodes(self) -> int:
        """All of them."""
        return self.success + self.partial + self.failure


@dataclass(frozen=True, slots=True)
class Theme:
    """A kind of work within a domain; `size` episodes of it are generated."""

    key: str
    """Start of the episodes' ids."""
    domain: str
    language: Language
    size: int
    cast: Cast
    other_success: float
    """Share of success among episodes without the planted pattern, 0..1."""
    versioned: bool
    """Whether its runs name an agent version."""
    tasks: tuple[Task, ...]
    one_offs: tuple[tuple[str, str], ...]
    """(goal, trigger) of runs that no other run repeats."""
    slots: Mapping[str, tuple[str, ...]]
    """Slot name to its values; `#` in a value becomes a digit."""
    actions: Mapping[str, Action]
    fillers: tuple[str, ...]
    """Actions that stand before and after a scene and belong to no planted pattern."""
    planted: tuple[Scene, ...]
    """Scenes that contain the planted pattern."""
    decoys: tuple[Scene, ...]
    """Scenes of the same labels that do not contain it."""
    stray_errors: tuple[str, ...]
    stray_concepts: tuple[str, ...]
    """Concepts of a step in a random walk."""
    ambient: tuple[str, ...]
    """Concepts that may come up in any step; none of them below a planted general concept."""
    endings: Mapping[str, tuple[str, ...]]
    """Outcome to resolutions."""
    lessons: Mapping[str, tuple[str, ...]]
    """Outcome to lessons of episodes without the planted pattern."""
    tags: tuple[str, ...]
