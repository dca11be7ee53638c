"""Claims about one subject and predicate, of any order and time."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from graphmem.graph.timeline import Claim


def year(number: int) -> datetime:
    """The begin of a year."""
    return datetime(number, 1, 1, tzinfo=UTC)


YEARS = st.none() | st.integers(2000, 2006).map(year)


@st.composite
def claims(draw: st.DrawFn, objects: tuple[str, ...], confidences: tuple[float, ...]) -> Claim:
    """A claim of one of these objects, with one of these confidences."""
    begin, end = draw(YEARS), draw(YEARS)
    if begin and end and end < begin:
        begin, end = end, begin
    return Claim(
        draw(st.sampled_from(objects)),
        draw(st.sampled_from("abcdef")),
        at=draw(YEARS),
        valid_from=begin,
        valid_to=end,
        retired=draw(st.sampled_from([None, None, None, year(2003)])),
        confidence=draw(st.sampled_from(confidences)),
    )
