"""All that the Korean rules read in a sentence: pure."""

from __future__ import annotations

from graphmem.language.extraction import ExtractedRelation, Genre
from graphmem.language.relations.korean.causation import causation
from graphmem.language.relations.korean.classification import classification
from graphmem.language.relations.korean.composition import composition
from graphmem.language.relations.korean.events import clause_causes
from graphmem.language.relations.korean.reading import read
from graphmem.ports.text_analyzer import Sentence


def korean_relations(sentence: Sentence, genre: Genre = "prose") -> tuple[ExtractedRelation, ...]:
    """What a sentence states, denies, asks, supposes, reports or finds possible, by the rules in `KOREAN_RULES`.

    Args:
        sentence: Korean, with morphemes as tokens; without tokens nothing is found.
        genre: Rules for prose alone are off in chat.

    Returns:
        Each relation once, in order of causes, kinds, parts; of two rules that read the same the first holds.
    """
    reading = read(sentence)
    found: dict[tuple[str, str, str], ExtractedRelation] = {}
    for rules in (causation, clause_causes, classification, composition):
        for statement in rules(reading):
            if statement.rule.prose_only and genre == "chat":
                continue
            one = statement.extracted(sentence.text)
            if one.head.key and one.tail.key and one.head.key != one.tail.key:
                found.setdefault((one.head.key, one.relation.value, one.tail.key), one)
    return tuple(found.values())
