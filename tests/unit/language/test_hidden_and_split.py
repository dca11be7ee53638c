"""What is quoted or code is hidden; the rest falls into words, clauses and sentences."""

from __future__ import annotations

import pytest

from graphmem.language.utterances import HIDDEN, read_utterance


def _words(text: str) -> tuple[str, ...]:
    return read_utterance(text, frozenset({"but"})).words


@pytest.mark.parametrize(
    "marks",
    [
        '"{}"',
        "'{}'",
        "“{}”",
        "‘{}’",
        "„{}“",
        "«{}»",
        "‹{}›",
        "「{}」",
        "『{}』",
        "《{}》",
        "〈{}〉",
        "`{}`",
        "``{}``",
        "\n```\n{}\n```\n",
        "\n~~~text\n{}\n~~~\n",
        "\n    {}\n",
        "\n\t{}\n",
        "\n> {}\n",
    ],
)
def test_every_kind_of_quotation_and_code_is_one_blank_word(marks: str) -> None:
    assert _words(f"it says {marks.format('done 완료')} here") == ("it", "says", HIDDEN, "here")


def test_a_fence_without_an_end_hides_the_rest() -> None:
    assert _words("look:\n```\ndone\nthanks") == ("look", HIDDEN)


@pytest.mark.parametrize("mark", ['"', "“", "「", "`", "'"])
def test_a_mark_without_its_other_half_hides_nothing(mark: str) -> None:
    assert "done" in _words(f"a {mark} b done")


def test_apostrophes_quote_nothing() -> None:
    assert _words("it's the users' tool, isn't it") == ("it's", "the", "users", "tool", "isn't", "it")
    assert _words("that’s all, they’re done") == ("that's", "all", "they're", "done")


def test_a_message_that_is_only_padded_is_no_code() -> None:
    assert _words("    thanks") == ("thanks",)
    assert _words("\n    감사합니다\n") != ()


def test_compounds_paths_and_tags_are_one_word() -> None:
    assert _words("fixed-price done.txt /done #done a/b user@done.org") == (
        "fixed-price",
        "done.txt",
        "/done",
        "#done",
        "a/b",
        "user@done.org",
    )
    assert _words("네.그런데") == ("네", "그런데")


def test_sentences_and_clauses_are_told_apart() -> None:
    said = read_utterance("thanks, it works but slowly. is it done?", frozenset({"but"}))
    assert said.words == ("thanks", "it", "works", "but", "slowly", "is", "it", "done")
    assert len(set(said.clauses)) == 4
    assert said.sentences == (0, 0, 0, 0, 0, 1, 1, 1)
    assert said.asked == {1}
