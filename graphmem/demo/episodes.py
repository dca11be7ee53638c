"""Turns roles into episode records of the import format: setting, ending, times, people and gaps.

Real records are uneven, so optional fields are missing here and there: never what makes up a planted
pattern.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random

from graphmem.demo.casting import Role, cast_theme
from graphmem.demo.people import USERS, session_id
from graphmem.demo.scenes import frame, walk
from graphmem.demo.steps import SEOUL_AHEAD, local_time, step_record, without_tools
from graphmem.demo.theme import Move, Scene, Theme
from graphmem.demo.themes import THEMES
from graphmem.demo.themes.hand_over import HAND_OVERS
from graphmem.demo.wording import draw_slots, fill

Record = dict[str, object]

_FIRST_DAY = datetime(2026, 3, 2, tzinfo=UTC)
_DAYS = 84
_RELEASE_DAY = 42
"""From this day on runs of versioned themes are v2."""
_SATISFACTION = {"success": (0.7, 1.0), "partial": (0.4, 0.7), "failure": (0.0, 0.4), "unknown": (0.3, 0.7)}
_ONE_OFF_ENDINGS = {
    "en": {
        "success": ("Done as asked.", "Settled in one go."),
        "partial": ("Mostly done; one point is open.",),
        "failure": ("Could not be done.", "Given up after several attempts."),
    },
    "ko": {
        "success": ("요청대로 처리했다.", "문의가 해결되었다."),
        "partial": ("대부분 처리했고 한 가지가 남았다.",),
        "failure": ("처리하지 못했다.", "여러 번 시도했으나 해결하지 못했다."),
    },
}
_NOTHING_DONE = {"en": "Closed before the first step.", "ko": "시작하기 전에 종료되었다."}


@dataclass(frozen=True, slots=True)
class SampleEpisode:
    """An episode's record, with what its record may leave out."""

    record: Record
    start: datetime
    day: int
    user: str | None


def sample_episodes(rng: Random) -> list[SampleEpisode]:
    """Returns all sample episodes, oldest first."""
    episodes = [episode for theme in THEMES for episode in _theme_episodes(theme, rng)]
    return sorted(episodes, key=lambda episode: (episode.start, str(episode.record["id"])))


def _theme_episodes(theme: Theme, rng: Random) -> Iterator[SampleEpisode]:
    roles = cast_theme(theme, rng)
    rng.shuffle(roles)
    for number, role in enumerate(roles, start=1):
        yield _episode(f"{theme.key}-{number:03}", role, rng)


def _episode(episode_id: str, role: Role, rng: Random) -> SampleEpisode:
    theme = role.theme
    scene = _scene(role, rng)
    slots = _slots(role, scene, rng)
    day = _day(role, rng)
    start = _start(theme, day, rng)
    user = rng.choice(USERS[theme.language]) if rng.random() < 0.85 else None
    timed = rng.random() < 0.9
    step_times = _step_times(start, len(scene.moves), rng)
    told_times = step_times[:-1] if timed and rng.random() < 0.5 else [None] * len(scene.moves)
    record: Record = {"type": "episode", "id": episode_id}
    record |= _setting(role, slots, day, user, rng)
    record |= _ending(role, scene, slots, rng)
    if timed:
        record |= _times(start, step_times[-1], role, rng)
    bare = without_tools(scene.moves, rng)
    record["steps"] = [
        step_record(move, theme, slots, rng, at=at, bare=bare)
        for move, at in zip(scene.moves, told_times, strict=True)
    ]
    if scene.causes:
        record["causes"] = [{"effect": effect, "cause": cause} for effect, cause in scene.causes]
    if rng.random() < 0.1:
        record["extra"] = {"channel": rng.choice(("chat", "mail", "phone"))}
    return SampleEpisode(record, start, day, user)


def _day(role: Role, rng: Random) -> int:
    """Returns the day; v2 uses the planted procedures more often than v1, so most of them come late."""
    late = rng.random() < (0.6 if role.kind == "planted" else 0.45)
    return rng.randrange(_RELEASE_DAY, _DAYS) if late else rng.randrange(_RELEASE_DAY)


