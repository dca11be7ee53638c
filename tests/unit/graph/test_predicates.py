"""Predicates have one key however they are spelled, and repeating makes surer up to a cap."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.graph.predicates import SPELLINGS, FactPolicy, predicate_key

NAMES = [(key, name) for key, names in SPELLINGS.items() for name in (key, *names)]


@pytest.mark.parametrize(("key", "name"), NAMES, ids=[name for _, name in NAMES])
def test_other_names_of_a_relation_have_its_key(key: str, name: str) -> None:
    for joint in "_ -":
        spelled = name.replace("_", joint)
        for form in ("NFC", "NFD"):
            assert predicate_key(unicodedata.normalize(form, spelled.upper())) == key
    assert FactPolicy().is_functional(key)


def test_no_name_belongs_to_two_relations() -> None:
    names = [name for _, name in NAMES]
    assert len(names) == len(set(names))


@given(st.text(max_size=20))
def test_a_key_is_its_own_key(name: str) -> None:
    key = predicate_key(name)
    assert key is None or predicate_key(key) == key


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0, 1))
def test_one_more_statement_never_makes_less_sure(confidences: list[float], more: float) -> None:
    policy = FactPolicy()
    before, after = policy.strengthened(tuple(confidences)), policy.strengthened((*confidences, more))
    assert before <= after + 1e-9
    assert max(confidences) - 1e-6 <= before <= max(0.99, *confidences) + 1e-6
    assert policy.strengthened(tuple(reversed(confidences))) == before


def test_functional_predicates_may_be_named_in_one_text() -> None:
    policy = FactPolicy.model_validate({"functional": "담당자, lives in,"})
    assert policy.functional_keys == {"담당자", "lives_in"}
    assert not policy.is_functional("works_at")
