"""Finds what a message tells its reader to do, in Korean and English: pure, no model.

Quotations, code, questions, reports, stories and single requests are no instructions. Precision comes first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from graphmem.language.instructions import english, korean
from graphmem.language.instructions.lists import instructions_of_lists
from graphmem.language.instructions.values import Instruction
from graphmem.language.sentences import Sentence, cover_cited, split_sentences

_MAX_SENTENCE = 600
"""Characters: what is longer is a document or a log."""

_MAX_STEPS = 30
_MAX_STEP = 300
"""Bounds of an instruction: what is beyond is no instruction that anybody follows."""


def find_instructions(text: str) -> tuple[Instruction, ...]:
    """The instructions of a message, in order, each once.

    >>> [one.steps for one in find_instructions("Always run the tests before you push.")]
    [('run the tests', 'push')]

    Args:
        text: The message; NFC and NFD give the same instructions.
    """
    text = unicodedata.normalize("NFC", text)
    found = [one for one, _, _ in instructions_of_lists(_without_citations(text))]
    sentences = [one for one in split_sentences(text) if len(one.text) <= _MAX_SENTENCE]
    found += _over_sentences(sentences)
    for sentence in sentences:
        if sentence.language == "en":
            found += english.instructions_of_english(sentence)
        elif sentence.language == "ko":
            found += korean.instructions_of_korean(sentence)
    kept = [
        one for one in found if len(one.steps) <= _MAX_STEPS and all(len(step) <= _MAX_STEP for step in one.steps)
    ]
    return tuple({(one.name, one.steps): one for one in kept}.values())


def _without_citations(text: str) -> str:
    """The text without its quoted blocks; inline code stays, since a step may name a command."""
    covered = cover_cited(text)
    lines = zip(text.splitlines(keepends=True), covered.splitlines(keepends=True), strict=False)
    return "".join(line if hidden.strip("\ufffc \r\n") else "\n" for line, hidden in lines)


def _over_sentences(sentences: Sequence[Sentence]) -> Iterator[Instruction]:
    """Steps of which each is a sentence: First, ... Then, ... Finally, ..."""
    for place, sentence in enumerate(sentences):
        if sentence.language == "en" and english.opens(sentence):
            yield from english.over_sentences(sentences[place:])
        elif sentence.language == "ko" and korean.opens(sentence):
            yield from korean.over_sentences(sentences[place:])
