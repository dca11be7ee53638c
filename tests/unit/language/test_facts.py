"""Facts that rules find in what was said."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError
from graphmem.language.fact_rules import LANGUAGES, FactRule, fact_rules
from graphmem.language.facts import FoundFact, find_facts

KST = timezone(timedelta(hours=9))
SAID_AT = datetime(2026, 3, 10, 9, 0, tzinfo=KST)
LABELLED = Path(__file__).parents[2] / "data" / "facts"


def _found(text: str, said_at: datetime = SAID_AT) -> tuple[FoundFact, ...]:
    return find_facts(text, speaker="Mina", said_at=said_at)


def _brief(text: str) -> list[tuple[str, str]]:
    return [(fact.predicate, fact.object) for fact in _found(text) if not fact.ended]


def _day(moment: datetime | None) -> str | None:
    return moment.astimezone(KST).date().isoformat() if moment else None


class Score(NamedTuple):
    right: int
    wrong: int
    missed: int
    mistimed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed)


@cache
def _labelled(language: str, part: str) -> tuple[dict[str, Any], ...]:
    lines = (LABELLED / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(entry for line in lines if (entry := json.loads(line))["part"] == part)


def _score(language: str, part: str) -> Score:
    counts = [0, 0, 0, 0]
    for entry in _labelled(language, part):
        found = {(fact.predicate, fact.object, fact.ended): fact for fact in _found(entry["text"])}
        wanted = {(fact["predicate"], fact["object"], fact.get("ended", False)): fact for fact in entry["facts"]}
        both = found.keys() & wanted.keys()
        counts[0] += len(both)
        counts[1] += len(found.keys() - both)
        counts[2] += len(wanted.keys() - both)
        counts[3] += sum(
            (_day(found[key].valid_from), _day(found[key].valid_to))
            != (wanted[key].get("valid_from"), wanted[key].get("valid_to"))
            for key in both
        )
    return Score(*counts)


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("part", ["tuning", "held_out"])
def test_labelled_sentences_give_their_facts_and_their_times(language: str, part: str) -> None:
    score = _score(language, part)
    assert score.precision >= 0.95
    assert score.recall >= 0.95
    assert score.mistimed == 0


@pytest.mark.parametrize(("language", "recall"), [("ko", 0.75), ("en", 0.5)])
def test_sentences_as_people_chat_give_few_wrong_facts(language: str, recall: float) -> None:
    score = _score(language, "later")
    assert score.precision >= 0.9
    assert score.recall >= recall
    assert score.mistimed == 0


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_labelled_set_is_large_and_two_fifths_of_it_hold_nothing(language: str) -> None:
    entries = [*_labelled(language, "tuning"), *_labelled(language, "held_out")]
    assert len(entries) >= 80
    assert sum(not entry["facts"] for entry in entries) >= 0.4 * len(entries)


RULES = tuple(one.rule for language in LANGUAGES for one in fact_rules(language).rules)


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_each_rule_finds_the_fact_of_its_own_example(rule: FactRule) -> None:
    found = _found(rule.example)
    assert rule.name in {fact.rule for fact in found}
    assert {fact.ended for fact in found if fact.rule == rule.name} == {rule.ended}


def test_rules_have_names_of_their_own() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))


def test_a_fact_carries_subject_evidence_time_and_rule() -> None:
    (fact,) = _found("Hello there. I moved to Seoul in March! How are you?")
    assert (fact.subject, fact.predicate, fact.object) == ("Mina", "lives_in", "Seoul")
    assert fact.sentence == "I moved to Seoul in March!"
    assert fact.valid_from == datetime(2026, 2, 28, 15, tzinfo=UTC)
    assert (fact.valid_to, fact.ended) == (None, False)
    assert fact.rule == "en.lives.moved_to"
    assert 0 < fact.confidence <= 1


@pytest.mark.parametrize("speaker", [None, "", "  "])
def test_the_subject_is_user_when_the_speaker_has_no_name(speaker: str | None) -> None:
    (fact,) = find_facts("저는 서울에 살아요.", speaker=speaker, said_at=SAID_AT)
    assert fact.subject == "user"


def test_a_left_out_subject_is_less_sure() -> None:
    (said,), (unsaid,) = _found("저는 서울에 살아요."), _found("서울에 살아요.")
    assert unsaid.confidence < said.confidence


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Seoul?",
        "If I lived in Seoul I work at Google.",
        'He wrote "I live in Rome" on the wall.',
        "```\nI live in Rome.\n```",
        "> I live in Rome.",
        "I want to live in Rome.",
        "I will move to Rome next month.",
        "She said she lives in Rome.",
        "My sister lives in Rome.",
        "The city I live in is Rome.",
        "I don't live in Rome.",
        "I live in fear.",
        "i live in peace",
        "I work at night.",
        "I moved to the next step.",
        "I'm sure.",
        "저는 로마에 살고 싶어요.",
        "로마로 이사한다면 좋겠어요.",
        "로마로 이사할 예정이에요.",
        "저는 로마에 살지 않아요.",
        "동생은 로마에 살아요.",
        "친구가 로마에 산다고 했어요.",
        "저는 로마에 살까요",
        "걱정 속에 살아요.",
        "저는 집에서 일해요.",
        "그는 '저는 로마에 살아요'라고 말했다.",
        "",
        "   ",
        "1234 !?",
    ],
)
def test_what_is_not_asserted_of_the_speaker_is_no_fact(text: str) -> None:
    assert _found(text) == ()


def test_what_holds_no_longer_is_an_ending() -> None:
    (fact,) = _found("I quit my job at Amazon last month.")
    assert (fact.predicate, fact.object, fact.ended) == ("works_at", "Amazon", True)
    assert _day(fact.valid_to) == "2026-03-01"
    assert fact.valid_from is None


def test_an_ending_is_over_by_the_time_it_is_told() -> None:
    (fact,) = _found("이번 달에 네이버를 그만뒀어요.")
    assert fact.valid_to == SAID_AT.astimezone(UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I've been living in Berlin since 2020.", "2020-01-01"),
        ("2020년부터 베를린에 살고 있어요.", "2020-01-01"),
        ("I've lived in Berlin for two years.", "2024-01-01"),
        ("지난주 금요일에 베를린으로 이사했어요.", "2026-03-06"),
        ("Last Friday I moved to Berlin.", "2026-03-06"),
        ("I live in Berlin in winter 2020.", None),
    ],
)
def test_a_time_in_the_clause_says_from_when_it_holds(text: str, day: str | None) -> None:
    (fact,) = _found(text)
    assert _day(fact.valid_from) == day


def test_a_time_of_another_clause_does_not_date_a_fact() -> None:
    (fact,) = _found("I moved to Seoul, and last Friday we saw a play.")
    assert fact.valid_from is None


def test_several_facts_come_in_the_order_in_which_they_are_said() -> None:
    text = "I used to live in Tokyo but now I live in Osaka, and I work at Sony."
    assert [(fact.object, fact.ended) for fact in _found(text)] == [
        ("Tokyo", True),
        ("Osaka", False),
        ("Sony", False),
    ]


def test_a_fact_said_twice_is_found_once() -> None:
    assert _brief("I live in Seoul. Yes, I live in Seoul.") == [("lives_in", "Seoul")]


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("저는 제주도에 살아요.", "제주도"),
        ("대구로 이사했어요.", "대구"),
        ("종로로 이사했어요.", "종로"),
        ("강남으로 이사했어요.", "강남"),
        ("저는 서울 강남구에 살아요.", "서울 강남구"),
        ("저는 New York에 살아요.", "New York"),
        ("I live in 서울.", "서울"),
        ("I live in the Netherlands.", "Netherlands"),
    ],
)
def test_particles_and_articles_are_no_part_of_a_place(text: str, object_: str) -> None:
    assert _brief(text) == [("lives_in", object_)]


def test_a_name_that_ends_like_a_particle_keeps_its_end() -> None:
    assert _brief("제 이름은 하로예요.") == [("name_is", "하로")]


def test_a_topic_stays_until_another_one_is_named() -> None:
    assert _brief("동생은 미국에 있어요. 뉴욕에 살아요.") == []
    assert _brief("동생은 미국에 있어요. 저는 서울에 있어요. 서울에 살아요.") == [("lives_in", "서울")]


@pytest.mark.parametrize(
    "text",
    [
        "저는 3월에 서울로 이사했어요.",
        "제 이름은 김민수입니다.",
        "저는 Café Müller에서 일해요.",
        "I live in Zürich.",
    ],
)
def test_composed_and_decomposed_text_give_the_same_facts(text: str) -> None:
    assert _found(text)
    assert _found(unicodedata.normalize("NFD", text)) == _found(text)


def test_curly_apostrophes_are_apostrophes_and_the_evidence_keeps_them() -> None:
    (fact,) = _found("I’m from Busan.")
    assert (fact.object, fact.sentence) == ("Busan", "I’m from Busan.")


@pytest.mark.parametrize(
    "text",
    [
        " " * 200_000,
        "!" * 100_000 + "x",
        "A. " * 50_000,
        '"a ' * 50_000,
        "I live in Seoul" + " " * 200_000 + "!",
        "서울에 " * 50_000,
    ],
    ids=["blanks", "stops", "initials", "quotation marks", "blanks inside", "particles"],
)
def test_long_texts_of_one_kind_are_read_to_their_end(text: str) -> None:
    assert len(_found(text)) <= 1


@pytest.mark.parametrize("object_", ["\u200b", "\u200b\u200d", "가" * 300, "\ufffc"])
def test_what_is_no_name_is_no_object(object_: str) -> None:
    assert _brief(f"저는 {object_}을 좋아해요.") == []


def test_a_naive_time_is_refused_with_what_to_pass() -> None:
    with pytest.raises(InvalidInputError, match="aware"):
        find_facts("I live in Seoul.", speaker=None, said_at=datetime(2026, 3, 10))  # noqa: DTZ001 (the fault)


_PHRASES = (
    *(
        "I",
        "live in",
        "Seoul",
        ".",
        ",",
        "?",
        "!",
        "work at",
        "Google",
        "as a nurse",
        "my name is",
        "Mina",
        '"',
        "'",
    ),
    *(
        "moved to",
        "since 2020",
        "last Friday",
        "if",
        "and",
        "like",
        "love",
        "hiking",
        "don't",
        "any more",
        "`",
        "```",
    ),
    *(
        "저는",
        "서울에",
        "살아요",
        "이름은",
        "김민수입니다",
        "지난주 금요일에",
        "이사했어요",
        "않아요",
        ">",
        "제",
        "커피를",
        "좋아해요",
    ),
)
_WORDS = st.sampled_from(_PHRASES)
_TEXTS = st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=25).map(" ".join))
_OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda one: one.replace(tzinfo=UTC))  # noqa: DTZ001 (made aware)


@given(_TEXTS, _MOMENTS)
@settings(deadline=None)
def test_any_text_at_any_time_is_read_and_the_evidence_lies_in_it(text: str, said_at: datetime) -> None:
    for fact in find_facts(text, speaker=None, said_at=said_at):
        assert fact.sentence in unicodedata.normalize("NFC", text)
        assert any(map(str.isalnum, fact.object))
        assert len(fact.object) <= 200
        assert 0 < fact.confidence <= 1
        assert fact.valid_to is None or fact.valid_to <= said_at


@given(_TEXTS, st.text(alphabet=" \t\n", max_size=5), st.text(alphabet=" \t\n", max_size=5))
@settings(deadline=None)
def test_outer_blanks_change_nothing(text: str, before: str, after: str) -> None:
    stripped = text.strip()
    assert _found(f"{before}{stripped}{after}") == _found(stripped)


@given(_TEXTS, _OFFSETS)
@settings(deadline=None)
def test_the_offset_of_the_same_instant_decides_only_which_day_it_is(text: str, offset: timezone) -> None:
    here, there = _found(text), _found(text, SAID_AT.astimezone(offset))
    assert [(one.predicate, one.object, one.ended, one.rule) for one in here] == [
        (one.predicate, one.object, one.ended, one.rule) for one in there
    ]
    assert [one.valid_from is None for one in here] == [one.valid_from is None for one in there]
