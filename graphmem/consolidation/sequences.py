"""Sequences of steps that follow one another in episodes, and how these ended: pure.

Steps without effect are left out, and one that is repeated at once counts once: what is taught is what worked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.consolidation.sayings import shortened
from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.values import HASH_LENGTH
from graphmem.graph.records import Value
from graphmem.models.fields import canonical_json
from graphmem.models.procedure import Procedure

FEWEST_STEPS = 2
NEWEST_SOURCES = 50
"""Episodes that a procedure names."""

_BEGINNING = datetime.min.replace(tzinfo=UTC)
_COUNTED = {"success": "successes", "partial": "partials", "failure": "failures"}

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """An episode in which steps were taken."""

    episode: str
    task: str
    """What makes it independent of others."""
    user: str | None
    outcome: str
    properties: Mapping[str, Value] = field(compare=False, repr=False, default_factory=dict)

    @property
    def order(self) -> tuple[datetime, str]:
        """By its begin, then by id."""
        began = self.properties.get("started_at")
        return began if isinstance(began, datetime) else _BEGINNING, self.episode


class Sequences:
    """Counts every run of steps up to a length, and longer ones that are asked for."""

    def __init__(self, most_steps: int, followed: Collection[Keys]) -> None:
        """Prepare.

        Args:
            most_steps: Longest sequence that is counted unasked; 0: none is.
            followed: Sequences that are counted whatever their length.
        """
        self._most = most_steps
        self._followed = frozenset(followed)
        self._lengths = frozenset(map(len, self._followed)) | frozenset(range(FEWEST_STEPS, most_steps + 1))
        self.uses: dict[Keys, list[Use]] = {}
        self.names: dict[Keys, tuple[str, ...]] = {}

    def add(self, use: Use, steps: Sequence[tuple[str, str, bool]]) -> None:
        """Count an episode.

        Args:
            use: The episode.
            steps: (key, name, whether it had an effect) in their order.
        """
        taken = _collapsed(steps)
        for start, length in _places(len(taken), self._lengths):
            run = taken[start : start + length]
            keys = tuple(key for key, _ in run)
            if (length > self._most or length < FEWEST_STEPS) and keys not in self._followed:
                continue
            uses = self.uses.setdefault(keys, [])
            if not uses or uses[-1].episode != use.episode:
                uses.append(use)
                self.names.setdefault(keys, tuple(name for _, name in run))

    def counted(self, procedure: Procedure) -> Procedure:
        """A procedure with the outcomes of the episodes in which its steps follow one another.

        One that is a user's own is counted by his episodes alone.
        """
        uses = self.uses.get(keys_of(procedure), ())
        mine = [use for use in uses if procedure.user_id in {None, use.user}]
        return procedure.model_copy(update=outcome_counts(mine))


def repeated_procedures(
    sequences: Sequences, policy: ConsolidationPolicy, prefix: str, mined: Collection[Keys]
) -> dict[str, Procedure]:
    """The procedures that were repeated with success often enough, by id.

    Args:
        sequences: All that was counted.
        policy: How often, over how many tasks.
        prefix: What the ids begin with.
        mined: Steps that a tested pattern teaches already.
    """
    fit = {
        keys: uses
        for keys, uses in sequences.uses.items()
        if len(keys) >= FEWEST_STEPS and keys not in mined and _is_enough(uses, policy)
    }
    # a part of a longer way is taught with it
    parts = {part for keys in fit for part in parts_of(keys)}
    found = (_procedure(sequences.names[keys], keys, fit[keys], prefix) for keys in sorted(fit.keys() - parts))
    return {one.id: one for one in found}


def kept_procedures(
    known: Iterable[Procedure], found: Mapping[str, Procedure], sequences: Sequences, mined: Collection[Keys]
) -> dict[str, Procedure]:
    """The found procedures, and those known before with the counts of now: failures lower rates and hide nothing.

    What nobody did, what a tested pattern teaches, and what was one user's and is everybody's now, goes; what was
    everybody's and is done by one user now becomes his. A known one that is part of a found one of the same owner
    has become a longer way: it is the older version of it.
    """
    wanted = dict(found)
    shared = {keys_of(one) for one in found.values()}
    longer = {part: one for one in found.values() for part in parts_of(keys_of(one))}
    for one in sorted(known, key=lambda one: (len(one.steps), one.id)):
        keys = keys_of(one)
        uses = sequences.uses.get(keys, ())
        if one.id in wanted or keys in shared or keys in mined or not uses:
            continue
        if one.user_id is None and _only_user(uses) is not None:
            # those who confirmed it were erased: it is his alone again
            one = _procedure(sequences.names[keys], keys, uses, one.id[:-HASH_LENGTH])  # noqa: PLW2901 (the same procedure, of its owner)
        wanted[one.id] = sequences.counted(one).model_copy(update={"supersedes": None})
        newer = longer.get(keys)
        if newer is not None and newer.user_id == one.user_id:
            wanted[newer.id] = wanted[newer.id].model_copy(update={"supersedes": one.id})
    return wanted


def keys_of(procedure: Procedure) -> Keys:
    """What a procedure's steps are matched by."""
    return tuple(map(key_of, procedure.steps))


