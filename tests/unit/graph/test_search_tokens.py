from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.graph import stems
from graphmem.graph.tokens import MAX_TOKEN, query_tokens, search_text, tokens

any_text = st.text(alphabet=st.characters())
words = st.lists(
    st.sampled_from(
        [
            "call_api",
            "Ada의",
            "결제가",
            "C++",
            ".NET",
            "a/b",
            "3월",
            "e-mail",
            "NoisyNeighbor",
            "機械学習",
            "🎉",
            "don't",
        ]
    )
)


def found_by(query: str, document: str) -> bool:
    """Whether a query shares a token with a document, which is how the indexes find candidates."""
    return bool(set(query_tokens(query)) & set(tokens(document)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Timeouts timing", ["timeout", "time"]),
        ("call_api", ["call_api", "call", "api"]),
        ("C++ and C#, not .NET!", ["c++", "and", "c#", "not", ".net", "net"]),
        ("node.js", ["node.js", "node", "js"]),
        ("e-mails", ["email", "mail"]),
        ("pay_3", ["pay_3", "pay"]),
        ("gpt-4o", ["gpt-4o", "gpt", "4o"]),
        ("1,000.50 and 3.14", ["1000.50", "and", "3.14"]),
        ("2026-03-01", ["2026-03-01", "2026", "03", "01"]),
        ("ada@example.com", ["ada@example.com", "ada", "example.com", "exampl", "com"]),
        ("payment=card", ["payment=card", "payment", "card"]),
        ("NoisyNeighbor", ["noisyneighbor", "noisi", "neighbor"]),
        ("HTTPServer APIs", ["httpserver", "http", "server", "api"]),
        ("Ada's don't O’Brien", ["ada", "don't", "o'brien"]),
        ("__init__ ___ ... + #", ["__init__", "init"]),
        ("결제", ["결제"]),
        ("결제가", ["결제", "제가", "결제가"]),
        ("물을", ["물을", "물"]),
        ("API를", ["api", "를"]),
        ("결제_오류", ["결제", "오류"]),
        ("3월 18일에", ["3", "3월", "월", "18", "18일", "일에", "일"]),
        ("1,000원", ["1000", "1000원", "원"]),
        ("機械学習", ["機械", "械学", "学習", "機械学習"]),
        ("좋아요 🎉🎉", ["좋아", "아요", "좋아요", "🎉", "🎉"]),
        ("Windows™ x² ﬁre Straße", ["window", "x2", "fire", "strass"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
        ("\x00 \ud800 \u3164 \ufe0f", []),
        ("", []),
    ],
)
def test_a_text_gives_these_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("api", "the step call_api failed"),
        ("noisy neighbor", "cause: NoisyNeighbor"),
        ("noisyneighbor", "cause: NoisyNeighbor"),
        ("email", "Ada prefers e-mail"),
        ("example.com", "see https://www.shop.example.com/a?b=1 or mail ada@example.com"),
        ("tokens", "graphmem/graph/tokens.py:12"),
        ("visa", "card=visa"),
        ("card=visa", "paid with card=visa today"),
        ("TIMEOUT", "two timeouts"),
        ("기계학습", "기계학습을 배웠다"),
        ("결제", "재결제했습니다"),
        ("차 어디", "차를 세웠다"),
        ("Kafka", "Kafka에서 지연이 생겼다"),
        ("ｔｉｍｅｏｕｔ", "timeout"),
        ("2026", "on 2026-03-01"),
    ],
)
def test_a_query_for_a_part_finds_the_whole(query: str, document: str) -> None:
    assert found_by(query, document)


@pytest.mark.parametrize(("query", "document"), [("C", "written in C++"), ("사과", "사고"), ("net", "network")])
def test_a_query_does_not_find_what_only_begins_alike(query: str, document: str) -> None:
    assert not found_by(query, document)


def test_repetitions_are_kept_for_documents_and_dropped_for_queries() -> None:
    assert search_text("retry, retry; 재시도 재시도") == "retri retri 재시 시도 재시도 재시 시도 재시도"
    assert query_tokens("retry, retry; 재시도 재시도") == ["retri", "재시", "시도", "재시도"]


def test_a_long_query_keeps_its_longest_tokens_in_their_order() -> None:
    assert query_tokens("aa b cccc dd eeeee", limit=3) == ["aa", "cccc", "eeeee"]


def test_a_hundred_kilobytes_of_query_are_cut_to_the_limit() -> None:
    assert len(query_tokens(" ".join(f"word{i}" for i in range(15_000)))) == 64


@pytest.mark.parametrize("character", ["a", "가", "機", "🎉", "𝒳", "a/", "١"])
def test_tokens_are_bounded_in_utf16_units(character: str) -> None:
    lengths = [len(token.encode("utf-16-le")) // 2 for token in tokens(character * 1000)]
    assert max(lengths) <= MAX_TOKEN


@given(any_text)
def test_any_text_gives_clean_tokens(text: str) -> None:
    joined = search_text(text)
    assert joined == " ".join(tokens(text))
    for token in tokens(text):
        assert token
        assert not any(c.isspace() or unicodedata.category(c) in {"Cc", "Cf", "Cs"} for c in token)
        assert token.encode("utf-8")


@given(any_text)
def test_composed_and_decomposed_texts_give_the_same_tokens(text: str) -> None:
    assert tokens(unicodedata.normalize("NFC", text)) == tokens(unicodedata.normalize("NFD", text))


@given(st.text(alphabet="가각힣나라는을ㄱㅏ aB_-./3"))
def test_decomposed_hangul_gives_the_same_tokens(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


@given(words, words)
def test_the_tokens_of_two_texts_are_those_of_each(first: list[str], second: list[str]) -> None:
    joined = " ".join(first + second)
    assert tokens(joined) == tokens(" ".join(first)) + tokens(" ".join(second))


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_a_text_in_other_case_is_found(text: str) -> None:
    assert set(tokens(text.lower())) <= set(tokens(text))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz'", min_size=1))
def test_the_pure_and_the_fast_stemmer_agree(word: str) -> None:
    fast = stems._fast_stemmer()
    if fast is None:
        pytest.skip("PyStemmer is not installed")
    assert fast.stemWord(word) == stems._pure_stemmer().stemWord(word)


def test_tokens_do_not_depend_on_the_optional_stemmer(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "generously communities were retrying the failed connections of ourselves"
    with_it = tokens(text)
    monkeypatch.setattr(stems, "_fast_stemmer", lambda: None)
    stems.forget()
    try:
        assert [stems.stem(word) for word in text.split()] == with_it
    finally:
        monkeypatch.undo()
        stems.forget()


def test_the_pure_stemmer_serves_where_the_fast_one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    stems.forget()
    try:
        assert [stems.stem(word) for word in ("retrying", "connections")] == ["retri", "connect"]
    finally:
        monkeypatch.undo()
        stems.forget()


@pytest.mark.parametrize("piece", ["_", "a.", "a'", "1,", "_-", "a/", "-", "a__.--", "가1", "(", "'"])
def test_a_long_run_without_blanks_ends(piece: str) -> None:
    assert isinstance(search_text(piece * 20_000), str)


def test_another_version_of_the_optional_stemmer_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cutter:
        def stemWord(self, word: str) -> str:  # noqa: N802 (the libraries' name)
            return word[:2]

    monkeypatch.setattr(stems, "_fast_stemmer", Cutter)
    stems.forget()
    try:
        assert stems.stem("retrying") == "retri"
    finally:
        monkeypatch.undo()
        stems.forget()
