"""What kinds of things nouns name, and which are parts of which, by a taxonomy of the user such as WordNet.

Words are looked up in all their senses: which one is meant a sentence does not say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

Row = tuple[str, str, str, str, str]
"""Child, relation (`is_a`, `instance_of`, `part_of`, `member_of`), parent, id of the child, id of the parent."""

_DEEPEST = 25
"""Steps up a taxonomy; one with a cycle ends here."""


@dataclass(frozen=True)
class NounLexicon:
    """Senses of nouns, their classes, and parts of wholes."""

    senses: Mapping[str, frozenset[str]]
    """Ids of the senses of each word."""
    classes: Mapping[str, frozenset[str]]
    """Ids of the classes right above each sense."""
    wholes: Mapping[str, frozenset[str]]
    """Ids of what each sense is a part or a member of."""
    _known: dict[str, frozenset[str]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> NounLexicon:
        """Read a taxonomy.

        Args:
            rows: Its edges; words in lower case.
        """
        senses: defaultdict[str, set[str]] = defaultdict(set)
        classes: defaultdict[str, set[str]] = defaultdict(set)
        wholes: defaultdict[str, set[str]] = defaultdict(set)
        for child, relation, parent, child_id, parent_id in rows:
            senses[child].add(child_id)
            senses[parent].add(parent_id)
            (classes if relation in {"is_a", "instance_of"} else wholes)[child_id].add(parent_id)
        return cls(*({key: frozenset(found) for key, found in one.items()} for one in (senses, classes, wholes)))

    @cached_property
    def common(self) -> frozenset[str]:
        """Classes wide enough to say something about a word: those with at least 50 senses below."""
        below: defaultdict[str, int] = defaultdict(int)
        for sense in self.classes:
            for one in self._above(sense):
                below[one] += 1
        return frozenset(one for one, count in below.items() if count >= 50)

    def types(self, word: str) -> frozenset[str]:
        """Ids of the wide classes above all senses of a word; none for an unknown one."""
        return frozenset().union(*(self._above(sense) for sense in self.senses.get(word, ()))) & self.common

    def is_part(self, part: str, whole: str) -> bool:
        """Whether a sense of one word, or a class of it, is part of a sense of the other or of a class of it."""
        owners = self._with_classes(whole)
        return any(self.wholes.get(sense, frozenset()) & owners for sense in self._with_classes(part))

    def _with_classes(self, word: str) -> frozenset[str]:
        senses = self.senses.get(word, frozenset())
        return senses.union(*(self.classes.get(sense, frozenset()) for sense in senses))

    def _above(self, sense: str) -> frozenset[str]:
        found = self._known.get(sense)
        if found is None:
            reached, edge = {sense}, {sense}
            for _ in range(_DEEPEST):
                edge = {up for one in edge for up in self.classes.get(one, ())} - reached
                if not edge:
                    break
                reached |= edge
            found = self._known[sense] = frozenset(reached)
        return found
