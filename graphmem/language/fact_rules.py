"""The rules for facts as data: `data/facts.*.toml`, one file a language, read and compiled once.

A pattern is a regular expression with slots in braces ({NAME}); line ends with the indent after them are
dropped, and a blank is any white space. What the rules mean is listed in docs/reference/facts.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import Field

from graphmem.models.fields import Frozen

RuleLanguage = Literal["ko", "en"]
"""The languages that have rules."""

LANGUAGES: tuple[RuleLanguage, ...] = ("en", "ko")
"""The same, to go through."""

Timing = Literal["none", "since", "start", "end"]

_SLOT = re.compile(r"\{([A-Z_]+)\}")
_WRAP = re.compile(r"(?:\A|\n)[ \t]*")


class FactRule(Frozen):
    """One way of stating a fact."""

    name: str = Field(description="Unique: facts name the rule that found them.")
    predicate: str = Field(description="The relation it finds, such as lives_in.")
    pattern: str = Field(description="Regular expression with slots and the group `object`.")
    prior: float = Field(ge=0, le=1, description="Precision expected of it, 0..1: the confidence of its facts.")
    example: str = Field(description="A sentence in which it finds a fact.")
    cues: tuple[str, ...] = Field(description="One of these is in the sentence in lower case, or it is not tried.")
    timing: Timing = Field(
        "none",
        description="What a time in the clause says: none; since: only a time that lasts dates a state; "
        "start: an event began it then; end: an event ended it then.",
    )
    ended: bool = Field(False, description="Whether it finds that something holds no longer.")
    is_list: bool = Field(False, description="Whether the object may name several.")
    reads_times: bool = Field(False, description="Whether it reads times itself, so they are not covered up.")
    is_cased: bool = Field(False, description="Whether it is skipped in a sentence without capitals.")
    needs: str | None = Field(None, description="Regular expression that the sentence must hold as well.")


class CompiledRule:
    """A rule with its patterns ready; compiled at first use, as one message needs few of them."""

    def __init__(self, rule: FactRule, slots: Mapping[str, str], lower_slots: Mapping[str, str]) -> None:
        self.rule = rule
        self._slots = slots
        self._lower_slots = lower_slots
        self._compiled: dict[bool, re.Pattern[str]] = {}
        self._needs = re.compile(rule.needs) if rule.needs else None

    def pattern(self, *, is_cased: bool = True) -> re.Pattern[str]:
        """The pattern for a sentence with capitals, or for one in lower case."""
        found = self._compiled.get(is_cased)
        if found is None:
            slots = self._slots if is_cased else {**self._slots, **self._lower_slots}
            found = self._compiled[is_cased] = re.compile(filled(self.rule.pattern, slots))
        return found

    def fits(self, text: str) -> bool:
        """Whether the sentence holds what the rule needs beside its pattern."""
        return self._needs is None or self._needs.search(text) is not None


class RuleSet:
    """The rules of a language, found by the cues that a sentence holds."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        slots = {name: _unwrapped(text) for name, text in table["slots"].items()}
        lower_slots = {name: _unwrapped(text) for name, text in table.get("lower_slots", {}).items()}
        rules = (FactRule.model_validate(_unwrapped_rule(entry)) for entry in table["rules"])
        self.rules = tuple(CompiledRule(rule, slots, lower_slots) for rule in rules)
        self._by_cue = {
            cue: tuple(place for place, one in enumerate(self.rules) if cue in one.rule.cues)
            for cue in sorted({cue for one in self.rules for cue in one.rule.cues})
        }

    def cued(self, lower: str) -> list[CompiledRule]:
        """The rules of which a cue lies in a sentence in lower case, in their order."""
        places = {place for cue, found in self._by_cue.items() if cue in lower for place in found}
        return [self.rules[place] for place in sorted(places)]


@cache
def fact_table(language: RuleLanguage) -> Mapping[str, Any]:
    """The file of a language as it stands."""
    text = files("graphmem.language").joinpath("data", f"facts.{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def fact_rules(language: RuleLanguage) -> RuleSet:
    """The rules of a language."""
    return RuleSet(fact_table(language))


def grammar(language: RuleLanguage, name: str) -> str:
    """A pattern of a language that is no rule, with its slots filled from the other ones of the file."""
    table = fact_table(language)
    others = {key.upper(): _unwrapped(text) for key, text in table.items() if isinstance(text, str)}
    return filled(others[name.upper()], others)


def filled(pattern: str, slots: Mapping[str, str]) -> str:
    """A pattern with its slots filled, which may hold slots themselves, and its blanks read as any white space.

    Raises:
        KeyError: There is no such slot.
    """
    while _SLOT.search(pattern):
        pattern = _SLOT.sub(lambda match: slots[match[1]], pattern)
    return pattern.replace(" ?", r"\s?").replace(" ", r"\s+")


def _unwrapped(text: str) -> str:
    return _WRAP.sub("", text)


def _unwrapped_rule(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _unwrapped(value) if key in {"pattern", "needs"} else value for key, value in entry.items()}
