"""Loads the texts of prompts: a file a prompt and language, `summarise_episode.ko.txt` beside its module."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from string import Template

from graphmem.ports.prompt_text import Language


def prompt_text(name: str, language: Language, **values: str) -> str:
    """A text with its placeholders (`$name`) filled in.

    Args:
        name: Of the file, without language and ending.
        language: The language of the text.
        **values: One a placeholder, of our own words: data goes between the fence's lines.

    Raises:
        KeyError: A placeholder has no value.
    """
    return _template(name, language).substitute(values).strip()


@lru_cache(maxsize=64)
def _template(name: str, language: Language) -> Template:
    return Template((files("graphmem.prompts") / f"{name}.{language}.txt").read_text(encoding="utf-8"))
