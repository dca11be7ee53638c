"""Turns one move into a step of an episode record: its words, arguments, tools, findings and time."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random

from graphmem.demo.theme import Action, Move, Theme
from graphmem.demo.themes.hand_over import HAND_OVERS
from graphmem.demo.wording import fill

Record = dict[str, object]

SEOUL_AHEAD = timedelta(hours=9)
_SEOUL = timezone(SEOUL_AHEAD)
_TOOLS_NAMED = 0.75
"""Share of an episode's actions whose tools are named."""
_STRAY_TOOLS = {"en": ("calculator", "calendar", "notes"), "ko": ("계산기", "달력", "메모")}


def local_time(when: datetime, theme: Theme) -> str:
    """Returns the time as ISO 8601, in Seoul's offset for Korean themes and in UTC for others."""
    if theme.language == "ko":
        return when.astimezone(_SEOUL).isoformat()
    return when.isoformat().replace("+00:00", "Z")


def without_tools(moves: tuple[Move, ...], rng: Random) -> frozenset[str]:
    """Returns the actions whose tools an episode leaves out, at each of their steps.

    Were tools always named, each pattern would drag the tools of its steps along.
    """
    named = {move.action: move.tools_always for move in moves}
    return frozenset(action for action, always in named.items() if rng.random() > _TOOLS_NAMED and not always)


def step_record(
    move: Move,
    theme: Theme,
    slots: dict[str, str],
    rng: Random,
    *,
    at: datetime | None,
    bare: frozenset[str],
) -> Record:
    """Returns the step's record.

    Args:
        move: what happens.
        theme: where its words come from.
        slots: values of the places in its words.
        rng: chooses among words and leaves some out.
        at: its time, None when the record leaves it out.
        bare: actions whose tools the record leaves out.
    """
    step: Record = {"action": move.action} | _words(move, theme, slots, rng)
    if not move.effective:
        step["effective"] = False
    tools = [] if move.action in bare else list(_action(move, theme).tools)
    if rng.random() < 0.08:
        tools.append(rng.choice(_STRAY_TOOLS[theme.language]))
    if tools:
        step["tools"] = list(dict.fromkeys(tools))
    concepts = [concept.format_map(slots) for concept in move.concepts]
    if rng.random() < 0.12:
        concepts.append(rng.choice(theme.ambient))
    named = {"concepts": list(dict.fromkeys(concepts)), "errors": list(move.errors), "fixes": list(move.fixes)}
    step |= {field: names for field, names in named.items() if names}
    if move.after is not None:
        step["after"] = list(move.after)
    if at is not None:
        step["at"] = local_time(at, theme)
    return step


def _words(move: Move, theme: Theme, slots: dict[str, str], rng: Random) -> Record:
    action = _action(move, theme)
    words: Record = {}
    if rng.random() < 0.9:
        words["reasoning"] = fill(rng.choice(action.why), slots)
    if rng.random() < 0.9:
        words["result"] = fill(rng.choice(_results(move, action)), slots)
    if action.arguments and rng.random() < 0.6:
        words["arguments"] = {
            name: fill(value, slots) if isinstance(value := rng.choice(values), str) else value
            for name, values in action.arguments.items()
        }
    return words


def _results(move: Move, action: Action) -> tuple[str, ...]:
    return action.good if move.effective and not move.errors else action.bad


def _action(move: Move, theme: Theme) -> Action:
    name, hand_over = HAND_OVERS[theme.language]
    return hand_over if move.action == name else theme.actions[move.action]
