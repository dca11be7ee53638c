"""Rules for is_a and instance_of: copula, apposition, and lists of examples.

A name is an instance of a class, a common noun is a kind of one. What is pointed at (this, my, the film)
is neither: it is one thing without a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import complements, is_passive, objects
from graphmem.language.relations.english.findings import Finding, pairs, taken_for_granted
from graphmem.language.relations.english.names import is_individual, is_name
from graphmem.language.relations.english.nominals import (
    determiners,
    is_measure,
    is_nominal,
    is_plural,
    nominals,
    of_object,
)
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.torn_names import is_torn, is_whole_subject
from graphmem.language.relations.english.word_lists import CONTENTS, GROUPS, NAMED_KINDS, PARTS, SORTS, VAGUE

_INDEFINITE = frozenset({"a", "an"})
_POINTERS = frozenset({("those",), ("that",)})
"""What stands for the kind itself: such as those of Spain gives no example by its name."""

_PEOPLE = ("er", "or", "ist", "ess", "ian", "man", "woman")
"""Endings of nouns for people by what they do."""


def kinds(parse: Parse, place: int) -> Iterator[Finding]:
    """What the word at a place says about kinds and instances."""
    word = parse.words[place]
    if parse.lemmas[place] == "be" and parse.is_verb(place):
        yield from _by_copula(parse, place)
    elif word in {"including", "like"} and parse.tokens[place].dep == "prep":
        yield from _including(parse, place)
    elif parse.lemmas[place] == "include" and parse.is_verb(place) and not is_passive(parse, place):
        yield from _by_include(parse, place)
    elif word == "as":
        yield from _such_as(parse, place)
    elif word == "other":
        yield from _and_other(parse, place)
    if parse.tokens[place].dep == "appos" and parse.tokens[place].pos == "NOUN":
        yield from _by_apposition(parse, place)


def _by_copula(parse: Parse, verb: int) -> Iterator[Finding]:
    for attribute in parse.dependents(verb, "attr")[:1]:
        lemma = parse.lemmas[attribute]
        sort = of_object(parse, attribute) if lemma in SORTS else None
        if sort is not None and is_nominal(parse, sort):
            yield from _classified(parse, verb, sort, "kind_of")
        elif _is_indefinite(parse, attribute):
            yield from _classified(parse, verb, _last_of(parse, attribute), "copula")


def _classified(parse: Parse, verb: int, kind: int, rule: str) -> Iterator[Finding]:
    """The subjects that a copula puts into a class, by what they are."""
    if not _is_class(parse, kind):
        return
    for one in _own_subjects(parse, verb):
        if not is_whole_subject(parse, one, verb):
            continue
        if is_individual(parse, one) or _is_titled(parse, one, kind):
            yield from pairs([one], [kind], f"instance_of.{rule}", verb)
        elif _is_timeless(parse, verb) and _is_generic(parse, one) and _agree(parse, one, kind):
            yield from pairs([one], [kind], f"is_a.{rule}", verb)


def _is_titled(parse: Parse, subject: int, kind: int) -> bool:
    """Whether a bare singular that opens a sentence is a name, by its kind: Leland is a town."""
    opens = min(subject, *parse.children[subject], subject) == 0 and not determiners(parse, subject)
    bare = opens and parse.tokens[subject].tag == "NN" and not parse.has(subject, "prep")
    return bare and parse.lemmas[kind] in NAMED_KINDS


def _own_subjects(parse: Parse, verb: int) -> list[int]:
    """The subjects of a verb itself: what a relative clause is about parsers often get wrong."""
    return [one for child in parse.dependents(verb, "nsubj") for one in nominals(parse, child)]


def _last_of(parse: Parse, kind: int) -> int:
    """The noun that a class is about: of a stage and film actress the actress, of a state owned port the port."""
    later = _continued(parse, kind)
    if later is not None:
        return later
    if parse.lemmas[kind].endswith(_PEOPLE) or parse.words[kind + 1 : kind + 2] != ("and",):
        return kind
    joined = [one for one in parse.dependents(kind, "conj") if parse.lemmas[one].endswith(_PEOPLE)]
    bare = [one for one in joined if not determiners(parse, one)]
    return bare[0] if bare else kind


def _continued(parse: Parse, kind: int) -> int | None:
    """The noun behind a class that the parser cut off from it: words alone stand between, no article, no list."""
    if parse.has(kind, "cc"):
        return None
    for one in parse.dependents(kind, "conj", "appos"):
        same = one > kind + 1 and parse.tokens[one].tag == parse.tokens[kind].tag
        listed = parse.has(one, "cc", "conj") or not parse.words[kind + 1].isalpha()
        loose = any(parse.tokens[between].pos in {"ADP", "DET", "SCONJ"} for between in range(kind + 1, one))
        if same and not listed and not loose:
            return one
    return None


def _is_timeless(parse: Parse, verb: int) -> bool:
    """Whether a verb is in the present: what was a programme was a certain one."""
    return parse.tokens[verb].tag not in {"VBD", "VBN"}


def _is_indefinite(parse: Parse, noun: int) -> bool:
    found = determiners(parse, noun)
    if parse.tokens[noun].tag == "NN":
        return bool(found & _INDEFINITE)
    return parse.tokens[noun].tag == "NNS" and not found and not parse.has(noun, "nummod")


def _is_class(parse: Parse, noun: int) -> bool:
    """Whether a noun can be a class: a common noun that says something."""
    return (
        parse.tokens[noun].pos == "NOUN"
        and parse.lemmas[noun] not in VAGUE | PARTS | CONTENTS
        and not is_measure(parse, noun)
        and is_nominal(parse, noun)
        and not is_name(parse, noun)
        and not is_torn(parse, noun)
        and not parse.has(noun, "poss")
        and "no" not in determiners(parse, noun)
    )


def _is_generic(parse: Parse, noun: int) -> bool:
    """Whether a common noun stands for its kind: whales, a whale; neither `the` nor a number nor my."""
    token = parse.tokens[noun]
    found = determiners(parse, noun)
    if token.pos != "NOUN" or parse.has(noun, "nummod") or token.dep not in {"nsubj", "conj", "nsubjpass"}:
        return False
    return parse.lemmas[noun] not in VAGUE | SORTS and not found - _INDEFINITE - {"all", "every", "each"}


def _agree(parse: Parse, subject: int, kind: int) -> bool:
    """Whether both are one or many: whales are mammals, gold is a metal."""
    return is_plural(parse, subject) == is_plural(parse, kind)


def _by_include(parse: Parse, verb: int) -> Iterator[Finding]:
    """Mammals include whales; his works include is about one person, and a whole with its parts is singular."""
    for one in parse.dependents(verb, "nsubj"):
        if is_plural(parse, one) and _is_class(parse, one) and not determiners(parse, one):
            for example in objects(parse, verb):
                yield from _example(parse, example, one, "include", verb, presupposed=False)


def _such_as(parse: Parse, place: int) -> Iterator[Finding]:
    """Tools such as hammers; such tools as hammers."""
    kind = parse.head(place)
    such = (place - 1, *parse.children[kind]) if place else ()
    if not any(parse.words[one] == "such" for one in such) or parse.words[place + 1 : place + 2] in _POINTERS:
        return
    if not (parse.is_noun(kind) and kind < place and is_plural(parse, kind) and _is_class(parse, kind)):
        return
    for example in _listed(parse, complements(parse, place)):
        yield from _example(parse, example, kind, "such_as", place)


def _including(parse: Parse, place: int) -> Iterator[Finding]:
    """Tools, including hammers; tools like hammers."""
    kind = parse.head(place)
    if parse.words[place] == "like" and "the" in determiners(parse, kind):
        return
    if parse.is_noun(kind) and kind < place and is_plural(parse, kind) and _is_class(parse, kind):
        for example in _listed(parse, complements(parse, place)):
            yield from _example(parse, example, kind, parse.words[place], place)


def _listed(parse: Parse, examples: list[int]) -> list[int]:
    """The examples up to the one behind the first `and`: what follows that is listed beside the kind itself."""
    for count, example in enumerate(examples, start=1):
        before = parse.words[max(0, example - 4) : example]
        if count > 1 and {"and", "or"} & set(before[_last_comma(before) :]):
            return examples[:count]
    return examples


def _last_comma(words: tuple[str, ...]) -> int:
    """Where a comma ends what is joined; an `and` behind a comma is the last one of its list all the same."""
    return max((place + 1 for place, word in enumerate(words) if word == ","), default=0)


def _and_other(parse: Parse, place: int) -> Iterator[Finding]:
    """Hammers, saws and other tools."""
    kind = parse.head(place)
    if parse.tokens[place].dep != "amod" or parse.tokens[kind].dep != "conj" or not is_plural(parse, kind):
        return
    if place == 0 or parse.words[place - 1] not in {"and", "or"} or not _is_class(parse, kind):
        return
    for example in _joined_before(parse, kind):
        yield from _example(parse, example, kind, "and_other", place)


def _joined_before(parse: Parse, noun: int) -> Iterator[int]:
    """The nouns that are joined in front of one, as far back as commas alone join them."""
    below = noun
    for one in parse.above(noun):
        joined_elsewhere = any(child < below for child in parse.dependents(one, "cc")) and below != noun
        if not parse.is_noun(one) or joined_elsewhere:
            return
        if is_nominal(parse, one):
            yield one
        if parse.tokens[one].dep != "conj":
            return
        below = one


def _by_apposition(parse: Parse, place: int) -> Iterator[Finding]:
    """Ada, an engineer."""
    named = parse.head(place)
    if not (determiners(parse, place) & _INDEFINITE and _is_class(parse, place) and named < place):
        return
    if parse.tokens[named].dep == "appos":  # Columbus, Ohio, a bookstore
        return
    if is_name(parse, named):
        yield from pairs([named], [place], "instance_of.apposition", place)


def _is_kind(parse: Parse, noun: int, kind: int) -> bool:
    """Whether an example stands for its kind: neither the drama Hamlet nor his brother nor three cups.

    What has the noun of a bare kind is listed beside it, and a group is none of what it consists of.
    """
    listed_beside = parse.lemmas[noun] == parse.lemmas[kind] and not parse.has(kind, "amod", "compound", "nmod")
    if parse.has(noun, "nummod", "poss", "appos") or listed_beside:
        return False
    if parse.lemmas[noun] in GROUPS and parse.lemmas[kind] not in GROUPS:
        return False
    return not determiners(parse, noun) - _INDEFINITE


def _is_role(parse: Parse, noun: int) -> bool:
    """Whether a bare noun says what the one named behind it does: Gulf Coast painter and potter Jo Miller."""
    bare = parse.tokens[noun].tag == "NN" and parse.lemmas[noun].endswith(_PEOPLE) and not determiners(parse, noun)
    joined = parse.dependents(noun, "conj")[:1]
    return bare and any(is_name(parse, one) and parse.words[noun + 1] in {"and", "or"} for one in joined)


def _example(
    parse: Parse, example: int, kind: int, rule: str, at: int, *, presupposed: bool = True
) -> Iterator[Finding]:
    if _is_role(parse, example):
        return
    relation = "instance_of" if is_individual(parse, example) else "is_a"
    if relation == "is_a" and not _is_kind(parse, example, kind):
        return
    join = taken_for_granted if presupposed else pairs
    yield from join([example], [kind], f"{relation}.{rule}", at)
