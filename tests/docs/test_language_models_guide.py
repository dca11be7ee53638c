"""The guide to language models asks a service: here a local one answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from chat_server import PATH, completion
from document_blocks import ROOT, Block, Prompt, blocks

GUIDE = ROOT / "docs" / "guide" / "language-models.md"
REPLY = {
    "summary": "Order 17 was to be refunded. The refund was issued.",
    "lessons": [],
    "outcome": {"value": "success", "reason": "The user says so.", "quote": "Thanks, that solved it."},
    "facts": [{"subject": "user", "predicate": "lives_in", "object": "Seoul", "quote": "I live in Seoul"}],
}


def test_the_code_that_asks_a_service_prints_what_the_page_says(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion(json.dumps(REPLY)))
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    [asking] = [at for at, block in enumerate(blocks(GUIDE)) if block.language == "py"]
    code, expected = blocks(GUIDE)[asking : asking + 2]
    ended = Prompt(tmp_path).run(Block("python", code.code, code.line))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == expected.code