def _start(theme: Theme, day: int, rng: Random) -> datetime:
    """Returns a time of that day; only incidents come at night."""
    first, last = (0, 24) if theme.domain == "ops" else (8, 20)
    midnight = _FIRST_DAY - (SEOUL_AHEAD if theme.language == "ko" else timedelta())
    minute = rng.randrange(first * 60, last * 60)
    return midnight + timedelta(days=day, minutes=minute, seconds=rng.randrange(60))


def _slots(role: Role, scene: Scene, rng: Random) -> dict[str, str]:
    drawn = draw_slots(rng, role.theme.slots)
    drawn |= role.task.slots if role.task else {}
    return drawn | {name: template.format_map(drawn) for name, template in scene.slots.items()}


def _scene(role: Role, rng: Random) -> Scene:
    theme = role.theme
    match role.kind:
        case "planted":
            scene = frame(rng.choice(theme.planted), theme, rng)
        case "decoy":
            scene = frame(rng.choice(theme.decoys), theme, rng)
        case "walk":
            scene = walk(theme, rng)
        case "empty":
            return Scene(())
    if _hands_over(role, rng):
        name, _ = HAND_OVERS[theme.language]
        return replace(scene, moves=(*scene.moves, Move(name)))
    return scene


def _hands_over(role: Role, rng: Random) -> bool:
    likely = {"failure": 0.55, "partial": 0.35, "success": 0.06}
    return rng.random() < likely.get(role.outcome or "", 0.1)


def _setting(role: Role, slots: dict[str, str], day: int, user: str | None, rng: Random) -> Record:
    theme = role.theme
    goal, trigger = rng.choice(role.task.tellings if role.task else theme.one_offs)
    record: Record = {"domain": theme.domain, "goal": fill(goal, slots)}
    if role.task:
        record["task"] = role.task.id
    if rng.random() < 0.75:
        record["trigger"] = fill(trigger, slots)
    if theme.versioned:
        record["variant"] = "v1" if day < _RELEASE_DAY else "v2"
    if user:
        record["user"] = user
        if rng.random() < 0.45:
            record["session"] = session_id(user, day)
    if rng.random() < 0.5:
        record["tags"] = rng.sample(theme.tags, k=rng.choice((1, 2)))
    return record


def _ending(role: Role, scene: Scene, slots: dict[str, str], rng: Random) -> Record:
    if role.outcome is None:
        return {"state": "open"}
    record: Record = {}
    if role.outcome != "unknown" or rng.random() < 0.5:
        record["outcome"] = role.outcome
    endings = role.theme.endings if role.task else _ONE_OFF_ENDINGS[role.theme.language]
    if role.kind == "empty":
        record["resolution"] = _NOTHING_DONE[role.theme.language]
    elif role.outcome in endings and rng.random() < 0.8:
        record["resolution"] = fill(rng.choice(endings[role.outcome]), slots)
    lessons = _lessons(role, scene, rng)
    if lessons:
        record["lessons"] = [fill(lesson, slots) for lesson in lessons]
    if rng.random() < 0.35:
        record["satisfaction"] = round(rng.uniform(*_SATISFACTION[role.outcome]), 2)
    return record


def _lessons(role: Role, scene: Scene, rng: Random) -> tuple[str, ...]:
    if role.kind == "planted" and scene.lessons and rng.random() < 0.5:
        return scene.lessons
    known = role.theme.lessons.get(role.outcome or "", ())
    return (rng.choice(known),) if known and role.task and rng.random() < 0.3 else ()


def _step_times(start: datetime, count: int, rng: Random) -> list[datetime]:
    times = [start]
    for _ in range(count):
        times.append(times[-1] + timedelta(seconds=rng.randint(10, 240)))
    return times


def _times(start: datetime, end: datetime, role: Role, rng: Random) -> Record:
    if role.outcome is None:
        return {"started_at": local_time(start, role.theme)}
    if role.theme.domain == "ops" and rng.random() < 0.5:
        return {"started_at": _milliseconds(start), "ended_at": _milliseconds(end)}
    return {"started_at": local_time(start, role.theme), "ended_at": local_time(end, role.theme)}


def _milliseconds(when: datetime) -> int:
    return int(when.timestamp()) * 1000
