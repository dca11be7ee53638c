from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.graph.keys import canonical_key, label_key
from graphmem.graph.plurals import singular

ACRONYMS = {"US", "IT", "WHO"}
any_text = st.text(alphabet=st.characters())
names = st.lists(
    st.sampled_from(
        [
            "The",
            "Dogs",
            "classes",
            "IES",
            "Glasses",
            "(주)",
            "㈜",
            "삼성",
            "기계",
            "학습",
            "US",
            "ß",
            "İ",
            "[a]",
            "“b”",
            "'",
            "x²",
            "ﬁs",
            "ses",
            "s_s",
            "a=s",
            "ㄱ",
            "\u200b",
        ]
    ),
    max_size=5,
).map(" ".join)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Timeout", "timeout"),
        ("  Pool \t exhausted ", "pool exhausted"),
        ("ＤＯＧ", "dog"),
        (".NET", ".net"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("node.js", "node.js"),
        ("US", "US"),
        ("us", "us"),
        ("it", "it"),
        ("Los Angeles", "los angeles"),
        ("United States", "united states"),
        ("order states", "order state"),
        ("Kubernetes", "kubernetes"),
        ("AWS", "aws"),
        ("iOS", "ios"),
        ("APIs", "api"),
        ("URLs", "url"),
        ("glasses", "glasses"),
        ("stakes", "stake"),
        ("Dogs", "dog"),
        ("The Dogs", "the dog"),
        ("machine learning models", "machine learning model"),
        ("sessions table", "sessions table"),
        ("classes", "class"),
        ("policies", "policy"),
        ("movies", "movie"),
        ("statuses", "status"),
        ("children", "child"),
        ("analyses", "analysis"),
        ("data", "data"),
        ("news", "news"),
        ("raise_pool", "raise_pool"),
        ("run_tests", "run_tests"),
        ("payment_method=credit_cards", "payment_method=credit_cards"),
        ("reason=no longer needs", "reason=no longer needs"),
        ("pay_3", "pay_3"),
        ("e-mails", "e-mails"),
        ("gpt-4s", "gpt-4s"),
        ("x²", "x2"),
        ("x2", "x2"),
        ("İ", "i̇"),
        ("Straße", "strasse"),
        ("ﬁre", "fire"),
        ("cafe\u0301", "café"),
        ("soft\u00adware", "software"),
        ("don’t", "don't"),
        ("(Timeout)", "timeout"),
        ("「오류」", "오류"),
        ("[[a]]", "a"),
        ("(a) and (b)", "(a) and (b)"),
        ('"a" or "b"', '"a" or "b"'),
        ("((a)", "((a)"),
        ("()", "()"),
        ("!!!", "!!!"),
        ("🎉", "🎉"),
        ("가나", "가나"),
        ("고양이는", "고양이는"),
        ("기계 학습", "기계학습"),
        ("기계학습", "기계학습"),
        ("GPT-4 모델", "gpt-4 모델"),
        ("㈜삼성", "삼성"),
        ("삼성(주)", "삼성"),
        ("㈜", "주"),
    ],
)
def test_a_name_has_this_canonical_key(name: str, key: str) -> None:
    assert canonical_key(name) == key


@pytest.mark.parametrize(
    "name", ["", " ", "\t\n", "\u200b", "\x00", "\ud800", "\u3164", "\ufeff \u00ad", "\u3000"]
)
def test_a_blank_name_has_no_key(name: str) -> None:
    assert canonical_key(name) is None
    assert label_key(name) is None


def test_a_text_too_long_to_be_a_name_keeps_its_brackets() -> None:
    nested = "(" * 300 + "a" + ")" * 300
    assert canonical_key(nested) == nested


def test_a_proper_name_keeps_its_plural() -> None:
    assert canonical_key("The Rolling Stones", proper=True) == "the rolling stones"
    assert canonical_key("rolling stones") == "rolling stone"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("NetworkErrors", "networkerrors"),
        ("run_tests", "run_tests"),
        ("orders", "orders"),
        ("pay_3", "pay_3"),
        (" Issue  Refund ", "issue refund"),
        ("가전", "가전"),
        ("기계 학습", "기계 학습"),
        ("Ｔｉｍｅｏｕｔ", "timeout"),
        ("(x)", "(x)"),
    ],
)
def test_a_label_keeps_its_word_as_given(name: str, key: str) -> None:
    assert label_key(name) == key


@pytest.mark.parametrize(
    "name",
    [
        "Timeout",
        "PoolExhausted",
        "NoisyNeighbor",
        "raise_pool",
        "run_tests",
        "card=visa",
        "call_api",
        "가전",
        "get-orders",
    ],
)
def test_an_identifier_has_one_key_as_label_and_as_concept(name: str) -> None:
    assert label_key(name) == canonical_key(name)


@given(any_text | names)
@example("The Dogs")
@example("NetworkErrors")
@example("\u0345Σ")
@example("((주))")
def test_a_key_is_its_own_key(text: str) -> None:
    for key in (canonical_key(text), canonical_key(text, proper=True), label_key(text)):
        assert key is None or key == key.strip() != ""
    key = canonical_key(text)
    assert key is None or canonical_key(key) == key
    proper = canonical_key(text, proper=True)
    assert proper is None or canonical_key(proper, proper=True) == proper
    label = label_key(text)
    assert label is None or label_key(label) == label


@given(any_text | names)
def test_composed_and_decomposed_names_have_the_same_keys(text: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert canonical_key(composed) == canonical_key(decomposed)
    assert label_key(composed) == label_key(decomposed)


@given(any_text | names)
def test_the_concept_of_a_label_is_the_concept_of_the_name(text: str) -> None:
    key, label = canonical_key(text), label_key(text)
    assert (key is None) == (label is None)
    if label is not None and key not in ACRONYMS:
        assert canonical_key(label) == key


@given(any_text | names)
def test_a_name_is_blank_only_where_nothing_is_visible(text: str) -> None:
    seen = [
        c
        for c in unicodedata.normalize("NFKC", text)
        if unicodedata.category(c)[0] in "LNPS" and c not in "\u1160\u115f\u2800"
    ]
    if seen:
        assert canonical_key(text)


@given(st.text(alphabet="abcdefghilmnorstuvxyz", min_size=1, max_size=12))
def test_a_singular_is_its_own_singular(word: str) -> None:
    assert singular(singular(word)) == singular(word) != ""


@pytest.mark.parametrize(
    "word", ["address", "status", "analysis", "bus", "virus", "physics", "lens", "chaos", "series", "kudos"]
)
def test_a_singular_in_s_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(
    "word", ["salesmen", "boxes", "branches", "caches", "heroes", "shoes", "metrics", "cpus", "wikis", "photos"]
)
def test_a_plural_becomes_shorter_or_changes(word: str) -> None:
    assert singular(word) != word
