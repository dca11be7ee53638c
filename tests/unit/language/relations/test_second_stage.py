"""A second opinion with weights made by hand: what it adds, what it drops, and the file they are kept in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from english_parses import parsed
from graphmem.errors import ModelError
from graphmem.language.relations.english.noun_pairs import features, noun_pairs
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.noun_lexicon import NounLexicon, Row
from graphmem.language.relations.second_stage import NONE, RULE, SecondStage, Weights, prose_relations
from graphmem.text.second_stage_weights import read_weights, write_weights

ROWS: list[Row] = [
    ("engine", "is_a", "machine", "e1", "m1"),
    ("piston", "part_of", "engine", "p1", "e1"),
    *((f"tool{n}", "is_a", "machine", f"t{n}", "m1") for n in range(60)),
    ("steam engine", "is_a", "engine", "s1", "e1"),
]


def weights(**named: tuple[float, float, float]) -> Weights:
    """Weights of NONE, `causes>` and `causes<` for features by name."""
    return Weights(
        classes=(NONE, "causes>", "causes<"),
        names={name.replace("_", "="): place for place, name in enumerate(named)},
        named=np.array(list(named.values()), dtype=np.float32),
        dense=np.zeros((0, 3), dtype=np.float32),
    )


BREEDS = SecondStage(weights(b_breed=(0.0, 4.0, 0.0)))
DOUBTS = SecondStage(weights(b_cause=(9.0, 0.0, 0.0)))


def test_what_it_is_sure_of_is_added_with_its_probability() -> None:
    (found,) = prose_relations(parsed("The war bred hatred."), BREEDS)
    assert (found.head.name, found.relation, found.tail.name) == ("war", "causes", "hatred")
    assert found.rule == RULE
    assert found.confidence == pytest.approx(np.exp(4) / (np.exp(4) + 2), abs=1e-4)
    assert found.factuality == "asserted"


def test_what_it_is_not_sure_of_is_not_added() -> None:
    unsure = SecondStage(weights(b_breed=(0.0, 0.5, 0.0)))
    assert prose_relations(parsed("The war bred hatred."), unsure) == ()


def test_what_it_adds_has_the_factuality_of_its_sentence() -> None:
    (denied,) = prose_relations(parsed("The war did not breed hatred."), BREEDS)
    assert denied.factuality == "denied"
    (asked,) = prose_relations(parsed("Did the war breed hatred?"), BREEDS)
    assert asked.factuality == "asked"


def test_what_a_rule_finds_stays_unless_it_is_sure_of_the_contrary() -> None:
    sentence = parsed("Stress causes insomnia.")
    assert [one.rule for one in prose_relations(sentence, BREEDS)] == ["causes.cause"]
    assert prose_relations(sentence, DOUBTS) == ()


def test_vectors_of_nouns_count_where_there_are_any() -> None:
    given = Weights((NONE, "causes>"), {}, np.zeros((0, 2), np.float32), np.array([[0, 5], [0, 5]], np.float32))
    stage = SecondStage(given, vectors=lambda words: np.ones((len(words), 1)))
    (found,) = prose_relations(parsed("The war bred hatred."), stage)
    assert found.confidence > 0.99


def test_a_sentence_without_pairs_has_no_relation() -> None:
    assert prose_relations(parsed("It rained."), BREEDS) == ()


def test_classes_and_parts_of_nouns_are_features() -> None:
    lexicon = NounLexicon.of(ROWS)
    assert lexicon.types("engine") == {"m1"}
    assert lexicon.types("unheard-of") == frozenset()
    assert lexicon.is_part("piston", "engine")
    assert lexicon.is_part("piston", "steam engine")
    assert not lexicon.is_part("engine", "piston")
    parse = Parse(parsed("The piston of the engine broke."))
    ((first, second),) = noun_pairs(parse)
    assert {"1 in 2", "t2=m1"} <= set(features(parse, first, second, lexicon))
    assert "1 in 2" not in features(parse, first, second)


def test_a_lexicon_with_a_cycle_ends() -> None:
    lexicon = NounLexicon.of([("a", "is_a", "b", "1", "2"), ("b", "is_a", "a", "2", "1")])
    assert lexicon.types("a") == frozenset()


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_weights(tmp_path / "weights.npz", BREEDS.weights)
    again = SecondStage(read_weights(tmp_path / "weights.npz"))
    sentence = parsed("The war bred hatred.")
    assert prose_relations(sentence, again) == prose_relations(sentence, BREEDS)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 broken"])
def test_a_file_without_weights_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "weights.npz"
    with pytest.raises(ModelError, match="holds no weights"):
        read_weights(path)
    path.write_bytes(content)
    with pytest.raises(ModelError, match="holds no weights"):
        read_weights(path)
