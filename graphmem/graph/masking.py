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
