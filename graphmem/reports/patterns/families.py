"""Which patterns are shown and which are folded under one over nearly the same episodes: pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphmem.models.pattern import Pattern
from graphmem.reports.patterns.values import CLAIMS, Claim

MANY_SHARED = 0.8
"""Share of common episodes (Jaccard) from which a pattern is folded under one that is shown already."""


class _Places(NamedTuple):
    """A set of episodes as one number, a bit each: two sets are compared some thousand episodes a microsecond."""

    bits: int
    size: int


def claim_of(pattern: Pattern) -> Claim:
    """What a pattern is shown as; a test that claims no outcome shows a pattern as merely recurrent."""
    match pattern.tier, pattern.polarity:
        case (("replicated" | "significant"), "positive"):
            return "success"
        case (("replicated" | "significant"), "negative"):
            return "failure"
        case "candidate", _:
            return "candidate"
        case _:
            return "none"


def in_order(patterns: Iterable[Pattern], outcomes: Counter[str]) -> list[Pattern]:
    """Patterns as a reader should meet them.

    By claim; within one the replicated first, then the largest difference that its interval leaves sure,
    then the most specific. Patterns without a claim stand by how near they came to one, by their adjusted
    p. Candidates stand by how far they lie from the rate of their domain.

    Args:
        patterns: Of one domain.
        outcomes: Closed episodes of the domain by how they ended.
    """

    def place(pattern: Pattern) -> tuple[float | str, ...]:
        claim = claim_of(pattern)
        specific = (-len(pattern.nodes), sum(node.generalised for node in pattern.nodes))
        if claim in ("success", "failure"):
            strength: tuple[float, ...] = (pattern.tier != "replicated", -sure_difference(pattern), *specific)
        elif claim == "candidate":
            strength = (-abs(deviation(pattern, outcomes)), *specific)
        else:
            strength = (2.0 if pattern.p_outcome_adjusted is None else pattern.p_outcome_adjusted,)
        return (CLAIMS.index(claim), *strength, -pattern.support, *specific, pattern.id)

    return sorted(patterns, key=place)


def sure_difference(pattern: Pattern) -> float:
    """The least difference of success that the interval leaves, in the direction claimed; may be negative."""
    if pattern.risk_interval is None:
        return -1.0
    low, high = pattern.risk_interval
    return -high if pattern.polarity == "negative" else low


def fold_families(patterns: Sequence[Pattern]) -> list[tuple[Pattern, list[Pattern]]]:
    """The patterns that differ in their episodes, each with those folded under it.

    Args:
        patterns: Best first: the first of a family heads it.
    """
    place = {name: at for at, name in enumerate({name: None for one in patterns for name in one.episodes})}
    heads: list[tuple[_Places, Pattern, list[Pattern]]] = []
    alike: dict[int, list[int]] = {}
    for pattern in patterns:
        episodes = _places((place[name] for name in pattern.episodes), len(place))
        about = _magnitude(episodes.size)
        near = sorted(at for step in (-1, 0, 1) for at in alike.get(about + step, ()))
        head = next((at for at in near if _are_alike(heads[at][0], episodes)), None)
        if head is None:
            alike.setdefault(about, []).append(len(heads))
            heads.append((episodes, pattern, []))
        else:
            heads[head][2].append(pattern)
    return [(head, family) for _, head, family in heads]


def deviation(pattern: Pattern, outcomes: Counter[str]) -> float:
    """How far a pattern's successes lie from what its domain's rate would give.

    (successes - n r) / sqrt(n r (1 - r)), with n the pattern's known outcomes and r the domain's success
    rate: the normal approximation of the binomial, uncorrected, for an order and nothing else.
    """
    known = outcomes.total() - outcomes["unknown"]
    mine = pattern.support - pattern.outcomes.unknown
    rate = outcomes["success"] / known if known else 0.0
    spread = math.sqrt(mine * rate * (1 - rate))
    return (pattern.outcomes.success - mine * rate) / spread if spread else 0.0


def _magnitude(size: int) -> int:
    """Sets that share enough to be one family are of the same magnitude or of the next one."""
    return math.floor(math.log(max(size, 1)) / -math.log(MANY_SHARED))


def _are_alike(one: _Places, other: _Places) -> bool:
    if min(one.size, other.size) < MANY_SHARED * max(one.size, other.size):
        return False
    shared = (one.bits & other.bits).bit_count()
    return shared >= MANY_SHARED * (one.size + other.size - shared)


def _places(places: Iterable[int], most: int) -> _Places:
    held, size = bytearray(most // 8 + 1), 0
    for place in places:
        held[place >> 3] |= 1 << (place & 7)
        size += 1
    return _Places(int.from_bytes(held, "little"), size)
