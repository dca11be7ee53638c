"""Which pattern is shown of those over nearly the same episodes, and in which order."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.models.pattern import OutcomeCounts
from graphmem.reports.patterns.families import claim_of, deviation, fold_families, in_order
from reported import claimed, pattern


def test_patterns_over_nearly_the_same_episodes_are_one_family() -> None:
    wide, near, other = pattern("wide", "abcdefghij"), pattern("near", "abcdefghi"), pattern("other", "klm")
    found = [(head.title, [one.title for one in family]) for head, family in fold_families([wide, near, other])]
    assert found == [("wide", ["near"]), ("other", [])]
    assert [head.title for head, _ in fold_families([near, other, wide])] == ["near", "other"]


@settings(deadline=None)
@given(st.lists(st.sets(st.sampled_from("abcdefghijklmn"), min_size=1), max_size=30))
def test_families_are_those_of_the_definition(sets: list[set[str]]) -> None:
    found = [pattern(str(number), "".join(sorted(held))) for number, held in enumerate(sets)]
    expected: list[tuple[set[str], list[str]]] = []
    for number, held in enumerate(sets):
        head = next((family for top, family in expected if len(top & held) * 5 >= len(top | held) * 4), None)
        if head is None:
            expected.append((held, [str(number)]))
        else:
            head.append(str(number))
    folded = [[head.title, *(one.title for one in family)] for head, family in fold_families(found)]
    assert folded == [family for _, family in expected]


def test_a_family_is_headed_by_the_surest_and_of_equals_by_the_most_specific() -> None:
    weak = claimed("weak", risk_interval=(0.1, 0.9))
    strong = claimed("strong", risk_interval=(0.5, 0.8))
    specific = claimed("specific", risk_interval=(0.5, 0.8), labels=("a", "b", "c"))
    again = claimed("again", tier="replicated", risk_interval=(0.05, 0.9))
    order = in_order([weak, strong, specific, again], Counter())
    assert [one.title for one in order] == ["again", "specific", "strong", "weak"]


def test_a_negative_pattern_is_as_sure_as_the_upper_end_of_its_interval() -> None:
    sure = claimed("sure", polarity="negative", risk_interval=(-0.9, -0.5))
    unsure = claimed("unsure", polarity="negative", risk_interval=(-0.95, -0.1))
    assert [one.title for one in in_order([unsure, sure], Counter())] == ["sure", "unsure"]


def test_claims_come_first_and_candidates_last() -> None:
    recurrent, candidate = pattern("r", tier="recurrent"), pattern("c")
    order = in_order([candidate, recurrent, claimed("n", polarity="negative"), claimed("p")], Counter())
    assert [claim_of(one) for one in order] == ["success", "failure", "none", "candidate"]


def test_what_came_nearest_to_a_claim_stands_first_among_those_without_one() -> None:
    found = [
        pattern("untested", "abcdefg", tier="recurrent"),
        pattern("far", "abcdef", tier="recurrent", p_outcome_adjusted=1.0),
        pattern("near", "abc", tier="recurrent", p_outcome_adjusted=0.07),
    ]
    assert [one.title for one in in_order(found, Counter())] == ["near", "far", "untested"]


def test_candidates_stand_by_standard_deviations_from_the_domains_rate() -> None:
    outcomes = Counter(success=50, failure=50)
    assert deviation(pattern(episodes="abcd"), outcomes) == 2.0
    assert deviation(pattern(episodes="abcd", outcomes=OutcomeCounts(failure=4)), outcomes) == -2.0
    assert deviation(pattern(episodes="ab", outcomes=OutcomeCounts(unknown=2)), outcomes) == 0.0
    assert deviation(pattern(), Counter(unknown=5)) == 0.0
