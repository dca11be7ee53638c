"""Summaries without a model: three to five sentences of what was recorded, never blank, bounded."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episode_strategies import episodes
from graphmem.episodes.derivation import language_of_episode
from graphmem.episodes.summary import MAX_PART, corrected, rule_summary
from graphmem.models.episode import Episode, Outcome, Step
from graphmem.models.message import Message
from graphmem.prompts.summarise_episode import MAX_SENTENCES

WHEN = datetime(2026, 3, 1, 9, tzinfo=UTC)
ENDS = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s+(?![a-z])|\s*$)")


def sentences(text: str) -> int:
    return len(ENDS.findall(text))


def message(number: int, text: str, role: str = "user") -> Message:
    return Message(id=f"m{number}", text=text, at=WHEN, role=role)


def test_it_names_goal_course_errors_result_and_outcome() -> None:
    episode = Episode(
        id="e",
        goal="Refund order 17",
        steps=(
            Step(action="call_api", errors=("Timeout",), effective=False),
            Step(action="raise_pool"),
            Step(action="issue_refund"),
        ),
        resolution="Refund issued",
        outcome="success",
    )
    assert rule_summary(episode, "en") == (
        "Goal: Refund order 17. Course: raise_pool, issue_refund. Errors: Timeout. Result: Refund issued."
        " Outcome: success."
    )


def test_in_korean_nothing_hangs_a_particle_on_a_name() -> None:
    episode = Episode(
        id="e",
        goal="주문 17번 환불",
        steps=(Step(action="조회"),),
        error="시간 초과",
        outcome="failure",
    )
    assert rule_summary(episode, "ko") == "목표: 주문 17번 환불. 과정: 조회. 오류: 시간 초과. 결말: 실패."


def test_mixed_scripts_follow_the_request() -> None:
    mixed = Episode(id="e", goal="API timeout 해결", trigger="API timeout 해결해 주세요", outcome="partial")
    assert language_of_episode(mixed) == "ko"
    assert rule_summary(mixed, "ko") == "목표: API timeout 해결. 과정: 기록된 단계 없음. 결말: 일부 달성."


def test_a_blank_goal_without_steps_still_says_something() -> None:
    blank = Episode(id="e", goal=" \n ", outcome="unknown")
    assert rule_summary(blank, "en") == "Goal: not known. Course: no steps were recorded. Outcome: not known."


def test_steps_none_of_which_worked_are_the_course() -> None:
    failed = Episode(id="e", goal="g", steps=(Step(action="a", effective=False),), outcome="failure")
    assert "Course: a." in rule_summary(failed, "en")


def test_many_actions_are_counted() -> None:
    many = Episode(id="e", goal="g", steps=tuple(Step(action=f"a{number}") for number in range(9)))
    assert "Course: a0, a1, a2, a3, a4, a5, and 3 more." in rule_summary(many, "en")
    assert "그 밖에 3개" in rule_summary(many, "ko")


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        "가 " * 300_000,
        "One. Two! Three? " * 10_000,
        "세 문장. 또 하나! 정말요? " * 10_000,
        "\n" * 9_999,
    ],
)
def test_huge_inputs_are_cut(text: str) -> None:
    name = (text.strip() or "x")[:512]
    steps = tuple(Step(action=name, errors=(f"{name[:500]}{number}",)) for number in range(50))
    episode = Episode(id="e", goal=text, resolution=text, steps=steps, error=name, outcome="failure")
    summary = rule_summary(episode, "en", [message(number, text) for number in range(500)])
    assert len(summary) <= 5 * (MAX_PART + 60)
    assert 3 <= sentences(summary) <= MAX_SENTENCES


def test_decomposed_hangul_is_kept_as_it_was_written() -> None:
    decomposed = unicodedata.normalize("NFD", "주문 환불")
    episode = Episode(id="e", goal=decomposed, trigger=decomposed, outcome="success")
    assert language_of_episode(episode) == "ko"
    composed = Episode(id="e", goal="주문 환불", outcome="success")
    assert unicodedata.normalize("NFC", rule_summary(episode, "ko")) == rule_summary(composed, "ko")


def test_a_conversation_gives_its_central_sentence_and_the_last_answer() -> None:
    said = [
        message(1, "Hello there. My refund for order 17 is missing."),
        message(2, "The refund for order 17 was sent.", "assistant"),
        message(3, "Which refund? The refund for order 17?"),
    ]
    summary = rule_summary(Episode(id="e", goal="Find the refund"), "en", said)
    assert summary.startswith("Goal: Find the refund. Course: 3 messages, such as: ")
    assert "refund for order 17" in summary
    assert "Result: The refund for order 17 was sent." in summary
    assert "Course: 1 message: Hello there. " in rule_summary(
        Episode(id="e", goal="g"), "en", [message(1, "Hello there")]
    )


def test_of_a_run_in_which_something_was_said_the_steps_are_the_course() -> None:
    episode = Episode(id="e", goal="환불", outcome="success", steps=[{"action": "조회"}])
    assert "과정: 조회." in rule_summary(episode, "ko", [message(1, "환불해 주세요")])


@settings(deadline=None)
@given(episodes())
def test_every_episode_has_three_to_five_sentences(episode: Episode) -> None:
    for language in ("en", "ko"):
        summary = rule_summary(episode, language)
        assert 3 <= sentences(summary) <= MAX_SENTENCES
        assert summary == " ".join(summary.split())


@settings(deadline=None)
@given(episodes(), st.sampled_from(list(Outcome)))
def test_a_corrected_outcome_is_what_it_says_from_then_on(episode: Episode, outcome: Outcome) -> None:
    for language in ("en", "ko"):
        summary = rule_summary(episode, language)
        assert episode.outcome is not None
        wanted = rule_summary(episode.model_copy(update={"outcome": outcome}), language)
        assert corrected(summary, episode.outcome, outcome) == wanted


def test_a_summary_of_somebody_elses_is_not_corrected() -> None:
    assert corrected("It went well.", Outcome.SUCCESS, Outcome.FAILURE) == "It went well."
