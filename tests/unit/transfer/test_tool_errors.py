"""Which results of tool calls are errors, and under which label they recur."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.episodes.tool_errors import MAX_LABEL, error_label
from graphmem.graph.mapping.label import key_of

ERRORS = {
    "Error: payment amount does not add up, total is 375, but paid 299": "payment amount does not add up",
    "Error: flight HAT030 not available on date 2024-05-13": "flight # not available on date #",
    "Error: payment method certificate_7504069 not found": "payment method # not found",
    "ValueError: bad value for 'colour'": "bad value for #",
    "requests.exceptions.ConnectionError: no route to 10.0.0.17:8080": "no route to #",
    "Error": "Error",
    "ERROR - disk full": "disk full",
    "[ERROR] disk full": "disk full",
    "Error 404: not found": "not found",
    "Error (500): try later": "try later",
    "Error: 12345": "error",
    "Failed to connect to db-12.example.org:5432": "Failed to connect to #",
    "fatal: not a git repository (or any parent)": "not a git repository",
    "An error occurred: timeout after 30s": "timeout after #",
    "Error executing tool get_order: order #W123 missing": "order # missing",
    "bash: foo: command not found": "command not found",
    "Traceback (most recent call last):\n  File 'a.py', line 1\nKeyError: 'x17'": "KeyError",
    "Traceback (most recent call last):\n  File 'a.py'\nValueError: bad order 17": "bad order #",
    "Error: ada@example.org is unknown": "# is unknown",
    "오류: 결제 금액이 맞지 않습니다, 총액은 375원": "결제 금액이 맞지 않습니다",
    "오류가 발생했습니다: 주문 17번을 찾을 수 없습니다.": "주문 #번을 찾을 수 없습니다",
    "결제 오류: 카드 1234가 거절됨": "카드 #가 거절됨",
    "실패: '김철수' 고객 없음": "# 고객 없음",
    "오류：잔액 부족": "잔액 부족",
    '{"error": "Order 17 not found"}': "Order # not found",
    '{"error": {"code": 429, "message": "Rate limit reached"}}': "Rate limit reached",
    '{"error": true, "message": "No stock"}': "No stock",
    '{"errors": [{"message": "Bad date 2024-01-01"}]}': "Bad date #",
    '{"status": "error", "message": "Payment refused: no funds"}': "Payment refused",
    '{"status": "failed"}': "failed",
    '{"status": 404, "message": "Not Found"}': "Not Found",
    '{"is_error": true, "content": "x"}': "error",
    '{"오류": "재고 없음"}': "재고 없음",
    '"Error: quoted"': "quoted",
}

FINE = [
    "",
    "ok",
    "null",
    "[]",
    "No error",
    "Errors: 0",
    "Error handling in Python is easy",
    "Errors in the log: none",
    "error_rate: 0.1",
    "Failed logins: 3",
    "Terror attacks fell",
    "The tool reported: Error: none",
    "에러 로그 파일을 확인했습니다",
    "오류 없음",
    '{"error": null, "x": 1}',
    '{"error": false}',
    '{"error": ""}',
    '{"error": "none"}',
    '{"errors": []}',
    '{"error_rate": 0.1, "status": "ok"}',
    '{"status": 200}',
    '{"note": "Error: quoted in a note"}',
    '[{"error": "in a list of results"}]',
]


@pytest.mark.parametrize("result", ERRORS)
def test_an_error_is_labelled_by_the_first_clause_of_its_message(result: str) -> None:
    assert error_label(result) == ERRORS[result]


@pytest.mark.parametrize("result", FINE)
def test_a_result_that_only_speaks_of_errors_is_none(result: str) -> None:
    assert error_label(result) is None


def test_a_korean_error_is_found_in_decomposed_letters_too() -> None:
    composed = "오류: 잔액 부족"
    assert error_label(unicodedata.normalize("NFD", composed)) == error_label(composed) == "잔액 부족"


def test_errors_that_differ_in_numbers_ids_and_quotes_alone_share_a_label() -> None:
    texts = ["Error: order 17 of 'Ada' is gone", "Error: order 4711-B of 'Bob' is gone"]
    assert len({error_label(text) for text in texts}) == 1


@given(st.text(max_size=300))
def test_every_label_is_short_printable_and_has_a_key(message: str) -> None:
    label = error_label(f"Error: {message}")
    assert label is not None
    assert 1 <= len(label) <= MAX_LABEL
    assert label.isprintable()
    assert key_of(label)


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    )
)
def test_no_result_fails(value: object) -> None:
    error_label(json.dumps(value))
    error_label(value)
