"""Arranges moves: random walks over a theme's actions, and a scene framed by unrelated steps.

A walk never puts two actions side by side that a planted pattern joins, so the planted patterns occur
where they were planted and nowhere else.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from graphmem.demo.planted import LEGACY_TRAP, PLANTED
from graphmem.demo.theme import Move, Scene, Theme


def _joined_by_planted() -> frozenset[tuple[str, str]]:
    return frozenset(
        (pattern.nodes[start][0], pattern.nodes[end][0])
        for pattern in (*PLANTED, LEGACY_TRAP)
        for start, end, edge in pattern.edges
        if edge == "NEXT"
    )


_BARRED = _joined_by_planted()


def walk(theme: Theme, rng: Random) -> Scene:
    """Returns two to six different actions in random order, some of them failing."""
    actions = _order(list(theme.actions), rng, rng.choice((2, 3, 3, 4, 4, 5, 6)))
    moves = [_stray_move(action, theme, rng) for action in actions]
    if len(moves) > 3 and rng.random() < 0.25 and _may_fork(actions):
        moves[1] = replace(moves[1], after=(0,))
        moves[2] = replace(moves[2], after=(0,))
        moves[3] = replace(moves[3], after=(1, 2))
    return Scene(tuple(moves))


def frame(scene: Scene, theme: Theme, rng: Random) -> Scene:
    """Returns the scene with up to two unrelated steps before it and one after it."""
    fillers = rng.sample(theme.fillers, k=min(len(theme.fillers), rng.choice((0, 1, 1, 2, 3))))
    before = [Move(action) for action in fillers[:2]]
    after = [Move(action) for action in fillers[2:]]
    shifted = [_shift(move, len(before)) for move in scene.moves]
    return replace(scene, moves=(*before, *shifted, *after))


def _order(actions: list[str], rng: Random, length: int) -> list[str]:
    rng.shuffle(actions)
    chosen: list[str] = []
    for action in actions:
        if len(chosen) == length:
            break
        if not chosen or (chosen[-1], action) not in _BARRED:
            chosen.append(action)
    return chosen


def _may_fork(actions: list[str]) -> bool:
    return (actions[0], actions[2]) not in _BARRED and (actions[1], actions[3]) not in _BARRED


def _stray_move(action: str, theme: Theme, rng: Random) -> Move:
    fails = rng.random() < 0.25
    return Move(
        action,
        concepts=(rng.choice(theme.stray_concepts),) if rng.random() < 0.35 else (),
        errors=(rng.choice(theme.stray_errors),) if fails and rng.random() < 0.7 else (),
        effective=not fails,
    )


def _shift(move: Move, by: int) -> Move:
    return move if move.after is None else replace(move, after=tuple(index + by for index in move.after))
