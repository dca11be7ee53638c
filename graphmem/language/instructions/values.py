"""An instruction as a text states it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instruction:
    """Steps that somebody is told to follow."""

    name: str
    """What the steps are for, such as `deploy`; else the steps themselves."""
    steps: tuple[str, ...]
    """In order, as written, without the words that join them."""
    when: str | None
    """The occasion, where it is no goal of its own."""
    is_goal: bool
    """Whether the name is a goal, which other steps may come to serve; else the steps are all there is."""
    sentence: str
    """The evidence, as written."""
    rule: str
    """Name of the rule that found it, such as `en.goal`."""


def of_steps(steps: tuple[str, ...], sentence: str, rule: str, when: str | None = None) -> Instruction:
    """An instruction that serves no goal but itself."""
    return Instruction(" → ".join(steps), steps, when, is_goal=False, sentence=sentence, rule=rule)


def for_goal(goal: str, steps: tuple[str, ...], sentence: str, rule: str) -> Instruction:
    """An instruction for a goal."""
    return Instruction(goal, steps, goal, is_goal=True, sentence=sentence, rule=rule)
