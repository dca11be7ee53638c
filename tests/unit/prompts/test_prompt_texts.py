from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from graphmem.prompts import summarise_episode as prompt
from graphmem.prompts.texts import prompt_text

PLACEHOLDER = re.compile(r"\$\w+")


def texts() -> Iterator[tuple[str, str, str]]:
    """Name, language and text of each file."""
    for file in files("graphmem.prompts").iterdir():
        if file.name.endswith(".txt"):
            name, language, _ = file.name.split(".")
            yield name, language, file.read_text(encoding="utf-8")


def test_every_text_is_there_in_both_languages_with_the_same_placeholders() -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for name, language, text in texts():
        found.setdefault(name, {})[language] = sorted(PLACEHOLDER.findall(text))
    assert set(found) == {"summarise_episode", "extract_relations", "data", "reminder", "repair"}
    for languages in found.values():
        assert set(languages) == {"en", "ko"}
        assert languages["en"] == languages["ko"]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_bounds_in_the_text_are_those_that_are_checked(language: str) -> None:
    [text] = [text for name, of, text in texts() if (name, of) == ("summarise_episode", language)]
    numbers = [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", text)]
    assert sorted(set(numbers) - {3}) == sorted(
        {prompt.MAX_SENTENCES, prompt.MAX_SUMMARY, prompt.MAX_LESSONS, prompt.MAX_LESSON, prompt.MAX_FACTS}
        | {prompt.MAX_QUOTE}
    )
    forms = (prompt.EpisodeReply, prompt.OutcomeReply, prompt.FactReply)
    assert all(f'"{name}"' in text for form in forms for name in form.model_fields)


def test_a_placeholder_without_a_value_is_a_fault() -> None:
    with pytest.raises(KeyError):
        prompt_text("repair", "en")
