"""Marks on texts, which say what has read them: the rules, a language model, or the rules after a model failed.

A mark begins with its reader, told by a hash that changes with what the reader would find. A message loses its
mark when its content is replaced; the mark of an episode, of which parts change in place, names its content too.
What a model has read is told by the beginning of its mark, whichever model it was: no rule replaces it unasked.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.graph.records import NodeRecord, Range

MARK = "extracted_hash"
"""The property that holds the mark."""

_MODEL = "model"
_CONTENT = "@"


@dataclass(frozen=True, slots=True)
class Readers:
    """What may read texts in a run."""

    rules: str
    """Hash of the rules; it is also their mark."""
    model: str | None = None
    """Hash of the language model with its prompt; None: there is none."""

    @property
    def by_model(self) -> str:
        """The mark of what the model has read."""
        return f"{_MODEL}:{self.model}"

    @property
    def in_vain(self) -> str:
        """The mark of what the rules have read since the model's replies were of no use."""
        return f"{self.rules}:{self.model}"

    @property
    def read(self) -> tuple[Range, ...]:
        """Marks of what needs no reader: these rules have read it, or any model."""
        return _all_of(self.rules), _all_of(_MODEL)

    @property
    def asked(self) -> tuple[Range, ...]:
        """Marks of what the model has been asked about."""
        return Range(MARK, self.by_model, self.by_model), Range(MARK, self.in_vain, self.in_vain)


def is_marked(node: NodeRecord, marks: tuple[Range, ...]) -> bool:
    """Whether a message or episode carries one of these marks, for its content as it is."""
    mark = node.properties.get(MARK)
    if not isinstance(mark, str):
        return False
    reader, _, content = mark.partition(_CONTENT)
    if node.label == "Episode" and content != node.content_hash:
        return False
    return any(str(one.low) <= reader <= str(one.high) for one in marks)


def mark_of(label: str, content_hash: str, reader: str) -> str:
    """The mark that a reader leaves on a message or episode of this content."""
    return f"{reader}{_CONTENT}{content_hash}" if label == "Episode" else reader


def _all_of(beginning: str) -> Range:
    """The mark that is this word, and all that go on with a colon: a semicolon is what follows it."""
    return Range(MARK, beginning, f"{beginning};")
