"""What an RDF file says, as plain values: things, texts, and statements by predicate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Label:
    """A text with its language; "" where none is said."""

    text: str
    language: str = ""


class Statement(NamedTuple):
    """That a thing relates to another thing or has a text. Things are IRIs, or `_:0` where they have none."""

    subject: str
    predicate: str
    object: str | Label


class Statements:
    """All statements of a file by predicate, each list in the order of the file."""

    def __init__(self, said: Iterable[Statement]) -> None:
        self._said: dict[str, list[tuple[str, str | Label]]] = defaultdict(list)
        for subject, predicate, value in said:
            self._said[predicate].append((subject, value))

    def links(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Subject and object of a predicate, where the object is a thing."""
        return ((one, other) for one, other in self._said.get(predicate, ()) if isinstance(other, str))

    def labels(self, predicate: str) -> Iterator[tuple[str, Label]]:
        """Subject and text of a predicate."""
        return ((one, other) for one, other in self._said.get(predicate, ()) if isinstance(other, Label))
