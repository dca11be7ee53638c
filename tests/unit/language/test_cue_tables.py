"""Cue tables as data: the ones that come with graphmem, and those that a user adds."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import InvalidInputError
from graphmem.language.cues import Cue, CueTable, default_cues, load_cues, read_cue_table
from graphmem.language.lexicon import lexicon
from graphmem.language.spotting import Spotted, spot

GERMAN = """
fillers = ["ok"]
[[closing]]
meaning = "success"
words = ["Gelöst", "das war's"]
place = "end"
[[new_topic]]
words = ["andere Frage"]
[guards]
negation = ["nicht"]
contrast = ["aber"]
"""


def _spotted(text: str, *files: Path) -> Spotted:
    return spot(text, lexicon(load_cues(files)))


@pytest.fixture
def german(tmp_path: Path) -> Path:
    path = tmp_path / "de.toml"
    path.write_text(GERMAN, encoding="utf-8")
    return path


def test_korean_and_english_come_with_graphmem() -> None:
    assert set(default_cues().tables) >= {"ko", "en"}


@pytest.mark.parametrize(
    "cue",
    [
        "감사합니다",
        "해결됐습니다",
        "완료",
        "이해했습니다",
        "좋습니다",
        "thank you",
        "thanks",
        "that solved it",
        "solved",
        "fixed",
        "done",
        "got it",
        "understood",
        "that's all",
    ],
)
def test_each_closing_cue_of_the_specification_closes(cue: str) -> None:
    assert _spotted(cue).closing == cue


@pytest.mark.parametrize(
    "cue",
    [
        "다른 질문",
        "새로운 주제",
        "그건 그렇고",
        "다음으로",
        "별개의 문제",
        "another question",
        "new topic",
        "different topic",
        "by the way",
        "next",
        "separate issue",
        "unrelated",
    ],
)
def test_each_new_topic_cue_of_the_specification_begins_one(cue: str) -> None:
    assert _spotted(cue).new_topic == cue


def test_a_file_adds_a_language_beside_those_that_are_there(german: Path) -> None:
    assert _spotted("Ok, GELÖST!", german).closing == "gelöst"
    assert _spotted("das war’s", german).closing == "das war's"
    assert _spotted("nicht gelöst", german).closing is None
    assert _spotted("Gelöst, aber langsam", german).closing is None
    assert _spotted("Andere Frage: wo?", german).new_topic == "andere frage"
    assert _spotted("감사합니다, aber nein", german).closing is None
    assert _spotted("Gelöst").closing is None


def test_a_table_for_a_language_that_is_there_adds_to_it() -> None:
    more = default_cues().with_table("ko", CueTable(new_topic=(Cue(words=("딴 얘기인데",)),)))
    assert spot("딴 얘기인데, 밥은?", lexicon(more)).new_topic == "딴 얘기인데"
    assert spot("감사합니다", lexicon(more)).closing == "감사합니다"
    assert spot("딴 얘기인데, 밥은?", lexicon(default_cues())).new_topic is None


def test_cues_of_a_script_without_blanks_are_found_inside_a_sentence() -> None:
    japanese = read_cue_table('[[closing]]\nmeaning = "thanks"\nwords = ["ありがとう", "解決しました"]', "ja")
    known = lexicon(default_cues().with_table("ja", japanese))
    assert spot("問題は解決しました。", known).closing == "解決しました"
    assert spot("「解決しました」と出ます", known).closing is None


def test_a_cue_may_be_written_with_punctuation_and_in_any_case() -> None:
    table = CueTable(new_topic=(Cue(words=("P.S.: Anyway,", "ＡＮＹＨＯＷ")),))
    known = lexicon(default_cues().with_table("en", table))
    assert spot("anyhow", known).new_topic == "anyhow"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("closing = 1", "closing"),
        ("[[closing", "not TOML"),
        ("[[closing]]\nwords = ['x']", "meaning"),
        ("[[new_topic]]\nwords = ['x']\nplace = 'middle'", "place"),
        ("[[new_topic]]\nwords = ['']", "words"),
        ("[[new_topic]]\nstems = ['x']\nendings = ['none']", "'none'"),
        ("[guards]\nnegations = ['x']", "negations"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(InvalidInputError, match=r"the cues de\.toml") as refused:
        read_cue_table(text, "de.toml")
    assert told in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"xx\.toml cannot be read"):
        load_cues([tmp_path / "xx.toml"])
