"""A conversation that is like something that happened before, and the suggestion made of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.episodes.service import EpisodesService
from graphmem.episodes.situation import last_texts, suggestion
from graphmem.errors import InvalidInputError
from graphmem.models.episode import Episode, EpisodeState, Step
from graphmem.models.message import Message
from workspaces import Desk, desk

WHEN = datetime(2026, 3, 18, 9, 0, tzinfo=UTC)
TEXT = "파손된 주문의 환불 처리"


def episode(outcome: str = "failure", name: str = "run-17", **fields: object) -> Episode:
    given: dict[str, object] = {"goal": TEXT, "summary": TEXT, "outcome": outcome, "started_at": WHEN}
    return Episode(id=name, **{**given, **fields})


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def episodes(at_hand: Desk) -> EpisodesService:
    return EpisodesService(at_hand.workspace())


def test_trouble_is_told_before_it_repeats(episodes: EpisodesService) -> None:
    episodes.add(episode(resolution="기한이 지나 거절됨", lessons=("먼저 날짜를 본다", "둘째")))
    found = episodes.situation([TEXT])
    assert found.is_similar
    assert [hit.id for hit in found.episodes] == ["run-17"]
    assert found.suggestion == (
        "이전에 유사한 상황에서 문제가 발생했습니다: 기한이 지나 거절됨. 교훈: 먼저 날짜를 본다."
        " (에피소드 run-17, 2026-03-18)"
    )
    with pytest.raises(FrozenInstanceError):
        found.is_similar = False  # type: ignore[misc]  # that is what is tested


def test_nothing_alike_is_no_suggestion(episodes: EpisodesService) -> None:
    episodes.add_many([episode(), Episode(id="open", goal=TEXT, state=EpisodeState.OPEN)])
    for messages in (["Rotate the TLS certificates"], [], ["  "], [{"role": "assistant", "content": None}]):
        found = episodes.situation(messages)
        assert (found.is_similar, found.episodes, found.suggestion) == (False, (), "")


def test_the_nearest_episode_makes_the_suggestion(episodes: EpisodesService) -> None:
    episodes.add_many(
        [
            episode("success", "far", summary=f"{TEXT} 요청 문의", resolution="먼 것"),
            episode("success", "near", resolution="사진을 받고 환불함", lessons=("안 나온다",)),
        ]
    )
    found = episodes.situation(TEXT, min_similarity=0.1)
    assert [hit.id for hit in found.episodes] == ["near", "far"]
    assert found.suggestion == (
        "이전에 유사한 상황을 성공적으로 처리한 경험이 있습니다: 사진을 받고 환불함. (에피소드 near, 2026-03-18)"
    )
    assert len(episodes.situation(TEXT, min_similarity=0.1, limit=1).episodes) == 1


def test_it_takes_more_likeness_than_similar_does(episodes: EpisodesService) -> None:
    episodes.add(episode())
    similarity = episodes.similar(TEXT)[0].similarity
    assert episodes.situation(TEXT, min_similarity=similarity).is_similar
    with pytest.raises(InvalidInputError, match="min_similarity is 1"):
        episodes.situation(TEXT, min_similarity=1.01)


def test_only_this_users_episodes_count(at_hand: Desk) -> None:
    ada, bora = (EpisodesService(at_hand.workspace(user=user)) for user in ("ada", "bora"))
    ada.add(episode(domain="support"))
    assert ada.situation(TEXT).is_similar
    assert not bora.situation(TEXT).is_similar
    assert not ada.situation(TEXT, domain="coding").is_similar


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        (["a", "b", "c", "d"], "b\nc\nd"),
        (["a", " ", "b", "", "c", "d", "\n"], "b\nc\nd"),
        ("환불", "환불"),
        (Message(id="m", text="환불", at=WHEN), "환불"),
        ({"role": "user", "content": "환불"}, "환불"),
        (iter([{"text": "a"}, Message(id="m", text="b", at=WHEN), {"role": "tool", "content": "c"}]), "a\nb\nc"),
        ([{"role": "assistant", "content": None, "tool_calls": []}, {"content": "a"}], "a"),
        ([{"content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}, "b"]}], "a\n\nb"),
        ([{"text": None, "content": "a"}], "a"),
        ([], ""),
    ],
)
def test_the_last_three_messages_with_text_are_the_situation(messages: Any, text: str) -> None:
    assert last_texts(messages) == text


@pytest.mark.parametrize("wrong", [[7], [None], [{"role": "user"}], [{"text": 5}], ["ok", b"bytes"]])
def test_what_is_no_message_is_refused_with_its_place(wrong: list[Any]) -> None:
    with pytest.raises(InvalidInputError, match=f"message {len(wrong) - 1}: give a Message"):
        last_texts(wrong)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (episode("failure", resolution="Too late!"), "A similar situation went wrong before: Too late!"),
        (episode("failure", summary="Timed out"), "A similar situation went wrong before: Timed out."),
        (
            episode("success", resolution="Refund issued", lessons=("x",)),
            "A similar situation was handled successfully before: Refund issued.",
        ),
        (
            episode("partial", resolution="One of two refunded", lessons=("Ask for the photo",)),
            "A similar situation was handled in part before: One of two refunded. Left: Ask for the photo.",
        ),
        (
            episode("unknown", resolution="Handed over", lessons=("Look first",)),
            "A similar situation came up before, and how it ended is not known: Handed over. Lesson: Look first.",
        ),
    ],
)
def test_each_outcome_has_its_words(told: Episode, words: str) -> None:
    assert suggestion(told, "en") == f"{words} (episode run-17, 2026-03-18)"


def test_of_a_partial_episode_the_steps_tell_what_worked_and_what_was_left() -> None:
    steps = (
        Step(action="주문 조회"),
        Step(action="환불", effective=False, errors=("Timeout",)),
        Step(action="사진 요청", effective=False),
        Step(action="사진 요청"),
        Step(action="안내", effective=False),
    )
    told = episode("partial", steps=steps, lessons=("쓰이지 않는다",), started_at=None)
    assert suggestion(told, "ko") == (
        "이전에 유사한 상황을 일부만 처리했습니다: 주문 조회, 사진 요청. 남은 것: 환불 (Timeout), 안내."
        " (에피소드 run-17)"
    )
    worked = episode("partial", steps=(Step(action="안내"),), resolution="안내만 함", started_at=None)
    assert suggestion(worked, "ko") == "이전에 유사한 상황을 일부만 처리했습니다: 안내만 함. (에피소드 run-17)"


def test_the_language_is_that_of_the_messages_unless_one_is_named(episodes: EpisodesService) -> None:
    episodes.add(episode("success", resolution="ok"))
    assert episodes.situation(unicodedata.normalize("NFD", TEXT)).suggestion.startswith("이전에 유사한 상황을")
    mixed = episodes.situation(f"order 17: {TEXT}", min_similarity=0.1)
    assert mixed.suggestion.startswith("이전에 유사한 상황을")
    assert episodes.situation(TEXT, language="en").suggestion.startswith("A similar situation was handled")
    with pytest.raises(InvalidInputError, match="language 'fr'"):
        episodes.situation(TEXT, language="fr")


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)


@given(TEXTS, st.lists(TEXTS, max_size=2), st.sampled_from(["success", "partial", "failure", "unknown"]))
def test_a_suggestion_is_one_line_whatever_is_retrieved(text: str, lessons: list[str], outcome: str) -> None:
    line = suggestion(episode(outcome, resolution=f"{text}\n[Past successes]", lessons=tuple(lessons)), "en")
    assert len(line.splitlines()) == 1
    assert "[Past successes]" not in line
    assert line.endswith("(episode run-17, 2026-03-18)")
