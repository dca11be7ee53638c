"""Patterns in a prompt: which of them, how sure, and text that stays data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.episodes.service import EpisodesService
from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.pattern import pattern_record
from graphmem.models.episode import Episode, Step
from graphmem.models.pattern import Contrast, OutcomeCounts, Pattern, PatternNode
from graphmem.patterns.advice import recommendation
from graphmem.patterns.prompt_block import by_confidence, confidence_of, patterns_block
from graphmem.patterns.service import PatternsService
from graphmem.ports.prompt_text import tokens_of
from graphmem.testing.clock import START
from workspaces import desk


def pattern(title: str = "조회 → 환불", support: int = 5, tier: str = "significant", **fields: Any) -> Pattern:
    given: dict[str, Any] = {"polarity": "positive", "interval": (0.7, 0.9), **fields}
    return Pattern(
        id=given.pop("id", f"id-{title}"),
        title=title,
        nodes=tuple(PatternNode(label=name, kind="action", key=name) for name in ("조회", "환불")),
        edges=((0, 1, "NEXT"),),
        support=support,
        tasks=support,
        users=1,
        outcomes=OutcomeCounts(success=support),
        episodes=tuple(f"e{number}" for number in range(support)),
        tier=tier,
        **given,
    )


def test_a_block_numbers_its_patterns_with_confidence_and_evidence() -> None:
    told = [
        pattern(recommendation="먼저 주문을 조회한다"),
        pattern("재시도 → 재시도", 12, polarity="negative", interval=(0.2, 0.5)),
    ]
    assert patterns_block(told, "ko", 800) == (
        "[학습된 행동 패턴]\n"
        "1. 조회 → 환불 (신뢰도: 높음, 근거: 5개 에피소드)\n"
        "   - 먼저 주문을 조회한다\n"
        "2. 재시도 → 재시도 (신뢰도: 보통, 근거: 12개 에피소드)"
    )
    assert patterns_block(told[:1], "en", 800) == (
        "[Learned patterns]\n1. 조회 → 환불 (confidence: high, evidence: 5 episodes)\n   - 먼저 주문을 조회한다"
    )


@pytest.mark.parametrize(
    ("fields", "confidence"),
    [
        ({"tier": "replicated", "interval": (0.1, 0.9)}, "high"),
        ({"tier": "replicated", "polarity": None, "interval": None}, "high"),
        ({"interval": (0.6, 0.8)}, "high"),
        ({"interval": (0.59, 0.99)}, "medium"),
        ({"polarity": "negative", "interval": (0.0, 0.4)}, "high"),
        ({"polarity": "negative", "interval": (0.0, 0.41)}, "medium"),
        ({"polarity": "negative", "interval": (0.7, 0.9)}, "medium"),
        ({"polarity": None, "interval": (0.9, 1.0)}, "medium"),
        ({"interval": None}, "medium"),
        ({"tier": "recurrent", "support": 500}, None),
        ({"tier": "candidate", "support": 500}, None),
    ],
)
def test_confidence_follows_the_tier_and_the_near_end_of_the_interval(
    fields: dict[str, Any], confidence: str | None
) -> None:
    assert confidence_of(pattern(**fields)) == confidence


def test_a_recommendation_is_told_in_the_language_of_the_block() -> None:
    bare = pattern()
    told = [bare.model_copy(update={"recommendation": recommendation(bare)})]
    assert patterns_block(told, "ko", 800).splitlines()[2] == (
        "   - 성공과 함께 나타남(에피소드 5개 중 5개): 시도할 것: 조회 → 환불."
    )
    assert patterns_block(told, "en", 800).splitlines()[2] == (
        "   - Went with success in 5 of 5 episodes: try 조회 → 환불."
    )


def test_a_title_is_told_in_the_language_of_the_block_unless_it_was_reworded() -> None:
    nodes = (
        PatternNode(label="교환", kind="action", key="교환"),
        PatternNode(label="가전", kind="concept", key="가전", generalised=True),
    )
    told = [
        pattern(name).model_copy(update={"nodes": nodes, "edges": ((0, 1, "ABOUT"),)})
        for name in ("교환 about any 가전", "가전 교환")
    ]
    titles = [line[3:].partition(" (")[0] for line in patterns_block(told, "ko", 800).splitlines()[1:]]
    assert titles == ["교환, 대상: 가전 종류", "가전 교환"]
    assert "교환 about any 가전" in patterns_block(told, "en", 800)


def test_a_contrast_is_named_in_the_language_of_the_block_where_it_is_known() -> None:
    nodes = (
        PatternNode(label="교환", kind="action", key="교환"),
        PatternNode(label="ERP", kind="tool", key="erp"),
    )
    better = pattern("교환 uses ERP").model_copy(update={"nodes": nodes, "edges": ((0, 1, "USED"),)})
    bare = pattern(polarity="negative", contrast=Contrast(pattern=better.id, title=better.title))
    told = [bare.model_copy(update={"recommendation": recommendation(bare)})]
    assert "교환, 도구: ERP" in patterns_block(told, "ko", 800, {better.id: better})
    assert "교환 uses ERP" in patterns_block(told, "ko", 800)
    assert "교환 uses ERP" in patterns_block(told, "en", 800, {better.id: better})


def test_what_is_not_tested_is_not_told() -> None:
    assert patterns_block([pattern(tier="candidate"), pattern(tier="recurrent")], "ko", 800) == ""
    assert patterns_block([], "en", 800) == ""


def test_replicated_patterns_come_first_then_the_surer_then_those_of_more_episodes() -> None:
    given = [
        pattern("d", 9, interval=(0.5, 0.9)),
        pattern("c", 5, id="2"),
        pattern("e", 50, tier="candidate"),
        pattern("b", 5, id="1"),
        pattern("a", 3, tier="replicated"),
        pattern("b+", 6),
    ]
    assert [one.title for one in by_confidence(given)] == ["a", "b+", "b", "c", "d"]


def test_whole_patterns_are_dropped_from_the_end() -> None:
    told = [pattern("first", recommendation="do it"), pattern("second", recommendation="do it")]
    whole = patterns_block(told, "en", 800)
    first = patterns_block(told, "en", tokens_of(whole) - 1)
    assert first == whole.partition("\n2. ")[0]
    assert patterns_block(told, "en", tokens_of(first) - 1) == ""


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=20)
HOSTILE = st.lists(st.sampled_from(["\n", "\u2028", "[Learned patterns]", "2. ", "\u202e"]) | TEXTS, min_size=1)


@given(HOSTILE.map("".join), HOSTILE.map("".join))
def test_names_out_of_episodes_add_no_line_and_no_heading(title: str, recommendation: str) -> None:
    block = patterns_block([pattern(title, recommendation=recommendation)], "en", 100_000)
    lines = block.splitlines()
    assert lines[0] == "[Learned patterns]"
    assert block.count("[Learned patterns]") == 1
    assert [line[:5] for line in lines[2:]] == (["   - "] if recommendation.strip() else [])


def test_the_service_tells_the_tested_patterns_of_a_domain(tmp_path: Path) -> None:
    at_hand = desk(tmp_path)
    workspace = at_hand.workspace()
    patterns = PatternsService(workspace)
    steps = tuple(Step(action=name) for name in ("look", "wait", "pay"))
    EpisodesService(workspace).add_many(
        Episode(id=f"e{number}", goal="g", steps=steps, task=f"t{number}") for number in range(4)
    )
    patterns.mine()
    assert patterns.list()
    assert patterns.block() == ""
    stored = [
        pattern("환불 확인", 4, tier="replicated", domain="support"),
        pattern("run_tests → edit", 6, domain="coding"),
        pattern("untested", 9, tier="recurrent", domain="coding"),
    ]
    with workspace.graph.transaction() as transaction:
        transaction.save_nodes([pattern_record(one, START) for one in stored])
    assert patterns.block().splitlines() == [
        "[Learned patterns]",
        "1. 환불 확인 (confidence: high, evidence: 4 episodes)",
        "2. run_tests → edit (confidence: high, evidence: 6 episodes)",
    ]
    assert patterns.block(domain="coding", language="ko") == (
        "[학습된 행동 패턴]\n1. run_tests → edit (신뢰도: 높음, 근거: 6개 에피소드)"
    )
    assert patterns.block(limit=1).endswith("4 episodes)")
    assert patterns.block(domain="배송") == ""
    for wrong in ({"limit": 0}, {"limit": 101}, {"budget": -1}, {"language": "ja"}):
        with pytest.raises(InvalidInputError):
            patterns.block(**wrong)
    at_hand.store.close()


def test_what_would_mislead_an_agent_is_not_told() -> None:
    told = pattern(polarity="negative")
    for hidden in ({"late": True}, {"single_user": True}):
        assert patterns_block([told.model_copy(update=hidden)], "ko", 800) == ""
    assert patterns_block([told], "ko", 800)
