"""Instructions are found in the labelled sentences, and in nothing that only looks like one."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.instructions.finding import find_instructions
from graphmem.language.instructions.verbs import VERBS, from_gerund, gerund, is_step

SENTENCES = [
    json.loads(line)
    for language in ("en", "ko")
    for line in (Path(__file__).parents[2] / "data" / "instructions" / f"{language}.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def labelled(row: dict[str, object]) -> list[tuple[str, tuple[str, ...]]]:
    found = row["procedures"]
    assert isinstance(found, list)
    return [(one.get("name") or " → ".join(one["steps"]), tuple(one["steps"])) for one in found]


def test_the_labelled_set_holds_as_many_that_are_none() -> None:
    assert len(SENTENCES) >= 60
    assert sum(bool(row["procedures"]) for row in SENTENCES) >= 30
    assert sum(not row["procedures"] for row in SENTENCES) >= 30


@pytest.mark.parametrize("row", SENTENCES, ids=[row["text"][:40] for row in SENTENCES])
def test_a_labelled_sentence_says_what_its_label_says(row: dict[str, object]) -> None:
    text = str(row["text"])
    assert [(one.name, one.steps) for one in find_instructions(text)] == labelled(row)


@pytest.mark.parametrize("row", [row for row in SENTENCES if row["procedures"]], ids=lambda row: row["text"][:40])
def test_decomposed_text_says_the_same(row: dict[str, object]) -> None:
    text = str(row["text"])
    assert find_instructions(normalize("NFD", text)) == find_instructions(normalize("NFC", text))


def test_an_instruction_names_its_goal_its_occasion_and_its_sentence() -> None:
    (goal,) = find_instructions("Hello! To deploy: first build it, then test it. Thanks.")
    assert (goal.name, goal.when, goal.is_goal, goal.rule) == ("deploy", "deploy", True, "en.goal")
    assert goal.sentence == "To deploy: first build it, then test it."
    (rule,) = find_instructions("코드를 바꿀 때마다 문서를 고쳐 주세요.")
    assert (rule.when, rule.steps, rule.is_goal) == ("코드를 바꿀 때", ("문서를 고쳐",), False)


def test_what_is_quoted_is_not_told() -> None:
    quoted = "Always run the tests before you push."
    assert find_instructions(f'My boss wrote: "{quoted}"') == ()
    assert find_instructions(f"> {quoted}") == ()
    assert find_instructions(f"```\nTo deploy:\n1. Build it\n2. Ship it\n```\n{quoted}") == find_instructions(
        quoted
    )
    (found,) = find_instructions("To publish, first run `make build`, then upload the files.")
    assert found.steps == ("run `make build`", "upload the files")


def test_a_list_without_a_goal_is_no_procedure() -> None:
    items = "1. Buy milk\n2. Call mum"
    assert find_instructions(f"To do:\n{items}") == ()
    assert find_instructions(items) == ()
    assert [one.name for one in find_instructions(f"How to get ready:\n{items}")] == ["get ready"]


@given(st.sampled_from(sorted(VERBS)))
def test_a_gerund_leads_back_to_its_verb(verb: str) -> None:
    assert from_gerund(f"{gerund(verb)} it") == f"{verb} it"
    assert is_step(f"{verb} it")


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for found in find_instructions(text):
        assert found.steps
        assert all(step.strip() for step in found.steps)
