"""Direction, spans, keys and genre of English relations, and any text at all."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from english_parses import ANALYZER, parsed
from graphmem.language.extraction import EVENT, ExtractedRelation, Genre
from graphmem.language.relations.english.catalogue import ENGLISH_RULES, RULES
from graphmem.language.relations.english.relations import english_relations
from graphmem.language.relations.rules import RelationRule
from graphmem.ports.text_analyzer import Sentence

Triple = tuple[str, str, str]


def triples(text: str, genre: Genre = "prose") -> list[Triple]:
    return [
        (one.head.name, one.relation.value, one.tail.name)
        for one in english_relations(parsed(text), genre)
        if one.factuality == "asserted"
    ]


DIRECTIONS: list[tuple[str, Triple]] = [
    ("The outage was caused by a memory leak.", ("memory leak", "causes", "outage")),
    ("We repaired the damage caused by the flood.", ("flood", "causes", "damage")),
    ("A memory leak caused the outage.", ("memory leak", "causes", "outage")),
    ("The leak, which caused an outage, was fixed.", ("leak", "causes", "outage")),
    ("The leak that was caused by corrosion was fixed.", ("corrosion", "causes", "leak")),
    ("The delay resulted from fog.", ("fog", "causes", "delay")),
    ("The fog resulted in a delay.", ("fog", "causes", "delay")),
    ("Fog was the cause of the delay.", ("fog", "causes", "delay")),
    ("The cause of the delay was fog.", ("fog", "causes", "delay")),
    ("The delay was a result of fog.", ("fog", "causes", "delay")),
    ("They treated an infection of the lungs caused by bacteria.", ("bacteria", "causes", "infection")),
    ("One of the causes of the outage was a memory leak.", ("memory leak", "causes", "outage")),
    ("Lack of sleep causes fatigue.", ("Lack of sleep", "causes", "fatigue")),
    ("The engine consists of a piston.", ("piston", "part_of", "engine")),
    ("The piston is part of the engine.", ("piston", "part_of", "engine")),
    ("The club consists of students.", ("students", "member_of", "club")),
    ("Ada is a member of the committee.", ("Ada", "member_of", "committee")),
    ("Mammals include whales.", ("whales", "is_a", "Mammals")),
    ("Whales and other mammals breathe.", ("Whales", "is_a", "mammals")),
    ("Tools such as hammers are cheap.", ("hammers", "is_a", "Tools")),
    ('"Death of Samantha" is a song.', ("Death of Samantha", "instance_of", "song")),
    ("Barcelona is a must-visit city!", ("Barcelona", "instance_of", "must-visit city")),
    ("The Society for Science is an organization.", ("Society for Science", "instance_of", "organization")),
]


@pytest.mark.parametrize(("text", "triple"), DIRECTIONS)
def test_the_direction_is_that_of_the_sentence(text: str, triple: Triple) -> None:
    found = [(head.lower(), relation, tail.lower()) for head, relation, tail in triples(text)]
    head, relation, tail = triple
    assert (head.lower(), relation, tail.lower()) in found
    assert (tail.lower(), relation, head.lower()) not in found


@pytest.mark.parametrize(
    "text",
    [
        "This violin is an instrument.",
        "My violin is an instrument.",
        "The film is a comedy.",
        "It is an instrument.",
        "A violin was an instrument that he liked.",
        "The violin is one of the things.",
    ],
)
def test_what_is_pointed_at_has_no_kind(text: str) -> None:
    assert not [one for one in triples(text) if one[1] in {"is_a", "instance_of"}]


def test_each_noun_of_a_coordination_takes_part() -> None:
    found = triples("Headaches and fatigue are caused by stress and noise.")
    assert {one[0] for one in found} == {"stress", "noise"}
    assert {one[2] for one in found} == {"Headaches", "fatigue"}


def test_since_tells_time_and_so_that_with_can_tells_a_purpose() -> None:
    assert not triples("The service was slow since the pool was small.")
    assert not triples("We closed the port so that nobody can connect.")


def test_events_are_clauses() -> None:
    (found,) = english_relations(parsed("The service failed because the pool was exhausted."))
    assert (found.head.kind, found.tail.kind) == (EVENT, EVENT)
    assert (found.head.name, found.tail.name) == ("the pool was exhausted", "The service failed")


def test_common_nouns_have_a_key_in_the_singular_and_names_keep_theirs() -> None:
    (found,) = english_relations(parsed("Old boilers caused the crises."))
    assert (found.head.key, found.tail.key) == ("old boiler", "crisis")
    (found,) = english_relations(parsed("The Dandy Warhols are a band."))
    assert found.head.key == "dandy warhols"


@pytest.mark.parametrize("rule", [rule for rule in ENGLISH_RULES if rule.prose_only], ids=lambda rule: rule.name)
def test_rules_for_prose_are_off_in_chat(rule: RelationRule) -> None:
    assert not [one for one in english_relations(parsed(rule.example), "chat") if one.rule == rule.name]


def test_a_sentence_without_a_parse_has_no_relation() -> None:
    assert english_relations(Sentence("Smoking causes cancer.", 0, "en")) == ()


def check(text: str, relations: tuple[ExtractedRelation, ...]) -> None:
    for one in relations:
        assert one.rule in RULES
        assert 0 < one.confidence < 1
        for mention in (one.head, one.tail):
            assert text[mention.start : mention.end] == mention.name
            assert mention.key
        assert (one.head.key, one.head.kind) != (one.tail.key, one.tail.kind)


WORDS = [
    *("the", "a", "no", "some", "leaks", "leak", "causes", "caused", "by", "because", "so", "that", "is", "are"),
    *(
        "not",
        "may",
        "if",
        "of",
        "such",
        "as",
        "including",
        "like",
        "and",
        "other",
        "or",
        "part",
        "member",
        "flock",
    ),
    *(
        "roof",
        "birds",
        "pain",
        "from",
        "due",
        "to",
        "results",
        "in",
        "consists",
        "Boston",
        '"',
        "(",
        ")",
        ",",
        ".",
    ),
    *("?", "-", "it", "which", "who", "does", "has", "been", "said", "engine", "7"),
]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read_without_harm(text: str) -> None:
    for sentence in ANALYZER.analyze([text])[0]:
        relations = english_relations(sentence)
        check(text, relations)
        assert {one.rule for one in english_relations(sentence, "chat")} <= {one.rule for one in relations}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(ENGLISH_RULES), st.sampled_from(ENGLISH_RULES))
def test_spans_lie_in_the_text_behind_other_sentences(first: RelationRule, second: RelationRule) -> None:
    text = f"{first.example}  {second.example}"
    for sentence in ANALYZER.analyze([text])[0]:
        check(text, english_relations(sentence))
