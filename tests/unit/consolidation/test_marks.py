"""Marks tell what has read a text, and whether anybody is to read it again."""

from __future__ import annotations

import pytest

from graphmem.consolidation.marks import MARK, Readers, is_marked, mark_of
from graphmem.graph.records import NodeRecord

READERS = Readers("ab12", "cd34")


def node(mark: str | None, label: str = "Message", content: str = "c1") -> NodeRecord:
    held = {} if mark is None else {MARK: mark}
    return NodeRecord(label, "x", {"content_hash": content, **held})


@pytest.mark.parametrize(
    ("reader", "is_read", "is_asked"),
    [
        (None, False, False),
        ("ab12", True, False),
        (READERS.by_model, True, True),
        (READERS.in_vain, True, True),
        # another model read it, or failed at it
        (Readers("ab12", "ef56").by_model, True, False),
        (Readers("ab12", "ef56").in_vain, True, False),
        # other rules did
        ("ff00", False, False),
        (Readers("ff00", "ef56").in_vain, False, False),
    ],
)
def test_what_is_read_and_what_is_asked_about(reader: str | None, is_read: bool, is_asked: bool) -> None:
    for label in ("Message", "Episode"):
        marked = node(None if reader is None else mark_of(label, "c1", reader), label)
        assert is_marked(marked, READERS.read) is is_read
        assert is_marked(marked, Readers("ab12").read) is is_read
        assert is_marked(marked, READERS.asked) is is_asked


def test_an_episode_that_changed_since_is_not_read() -> None:
    marked = node(mark_of("Episode", "c1", READERS.by_model), "Episode", content="c2")
    assert not is_marked(marked, READERS.read)
