"""Turns one move into a step of an episode record: its words, arguments, tools, findings and time."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random

from graphmem.demo.casting import Role
from graphmem.demo.theme import Action, Move, Theme
from graphmem.demo.themes.hand_over import HAND_OVERS
from graphmem.demo.wording import fill

Record = dict[str, object]

SEOUL_AHEAD = timedelta(hours=9)
_SEOUL = timezone(SEOUL_AHEAD)
_STRAY_TOOLS = {"en": ("calculator", "calendar", "notes"), "ko": ("계산기", "달력", "메모")}


def local_time(when: datetime, theme: Theme) -> str:
    """Returns the time as ISO 8601, in Seoul's offset for Korean themes and in UTC for others."""
    if theme.language == "ko":
        return when.astimezone(_SEOUL).isoformat()
    return when.isoformat().replace("+00:00", "Z")


def step_record(move: Move, role: Role, slots: dict[str, str], told: datetime | None, rng: Random) -> Record:
    """Returns the step's record; `told` is its time, None when the record leaves it out."""
    theme = role.theme
    step: Record = {"action": move.action} | _words(move, theme, slots, rng)
    if not move.effective:
        step["effective"] = False
    tools = _tools(move, role, rng)
    if tools:
        step["tools"] = tools
    concepts = [concept.format_map(slots) for concept in move.concepts]
    if rng.random() < 0.12:
        concepts.append(rng.choice(theme.ambient))
    named = {"concepts": list(dict.fromkeys(concepts)), "errors": list(move.errors), "fixes": list(move.fixes)}
    step |= {field: names for field, names in named.items() if names}
    if move.after is not None:
        step["after"] = list(move.after)
    if told is not None:
        step["at"] = local_time(told, theme)
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


def _tools(move: Move, role: Role, rng: Random) -> list[str]:
    kept = role.kind == "planted" or rng.random() < 0.85
    tools = list(_action(move, role.theme).tools) if kept else []
    if rng.random() < 0.08:
        tools.append(rng.choice(_STRAY_TOOLS[role.theme.language]))
    return list(dict.fromkeys(tools))


def _action(move: Move, theme: Theme) -> Action:
    name, hand_over = HAND_OVERS[theme.language]
    return hand_over if move.action == name else theme.actions[move.action]
