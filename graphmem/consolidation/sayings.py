"""From what was said by whom to the procedures that it makes: pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.values import HASH_LENGTH
from graphmem.models.fields import MAX_NAME_LENGTH, canonical_json
from graphmem.models.procedure import Procedure

NEWEST_SOURCES = 50
"""Messages that a procedure names."""

_BEGINNING = datetime.min.replace(tzinfo=UTC)

_Content = tuple[str, str, tuple[str, ...]]
"""Keys of name, occasion and steps: what makes two sayings the same."""


@dataclass(frozen=True, slots=True)
class Told:
    """An instruction, whoever gave it."""

    name: str
    steps: tuple[str, ...]
    when: str | None
    is_goal: bool
    rule: str

    @property
    def content(self) -> _Content:
        """Equal for equal instructions, however they are spelled."""
        return key_of(self.name), key_of(self.when) if self.when else "", tuple(map(key_of, self.steps))


@dataclass(frozen=True, slots=True)
class Saying:
    """An instruction as one message gives it."""

    told: Told
    message: str
    user: str | None
    at: datetime | None

    @property
    def order(self) -> tuple[datetime, str]:
        """By time, then by id."""
        return self.at or _BEGINNING, self.message


def told_procedures(sayings: Iterable[Saying], confirming: int, prefix: str) -> dict[str, Procedure]:
    """The procedures that these sayings make, by id.

    Args:
        sayings: All of them, in any order: the answer is the same. Of one instruction the first text stands.
        confirming: Users who must say the same before it is everybody's, at least 2.
        prefix: What the ids begin with.
    """
    by_owner: dict[str | None, dict[_Content, list[Saying]]] = defaultdict(dict)
    for content, said in _by_content(sayings).items():
        users = {one.user for one in said}
        for owner in (None,) if len(users) >= confirming else users:
            mine = said if owner is None else [one for one in said if one.user == owner]
            by_owner[owner][content] = mine
    found: dict[str, Procedure] = {}
    for owner, contents in by_owner.items():
        for thread in _threads(contents):
            older: str | None = None
            for said in thread:
                one = _procedure(said, owner, older, prefix)
                found[one.id] = one
                older = one.id
    return found


def _by_content(sayings: Iterable[Saying]) -> dict[_Content, list[Saying]]:
    found: dict[_Content, dict[str, Saying]] = defaultdict(dict)
    for saying in sayings:
        found[saying.told.content].setdefault(saying.message, saying)
    return {content: sorted(said.values(), key=_order) for content, said in found.items()}


def _threads(contents: Mapping[_Content, list[Saying]]) -> list[list[list[Saying]]]:
    """What was told for one goal, in the order in which it was said last; anything else stands alone."""
    goals: dict[str, list[list[Saying]]] = defaultdict(list)
    alone: list[list[list[Saying]]] = []
    for (name, _, _), said in contents.items():
        if said[0].told.is_goal:
            goals[name].append(said)
        else:
            alone.append([said])
    return [*(sorted(versions, key=_last) for versions in goals.values()), *alone]


def _procedure(said: Sequence[Saying], owner: str | None, older: str | None, prefix: str) -> Procedure:
    told = said[0].told
    newest = sorted(said, key=_order)[-NEWEST_SOURCES:]
    extra: dict[str, Any] = {"rule": told.rule, "users": len({one.user for one in said})}
    if told.is_goal:
        extra["goal"] = True
    identity = canonical_json([owner or "", *told.content])
    digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
    return Procedure(
        id=f"{prefix}{digest}",
        name=shortened(told.name),
        steps=tuple(map(shortened, told.steps)),
        when=told.when,
        sources=tuple(sorted(one.message for one in newest)),
        user_id=owner,
        origin="told",
        supersedes=older,
        extra=extra,
    )


def shortened(name: str) -> str:
    """A name of at most the length that names have."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1].rstrip()}…"


def _order(saying: Saying) -> tuple[datetime, str]:
    return saying.order


def _last(said: Sequence[Saying]) -> tuple[datetime, str]:
    return max(map(_order, said))
