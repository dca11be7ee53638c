"""Where episodes end and begin: every settled point, and the labelled messages."""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from graphmem.episodes.boundaries import Boundary, BoundaryPolicy, detect_boundary
from graphmem.errors import InvalidInputError
from graphmem.models.message import Message

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
LABELLED = Path(__file__).parents[2] / "data" / "boundaries"


@dataclass(frozen=True)
class Said:
    text: str
    at: datetime = NOON
    role: str = "user"


BEFORE = Said("hello", NOON - timedelta(minutes=1))


def _found(text: str, **rest: Any) -> Boundary:
    return detect_boundary(Said(text), BEFORE, **rest)


def _decision(text: str) -> str:
    return _found(text).decision


@pytest.mark.parametrize("text", ["감사합니다", "Thanks!", "다른 질문이 있어요", "hello", ""])
def test_the_first_message_starts_an_episode(text: str) -> None:
    assert detect_boundary(Said(text), None).decision == "start"


def test_messages_of_the_library_are_taken_as_they_are() -> None:
    first = Message(id="m1", text="환불해 주세요", at=NOON)
    last = Message(id="m2", text="덕분에 해결됐습니다", at=NOON + timedelta(minutes=2))
    found = detect_boundary(last, first)
    assert (found.decision, found.cue, found.closing) == ("end", "해결됐습니다", "success")
    assert "해결됐습니다" in found.why
    assert (found.ends, found.starts, found.is_success) == (True, False, True)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "　", "\u00a0"])
def test_a_message_without_words_continues_even_after_a_gap_or_an_end(text: str) -> None:
    late = Said(text, NOON + timedelta(days=1))
    assert detect_boundary(late, BEFORE).decision == "continue"
    ended = detect_boundary(late, BEFORE, ended=True)
    assert ended.decision == "continue"
    assert ended.is_over_after(ended=True)


def test_after_an_end_the_next_message_starts() -> None:
    found = _found("감사합니다", ended=True)
    assert (found.decision, found.closing, found.is_over_after(ended=True)) == ("start", None, False)


@pytest.mark.parametrize(
    ("minutes", "decision"), [(30, "continue"), (30.01, "start"), (0, "continue"), (-600, "continue")]
)
@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool"])
def test_a_gap_of_more_than_thirty_minutes_starts_whoever_speaks(minutes: float, decision: str, role: str) -> None:
    found = detect_boundary(Said("그다음은요", NOON + timedelta(minutes=minutes), role), Said("네", NOON))
    assert found.decision == decision
    assert ("minutes" in found.why) == (decision == "start")


def test_instants_are_compared_not_clock_faces() -> None:
    seoul = timezone(timedelta(hours=9))
    late = Said("그다음은요", (NOON + timedelta(minutes=20)).astimezone(seoul))
    assert detect_boundary(late, Said("네", NOON)).decision == "continue"
    assert detect_boundary(Said("then", late.at + timedelta(hours=1)), Said("네", NOON)).decision == "start"


def test_a_naive_time_is_refused_with_what_to_pass() -> None:
    naive = Said("네", NOON.replace(tzinfo=None))
    for message, previous in ((naive, BEFORE), (naive, None), (Said("네"), naive)):
        with pytest.raises(InvalidInputError, match="aware datetime"):
            detect_boundary(message, previous)


def test_closing_is_tested_before_new_topic_and_both_before_the_gap() -> None:
    late = NOON + timedelta(hours=9)
    assert detect_boundary(Said("thanks, that solved it", late), BEFORE).decision == "end"
    both = detect_boundary(Said("감사합니다! 다른 질문인데요, 환불은요?", late), BEFORE)
    assert (both.decision, both.cue, both.starts, both.ends) == ("end+start", "감사합니다", True, True)
    assert "다른 질문인데요" in both.why
    assert not both.is_over_after(ended=False)


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_cues_count_in_messages_of_the_user_only(role: str) -> None:
    for text in ("감사합니다. 완료했습니다.", "Done! By the way, next: lunch"):
        assert detect_boundary(Said(text, role=role), BEFORE).decision == "continue"


def test_what_the_closing_says_is_kept() -> None:
    says = {text: _found(text).closing for text in ("thanks", "이해했습니다", "that's all", "완료했습니다", "hm")}
    assert says == {
        "thanks": "thanks",
        "이해했습니다": "understood",
        "that's all": "enough",
        "완료했습니다": "success",
        "hm": None,
    }
    assert _found("감사합니다. 해결됐어요!").closing == "success"


def test_why_a_closing_cue_does_not_count_is_told() -> None:
    for text, told in {
        "해결됐어요?": "asked",
        "It's not fixed": "negated",
        "Thanks, but it still fails": "contrasted",
        "Could you rename it? Thanks": "request",
    }.items():
        found = _found(text)
        assert found.decision == "continue"
        assert told in found.why


