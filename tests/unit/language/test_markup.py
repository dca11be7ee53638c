"""Markup is taken out of a text before it is read, and what is found keeps its place."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.markup import without_markup
from graphmem.language.relations.extractor import Extractor
from graphmem.text.plain import PlainAnalyzer

CASES = [
    ("**Memory** and *disk*, ~~old~~", "Memory and disk, old"),
    ("a __slow query__ in _that one case_", "a slow query in that one case"),
    ("- one\n* two\n1. three", "  one\n  two\n   three"),
    ("- [x] done", "      done"),
    ("## Outage\n> quoted", "   Outage\n  quoted"),
    ("the [full disk](https://a.example/b_c) there", "the full disk there"),
    ("![the map](map.png) here", "the map here"),
    ("[the guide][1]", "the guide"),
    ("see https://a.example/b_c.html.", f"see {' ' * 26}."),
    ("<b>leak</b>", "   leak    "),
    ("\x1b[1;31mleak\x1b[0m\x07", "leak"),
    ("**메모리 누수**는 [지연](https://a.example)을", "메모리 누수는 지연을"),
    ("https://a.example/b에서", f"{' ' * 19}에서"),
    ("snake_case_name, __init__ and 2 * 3 * 4", "snake_case_name, __init__ and 2 * 3 * 4"),
    ("if a < b then c > d", "if a < b then c > d"),
]


@pytest.mark.parametrize(("text", "readable"), CASES)
def test_markup_goes_and_words_stay(text: str, readable: str) -> None:
    assert without_markup(text).text == readable


def test_cells_of_a_table_are_lines() -> None:
    rows = without_markup("| Service | State |\n|---|---|\n| payment API | down |").text
    assert [line.strip() for line in rows.splitlines() if line.strip()] == [
        "Service",
        "State",
        "payment API",
        "down",
    ]


def test_of_a_block_of_code_identifiers_stay() -> None:
    readable = without_markup(
        "Before.\n```python\nfor x in slow_query(): raise NullPointerError\n```\nAfter."
    ).text
    assert readable.split() == ["Before.", "slow_query", "NullPointerError", "After."]


def test_comments_that_never_end_stay_and_hide_nothing_behind_them() -> None:
    # quadratic time would keep this one from ending
    opened = "<!-- a\n" * 100_000
    readable = without_markup(f"{opened}Redis is a kind of database. <!-- a < b\nc --> Kafka")
    assert "Redis is a kind of database." in readable.text
    assert readable.text.split()[-2:] == ["database.", "Kafka"]


TEXTS = [
    ("The outage was caused by [a **full** disk](https://a.example/x?y=1).", "full disk", "outage"),
    ("- \x1b[31mThe outage\x1b[0m was caused by *a full disk*.", "full disk", "outage"),
    ("> **메모리 누수**는 [지연](https://a.example)을 유발했다.", "메모리 누수", "지연"),
    (unicodedata.normalize("NFD", "1. \x1b[1m메모리 누수\x1b[0m는 *지연*을 유발했다."), "메모리 누수", "지연"),
]


@pytest.mark.parametrize(("text", "cause", "effect"), TEXTS)
def test_relations_are_read_through_markup_and_keep_their_place(text: str, cause: str, effect: str) -> None:
    found = Extractor(PlainAnalyzer()).extract(text)
    (one,) = found.relations
    assert (one.head.name, one.tail.name) == (cause, effect)
    written = unicodedata.normalize("NFC", text)
    for mention in (*found.concepts, one.head, one.tail):
        assert written[mention.start : mention.end].replace("*", "") == mention.name


@given(st.text(alphabet=st.sampled_from(list("ab 가나\n\t\r\x00\x1b\x9f[]()*_~`|#<>/:.-+1!htps@m;"))))
def test_each_character_that_stays_knows_its_place(text: str) -> None:
    readable = without_markup(text)
    places = tuple(range(len(text))) if readable.places is None else readable.places
    assert len(places) == len(readable.text)
    assert list(places) == sorted(set(places))
    assert all(new in (text[place], " ", "\n") for new, place in zip(readable.text, places, strict=True))
    assert not [one for one in readable.text if unicodedata.category(one) == "Cc" and one not in "\n\t\r"]
