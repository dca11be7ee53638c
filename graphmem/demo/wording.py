"""Fills the `{slot}` places of a template and picks the Korean particle that fits what stands before it.

A template writes both forms, as Korean forms do: `{item}을(를)`, `{booking}이(가)`, `{city}으로(로)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

_FORMS = {
    "을(를)": ("을", "를"),
    "이(가)": ("이", "가"),
    "은(는)": ("은", "는"),
    "과(와)": ("과", "와"),
    "으로(로)": ("으로", "로"),
}
_CHOICE = re.compile("([가-힣0-9])(" + "|".join(re.escape(form) for form in _FORMS) + ")")
_RIEUL = 8
"""Index of the final consonant ㄹ, after which 로 is used as after a vowel."""
_DIGITS_READ = "영일이삼사오육칠팔구"
"""How the digits 0..9 are read: the particle follows the sound."""


def fill(template: str, slots: Mapping[str, str]) -> str:
    """Returns the template with its slots filled and its particles chosen."""
    return _CHOICE.sub(_choose, template.format_map(slots))


def draw_slots(rng: Random, values: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Draws one value a slot; each `#` becomes a digit 1..9."""
    return {name: _digits(rng, rng.choice(choices)) for name, choices in values.items()}


def _digits(rng: Random, text: str) -> str:
    return "".join(str(rng.randint(1, 9)) if mark == "#" else mark for mark in text)


def _choose(found: re.Match[str]) -> str:
    before, form = found.groups()
    with_final, without_final = _FORMS[form]
    final = _final_consonant(before)
    open_syllable = final == 0 or (form == "으로(로)" and final == _RIEUL)
    return before + (without_final if open_syllable else with_final)


def _final_consonant(mark: str) -> int:
    """Returns the index of the syllable's final consonant, 0 for none (Unicode 3.12, Hangul syllables)."""
    syllable = _DIGITS_READ[int(mark)] if mark.isdigit() else mark
    return (ord(syllable) - ord("가")) % 28
