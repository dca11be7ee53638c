"""Which object of a predicate stays when it can never change, such as a birthplace: pure.

Two objects contradict each other, whatever time they are said of: both are marked as rivals, and the better
supported one stays. The others hold for no time. Those that are supported equally well stay beside each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from graphmem.graph.timeline import UNKNOWN_BEGIN, Claim, Period, timeline

Strength = Callable[[Sequence[Claim]], float]
"""Confidence of an object out of the claims that say it, 0..1."""

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""Where a period of no length lies when nobody says when: any moment does, as it holds at none."""


def unchanging_timeline(claims: Iterable[Claim], strength: Strength) -> tuple[Period, ...]:
    """The periods of one subject and a predicate that never changes its object.

    Args:
        claims: All that was said, in any order, some perhaps twice.
        strength: How sure an object is; of equally sure ones that with more sources is better supported.

    Returns:
        As `timeline`; what stays follows what it was chosen over.
    """
    periods = timeline(claims, functional=False)
    live: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in sorted({claim for period in periods for claim in period.claims if _counts(claim)}, key=_order):
        live[claim.object_key].append(claim)
    if len(live) < 2:
        return periods
    support = {key: (strength(said), len({claim.source for claim in said})) for key, said in live.items()}
    best = max(support.values())
    lost = [place for place, one in enumerate(periods) if support.get(one.object_key, best) < best]
    moment = min((one.begins for one in periods if one.begins > UNKNOWN_BEGIN), default=_UNDATED)
    for place, period in enumerate(periods):
        if not any(map(_counts, period.claims)):
            continue
        period.rivals |= live.keys() - {period.object_key}
        if place in lost:
            _close(period, moment)
        else:
            period.follows = sorted({*period.follows, *lost})
    return periods


def _counts(claim: Claim) -> bool:
    """Whether a claim says that its object holds, and nothing was given as superseding it."""
    return not (claim.is_end or claim.is_void or claim.retired is not None)


def _order(claim: Claim) -> tuple[datetime, str, str, str]:
    return claim.order


def _close(period: Period, moment: datetime) -> None:
    """Let a period hold for no time, from where it would have begun."""
    if period.begins == UNKNOWN_BEGIN:
        period.begins = moment
    period.valid_from = period.until = period.begins
    period.follows = []
