"""When each object of one subject and predicate held, out of all that was said of it: pure.

The answer is a function of the set of claims: their order never counts, only the times in them.

A claim that names its beginning begins there, whenever it was said. One that does not says that its object held
when it was said: it begins there, unless nothing is known from before; then its beginning stays unknown. A claim
with an end and no beginning that was said after that end only ends its object.

With a functional predicate one object holds at a time, so a beginning ends what held before. Objects that begin
at the same moment have no order: they hold beside each other and are marked as rivals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby

UNKNOWN_BEGIN = datetime.min.replace(tzinfo=UTC)
"""Where a period begins of which nobody says when."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one statement says of one object."""

    object_key: str
    source: str
    """Id of the message that says it, or of the memory that was given."""
    at: datetime | None = None
    """When it was said; None: not known."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    retired: datetime | None = None
    """From when a memory that was said to supersede it holds."""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    """As written, like subject and predicate."""
    text: str = ""
    why: str | None = None
    confidence: float = 1.0
    episode: str | None = None
    """Id of the episode in which it was said."""
    supersedes: str | None = None
    """Id of the memory that it was given as superseding."""
    sources: tuple[str, ...] = ()
    """Ids that it was given with."""
    is_given: bool = False
    """Whether its source is a memory, and no message."""

    @property
    def is_end(self) -> bool:
        """Whether it says no more than that its object holds no longer."""
        return self.valid_from is None and self.ends is not None and (self.at is None or self.ends <= self.at)

    @property
    def ends(self) -> datetime | None:
        """The end that it names; None: until further notice."""
        return min((end for end in (self.valid_to, self.retired) if end is not None), default=None)

    @property
    def begins(self) -> datetime:
        """From when it says that its object holds."""
        return self.valid_from or self.at or UNKNOWN_BEGIN

    @property
    def until(self) -> datetime | None:
        """Until when, never before it begins; None: until further notice."""
        return None if self.ends is None else max(self.ends, self.begins)

    @property
    def is_void(self) -> bool:
        """Whether it holds for no time, as one that was superseded from before it began."""
        return not self.is_end and self.until == self.begins

    @property
    def order(self) -> tuple[datetime, str, str, str]:
        """By when it begins, then by all that it says."""
        return self.begins, self.object_key, self.source, repr(self)


@dataclass(slots=True)
class Period:
    """A time in which an object held, with the claims that say so."""

    object_key: str
    begins: datetime
    until: datetime | None
    """None: until further notice."""
    valid_from: datetime | None
    """`begins`, or None where the beginning is not known."""
    claims: list[Claim] = field(default_factory=list)
    rivals: set[str] = field(default_factory=set)
    """Other objects that are said of the same time."""
    follows: list[int] = field(default_factory=list)
    """Places of the periods that it put an end to, or that were over just before it."""


def timeline(claims: Iterable[Claim], *, functional: bool) -> tuple[Period, ...]:
    """The periods of one subject and predicate, in the order in which they began, those of no length last.

    Args:
        claims: All that was said, in any order, some perhaps twice.
        functional: Whether one object holds at a time.
    """
    said = sorted(set(claims), key=lambda claim: claim.order)
    parts: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in said:
        if not claim.is_void:
            parts["" if functional else claim.object_key].append(claim)
    periods: list[Period] = []
    for name in sorted(parts):
        periods += _linked(_Walk().through(parts[name]), start=len(periods))
    return (*periods, *_void([claim for claim in said if claim.is_void]))


def _void(claims: list[Claim]) -> Iterator[Period]:
    """Periods of no length, which neither end another one nor go on with it."""
    for (key, begins), same in groupby(
        sorted(claims, key=lambda claim: (claim.object_key, claim.order)),
        key=lambda claim: (claim.object_key, claim.begins),
    ):
        yield Period(key, begins, begins, begins, list(same))


class _Walk:
    """Goes through claims by time; `held` are the periods that the last beginning left."""

    def __init__(self) -> None:
        self._periods: list[Period] = []
        self._held: list[Period] = []
        self._bygone: dict[str, Period] = {}

    def through(self, claims: list[Claim]) -> list[Period]:
        for moment, ends, begins in _moments(claims):
            for claim in ends:
                self._end(moment, claim)
            if begins:
                self._begin(moment, begins)
        return self._placed()

    def _begin(self, moment: datetime, claims: list[Claim]) -> None:
        """Begin what was not held yet; what is not among it ends."""
        objects: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in claims:
            objects[claim.object_key].append(claim)
        lasting = {one.object_key: one for one in self._held if _reaches(one, moment)}
        going_on = {key: one for key, one in lasting.items() if key in objects}
        overrun = self._cut([one for one in self._held if one.object_key not in going_on], moment)
        is_first = not self._periods
        self._held = [
            _continued(going_on[key], said) if key in going_on else self._new(moment, said, is_first=is_first)
            for key, said in sorted(objects.items())
        ]
        _mark_rivals([*overrun, *self._held] if overrun or len(self._held) > 1 else [])

    def _cut(self, periods: list[Period], moment: datetime) -> list[Period]:
        """End what still holds; those whose end was told to be later are returned."""
        cut = [one for one in periods if _outlasts(one, moment)]
        overrun = [one for one in cut if one.until is not None]
        for one in cut:
            one.until = moment
        return overrun

    def _new(self, moment: datetime, claims: list[Claim], *, is_first: bool) -> Period:
        is_told = not is_first or any(claim.valid_from is not None for claim in claims)
        valid_from = moment if is_told and moment > UNKNOWN_BEGIN else None
        ends = [claim.until for claim in claims if claim.until is not None]
        period = Period(claims[0].object_key, moment, max(ends, default=None), valid_from, list(claims))
        self._periods.append(period)
        return period

    def _end(self, moment: datetime, claim: Claim) -> None:
        """End what holds; what is not known to have held did so before all else that is known."""
        known = [one for one in self._periods if one.object_key == claim.object_key]
        if known:
            last = known[-1]
            if last in self._held and _outlasts(last, moment):
                last.until = moment
            last.claims.append(claim)
        elif self._held and any(_outlasts(one, moment) for one in self._held):
            bygone = self._bygone.setdefault(
                claim.object_key, Period(claim.object_key, UNKNOWN_BEGIN, self._periods[0].begins, None)
            )
            bygone.claims.append(claim)
        else:
            begins = max((one.until for one in self._periods if one.until is not None), default=None)
            self._periods.append(Period(claim.object_key, begins or UNKNOWN_BEGIN, moment, begins, [claim]))
            self._held = [self._periods[-1]]

    def _placed(self) -> list[Period]:
        """All periods; those of which only the end is known come before the first one."""
        if not self._bygone:
            return self._periods
        first = self._periods[0]
        if first.valid_from is None and first.begins > UNKNOWN_BEGIN:
            first.valid_from = first.begins
        bygone = [self._bygone[key] for key in sorted(self._bygone)]
        _mark_rivals(bygone)
        return [*bygone, *self._periods]


def _moments(claims: list[Claim]) -> Iterator[tuple[datetime, list[Claim], list[Claim]]]:
    """Each moment in order, with what ends at it and what begins at it."""
    ends: defaultdict[datetime, list[Claim]] = defaultdict(list)
    begins: defaultdict[datetime, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.is_end and claim.ends is not None:
            ends[claim.ends].append(claim)
        else:
            begins[claim.begins].append(claim)
    for moment in sorted({*ends, *begins}):
        yield moment, ends.get(moment, []), begins.get(moment, [])


def _reaches(period: Period, moment: datetime) -> bool:
    return period.until is None or period.until >= moment


def _outlasts(period: Period, moment: datetime) -> bool:
    return period.until is None or period.until > moment


def _continued(period: Period, claims: list[Claim]) -> Period:
    """A period that more claims speak of: a known end stands against none, the later of two counts."""
    ends = [claim.until for claim in claims if claim.until is not None]
    if period.until == claims[0].begins:
        period.until = max(ends, default=None)
    elif ends:
        period.until = max([*ends, *([period.until] if period.until is not None else [])])
    period.claims += claims
    return period


def _mark_rivals(periods: list[Period]) -> None:
    for one in periods:
        one.rivals |= {other.object_key for other in periods} - {one.object_key}


def _linked(periods: list[Period], start: int = 0) -> list[Period]:
    """Note for each period those that were over when it began, and that no other had followed by then.

    Args:
        periods: In the order in which they began.
        start: Place of the first one.
    """
    standing: list[int] = []
    for moment, together in groupby(enumerate(periods, start), key=lambda pair: pair[1].begins):
        begun = list(together)
        over = [place for place in standing if not _outlasts(periods[place - start], moment)]
        for _, period in begun:
            period.follows = list(over)
        standing = [place for place in standing if place not in over] + [place for place, _ in begun]
    return periods
