"""Noun phrases of a parse: which nouns stand for things, coordination, and nouns that only measure others."""

from __future__ import annotations

from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_MEASURES = words(
    "% all amount any array bit both combination couple each few form group half handful kind level lot lots "
    "majority many most much multitude none number one percent percentage piece plurality presence proportion "
    "range rest series set several some sort type variety"
)
"""Nouns that say how much or which of another: one of the causes, a lot of noise."""

_EMPTY = words(
    "anyone anything everyone everything he her herself him himself i it itself nobody nothing one ones she "
    "someone something that them themselves there these they thing things other others this those us way we "
    "what which who whom whose you"
)
"""Words that name nothing by themselves."""

_NOMINAL_DEPS = words("conj csubj csubjpass dobj nsubj nsubjpass pcomp pobj")
_DEEPEST = 3
"""Measures of measures that are looked through."""


def nominals(parse: Parse, place: int) -> list[int]:
    """The nouns that a noun phrase stands for: each one of a coordination, behind what only measures it."""
    found = [measured(parse, one) for one in coordinated(parse, place)]
    return [one for one in found if is_nominal(parse, one)]


def coordinated(parse: Parse, place: int) -> list[int]:
    """A noun and those that are joined to it behind it."""
    found = [place]
    for one in found:
        found += [child for child in parse.dependents(one, "conj") if parse.is_noun(child) and child not in found]
    return found


def measured(parse: Parse, place: int) -> int:
    """The noun that is measured: one of the causes is causes."""
    for _ in range(_DEEPEST):
        inner = of_object(parse, place)
        if parse.lemmas[place] not in _MEASURES or inner is None:
            break
        place = inner
    return place


def of_object(parse: Parse, place: int, *prepositions: str) -> int | None:
    """The noun behind `of`, or one of these prepositions, that hangs on a noun; None where there is none."""
    for preposition in parse.dependents(place, "prep"):
        if parse.words[preposition] in (prepositions or ("of",)):
            for inner in parse.dependents(preposition, "pobj"):
                return inner
    return None


def is_nominal(parse: Parse, place: int) -> bool:
    """Whether a token names something: a noun or a gerund, no pronoun, no measure without what it measures."""
    token = parse.tokens[place]
    gerund = token.tag == "VBG" and token.dep in _NOMINAL_DEPS
    return (
        (parse.is_noun(place) or gerund)
        and parse.words[place] not in _EMPTY
        and len(token.text) > 1
        and token.text[0].isalnum()
    )


def is_measure(parse: Parse, place: int) -> bool:
    """Whether a noun only says how much or which of another one."""
    return parse.lemmas[place] in _MEASURES


def is_plural(parse: Parse, place: int) -> bool:
    """Whether a noun is plural."""
    return parse.tokens[place].tag in {"NNS", "NNPS"}


def is_proper(parse: Parse, place: int) -> bool:
    """Whether a noun is a name."""
    return parse.tokens[place].pos == "PROPN"


def determiners(parse: Parse, place: int) -> set[str]:
    """The articles, demonstratives and possessives of a noun, in lower case."""
    return {parse.words[child] for child in parse.dependents(place, "det", "poss", "predet")}
