"""What a pattern recommends, in English and Korean, and when it recommends nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.models.pattern import Contrast, LengthAdjusted, OutcomeCounts, Pattern, PatternNode
from graphmem.patterns.advice import recommendation

CONTRAST = Contrast(pattern="c", title="잠시 대기 → 재시도", risk_difference=0.6, interval=(0.31, 0.89))


def node(label: str, kind: Any = "action", **fields: Any) -> PatternNode:
    return PatternNode(label=label, kind=kind, key=label, **fields)


def pattern(**fields: Any) -> Pattern:
    given: dict[str, Any] = {
        "id": "p",
        "title": "본인 확인 → 환불",
        "nodes": (node("본인 확인"), node("환불"), node("고객 조회", "tool"), node("이름이 다름", "symptom")),
        "edges": ((0, 1, "NEXT"), (0, 2, "USED"), (0, 3, "RAISED")),
        "support": 12,
        "tasks": 12,
        "users": 2,
        "outcomes": OutcomeCounts(success=10, failure=1, unknown=1),
        "episodes": tuple(f"e{number}" for number in range(12)),
        "tier": "significant",
        "polarity": "positive",
        **fields,
    }
    return Pattern(**given)


def test_a_positive_pattern_says_what_to_try_and_when() -> None:
    assert recommendation(pattern()) == (
        "Went with success in 10 of 11 episodes: try 본인 확인 → 환불 with 고객 조회,"
        " when it is about 이름이 다름."
    )
    assert recommendation(pattern(), "ko") == (
        "성공과 함께 나타남(에피소드 11개 중 10개): 시도할 것: 본인 확인 → 환불"
        " / 도구: 고객 조회 / 상황: 이름이 다름."
    )


def test_a_negative_pattern_says_what_went_with_success_instead() -> None:
    bad = pattern(polarity="negative", outcomes=OutcomeCounts(success=1, failure=11), contrast=CONTRAST)
    assert recommendation(bad) == (
        "Went with failure, success in 1 of 12 episodes: avoid 본인 확인 → 환불 with 고객 조회,"
        " when it is about 이름이 다름; what went with success in a like situation:"
        " 잠시 대기 → 재시도 (difference +0.60, +0.31 to +0.89)."
    )
    assert recommendation(bad, "ko") == (
        "실패와 함께 나타남(성공 에피소드 12개 중 1개): 피할 것: 본인 확인 → 환불 / 도구: 고객 조회"
        " / 상황: 이름이 다름; 비슷한 상황에서 성공과 함께 나타난 것:"
        " 잠시 대기 → 재시도 (차이 +0.60, +0.31 ~ +0.89)."
    )


@pytest.mark.parametrize(("language", "said"), [("en", "(not tested)"), ("ko", "(비교되지 않음)")])
def test_a_contrast_that_was_not_compared_says_so(language: Any, said: str) -> None:
    contrast = Contrast(pattern="c", title="대기")
    told = recommendation(pattern(polarity="negative", contrast=contrast), language)
    assert told is not None
    assert told.endswith(f"대기 {said}.")


@pytest.mark.parametrize(("language", "said"), [("en", "no other way was seen"), ("ko", "다른 방법은 없음")])
def test_a_negative_pattern_without_a_contrast_says_so(language: Any, said: str) -> None:
    assert said in (recommendation(pattern(polarity="negative"), language) or "")


def test_a_generalised_node_is_named_as_a_kind() -> None:
    general = pattern(nodes=(node("담기"), node("과일류", generalised=True)), edges=((0, 1, "NEXT"),))
    assert "try 담기 → any 과일류." in (recommendation(general) or "")
    assert "시도할 것: 담기 → 과일류 종류." in (recommendation(general, "ko") or "")


def test_parallel_steps_and_lone_steps_are_all_named() -> None:
    split = pattern(
        nodes=(node("split"), node("left"), node("right"), node("join")),
        edges=((0, 1, "NEXT"), (0, 2, "NEXT"), (1, 3, "NEXT"), (2, 3, "NEXT")),
    )
    assert "try split → left → join, split → right → join." in (recommendation(split) or "")
    alone = pattern(nodes=(node("search"), node("order", "concept")), edges=((0, 1, "ABOUT"),))
    assert "try search, when it is about order." in (recommendation(alone) or "")


@pytest.mark.parametrize(
    "fields",
    [
        {"tier": "recurrent", "polarity": None},
        {"tier": "candidate", "polarity": None},
        {"late": True},
        {"single_user": True},
        {"length_adjusted": LengthAdjusted(risk_difference=0.0, interval=(-0.2, 0.2), p=0.9)},
        {"nodes": (node("느림", "symptom"), node("디스크", "cause")), "edges": ((0, 1, "CAUSED_BY"),)},
    ],
    ids=["recurrent", "candidate", "late", "one user", "length explains it", "no step to take"],
)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_nothing_is_recommended(fields: dict[str, Any], language: Any) -> None:
    assert recommendation(pattern(**fields), language) is None


@pytest.mark.parametrize(
    ("p", "interval"), [(0.01, (-0.1, 0.3)), (0.5, (0.01, 0.4)), (1.0, None)], ids=["test", "interval", "unknown"]
)
def test_a_difference_that_may_be_there_at_like_length_is_recommended(p: float, interval: Any) -> None:
    adjusted = LengthAdjusted(risk_difference=None if interval is None else 0.2, interval=interval, p=p)
    assert recommendation(pattern(length_adjusted=adjusted)) is not None


@pytest.mark.parametrize("language", ["en", "ko"])
@given(tier=st.sampled_from(["significant", "replicated"]), polarity=st.sampled_from(["positive", "negative"]))
def test_the_words_claim_no_cause(language: Any, tier: str, polarity: str) -> None:
    told = recommendation(pattern(tier=tier, polarity=polarity, contrast=CONTRAST), language) or ""
    for claim in ("cause", "because", "leads to", "due to", "때문", "원인", "덕분"):
        assert claim not in told.lower()


@given(st.text(min_size=1, max_size=10))
def test_labels_are_told_as_they_are(label: str) -> None:
    told = recommendation(pattern(nodes=(node(label), node("끝")), edges=((0, 1, "NEXT"),)))
    assert told is not None
    assert f"try {label} → 끝." in told
