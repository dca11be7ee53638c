"""From a stretch of a sentence to the mention of a concept, with its canonical key: pure."""

from __future__ import annotations

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import ConceptMention
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.ports.text_analyzer import Sentence


def named(sentence: Sentence, start: int, end: int, kind: str = DEFAULT_CONCEPT_KIND) -> ConceptMention:
    """The concept that a stretch of a sentence names; its key is empty where it names none.

    Args:
        sentence: Where it stands.
        start: Offset of its first character in the sentence.
        end: Offset behind its last one.
        kind: Kind of the concept.
    """
    name = sentence.text[start:end]
    return ConceptMention(
        name=name,
        key=canonical_key(name, proper=is_proper(name, opens=start == 0)) or "",
        kind=kind,
        start=sentence.start + start,
        end=sentence.start + end,
    )


def is_proper(name: str, *, opens: bool) -> bool:
    """Whether a name is written as a proper one: its last word has a capital that no sentence's start explains."""
    words = name.split()
    if not words or not words[-1][:1].isupper():
        return False
    return len(words) > 1 or not opens
