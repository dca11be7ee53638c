"""Free texts of one kind of failure are one label; names are kept as they are given."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.graph.keys import label_key
from graphmem.graph.masking import finding_label, numbered_name, numbered_pattern


def label(name: str) -> str:
    key = label_key(name)
    assert key is not None
    return finding_label(key)


@pytest.mark.parametrize(
    "texts",
    [
        ("Timeout after 30 s", "timeout after 45 s"),
        ("order ord-17 not found", "Order ord-99182 not found"),
        ("user 'kim' is unknown", "user 'lee' is unknown"),
        ("cannot reach https://a.example/x1", "cannot reach https://b.example/y2"),
        ("주문 1234 없음", "주문 99 없음"),
        ("고객 “김철수”를 찾을 수 없음", "고객 “이영희”를 찾을 수 없음"),
        ("주문 1234번이 없습니다", "주문 77번이 없습니다"),
        (unicodedata.normalize("NFC", "결제 3회 실패"), unicodedata.normalize("NFD", "결제 5회 실패")),
    ],
)
def test_texts_that_differ_in_numbers_ids_and_quotes_are_one_label(texts: tuple[str, str]) -> None:
    assert label(texts[0]) == label(texts[1])
    assert "#" in label(texts[0])


@pytest.mark.parametrize(
    "names", [("pay_3", "pay_4"), ("retry_17", "retry_18"), ("오류3", "오류4"), ("E11", "E12")]
)
def test_a_name_without_white_space_is_kept_as_given(names: tuple[str, str]) -> None:
    assert label(names[0]) != label(names[1])
    assert "#" not in label(names[0])


def test_a_text_of_which_nothing_would_be_left_is_kept() -> None:
    assert label("12 34") == "12 34"


@pytest.mark.parametrize(
    ("name", "shared"),
    [
        ("retry_17", "retry_№"),
        ("v1.2", "v№.№"),
        ("오류3", "오류№"),
        ("retry", None),
        ("17", None),
        ("a 17", None),
    ],
)
def test_names_that_differ_in_their_numbers_share_one(name: str, shared: str | None) -> None:
    assert numbered_name(name) == shared


@given(st.from_regex(r"[a-z가-힣_.+*()\\\[\]]{1,8}[0-9]{1,3}[a-z]{0,3}", fullmatch=True))
def test_the_pattern_of_a_shared_name_fits_its_own_names_alone(name: str) -> None:
    key = label_key(name)
    shared = numbered_name(key) if key else None
    if key and shared:
        fits = re.compile(re.sub(r"\\Q(.*?)\\E", lambda quoted: re.escape(quoted[1]), numbered_pattern(shared)))
        assert fits.fullmatch(key)
        assert not fits.fullmatch(f"{key}x")


@given(st.text(min_size=1, max_size=60))
def test_a_label_is_its_own_label_and_never_empty(name: str) -> None:
    key = label_key(name)
    if key is not None:
        once = finding_label(key)
        assert once
        assert finding_label(once) == once
        assert label_key(once) == once
