"""A JSON array is cut into its elements whatever the chunks, with flat memory."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.transfer.arrays import read_array
from graphmem.transfer.faults import RecordFault

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('a"\\[]{},한\n'), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


class Drip(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._pieces: Iterator[bytes] = (data[start : start + size] for start in range(0, len(data), size))

    def read(self, size: int = -1, /) -> bytes:  # noqa: ARG002 (a stream's own signature)
        return next(self._pieces, b"")


def elements(data: bytes, size: int = 1 << 20, limit: int = 1 << 20) -> list[Any]:
    found = read_array(Drip(data, size), limit)  # type: ignore[arg-type]  # only read() is used
    return [(line, str(item) if isinstance(item, RecordFault) else item) for line, item in found]


@given(st.lists(VALUES, max_size=5), st.integers(1, 7), st.sampled_from([None, 1]), st.booleans())
def test_elements_are_those_that_json_reads(
    values: list[Any], size: int, indent: int | None, ascii_: bool
) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_).encode()
    assert [json.loads(item) for _, item in elements(data, size)] == values


def test_a_line_is_the_one_on_which_the_element_begins() -> None:
    data = b'\xef\xbb\xbf\n[\n {"a":\n1},\n\n\n {"b": 2}, 3\n]\n'
    assert elements(data) == [(3, b'{"a":\n1}'), (7, b'{"b": 2}'), (7, b"3")]


@pytest.mark.parametrize("size", [1, 3, 1 << 20])
def test_an_element_that_is_too_long_is_passed_over(size: int) -> None:
    data = b'[{"a": "' + b"x" * 5000 + b'"}, {"b": 1}]'
    assert elements(data, size, limit=1000) == [(1, None), (1, b'{"b": 1}')]


@pytest.mark.parametrize("data", [b"", b"[", b'[{"a": 1}', b'[{"a": 1},', b'["a', b'["a\\'])
def test_an_array_that_does_not_end_is_a_fault(data: bytes) -> None:
    assert "without its closing bracket" in elements(data)[-1][1]


@pytest.mark.parametrize("data", [b"[] x", b"[1] [2]", b"[]]"])
def test_text_after_the_array_is_a_fault(data: bytes) -> None:
    assert "after the end" in elements(data)[-1][1]


def test_a_bad_element_costs_itself_alone() -> None:
    assert [item for _, item in elements(b'[{"a": 1} x, {y}, {"b": 2}]')] == [b'{"a": 1} x', b"{y}", b'{"b": 2}']
