"""Calendar periods in the offset of a message, as intervals in UTC: pure.

Midnight is that of the message's own zone, so a day on which the clocks change has 23 or 25 hours when the zone
is known, and 24 when the message only carries an offset. Weeks begin on Monday. Left out: seasons and holidays,
which depend on where somebody is.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

Granularity = Literal["hour", "day", "weekend", "week", "month", "year"]
"""How exactly a time was given."""

_LEAP_SEARCH = 8
"""Years to look through for a 29 February: two leap years lie at most 8 years apart."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A span of time in UTC that holds its start and not its end."""

    start: datetime
    """Aware, UTC."""
    end: datetime | None
    """Aware, UTC; None: until further notice ("since 2020")."""
    granularity: Granularity
    """How exactly it was given."""

    def onwards(self) -> Interval:
        """From the start of this one until further notice."""
        return replace(self, end=None)


@dataclass(frozen=True, slots=True)
class Anchor:
    """What relative times are counted from."""

    at: datetime
    """When it was said: aware, in the offset or zone of the speaker."""
    is_future: bool = False
    """Whether the sentence speaks of the future, so that a month without a year is the next one."""

    @property
    def today(self) -> date:
        """The speaker's day."""
        return self.at.date()

    def days(self, first: date, count: int = 1, granularity: Granularity = "day") -> Interval:
        """A run of whole days, 1 or more."""
        return self._between(first, first + timedelta(days=count), granularity)

    def week(self, day: date) -> Interval:
        """The week from Monday that holds a day."""
        return self.days(day - timedelta(days=day.weekday()), 7, "week")

    def month(self, year: int, month: int) -> Interval:
        """A month; months outside 1..12 count on into the years beside."""
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        following = date(year + month // 12, month % 12 + 1, 1)
        return self._between(date(year, month, 1), following, "month")

    def year(self, year: int) -> Interval:
        """A year from January."""
        return self._between(date(year, 1, 1), date(year + 1, 1, 1), "year")

    def hours_ago(self, hours: int) -> Interval:
        """The hour of the clock so many hours before."""
        start = (self.at.astimezone(UTC) - timedelta(hours=hours)).replace(minute=0, second=0, microsecond=0)
        return Interval(start, start + timedelta(hours=1), "hour")

    def nearest_month(self, month: int) -> Interval:
        """A month without a year: the latest one up to now with the present one, or the next one in the future."""
        today = self.today
        if self.is_future:
            return self.month(today.year + (month < today.month), month)
        return self.month(today.year - (month > today.month), month)

    def nearest_date(self, month: int, day: int) -> Interval:
        """A day of a month without a year: the latest one up to today, or the next one in the future.

        Raises:
            ValueError: No year has such a day.
        """
        step = 1 if self.is_future else -1
        for year in range(self.today.year, self.today.year + step * _LEAP_SEARCH, step):
            if day <= calendar.monthrange(year, month)[1]:
                found = date(year, month, day)
                if (found >= self.today) if self.is_future else (found <= self.today):
                    return self.days(found)
        raise ValueError(f"no year near has a day {day} of month {month}")

    def weekday_before(self, weekday: int) -> Interval:
        """The last such day before today; 0 is Monday."""
        return self.days(self.today - timedelta(days=(self.today.weekday() - weekday - 1) % 7 + 1))

    def weekday_after(self, weekday: int) -> Interval:
        """The first such day after today; 0 is Monday."""
        return self.days(self.today + timedelta(days=(weekday - self.today.weekday() - 1) % 7 + 1))

    def weekday_of_week(self, weekday: int, weeks: int) -> Interval:
        """Such a day of the week so many weeks from this one; 0 is Monday."""
        return self.days(self.today + timedelta(days=weekday - self.today.weekday(), weeks=weeks))

    def _between(self, first: date, following: date, granularity: Granularity) -> Interval:
        zone = self.at.tzinfo
        start, end = (
            datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC) for day in (first, following)
        )
        return Interval(start, end, granularity)
