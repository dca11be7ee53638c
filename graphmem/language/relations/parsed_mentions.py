"""The concepts that a parsed English sentence names: its noun phrases. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.extraction import ConceptMention
from graphmem.language.relations.english.mentions import noun_mention
from graphmem.language.relations.english.nominals import is_measure, is_nominal
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.surface_words import EMPTY_NOUNS, INTERJECTIONS
from graphmem.ports.text_analyzer import Sentence

_EMPTY = EMPTY_NOUNS | INTERJECTIONS
_WITHIN = frozenset({"compound", "nmod", "amod", "npadvmod", "poss", "nummod", "quantmod"})
"""How a noun hangs on the one whose name it is a part of."""


def parsed_mentions(sentence: Sentence) -> Iterator[ConceptMention]:
    """The noun phrases of a parsed sentence, in order; a possessor is one of its own."""
    parse = Parse(sentence)
    for place, token in enumerate(sentence.tokens):
        names = parse.is_noun(place) and is_nominal(parse, place) and not is_measure(parse, place)
        is_part = token.dep in _WITHIN - {"poss"} and parse.is_noun(token.head)
        if names and not is_part and parse.lemmas[place] not in _EMPTY and parse.words[place] not in _EMPTY:
            mention = noun_mention(parse, place)
            if mention is not None:
                yield mention
