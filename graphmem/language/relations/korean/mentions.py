"""The concepts that a Korean sentence names: runs of nouns within a word and across blanks. Pure."""

from __future__ import annotations

from graphmem.language.extraction import ConceptMention
from graphmem.language.relations.korean.phrases import words_of
from graphmem.language.relations.korean.reading import read
from graphmem.language.relations.korean.statements import mention, names_a_concept
from graphmem.ports.text_analyzer import Sentence


def korean_mentions(sentence: Sentence) -> tuple[ConceptMention, ...]:
    """The concepts that a sentence names, in order; one that goes over blanks comes before its words.

    Args:
        sentence: Korean, with morphemes as tokens; without tokens it has none.
    """
    reading = read(sentence)
    found = (
        mention(reading, part)
        for phrase in reading.phrases
        for part in dict.fromkeys((phrase, *words_of(phrase, reading.tokens)))
        if names_a_concept(reading, part)
    )
    return tuple(one for one in found if one.key)
