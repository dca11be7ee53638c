"""Rules for part_of and member_of: wholes and what they consist of, groups and who belongs to them.

Left out, since they were mostly wrong where they were counted: contain, feature, made of, composed by.
Have counts only where what is had is a part by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import (
    attributes,
    is_passive,
    is_predicate,
    objects,
    obliques,
    subjects,
)
from graphmem.language.relations.english.findings import Finding, pairs, taken_for_granted
from graphmem.language.relations.english.nominals import is_plural, measured, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_lists import BODIES, CONTENTS, GROUPS, PART_NOUNS, PARTS
from graphmem.language.relations.english.word_sets import words

_WITH = frozenset(["equip", "fit", "furnish", "outfit"])
_INTO = words("build embed incorporate install integrate mount")


def parts(parse: Parse, place: int) -> Iterator[Finding]:
    """What the word at a place says about parts and members."""
    if is_predicate(parse, place):
        yield from _by_verb(parse, place)
        yield from _by_having(parse, place)
        yield from _by_copula(parse, place)
    if parse.is_noun(place):
        yield from _of(parse, place)


def _by_verb(parse: Parse, verb: int) -> Iterator[Finding]:
    lemma, passive = parse.lemmas[verb], is_passive(parse, verb)
    if lemma == "consist":
        yield from _within(parse, obliques(parse, verb, "of"), _wholes(parse, verb), "consist_of", verb)
    elif lemma == "comprise" and passive:
        yield from _within(parse, obliques(parse, verb, "of"), _wholes(parse, verb), "comprised_of", verb)
    elif lemma == "comprise":
        yield from _within(parse, objects(parse, verb), _wholes(parse, verb), "comprise", verb)
    elif lemma == "compose" and passive:
        yield from _within(parse, obliques(parse, verb, "of"), _wholes(parse, verb), "composed_of", verb)
    elif lemma == "make" and passive and _has_up(parse, verb):
        yield from _within(parse, obliques(parse, verb, "of", "from"), _wholes(parse, verb), "made_up_of", verb)
    elif lemma in _WITH and passive:
        yield from pairs(obliques(parse, verb, "with"), subjects(parse, verb), "part_of.equipped_with", verb)
    elif lemma in _INTO and passive:
        yield from pairs(subjects(parse, verb), obliques(parse, verb, "in", "into"), "part_of.built_into", verb)


def _within(parse: Parse, parts: list[int], wholes: list[int], rule: str, at: int) -> Iterator[Finding]:
    """Parts of wholes; what a group consists of are its members."""
    for whole in wholes:
        name = "member_of.group_consists_of" if parse.lemmas[whole] in GROUPS else f"part_of.{rule}"
        yield from pairs(parts, [whole], name, at)


def _by_having(parse: Parse, verb: int) -> Iterator[Finding]:
    if is_passive(parse, verb):
        return
    if parse.lemmas[verb] == "have":
        found = [one for one in objects(parse, verb) if parse.lemmas[one] in PART_NOUNS]
        yield from pairs(found, subjects(parse, verb), "part_of.have", verb)
    elif parse.lemmas[verb] == "include":
        wholes = [one for one in _wholes(parse, verb) if not is_plural(parse, one)]
        yield from _within(parse, objects(parse, verb), wholes, "include", verb)


def _by_copula(parse: Parse, verb: int) -> Iterator[Finding]:
    if parse.lemmas[verb] != "be":
        return
    for attribute in attributes(parse, verb):
        noun = measured(parse, attribute)
        if parse.lemmas[noun] == "member":
            yield from pairs(subjects(parse, verb), obliques(parse, noun, "of"), "member_of.be_member_of", verb)
        elif parse.lemmas[noun] in PARTS:
            yield from _within(parse, subjects(parse, verb), obliques(parse, noun, "of"), "be_part_of", verb)


def _of(parse: Parse, noun: int) -> Iterator[Finding]:
    """The roof of the house, a flock of birds: the words take the relation for granted."""
    lemma = parse.lemmas[noun]
    for preposition in parse.dependents(noun, "prep"):
        if parse.words[preposition] != "of":
            continue
        inner = [one for child in parse.dependents(preposition, "pobj") for one in nominals(parse, child)]
        if lemma in GROUPS:
            members = [one for one in inner if is_plural(parse, one)]
            yield from taken_for_granted(members, [noun], "member_of.group_of", preposition)
        elif lemma in PART_NOUNS:
            wholes = [one for one in inner if _can_own(parse, noun, one)]
            yield from taken_for_granted([noun], wholes, "part_of.part_noun_of", preposition)


def _can_own(parse: Parse, part: int, whole: int) -> bool:
    """Whether it is no group: neither a string of ponies nor the head of a team."""
    many = is_plural(parse, whole) and not is_plural(parse, part)
    return not many and parse.lemmas[whole] not in GROUPS | BODIES


def _wholes(parse: Parse, verb: int) -> list[int]:
    """The subjects of a verb; the ingredients of a cake consist of flour is about the cake."""
    found: list[int] = []
    for one in subjects(parse, verb):
        inner = obliques(parse, one, "of", "in") if parse.lemmas[one] in CONTENTS else []
        found += inner or [one]
    return found


def _has_up(parse: Parse, verb: int) -> bool:
    return any(parse.words[child] == "up" for child in parse.children[verb])
