"""What differs from one failure to the next in a free text: numbers, ids, addresses and quoted parts.

Masked by `#`, texts of one kind of failure are one label. A name without white space is kept as it is given:
`pay_3` may be another step than `pay_4`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graphmem.graph.keys import label_key

_QUOTED = re.compile(
    r"\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’|「[^」\n]*」|『[^』\n]*』|«[^»\n]*»"
)
_NUMBERED = re.compile(
    r"https?://\S+|[^\s@]+@[^\s@]+\.\w+"
    r"|[^\s,;:()\[\]{}<>\"'#=가-힣]*\d[^\s,;:()\[\]{}<>\"'#=가-힣]*(?<![.!?])"
)
_DIGITS = re.compile("[0-9]+")
NUMBER = "№"
"""Stands for a number in a name: NFKC takes it apart, so no key of a name holds it."""
_RUNS = re.compile(r"#(?:[\s,.:/-]*#)+")


def mask(text: str) -> str:
    """The text with quoted parts, addresses, and words that hold a digit as `#`."""
    return _NUMBERED.sub("#", _QUOTED.sub("#", text))


def unquoted(text: str) -> str:
    """The text without its quoted parts."""
    return _QUOTED.sub("", text)


def joined_masks(text: str) -> str:
    """The text with masks that follow one another as one."""
    return _RUNS.sub("#", text)


@lru_cache(maxsize=1 << 14)
def finding_label(key: str) -> str:
    """The label under which a finding is mined, from its key.

    Args:
        key: Of `label_key`.

    Returns:
        The key itself when it has no white space, or when nothing with a letter would be left of it; else the
        key masked. It is its own label.
    """
    if " " not in key:
        return key
    label = label_key(joined_masks(mask(key))) or key
    return label if any(character.isalpha() for character in label) else key


def numbered_name(key: str) -> str | None:
    """What names that differ in their numbers alone share: `retry_№` for `retry_17`.

    Returns:
        None for a key with white space, without a number, or of nothing else.
    """
    shared = _DIGITS.sub(NUMBER, key)
    if " " in key or shared == key or not any(character.isalpha() for character in shared):
        return None
    return shared


def numbered_pattern(shared: str) -> str:
    """The regular expression, as Java reads it, of the keys that share such a name.

    Args:
        shared: Of `numbered_name`.
    """
    parts = (part.replace("\\E", "\\E\\\\E\\Q") for part in shared.split(NUMBER))
    return "[0-9]+".join(f"\\Q{part}\\E" if part else "" for part in parts)
