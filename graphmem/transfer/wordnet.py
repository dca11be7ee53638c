"""WordNet relations: five columns a line (child, relation, parent, and the synset offsets of both).

Synsets are things, their words only names: which concept a synset is, senses.py says once all rows are there, so
names and rows are kept until then, some 20 MB for all nouns.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from graphmem.graph.mapping.concept import concept_key
from graphmem.models.concept import Relation, RelationType
from graphmem.models.fields import check_name
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.items import Parsed
from graphmem.transfer.senses import kinds_of_senses

RELATIONS: Final = {
    "is_a": RelationType.IS_A,
    "instance_of": RelationType.INSTANCE_OF,
    "part_of": RelationType.PART_OF,
    "member_of": RelationType.MEMBER_OF,
    "substance_of": RelationType.PART_OF,
}
"""What the words of the second column become: a substance is one of WordNet's three kinds of part."""

_KINDS_OF = ("is_a", "instance_of")
_COLUMNS = 5
_LONGEST_OFFSET = 32


class WordnetRows:
    """The rows of one file: taken one by one, given back as relations once all are there."""

    def __init__(self) -> None:
        self._words = list(RELATIONS)
        self._names: dict[str, str] = {}
        self._first: dict[str, int] = {}
        self._places: dict[str, int] = {}
        self._rows = (array("L"), array("B"), array("L"), array("L"), array("L"))

    def add(self, line: int, data: bytes) -> None:
        """Take a row.

        Raises:
            RecordFault: It is not one; nothing of it is kept.
        """
        child, word, parent, lower, upper = _columns(data)
        self._check(lower, child)
        self._check(upper, parent)
        for offset, name in ((lower, child), (upper, parent)):
            self._names.setdefault(offset, name)
            self._first.setdefault(offset, line)
            self._places.setdefault(offset, len(self._places))
        row = (self._places[lower], self._words.index(word), self._places[upper], line, len(data))
        for column, value in zip(self._rows, row, strict=True):
            column.append(value)

    def relations(self) -> Iterator[tuple[int, int, Parsed]]:
        """Line, bytes and relation of every row that was taken, in their order."""
        offsets = list(self._places)
        kinds = self._kinds(offsets)
        for lower, word, upper, line, size in zip(*self._rows, strict=True):
            head, tail = offsets[lower], offsets[upper]
            yield (
                line,
                size,
                Parsed(
                    Relation(
                        head=self._names[head],
                        relation=RELATIONS[self._words[word]],
                        tail=self._names[tail],
                        head_kind=kinds.get(head),
                        tail_kind=kinds.get(tail),
                    )
                ),
            )

    def _check(self, offset: str, name: str) -> None:
        known = self._names.get(offset, name)
        if known != name:
            raise RecordFault(f"synset {offset} has another word here than on line {self._first[offset]}")

    def _kinds(self, offsets: list[str]) -> dict[str, str]:
        above: dict[str, list[str]] = defaultdict(list)
        weights: Counter[str] = Counter()
        upwards = {self._words.index(word) for word in _KINDS_OF}
        for lower, word, upper in zip(*self._rows[:3], strict=True):
            weights.update((offsets[lower], offsets[upper]))
            if word in upwards:
                above[offsets[lower]].append(offsets[upper])
        # sorted, so that the order of rows makes no difference
        return kinds_of_senses(self._names, {one: sorted(found) for one, found in above.items()}, weights)


def _columns(data: bytes) -> list[str]:
    try:
        columns = [column.strip() for column in data.decode("utf-8").split("\t")]
    except UnicodeDecodeError as fault:
        raise RecordFault(f"not UTF-8 at byte {fault.start + 1} of the line") from fault
    if len(columns) != _COLUMNS:
        raise RecordFault(f"a row has {_COLUMNS} columns parted by tabs, not {len(columns)}")
    child, word, parent, lower, upper = columns
    if word not in RELATIONS:
        raise RecordFault(f"the second column is none of {', '.join(RELATIONS)}")
    for offset in (lower, upper):
        if not (offset.isascii() and offset.isalnum() and len(offset) <= _LONGEST_OFFSET):
            raise RecordFault("a synset offset is 1 to 32 letters or digits")
    try:
        for name in (child, parent):
            concept_key(check_name(name))
    except ValueError as fault:
        raise RecordFault(str(fault)) from fault
    return columns
