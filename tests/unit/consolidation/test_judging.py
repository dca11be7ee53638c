"""Evidence for and against a claim: independence, confidence, and when it holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.consolidation.judging import MOST_IDS, confidence_of, independent, judge
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.mapping.claim import Evidence
from graphmem.graph.records import NodeRef

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def said(place: int, unit: str, sentence: str, prior: float = 0.9, *, against: bool = False) -> Evidence:
    source = NodeRef("Message", f"m{place:03}")
    return Evidence(source, sentence, "rule", prior, against, unit, NOON + timedelta(minutes=place))


sayings = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.sampled_from(["환불", "Refund it.", "refund  it.", "other"]),
        st.floats(0.1, 1),
        st.booleans(),
    ),
    max_size=12,
).map(lambda rows: [said(place, *row[:3], against=row[3]) for place, row in enumerate(rows)])


@given(sayings, st.randoms())
def test_the_order_of_evidence_does_not_matter(evidence: list[Evidence], chance: object) -> None:
    before = judge(evidence)
    chance.shuffle(evidence)  # type: ignore[attr-defined]  # Hypothesis gives a Random
    assert judge(evidence) == before


@given(sayings)
def test_as_many_mentions_count_as_differ_pairwise_in_unit_and_text(evidence: list[Evidence]) -> None:
    pairs = {(one.unit, " ".join(one.sentence.casefold().split())) for one in evidence}
    best = max(
        size
        for size in range(len(pairs) + 1)
        for some in combinations(pairs, size)
        if len({unit for unit, _ in some}) == len({text for _, text in some}) == size
    )
    assert len(independent(evidence)) == best


@given(sayings, st.floats(0.1, 1))
def test_more_evidence_for_never_lowers_confidence_and_against_never_raises_it(
    evidence: list[Evidence], prior: float
) -> None:
    before = judge(evidence).confidence
    assert judge([*evidence, said(99, "new", "new words", prior)]).confidence >= before
    assert judge([*evidence, said(99, "new", "new words", prior, against=True)]).confidence <= before


@pytest.mark.parametrize(
    ("weight_for", "weight_against", "expected"),
    [(0, 0, 0.5), (2, 0, 0.75), (2, 1, 0.6), (1.9, 0, 0.74359), (0, 2, 0.25)],
)
def test_confidence_is_the_mean_of_a_beta_distribution(
    weight_for: float, weight_against: float, expected: float
) -> None:
    assert confidence_of(weight_for, weight_against) == pytest.approx(expected, abs=1e-6)


def test_the_stronger_mention_of_a_unit_counts() -> None:
    assert independent([said(0, "a", "x", 0.5), said(1, "a", "y", 0.9)]) == [0.9]


def test_a_long_chain_of_copies_is_matched_without_recursion() -> None:
    chain = [said(place, f"u{place}", f"t{place + step}") for place in range(3000) for step in (0, 1)]
    assert len(independent(chain)) == 3000


def test_the_newest_texts_are_named_whether_independent_or_not() -> None:
    found = judge([said(place, "one session", f"text {place}") for place in range(80)])
    assert (found.mentions, found.support, len(found.ids)) == (80, 1, MOST_IDS)
    assert (found.ids[0], found.ids[-1]) == ("m079", "m030")


def test_a_claim_holds_by_the_policy() -> None:
    policy = ConsolidationPolicy()
    once, twice = [said(0, "a", "x")], [said(0, "a", "x"), said(1, "b", "y")]
    assert not judge(once).holds(policy)
    assert judge(twice).holds(policy)
    assert judge(once).holds(ConsolidationPolicy(claim_min_mentions=1))
    assert not judge([*twice, said(2, "c", "z", against=True)]).holds(policy)
    assert not judge(twice).holds(ConsolidationPolicy(claim_min_confidence=0.9))