def outcome_counts(uses: Iterable[Use]) -> dict[str, int]:
    """Successes, partials and failures; unknown outcomes are not counted."""
    counts = dict.fromkeys(_COUNTED.values(), 0)
    for use in uses:
        if use.outcome in _COUNTED:
            counts[_COUNTED[use.outcome]] += 1
    return counts


def _is_enough(uses: Sequence[Use], policy: ConsolidationPolicy) -> bool:
    succeeded = [use for use in uses if use.outcome == "success"]
    failed = sum(use.outcome == "failure" for use in uses)
    tasks = {use.task for use in succeeded}
    return (
        len(succeeded) >= policy.repeated_least_successes
        and len(tasks) >= policy.repeated_least_tasks
        and len(succeeded) > failed
    )


def _procedure(names: Sequence[str], keys: Keys, uses: Sequence[Use], prefix: str) -> Procedure:
    users = _succeeded(uses)
    owner = _only_user(uses)
    digest = sha256(canonical_json([owner or "", *keys]).encode("utf-8", "surrogatepass")).hexdigest()[
        :HASH_LENGTH
    ]
    mine = [use for use in uses if owner in {None, use.user}]
    newest = sorted(mine, key=lambda use: use.order)[-NEWEST_SOURCES:]
    return Procedure(
        id=f"{prefix}{digest}",
        name=shortened(" → ".join(names)),
        steps=tuple(map(shortened, names)),
        sources=tuple(sorted(use.episode for use in newest)),
        user_id=owner,
        origin="repeated",
        extra={"users": len(users), "tasks": len({use.task for use in mine})},
        **outcome_counts(mine),
    )


def _succeeded(uses: Iterable[Use]) -> set[str | None]:
    """Who succeeded, None for those who are not known."""
    return {use.user for use in uses if use.outcome == "success"}


def _only_user(uses: Iterable[Use]) -> str | None:
    """The one user who succeeded; None where there are several, or one is not known."""
    users = _succeeded(uses)
    return next(iter(users)) if len(users) == 1 else None


def _collapsed(steps: Sequence[tuple[str, str, bool]]) -> list[tuple[str, str]]:
    taken: list[tuple[str, str]] = []
    for key, name, effective in steps:
        if effective and (not taken or taken[-1][0] != key):
            taken.append((key, name))
    return taken


def _places(size: int, lengths: Iterable[int]) -> Iterator[tuple[int, int]]:
    for length in lengths:
        for start in range(size - length + 1):
            yield start, length


def parts_of(keys: Keys) -> Iterator[Keys]:
    """The shorter runs within a sequence, of two steps and more."""
    for length in range(FEWEST_STEPS, len(keys)):
        for start in range(len(keys) - length + 1):
            yield keys[start : start + length]
