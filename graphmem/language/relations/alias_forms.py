"""What stands in brackets behind a name: names of the same thing, and what only looks like one. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from graphmem.graph.folding import fold, visible
from graphmem.language.relations.initials import abbreviates, looks_short

Form = Literal["abbreviation", "translation", "stated"]
"""Why two names are one: proved by letters, side by side in two scripts, or said in words."""

MAX_WORDS = 8
"""Words of an alias at most: more is an explanation."""

MAX_CHARACTERS = 80
"""Characters of an alias at most."""

_SPLIT = re.compile(r"\s*[,;，、；]\s*|\s+(?:or|또는|혹은)\s+|\s+/\s+")

_STATED = re.compile(
    r"^(?:also\s+(?:known|called|written|spelled|spelt|styled|referred\s+to)(?:\s+as)?|a\.?\s?k\.?\s?a\.?|"
    r"better\s+known\s+as|commonly\s+(?:known|called)(?:\s+as)?|abbreviated(?:\s+(?:as|to))?|abbr\.?|"
    r"in\s+short|short(?:ened)?\s+(?:for|to)|일명|이른바|속칭|별칭|약칭|줄여서|이하|약어)(?=[\s:：'\"“‘]|$)[\s:：]*",
    re.IGNORECASE,
)
"""What says in so many words that a name follows."""

_LANGUAGE = re.compile(
    r"^(?:english|korean|chinese|japanese|german|french|spanish|italian|latin|greek|russian|hangul|hanja|"
    r"영어|한국어|중국어|일본어|독일어|프랑스어|스페인어|이탈리아어|라틴어|그리스어|러시아어|한글|한자|영문|"
    r"문화어|조선말)\s*[:：]\s*",
    re.IGNORECASE,
)
"""Which language the name is in."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NO_NAME = _words(
    "about after and around as at before born by circa cf compare died e.g eg especially for formerly from "
    "i.e ie in including like mainly mostly namely not of on only over per see since such than that the to "
    "under until via viz when where which with"
)
"""First words of a remark rather than of a name."""

_NO_GLOSS = _words(
    # offices, money, units and zones, countries: what a thing has or where it is, not what it is called
    "ceo cto cfo coo cpo cio ciso vp svp evp md phd dr mr mrs ms jr sr pm mvp hr pr usd krw eur jpy cny gbp "
    "kg km cm mm mb gb tb kb hz khz mhz ghz utc gmt kst pst est cst am bc ad ce bce uk us usa eu uae prc "
    "rok dprk korea japan china france germany america england britain fw mf df gk tbd tba n/a ok new old"
)

_NUMBERED = re.compile(r"\d[A-Za-z]{1,4}")
"""Names that begin with a digit: 3D, 5G."""
_QUOTES = "\"'“”‘’「」『』《》〈〉"


def script(text: str) -> str:
    """The one script of a name's letters: latin, hangul, han, kana; mixed for several, "" for none."""
    found = {_script(character) for character in visible(text) if character.isalpha()}
    return found.pop() if len(found) == 1 else ("mixed" if found else "")


def aliases_in(inside: str, name: str) -> list[tuple[str, Form]]:
    """Other names in what stands in brackets behind a name.

    Args:
        inside: The text between the brackets.
        name: What stands before them.

    Returns:
        (alias, form) in order: form is abbreviation (proved by its letters), translation (another script), or
        stated (the text says that it is a name).
    """
    if len(inside) > 4 * MAX_CHARACTERS:
        return []
    found: list[tuple[str, Form]] = []
    stated = False
    for part in _SPLIT.split(inside.strip()):
        text, said = without_label(part)
        stated = said or stated
        form = alias_form(text, name, stated=stated, known=[alias for alias, _ in found])
        if form is not None:
            found.append((text, form))
        elif not found:
            # what begins with something else is a remark: nothing behind it is a name either
            return []
    return found


def without_label(part: str) -> tuple[str, bool]:
    """A part without quotes and without what introduces it; whether that says that a name follows."""
    text = part.strip().strip(_QUOTES).strip()
    said = False
    while True:
        label, language = _STATED.match(text), _LANGUAGE.match(text)
        said = said or label is not None
        begun = label or language
        if begun is None:
            return text, said
        text = text[begun.end() :].strip().strip(_QUOTES).strip()


def alias_form(text: str, name: str, *, stated: bool, known: list[str]) -> Form | None:
    """By what a text is another name for a name, or None.

    Args:
        text: What may be an alias.
        name: The name it stands beside.
        stated: Whether the text says that it is one.
        known: Aliases found beside it: an abbreviation may be theirs.
    """
    if not _may_name(text) or fold(text) == fold(name):
        return None
    if any(abbreviates(text, long) or abbreviates(long, text) for long in (name, *known)):
        return "abbreviation"
    if stated:
        return "stated"
    return "translation" if _translates(text, name) else None


def _translates(text: str, name: str) -> bool:
    here, there = script(name), script(text)
    if "hangul" not in {here, there} or here == there or "mixed" in {here, there} or not here or not there:
        return False
    foreign = text if here == "hangul" else name
    if fold(foreign) in _NO_GLOSS or (looks_short(foreign) and foreign.endswith(".")):
        return False
    # 서울(Seoul), 李舜臣: one Latin letter is a label, as in 비타민(C)
    return len([c for c in foreign if c.isalpha()]) > 1 or script(foreign) == "han"


def _may_name(text: str) -> bool:
    words = text.split()
    if not words or len(words) > MAX_WORDS or len(text) > MAX_CHARACTERS:
        return False
    if not any(character.isalpha() for character in text) or fold(words[0]).strip(".") in _NO_NAME:
        return False
    # dates, quantities, versions
    return not text[0].isdigit() or _NUMBERED.fullmatch(text) is not None


def _script(character: str) -> str:
    name = unicodedata.name(character, "")
    if name.startswith("LATIN"):
        return "latin"
    if name.startswith("HANGUL"):
        return "hangul"
    if name.startswith("CJK"):
        return "han"
    return "kana" if name.startswith(("HIRAGANA", "KATAKANA")) else "other"
