"""What someone said, as words in clauses and sentences; what is quoted or code becomes one blank word.

Pure and of linear cost. Knowledge of any language is left out: the words that open a clause are given.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

HIDDEN = "□"
"""Stands for a quotation or code, which is something said about, not said."""

_FENCES = re.compile(r"^[ \t]*(`{3,}|~{3,})(?:.*\n)(?:.*\n)*?(?:[ \t]*\1.*$|\Z)", re.MULTILINE)
_QUOTED_LINES = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_INDENTED_LINES = re.compile(r"(?<=\n)(?: {4}|\t).*$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_PAIRS = {
    '"': '"',
    "“": "”",
    "„": "“",
    "«": "»",
    "‹": "›",
    "「": "」",
    "『": "』",
    "《": "》",
    "〈": "〉",
    "‘": "’",
}
"""Quotation marks: what opens, and what closes."""
_OPENING = re.compile(rf"`+|[{''.join(_PAIRS)}]|(?<!\w)'(?=\S)")
_CLOSING_APOSTROPHE = re.compile(r"(?<=\S)'(?!\w)|\n")
_INNER_APOSTROPHE = re.compile(r"(?<=[a-z])’(?=[a-z])")

_PIECES = re.compile(
    rf"(?P<word>(?<![/@#\\$])[/@#\\$]*[\w'{HIDDEN}]+(?:[-/@\\&=]+[\w'{HIDDEN}]+|\.[a-z0-9_]{{1,4}}(?!\w))*)"
    r"|(?P<stop>[.!?。\n]+)"
    r"|(?P<pause>[,;:()\[\]~—–|、]|(?<!\S)-+(?!\S)|[\u2190-\u2bff\U0001f000-\U0001faff])"
)


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words in their order, each with the numbers of its clause and its sentence."""

    words: tuple[str, ...]
    clauses: tuple[int, ...]
    sentences: tuple[int, ...]
    asked: frozenset[int]
    """Sentences that end with a question mark."""


def read_utterance(text: str, openers: AbstractSet[str], endings: tuple[str, ...] = ()) -> Utterance:
    """Take a text apart.

    Args:
        text: Folded (see `graphmem.graph.folding.fold`).
        openers: Words that open a clause without a comma before them, such as but.
        endings: Endings of words with which a clause ends without a comma.
    """
    words: list[str] = []
    clauses: list[int] = []
    sentences: list[int] = []
    asked: set[int] = set()
    clause = sentence = 0
    for piece in _PIECES.finditer(_without_hidden(text)):
        match piece.lastgroup:
            case "word":
                word = piece[0].strip("'")
                if not word:
                    continue
                clause += word in openers
                words.append(word)
                clauses.append(clause)
                sentences.append(sentence)
                clause += word.endswith(endings)
            case "stop":
                if "?" in piece[0]:
                    asked.add(sentence)
                clause += 1
                sentence += 1
            case _:
                clause += 1
    return Utterance(tuple(words), tuple(clauses), tuple(sentences), frozenset(asked))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a folded text, quoted or not."""
    words = (piece[0].strip("'") for piece in _PIECES.finditer(text) if piece.lastgroup == "word")
    return tuple(word for word in words if word)


def _without_hidden(text: str) -> str:
    text = _INNER_APOSTROPHE.sub("'", text)
    if "\n" in text:
        text = text.strip("\n") + "\n"
        for lines in (_FENCES, _QUOTED_LINES, _INDENTED_LINES):
            text = lines.sub(f" {HIDDEN} ", text)
    return _without_quotations(text)


def _without_quotations(text: str) -> str:
    """Each mark that opens looks for its own mark that closes; one without hides nothing."""
    kept: list[str] = []
    place = 0
    closing: dict[str, int] = {}
    while (opening := _OPENING.search(text, place)) is not None:
        mark, end = opening[0], opening.end()
        # the last answer holds until the text has passed it: no part is searched twice
        if closing.get(mark, -1) < end:
            closing[mark] = _closing_place(text, mark, end)
        close = closing[mark]
        if close >= len(text) or (mark == "'" and text[close] == "\n"):
            kept.append(text[place:end])
            place = end
        else:
            kept += text[place : opening.start()], f" {HIDDEN} "
            place = close + len(mark)
    return "".join([*kept, text[place:]])


def _closing_place(text: str, mark: str, begin: int) -> int:
    """Where the mark that closes stands; the length of the text where there is none."""
    if mark == "'":
        found = _CLOSING_APOSTROPHE.search(text, begin)
        return len(text) if found is None else found.end() - 1
    if mark[0] == "`":
        return next((run.start() for run in _TICKS.finditer(text, begin) if run[0] == mark), len(text))
    place = text.find(_PAIRS[mark], begin)
    return len(text) if place < 0 else place
