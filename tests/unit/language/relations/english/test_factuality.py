"""What a text denies, leaves open, reports, asks or supposes is found with that factuality, never asserted."""

from __future__ import annotations

import pytest

from english_parses import parsed
from graphmem.language.extraction import Factuality
from graphmem.language.relations.english.catalogue import ENGLISH_RULES
from graphmem.language.relations.english.relations import english_relations
from graphmem.language.relations.rules import RelationRule

STANCES: list[tuple[str, Factuality]] = [
    ("Smoking causes cancer.", "asserted"),
    ("Smoking does not cause cancer.", "denied"),
    ("Smoking never causes cancer.", "denied"),
    ("Smoking doesn't cause cancer.", "denied"),
    ("No drug causes cancer.", "denied"),
    ("The drug caused no panic.", "denied"),
    ("The company denies that smoking causes cancer.", "denied"),
    ("It is not true that smoking causes cancer.", "denied"),
    ("The outage was not caused by a memory leak.", "denied"),
    ("The patch prevents leaks from causing outages.", "denied"),
    ("Smoking may cause cancer.", "possible"),
    ("Smoking might cause cancer.", "possible"),
    ("Smoking could have caused the cancer.", "possible"),
    ("Perhaps stress causes cancer.", "possible"),
    ("It is possible that smoking causes cancer.", "possible"),
    ("Smoking seems to cause cancer.", "possible"),
    ("The outage was probably caused by a memory leak.", "possible"),
    ("Researchers argue that smoking causes cancer.", "reported"),
    ("She said that smoking causes cancer.", "reported"),
    ("Smoking is believed to cause cancer.", "reported"),
    ("According to the report, smoking causes cancer.", "reported"),
    ("Does stress cause insomnia?", "asked"),
    ("Smoking causes cancer?", "asked"),
    ("We wonder whether smoking causes cancer.", "asked"),
    ("If smoking causes cancer, we should stop.", "supposed"),
    ("Smoking causes cancer if you inhale.", "supposed"),
    ("Research shows that smoking causes cancer.", "asserted"),
    ("Smoking is known to cause cancer.", "asserted"),
    ("Smoking will cause cancer.", "asserted"),
    ("A violin is not an instrument.", "denied"),
    ("Is a violin an instrument?", "asked"),
    ("A violin may be an instrument.", "possible"),
    ("Boston is not a city.", "denied"),
    ("The engine does not consist of a piston and a cylinder.", "denied"),
    ("The router may be part of the network.", "possible"),
    ("The service did not fail because the pool was exhausted.", "denied"),
    ("Maybe the service failed because the pool was exhausted.", "possible"),
    ("Did the service fail because the pool was exhausted?", "asked"),
    ("I think the service failed because the pool was exhausted.", "reported"),
    ("Ada is no longer a member of the committee.", "denied"),
    ("Neither smoking nor alcohol causes cancer.", "denied"),
    ("The server could not connect because the port was closed.", "asserted"),
    ("The login failed because the token was not valid.", "asserted"),
    ("The service may fail because the pool is small.", "possible"),
    ("The strike ended without causing delays.", "denied"),
    ("Hardly any drug causes cancer.", "denied"),
]


@pytest.mark.parametrize(("text", "factuality"), STANCES)
def test_a_relation_has_the_factuality_of_its_sentence(text: str, factuality: Factuality) -> None:
    found = {one.factuality for one in english_relations(parsed(text))}
    assert found == {factuality}


@pytest.mark.parametrize("rule", ENGLISH_RULES, ids=lambda rule: rule.name)
def test_no_example_is_asserted_when_it_is_asked(rule: RelationRule) -> None:
    asked = rule.example.rstrip(".") + "?"
    assert not [one for one in english_relations(parsed(asked)) if one.factuality == "asserted"]
