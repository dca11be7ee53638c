from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.cli.escaping import csv_cell, json_text, visible
from graphmem.language.cell_width import cell_width

# lone surrogates included: a file system or an argument may bring them
any_text = st.text(st.characters(codec=None, categories=None))


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x9b2J", r"\x9b2J"),
        ("a\u202eb", r"a\u202eb"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("lone\ud800", r"lone\ud800"),
        ("one\ntwo\tthree\r", r"one\ntwo\tthree\r"),
        ("\x7f\x00", r"\x7f\x00"),
    ],
)
def test_control_characters_are_shown_not_obeyed(stored: str, shown: str) -> None:
    assert visible(stored) == shown


@pytest.mark.parametrize(
    "stored", ["환불 요청을 처리했다", "가\u1100\u1161", "Ada, 서울 · café", "👩\u200d💻", "[bold]no markup[/]"]
)
def test_what_people_write_stays_as_it_is(stored: str) -> None:
    assert visible(stored) == stored


def test_kept_characters_are_let_through() -> None:
    assert visible("a\nb\x1b", keep="\n") == "a\nb\\x1b"


@given(any_text)
def test_nothing_shown_can_steer_a_terminal(stored: str) -> None:
    categories = {
        unicodedata.category(character) for character in visible(stored) if character not in "\u200c\u200d"
    }
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(any_text, st.sampled_from([None, 2]), st.booleans())
def test_escaped_json_reads_as_the_same_value(stored: str, indent: int | None, ascii_only: bool) -> None:
    text = json_text({stored: [stored]}, indent=indent, ascii_only=ascii_only)
    assert json.loads(text) == {stored: [stored]}
    assert visible(text, keep="\n") == text


def test_json_of_one_line_stays_on_one_line() -> None:
    assert "\n" not in json_text({"text": "one\ntwo\u2028three\x85four"})


def test_json_for_an_ascii_output_is_ascii() -> None:
    assert json_text("환불", ascii_only=True).isascii()


def test_json_refuses_what_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_text(float("nan"))


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1+1", "－1"])
def test_a_formula_in_a_cell_is_neutralised(formula: str) -> None:
    assert csv_cell(formula).startswith("'")


@pytest.mark.parametrize(
    ("value", "cell"), [(-0.5, "-0.5"), (3, "3"), (None, ""), (True, "true"), ("서울", "서울")]
)
def test_numbers_and_plain_text_stay_as_they_are(value: object, cell: str) -> None:
    assert csv_cell(value) == cell


@given(any_text)
def test_no_text_cell_begins_a_formula(text: str) -> None:
    assert not csv_cell(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("환불", 4), ("e\u0301", 1), ("全角", 4), ("a환", 3), ("", 0)]
)
def test_wide_characters_take_two_columns(text: str, width: int) -> None:
    assert cell_width(text) == width


def test_decomposed_hangul_takes_the_width_of_a_syllable() -> None:
    assert cell_width(unicodedata.normalize("NFD", "한글")) == cell_width("한글")
