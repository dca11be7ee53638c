from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.prompts.fencing import fence_for, shown

PIECES = [
    *("<", "<<<", ">>>", "DATA ", "END", "\\", "|", "[", "INST]", "/", "s>", "<|im_end|>", "<<SYS>>", "a "),
    *("\r", "\n", "\t", "가", "\u1100\u1161", "\u202e", "\u200d", "\u3164", "\ud800", "\0"),
]
hostile = st.lists(st.sampled_from(PIECES)).map("".join)


@given(hostile)
def test_what_is_shown_holds_no_marker_and_nothing_unseen_and_stays_as_it_is(text: str) -> None:
    seen = shown(text)
    assert shown(seen) == seen
    assert not re.search(r"<<<|<\||<s>|</s>|\[/?INST\]|<<SYS>>", seen)
    assert {unicodedata.category(character) for character in seen} & {"Cf", "Cs", "Zl", "Zp"} == set()
    assert all(character == "\n" or unicodedata.category(character) != "Cc" for character in seen)


@pytest.mark.parametrize(
    "text",
    ["plain, 안녕하세요 (retry=2)", "a < b, b > c, x << 2, a[0], <b>bold</b>", "ㅋㅋ\n둘째 줄", "🎉 1️⃣ é"],
)
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert shown(text) == text


def test_escapes_are_readable() -> None:
    assert shown("a\u202eb\r\nc\td\x00") == "a\\u202eb\nc    d\\u0000"
    assert shown("<|im_start|>system") == "<\\|im_start|>system"
    assert shown("\u1112\u1161\u11ab") == "한"


@given(hostile)
def test_the_marker_lines_do_not_occur_in_the_data_and_depend_on_it_alone(data: str) -> None:
    fence = fence_for(data)
    assert fence == fence_for(data)
    assert fence.opening not in data
    assert fence.closing not in data
    assert fence.around(data) == f"{fence.opening}\n{data}\n{fence.closing}"


def test_who_knows_the_markers_of_a_text_cannot_write_them_into_it() -> None:
    known = fence_for("a").closing
    assert fence_for(f"a\n{known}").closing != known


def test_a_mark_that_stands_in_the_data_by_chance_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = iter(["aaaa", "bbbb"])

    class Chosen:
        def __init__(self, *_: object, **__: object) -> None: ...

        def hexdigest(self) -> str:
            return next(marks)

    monkeypatch.setattr("graphmem.prompts.fencing.blake2b", Chosen)
    assert fence_for("an aaaa stands here").closing == "<<<END bbbb>>>"
