"""The code in the documents runs, in the order of each page, and prints what the page says."""

from __future__ import annotations

import json
import tomllib
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

import pytest

from document_blocks import ROOT, Prompt, blocks, documents, runnable

PAGES = [page for page in documents() if next(runnable(page), None) is not None]
FORM = ELLIPSIS | NORMALIZE_WHITESPACE


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_code_of_a_page_runs_and_prints_what_the_page_says(page: Path, tmp_path: Path) -> None:
    prompt = Prompt(tmp_path)
    for block in runnable(page):
        ended = prompt.run(block)
        place = f"{_name(page)}:{block.line}"
        assert ended.returncode == 0, f"{place}\n{ended.stdout}\n{ended.stderr}"
        if block.expected is not None:
            same = OutputChecker().check_output(block.expected, ended.stdout, FORM)
            assert same, f"{place} prints\n{ended.stdout}"


def test_readme_and_tutorial_have_code_that_runs() -> None:
    assert {"README.md", "docs/tutorial/first-memory.md"} <= set(map(_name, PAGES))


def test_json_and_toml_of_the_documents_can_be_read() -> None:
    for page in documents():
        for block in blocks(page):
            match block.language:
                case "json":
                    json.loads(block.code)
                case "jsonl":
                    assert all(json.loads(line) for line in block.code.splitlines())
                case "toml":
                    tomllib.loads(block.code)
                case _:
                    pass
