from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError
from graphmem.recall.fusion import Signals, cosines, fuse
from graphmem.recall.recipes import DEFAULT_RECIPE, RECIPES, RecallRecipe, Weights, recipe_named
from graphmem.recall.script import blended, unspaced_share

EVEN = Weights(lexical=0.5, similarity=0.5)

_SIGNALS = st.builds(
    Signals,
    lexical=st.floats(0, 50),
    similarity=st.none() | st.floats(0, 1),
    bare=st.booleans(),
)


def test_the_best_of_both_signals_gets_1_and_the_worst_0() -> None:
    best, middle, worst = fuse([Signals(8.0, 0.9), Signals(4.0, 0.5), Signals(0.0, 0.1)], EVEN)
    assert (best.score, middle.score, worst.score) == pytest.approx((1.0, 0.5, 0.0))


def test_weights_decide_between_signals_that_disagree() -> None:
    words, likeness = Signals(8.0, 0.1), Signals(0.0, 0.9)
    by_words = fuse([words, likeness], Weights(lexical=0.8, similarity=0.2))
    assert (by_words[0].score, by_words[1].score) == pytest.approx((0.8, 0.2))
    by_likeness = fuse([words, likeness], Weights(lexical=0.2, similarity=0.8))
    assert (by_likeness[0].score, by_likeness[1].score) == pytest.approx((0.2, 0.8))


def test_without_any_vector_only_words_count() -> None:
    found = fuse([Signals(8.0), Signals(4.0)], Weights(lexical=0.0, similarity=1.0))
    assert [one.score for one in found] == [1.0, 0.0]


def test_what_is_known_by_name_only_does_not_set_the_scale() -> None:
    told, name = fuse([Signals(3.0), Signals(9.0, bare=True)], Weights(lexical=1.0, similarity=0.0), 0.5)
    assert (told.score, name.score) == (1.0, 0.5)


def test_where_all_are_equal_none_is_held_back() -> None:
    assert [one.score for one in fuse([Signals(2.0, 0.4), Signals(2.0, 0.4)], EVEN)] == [1.0, 1.0]
    assert fuse([], EVEN) == []


@given(st.lists(_SIGNALS, max_size=12), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_scores_are_shares_that_sum_up_and_follow_their_signals(
    candidates: list[Signals], lexical: float, similarity: float, factor: float
) -> None:
    found = fuse(candidates, Weights(lexical=lexical, similarity=similarity), factor)
    assert len(found) == len(candidates)
    for one in found:
        assert 0.0 <= one.score <= 1.0 + 1e-9
        assert math.isclose(one.score, one.lexical + one.similarity)
    for a, left in zip(candidates, found, strict=True):
        for b, right in zip(candidates, found, strict=True):
            if a.bare == b.bare and a.lexical >= b.lexical and (a.similarity or 0.0) >= (b.similarity or 0.0):
                assert left.score >= right.score - 1e-9 or a.similarity is None


@given(st.lists(_SIGNALS, min_size=1, max_size=8))
def test_the_order_of_the_candidates_changes_no_score(candidates: list[Signals]) -> None:
    turned = list(reversed(candidates))
    assert [one.score for one in fuse(candidates, EVEN)] == [one.score for one in reversed(fuse(turned, EVEN))]


def test_cosines_are_those_of_the_formula() -> None:
    query = np.array([3.0, 4.0], dtype=np.float32)
    others = [np.array(pair, dtype=np.float32) for pair in ((3.0, 4.0), (-4.0, 3.0), (0.0, 0.0), (6.0, 8.0))]
    assert cosines(query, others) == pytest.approx([1.0, 0.0, 0.0, 1.0], abs=1e-6)
    assert cosines(query, []) == []


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("where does Ada live?", 0.0),
        ("아다는 어디에 살아?", 1.0),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", 1.0),
        ("東京の天気", 1.0),
        ("", 0.0),
        ("123 !?", 0.0),
        ("café", 0.0),
    ],
)
def test_the_script_of_a_text_is_told_by_its_letters(text: str, share: float) -> None:
    assert unspaced_share(text) == share


def test_a_mixed_text_lies_between() -> None:
    assert 0.0 < unspaced_share("docker 컨테이너가 안 떠요") < 1.0
    weights = blended(Weights(lexical=0.0, similarity=1.0), Weights(lexical=1.0, similarity=0.5), 0.5)
    assert (weights.lexical, weights.similarity) == (0.5, 0.75)


def test_recipes_are_found_by_name_and_unknown_ones_refused_with_the_nearest() -> None:
    assert recipe_named(None) is DEFAULT_RECIPE
    assert recipe_named("lexical") is RECIPES["lexical"]
    own = RecallRecipe(name="own", candidates=20)
    assert recipe_named(own) is own
    with pytest.raises(InvalidInputError, match="did you mean 'lexical'"):
        recipe_named("lexicl")
    with pytest.raises(InvalidInputError, match="there are balanced, lexical, vector"):
        recipe_named("qqq")