@pytest.mark.parametrize(
    "text",
    [
        "please say thank you to him",
        "Thanks in advance",
        "Thank you so much in advance!",
        "답변 미리 감사드려요",
        "I have done nothing",
        "a fixed-price contract",
        "next week we meet",
        "got it?",
        "I got it from the store",
        "I was surprised by the way he spoke",
        "The weather, by the way, is nice.",
        "not done yet",
        "thanks, but it still fails",
        "완료 버튼이 없어요",
        "완료 예정",
        "완료하려면 어떻게 해요",
        "완료되지 않았습니다",
        "완료되지 않은 일",
        "해결됐습니까?",
        "이해했습니다만 반대예요",
        "감사합니다만 여전히 안 돼요",
        "좋습니다만",
        "좋습니다 그런데 아직 안 돼요",
        "감사합니다 그런데 하나 더",
        "감사합니다라고 전해 줘",
        "다른 질문은 없습니다",
    ],
)
def test_words_that_only_look_like_a_cue_continue(text: str) -> None:
    assert _decision(text) == "continue"


@pytest.mark.parametrize(
    "text",
    [
        "감사합니다ㅎㅎ",
        "감사합니다ㅠㅠ",
        "고마워요~~",
        "감사합니다🙏",
        "감사 합니다",
        "ＴＨＡＮＫＳ",
        "감사\u200b합니다",
        "**Done!**",
    ],
)
def test_a_cue_is_known_in_any_form_of_writing(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC"):
        assert _decision(unicodedata.normalize(form, text)) == "end"


def test_languages_may_be_mixed_in_one_message() -> None:
    assert _decision("Thanks 근데 여전히 안 돼요") == "continue"
    assert _decision("감사합니다 but it still fails") == "continue"
    assert _decision("감사합니다! Another question: where?") == "end+start"


@pytest.mark.parametrize(
    "text",
    ["next, the file", "Next: lunch", "Next question", "Ok. Next, lunch", "by the way, but only if you can"],
)
def test_a_new_topic_counts_at_the_start_in_a_question_and_before_a_contrast(text: str) -> None:
    assert _decision(text) == "start"
    assert _decision(f"{text}?") == "start"


def test_a_contrast_that_leads_to_a_new_topic_leaves_the_closing() -> None:
    assert _decision("Thanks, but another question: why?") == "end+start"
    assert _decision("감사합니다. 그런데 다른 질문이 있어요") == "end+start"


def test_thanks_beside_a_wish_go_on_unless_the_wish_is_to_thank() -> None:
    assert _decision("Thank you. I'd like to change my flight.") == "continue"
    assert _decision("감사합니다. 환불도 받고 싶어요.") == "continue"
    assert _decision("I'd like to thank you for the help.") == "end"


def test_the_policy_sets_the_gap_and_adds_cues() -> None:
    policy = BoundaryPolicy(gap_minutes=5, closing_cues=("over and out",), new_topic_cues=("딴 얘기",))
    assert _found("Over and out.", policy=policy).decision == "end"
    assert _found("딴 얘기, 밥은?", policy=policy).decision == "start"
    assert _found("감사합니다", policy=policy).decision == "end"
    late = Said("그다음", BEFORE.at + timedelta(minutes=6))
    assert detect_boundary(late, BEFORE, policy=policy).decision == "start"


@pytest.mark.parametrize(
    "wrong", [{"gap_minutes": 0}, {"gap_minutes": 1e9}, {"closing_cues": ("  ",)}, {"gap": 3}]
)
def test_a_policy_out_of_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        BoundaryPolicy(**wrong)


def test_labelled_messages_are_decided_as_labelled() -> None:
    right: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for path in sorted(LABELLED.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            at = datetime.fromisoformat(row["at"]) if "at" in row else NOON
            given = row.get("previous", BEFORE.at.isoformat())
            previous = None if given is None else Said("", datetime.fromisoformat(given))
            found = detect_boundary(Said(row["text"], at, row.get("role", "user")), previous)
            right[path.stem, row["set"]].append(found.decision == row["label"])
    assert {language for language, _ in right} == {"ko", "en"}
    assert all(len(answers) >= 40 and sum(answers) >= 0.97 * len(answers) for answers in right.values())


@pytest.mark.parametrize(
    "unit", ["thanks ", "“", "` ", "'a\n", "```\n", "> done\n", "new topic ", "not done ", "/", "a-"]
)
def test_a_huge_message_is_answered(unit: str) -> None:
    assert _decision(f"done {unit * 20_000}") in {"start", "continue", "end", "end+start"}
