from __future__ import annotations

import pytest

from english_parses import parsed
from graphmem.language.relations.english.catalogue import ENGLISH_RULES
from graphmem.language.relations.english.relations import english_relations
from graphmem.language.relations.rules import RelationRule


@pytest.mark.parametrize("rule", ENGLISH_RULES, ids=lambda rule: rule.name)
def test_each_rule_finds_its_relation_in_its_example(rule: RelationRule) -> None:
    found = [one for one in english_relations(parsed(rule.example)) if one.rule == rule.name]
    assert found
    assert {one.factuality for one in found} == {"asserted"}
    assert {one.relation for one in found} == {rule.relation}
    assert {one.confidence for one in found} == {rule.prior}
