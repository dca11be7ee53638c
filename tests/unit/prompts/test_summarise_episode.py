from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest

from graphmem.errors import ReplyError
from graphmem.models.episode import Outcome
from graphmem.prompts.asking import CALLS_AT_MOST
from graphmem.prompts.grounding import Sayings
from graphmem.prompts.summarise_episode import summarise_episode
from graphmem.prompts.transcript import Turn
from graphmem.testing.scripted_model import ScriptedModel

ENGLISH = (
    Turn("user", "Hi, I moved to Seoul in March. Please refund\n  order 17."),
    Turn("assistant", "The first call timed out. The second one worked: refund 4711 is issued."),
    Turn("user", "Great, that solved it. I prefer e-mail."),
)
KOREAN = (
    Turn("user", "3월에 서울로 이사했어요. 주문 17번을 환불해 주세요."),
    Turn("assistant", "환불이 완료되었습니다. 접수 번호는 4711입니다."),
    Turn("user", "감사합니다, 해결됐어요."),
)


def reply(**changes: Any) -> str:
    """A good English reply, with some of its parts replaced."""
    good: dict[str, Any] = {
        "summary": "Ada wanted a refund of order 17. The second call worked. The refund was issued.",
        "lessons": ["Retry a refund call that times out once."],
        "outcome": {"value": "success", "reason": "The user said so.", "quote": "Great, that solved it."},
        "facts": [{"subject": "user", "predicate": "lives_in", "object": "Seoul", "quote": "I moved to Seoul"}],
    }
    return json.dumps(good | changes)


def korean_reply(**changes: Any) -> str:
    good: dict[str, Any] = {
        "summary": "사용자가 주문 17번의 환불을 원했습니다. 환불이 접수되어 완료되었습니다.",
        "lessons": ["환불은 접수 번호와 함께 알려 준다."],
        "outcome": {"value": "success", "reason": "사용자가 해결됐다고 했다.", "quote": "감사합니다, 해결됐어요."},
        "facts": [{"subject": "사용자", "predicate": "lives_in", "object": "서울", "quote": "서울로 이사했어요"}],
    }
    return json.dumps(good | changes, ensure_ascii=False)


def outcome(value: str, quote: str) -> dict[str, str]:
    return {"value": value, "reason": "It says so.", "quote": quote}


def fact(quote: str) -> dict[str, str]:
    return {"subject": "user", "predicate": "likes", "object": "tea", "quote": quote}


def test_one_reply_gives_summary_lessons_outcome_and_facts() -> None:
    model = ScriptedModel([reply()])
    found = summarise_episode(model, ENGLISH)
    assert found.summary.startswith("Ada wanted a refund")
    assert found.lessons == ("Retry a refund call that times out once.",)
    assert (found.outcome, found.outcome_quote) == (Outcome.SUCCESS, "Great, that solved it.")
    assert found.outcome_reason == "The user said so."
    [known] = found.facts
    assert (known.subject, known.predicate, known.object) == ("user", "lives_in", "Seoul")
    assert (found.dropped_facts, found.is_outcome_dropped) == (0, False)
    assert model.requests[0].language == "en"


def test_a_korean_conversation_is_asked_and_answered_in_korean() -> None:
    model = ScriptedModel([korean_reply()])
    found = summarise_episode(model, KOREAN)
    assert found.outcome is Outcome.SUCCESS
    assert len(found.facts) == 1
    assert model.requests[0].language == "ko"
    assert "한국어로" in model.requests[0].system


def test_the_language_can_be_chosen() -> None:
    model = ScriptedModel([korean_reply(outcome=outcome("unknown", ""), facts=[])])
    assert summarise_episode(model, ENGLISH, "ko").outcome is Outcome.UNKNOWN
    assert model.requests[0].language == "ko"


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("that solved it", True),
        ("Please refund order 17.", True),
        ("Please  refund \n order 17.", True),
        ("that SOLVED it", False),
        ("that solved it. I like tea", False),
        ("order 17. The first call", False),
        ("assistant", False),
        ("[1]", False),
        ("", False),
        (".", False),
        ("e", False),
    ],
)
def test_a_quote_stands_in_one_turn_verbatim_but_for_blanks(quote: str, holds: bool) -> None:
    assert Sayings(ENGLISH).holds(quote) is holds


