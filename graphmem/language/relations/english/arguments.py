"""Who does what to whom: the nouns that a verb, or a participle behind a noun, is about."""

from __future__ import annotations

from graphmem.language.relations.english.nominals import coordinated, is_nominal, measured, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_RELATIVE = words("that what which who whom whose")
_DEEPEST = 3
"""Verbs that share a subject with another one are followed so far."""


def is_predicate(parse: Parse, place: int) -> bool:
    """Whether a word is used as a verb: slugs cause damage, though the tagger may take it for a noun."""
    if parse.is_verb(place) or parse.tokens[place].dep == "acl":
        return True
    return parse.has(place, "nsubj", "nsubjpass") and parse.has(place, "dobj", "prep")


def is_passive(parse: Parse, verb: int) -> bool:
    """Whether a verb is passive: also the participle of a house built by Ada."""
    token = parse.tokens[verb]
    return parse.has(verb, "auxpass", "nsubjpass") or (token.dep == "acl" and token.tag in {"VBN", "VBD"})


def subjects(parse: Parse, verb: int, depth: int = 0) -> list[int]:
    """The nouns that are subject of a verb, also where it shares that of another verb or describes a noun."""
    own = parse.dependents(verb, "nsubj", "nsubjpass", "csubj", "csubjpass")
    dep = parse.tokens[verb].dep
    if own:
        if parse.words[own[0]] in _RELATIVE and dep in {"relcl", "acl", "ccomp"}:
            return described(parse, verb)
        return nominals(parse, own[0])
    if dep in {"relcl", "acl"}:
        return described(parse, verb)
    if dep == "pcomp" and parse.tokens[parse.head(verb)].dep == "prep" and depth < _DEEPEST:
        governor = parse.head(parse.head(verb))
        kept_from = parse.words[parse.head(verb)] == "from"
        return objects(parse, governor) if kept_from else subjects(parse, governor, depth + 1)
    shares = dep == "xcomp" or (dep == "conj" and parse.is_verb(parse.head(verb)))
    if depth < _DEEPEST and shares:
        return subjects(parse, parse.head(verb), depth + 1)
    return []


def described(parse: Parse, verb: int) -> list[int]:
    """The nouns that a relative clause or a participle describes: the nearest, and what joins it in between.

    Behind a comma it is about the nearest one alone.
    """
    head = parse.head(verb)
    if not parse.is_noun(head):
        return []
    start = min(parse.below(verb))
    apart = start > 0 and parse.words[start - 1] == ","
    joined = [head] if apart else [head, *(one for one in coordinated(parse, head)[1:] if one < verb)]
    return [one for one in (measured(parse, each) for each in joined) if is_nominal(parse, one)]


def objects(parse: Parse, verb: int) -> list[int]:
    """The nouns that are direct object of a verb."""
    return [one for child in parse.dependents(verb, "dobj") for one in nominals(parse, child)]


def obliques(parse: Parse, verb: int, *prepositions: str) -> list[int]:
    """The nouns behind these prepositions that hang on a verb or a noun; gerunds as well."""
    return [
        noun
        for child in parse.dependents(verb, "prep", "agent", "prt", "advmod", "dative")
        if parse.words[child] in prepositions
        for preposition in (child, *_repeated(parse, child))
        for noun in complements(parse, preposition)
    ]


def _repeated(parse: Parse, preposition: int) -> list[int]:
    """The same preposition joined to one: by fire and by smoke."""
    joined = parse.dependents(preposition, "conj")
    return [one for one in joined if parse.words[one] == parse.words[preposition]]


def complements(parse: Parse, preposition: int) -> list[int]:
    """The nouns and gerunds behind a preposition."""
    found: list[int] = []
    for child in parse.dependents(preposition, "pobj", "pcomp"):
        if parse.tokens[child].dep == "pobj":
            found += nominals(parse, child)
        elif parse.tokens[child].tag == "VBG":
            found.append(child)
    return found


def particle(parse: Parse, verb: int, word: str) -> bool:
    """Whether a verb has this particle: bring about."""
    return any(parse.words[child] == word for child in parse.dependents(verb, "prt", "advmod", "prep"))


def attributes(parse: Parse, copula: int) -> list[int]:
    """What a form of `be` says its subject is."""
    return [one for child in parse.dependents(copula, "attr") for one in coordinated(parse, child)]
