"""Which episode led to which, as episodes are told of in the order in which they began: pure.

An episode LED_TO a later one when the goal or the trigger of the later one names what the earlier one found: a
symptom, a cause, or the error that ended it. Precision first:

* both are of one session or of one task, and of one user;
* the later one began when the earlier one had ended;
* the earlier one's own goal and trigger do not name it: else both were asked for the same reason;
* of several episodes that found it, the last one led to it;
* the name is specific: two words, or one of five letters or three syllables, and no word such as "error".
"""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.consolidation.succession import ended
from graphmem.graph.records import NodeRecord

NAMES_KEPT = 200
"""Found names that a task or session is remembered by, the newest."""

_GENERAL = frozenset(
    (
        *("error", "errors", "failure", "failures", "exception", "problem", "issue", "warning", "unknown"),
        *("timeout", "crash", "에러", "오류", "실패", "예외", "문제", "경고", "알 수 없음"),
    )
)
"""Names that say no more than that something went wrong."""

_HANGUL = re.compile("[가-힣]")
_AFTER = re.compile(
    r"(?:들)?(?:에서|으로|부터|까지|이라는|라는|이란|때문|은|는|이|가|을|를|의|에|로|와|과|도|만)?(?![^\W_])"
)
"""What may stand behind a name, in Korean also behind one in Latin letters: a particle, then no further letter."""

_LONGEST_PARTICLE = 8
"""Characters behind a name that are looked at."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Something that an episode found."""

    episode: str
    ended: datetime


class Consequences:
    """Remembers what the episodes of each task and session found."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], OrderedDict[str, _Found]] = {}

    def before(self, root: NodeRecord, findings: Iterable[str]) -> dict[str, list[str]]:
        """The episodes that led to this one, each with the names that say so; this one may lead to others.

        Args:
            root: A closed episode; no earlier than all before.
            findings: Names of its findings, as given.
        """
        began = root.properties.get("started_at")
        if not isinstance(began, datetime):
            return {}
        asked = folded(" \n ".join(_asked(root)))
        led: dict[str, list[str]] = {}
        for group in groups_of(root):
            for name, found in self._found.get(group, {}).items():
                if found.ended <= began and names(asked, name):
                    led.setdefault(found.episode, []).append(name)
        end = ended(root, began)
        new = [name for name in map(folded, findings) if is_specific(name) and not names(asked, name)]
        for group in groups_of(root) if new else ():
            self._remember(group, new, _Found(root.id, end))
        return {episode: sorted(set(said)) for episode, said in led.items()}

    def _remember(self, group: tuple[str, str, str], new: Iterable[str], found: _Found) -> None:
        known = self._found.setdefault(group, OrderedDict())
        for name in new:
            known[name] = found
            known.move_to_end(name)
        while len(known) > NAMES_KEPT:
            known.popitem(last=False)


def groups_of(root: NodeRecord) -> Iterator[tuple[str, str, str]]:
    """The task and the session of an episode, each within its user's."""
    for kind in ("task", "session"):
        value = root.properties.get(kind)
        if isinstance(value, str):
            yield kind, value, str(root.properties.get("user_id", ""))


def folded(text: str) -> str:
    """Text as names are looked for in it: composed, without case, white space as single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def is_specific(name: str) -> bool:
    """Whether a folded name says what went wrong, and not only that something did."""
    if name in _GENERAL or not any(character.isalpha() for character in name):
        return False
    if len(re.findall(r"[^\W_]+", name)) > 1:
        return True
    return len(name) >= (3 if _HANGUL.search(name) else 5)


def names(text: str, name: str) -> bool:
    """Whether a folded text holds a folded name as whole words; in Korean a particle may follow."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, behind = text[max(0, start - 1) : start], text[end : end + _LONGEST_PARTICLE]
        if not before.isalnum() and _AFTER.match(behind) is not None:
            return True
        start = text.find(name, start + 1)
    return False


def _asked(root: NodeRecord) -> Iterator[str]:
    for name in ("goal", "trigger"):
        value = root.properties.get(name)
        if isinstance(value, str):
            yield value