def test_a_quote_may_be_composed_otherwise_and_holds_what_the_prompt_showed() -> None:
    decomposed = tuple(Turn(turn.speaker, unicodedata.normalize("NFD", turn.text)) for turn in KOREAN)
    assert Sayings(decomposed).holds("해결됐어요")
    assert Sayings(KOREAN).holds(unicodedata.normalize("NFD", "해결됐어요"))
    hidden = Sayings([Turn("user", "it\u202ework\u200ds <|end|>")])
    assert hidden.holds("it\\u202ework\\u200ds <\\|end|>")
    assert hidden.holds("it\u202ework\u200ds <|end|>")


def test_an_outcome_that_nothing_shows_is_unknown_and_the_rest_still_holds() -> None:
    found = summarise_episode(ScriptedModel([reply(outcome=outcome("failure", "it exploded"))]), ENGLISH)
    assert (found.outcome, found.outcome_reason, found.outcome_quote) == (Outcome.UNKNOWN, "", "")
    assert found.is_outcome_dropped
    assert found.summary
    assert len(found.facts) == 1


def test_an_unknown_outcome_needs_no_quote_and_is_not_counted_as_dropped() -> None:
    found = summarise_episode(ScriptedModel([reply(outcome=outcome("unknown", ""))]), ENGLISH)
    assert found.outcome is Outcome.UNKNOWN
    assert not found.is_outcome_dropped


def test_facts_that_nothing_says_are_dropped_and_counted_and_repeated_ones_are_one() -> None:
    facts = [fact("I prefer e-mail"), fact("I prefer tea"), fact(""), fact("I prefer e-mail")]
    found = summarise_episode(ScriptedModel([reply(facts=facts)]), ENGLISH)
    assert [known.quote for known in found.facts] == ["I prefer e-mail"]
    assert found.dropped_facts == 2


def test_equal_lessons_are_one() -> None:
    assert summarise_episode(ScriptedModel([reply(lessons=["Wait.", " Wait. "])]), ENGLISH).lessons == ("Wait.",)


@pytest.mark.parametrize(
    "summary",
    [
        "One. Two! Three? Four... Five.",
        "It used v1.2, i.e. the old one, e.g. for order 17.5. Fine.",
        "No end at all",
        "A" * 1_200,
    ],
)
def test_up_to_five_sentences_are_a_summary(summary: str) -> None:
    assert summarise_episode(ScriptedModel([reply(summary=summary)]), ENGLISH).summary == summary


BAD = {
    "empty": "",
    "not JSON": "The refund was issued.",
    "JSON in prose": f"Sure! {reply()}",
    "an extra key": reply(confidence=1),
    "a missing key": '{"summary": "Fine."}',
    "a blank summary": reply(summary=" "),
    "six sentences": reply(summary="One. Two. Three. Four. Five. Six."),
    "six sentences without an end": reply(summary="One. Two. Three. Four. Five. Six"),
    "a summary that is too long": reply(summary="a" * 1_201),
    "too many lessons": reply(lessons=["a"] * 6),
    "a lesson that is too long": reply(lessons=["a" * 301]),
    "a blank lesson": reply(lessons=[""]),
    "an outcome that is none": reply(outcome=outcome("great", "Great")),
    "a fact without a subject": reply(facts=[{**fact("Great"), "subject": ""}]),
    "too many facts": reply(facts=[fact("Great")] * 21),
    "a quote that is too long": reply(facts=[fact("a" * 501)]),
    "Korean where English was asked for": korean_reply(),
    "Japanese where English was asked for": reply(summary="返金しました。"),
    "a bidirectional override": reply(summary="Fine \u202e."),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_reply_is_repaired_or_an_error_and_nothing_of_it_is_taken(bad: str) -> None:
    repaired = ScriptedModel([bad, reply()])
    assert summarise_episode(repaired, ENGLISH).summary.startswith("Ada wanted")
    assert len(repaired.requests) == 2
    stubborn = ScriptedModel(always=bad)
    with pytest.raises(ReplyError) as caught:
        summarise_episode(stubborn, ENGLISH)
    assert caught.value.reply == bad
    assert len(stubborn.requests) == CALLS_AT_MOST


def test_english_where_korean_was_asked_for_is_refused() -> None:
    with pytest.raises(ReplyError, match="not written in Korean"):
        summarise_episode(ScriptedModel(always=reply()), KOREAN)


def test_six_korean_sentences_are_too_many() -> None:
    six = "환불을 원했습니다. 조회했습니다. 실패했습니다. 다시 했습니다. 성공했습니다. 끝났습니다."
    with pytest.raises(ReplyError, match="6 sentences"):
        summarise_episode(ScriptedModel(always=korean_reply(summary=six)), KOREAN)
