"""Causes in Korean: 유발하다 and its kin, 로 인한, 원인이다. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphmem.language.extraction import Factuality
from graphmem.language.relations.korean import catalogue
from graphmem.language.relations.korean.complements import is_changed, is_cut, with_complement
from graphmem.language.relations.korean.effects import follows_condition, is_place_of, stance_of_effect
from graphmem.language.relations.korean.factuality import factuality_of, is_nominal, modified_by
from graphmem.language.relations.korean.nouns import ANSWERS, ANYBODY, ASPECTS, CAUSES, DEEDS
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.statements import Statement, paired
from graphmem.language.relations.korean.subjects import inner_subjects, outer_subjects, subjects, topics
from graphmem.language.relations.rules import RelationRule

_BRINGING = frozenset({"유발", "초래", "야기", "촉발"})
"""Nouns that make a verb of causing with 하다, 시키다 or 되다."""

_BRINGING_VERBS = frozenset(
    {"일으키", "불러일으키", "유발하", "초래하", "야기하", "촉발하", "유발시키", "야기시키"}
)
_BROUGHT_VERBS = frozenset({"유발되", "초래되", "야기되", "촉발되"})
_ARISING_VERBS = frozenset({"발생하", "생기", "나타나", "일어나"})
"""Verbs whose subject is an effect where a cause stands right before them."""

_ARGUMENTS = 8
"""Tokens between a verb and its object: what is farther belongs to another verb."""


def causation(reading: Reading) -> Iterator[Statement]:
    """What the sentence says of one thing bringing about another."""
    for place, token in enumerate(reading.tokens):
        if token.tag in {"VV", "XSV"}:
            verb = _verb(reading, place)
            if verb in _BRINGING_VERBS:
                yield from _bringing_about(reading, place)
            elif verb in _BROUGHT_VERBS | _ARISING_VERBS:
                yield from _brought_about(reading, place, is_bare=verb in _BROUGHT_VERBS)
            elif verb == "되" and reading.is_at(place - 1, "JKC JKS"):
                yield from _cause_of(reading, place)
        if token.tag == "ETM":
            yield from _due_to(reading, place)
        elif token.tag in {"VCP", "VCN"}:
            yield from _cause_of(reading, place)


def _verb(reading: Reading, place: int) -> str:
    """The stem at a place, with the noun in front of it where the stem is 하, 시키 or 되."""
    token = reading.tokens[place]
    before = reading.tokens[place - 1].text if place else ""
    return before + token.text if token.tag == "XSV" and before in _BRINGING | {"발생"} else token.text


def _verb_start(reading: Reading, place: int) -> int:
    return place - 1 if reading.tokens[place].tag == "XSV" else place


def _bringing_about(reading: Reading, place: int) -> Iterator[Statement]:
    effect = argument(reading, _verb_start(reading, place), "JKO", "을", "를", "ᆯ")
    if effect is None:
        return
    effects = [one for one in reading.listed(effect) if one.noun not in DEEDS]
    if not effects:
        return
    factuality = factuality_of(reading, place)
    if factuality == "asserted" and follows_condition(reading, effects[0].first):
        factuality = "supposed"
    modified = modified_by(reading, place)
    has_no_topic = modified is not None or is_nominal(reading, place)
    causes = (inner_subjects if has_no_topic else outer_subjects)(reading, effects[0].first)
    if modified and not causes:
        copula = modified.last + 1
        if reading.is_at(copula, "VCP") and (causes := subjects(reading, effects[0].first)):
            start = reading.clause_start(effects[0].first)
            causes = tuple(one for one in causes if one.first >= start)
            factuality = factuality_of(reading, copula) if factuality == "asserted" else factuality
            yield from _caused(reading, catalogue.BRING_ABOUT, causes, effects, factuality)
        elif modified.noun not in ANYBODY and not reading.is_at(copula + 1, "VCN"):
            yield from paired(reading, catalogue.BRINGING_ABOUT, [modified], _named(reading, effects), factuality)
    else:
        yield from _caused(reading, catalogue.BRING_ABOUT, causes, effects, factuality)


def _brought_about(reading: Reading, place: int, *, is_bare: bool) -> Iterator[Statement]:
    """Y는 X에 의해 유발된다, X 때문에 생긴 Y; where the verb itself says that it was caused, plain X로 as well."""
    verb = _verb_start(reading, place)
    particle = _agent_particle(reading, verb)
    if particle is None and is_bare and reading.is_at(verb - 1, "JKB", "에", "으로", "로", "에서"):
        particle = verb - 1
    agent = reading.phrase_before(particle) if particle is not None else None
    if agent is None:
        return
    agents = reading.listed(agent)
    modified = modified_by(reading, place)
    effects = (modified,) if modified else subjects(reading, agents[0].first)
    yield from _caused(reading, catalogue.BROUGHT_ABOUT, agents, effects, factuality_of(reading, place))


def _agent_particle(reading: Reading, verb: int) -> int | None:
    """Place behind X in X에 의해, X로 인해 and X 때문에, right before a verb."""
    if reading.is_at(verb - 1, "JKB", "에") and reading.is_at(verb - 2, "NNB", "때문"):
        return verb - 2
    if not reading.is_at(verb - 1, "EC"):
        return None
    if reading.is_at(verb - 2, "VV", "의하") and reading.is_at(verb - 3, "JKB", "에"):
        return verb - 3
    return due_to_particle(reading, verb - 1)


def _due_to(reading: Reading, place: int) -> Iterator[Statement]:
    """X로 인한 Y; of Y의 Z the effect is Z."""
    particle = due_to_particle(reading, place)
    if particle is None:
        return
    cause, effect = reading.phrase_before(particle), reading.noun_after(place)
    if cause is None or effect is None:
        return
    if reading.is_at(effect.last + 1, "JKG", "의") and (owned := reading.phrase_after(effect.last + 1)):
        effect = effect if owned.noun in ASPECTS else owned
    if effect.noun in ANSWERS or is_place_of(reading, effect):
        return
    causes = reading.listed(cause)
    while len(causes) > 1 and reading.is_at(causes[0].first - 1, "ETM"):
        causes = causes[1:]  # X로 인한 A와 B로 인한 C: A is an effect
    yield from _caused(reading, catalogue.DUE_TO, causes, [effect], stance_of_effect(reading, effect))


def due_to_particle(reading: Reading, ending: int) -> int | None:
    """Place of 로 in 로 인한 or 로 인해, given the place of their ending."""
    stem = ending - 1
    if reading.is_at(stem, "XSV XSA", "하") and reading.is_at(stem - 1, "NNG XR", "인"):
        stem -= 1
    elif not reading.is_at(stem, "VV", "인하", "말미암"):
        return None
    return stem - 1 if reading.is_at(stem - 1, "JKB", "로", "으로") else None


def _cause_of(reading: Reading, place: int) -> Iterator[Statement]:
    """X는 Y의 원인이다; X는 Y의 원인이 된다; Y의 원인은 X이다."""
    end = place if reading.tokens[place].tag == "VCP" else place - 1
    complement = reading.phrase_before(end)
    if complement is None or modified_by(reading, place):
        return
    factuality = "denied" if reading.tokens[place].tag == "VCN" else factuality_of(reading, place)
    if complement.noun in CAUSES:
        owner = owner_of(reading, complement)
        if owner:
            causes = topics(reading, owner.first)
            yield from _caused(reading, catalogue.CAUSE_OF, causes, reading.listed(owner), factuality)
        return
    for topic in topics(reading, complement.first):
        if topic.noun in CAUSES and (owner := owner_of(reading, topic)):
            yield from _caused(reading, catalogue.ITS_CAUSE, reading.listed(complement), [owner], factuality)


def _caused(
    reading: Reading,
    rule: RelationRule,
    causes: Iterable[NounPhrase],
    effects: Iterable[NounPhrase],
    factuality: Factuality,
) -> Iterator[Statement]:
    """Each cause related to each effect, both with what they need to mean something."""
    heads = [one for one in causes if not (is_changed(reading, one) or is_cut(reading, one))]
    if factuality == "asserted":
        heads = [one for one in heads if not reading.is_pointed_at(one)]
    yield from paired(reading, rule, _named(reading, heads), _named(reading, effects), factuality)


def _named(reading: Reading, phrases: Iterable[NounPhrase]) -> list[NounPhrase]:
    return [named for one in phrases if (named := with_complement(reading, one)) is not None]


def owner_of(reading: Reading, phrase: NounPhrase) -> NounPhrase | None:
    """Y in Y의 N and in Y의 주요한 N: the phrase with the genitive, adnominal words passed."""
    place = phrase.first - 1
    while reading.is_at(place, "ETM MM VA XSA XR VV NR SN"):
        place -= 1
    return reading.phrase_before(place) if reading.is_at(place, "JKG", "의") else None


def argument(reading: Reading, before: int, tag: str, *forms: str) -> NounPhrase | None:
    """The nearest phrase before a verb that has a particle of this tag."""
    start = max(reading.clause_start(before), before - _ARGUMENTS)
    for place in range(before - 1, start, -1):
        if reading.is_at(place, tag, *forms):
            return reading.phrase_before(place)
        if reading.is_at(place, "ETM") or (tag == "JKB" and reading.is_at(place, "JKS JKO")):
            return None
    return None
