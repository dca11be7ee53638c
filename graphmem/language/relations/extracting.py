"""Collects what the rules of all languages read in a text, and refuses what is no relation: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.language.extraction import (
    ConceptMention,
    ExtractedRelation,
    Extraction,
    Genre,
    RejectedRelation,
)
from graphmem.language.relations.mentions import mentions_of
from graphmem.language.relations.surface_english import english_surface_relations
from graphmem.language.relations.surface_korean import korean_surface_relations
from graphmem.language.relations.surface_words import PRONOUNS, word_set
from graphmem.ports.text_analyzer import Sentence

MAX_NAME = 120
"""Characters of a head or tail: what is longer is a clause."""
MAX_NAME_WORDS = 12

MAX_SENTENCE = 2_000
"""Characters: what is longer is a listing or a log, where rules only misread."""

_KOREAN_PRONOUNS = word_set(
    "이것 그것 저것 이것들 그것들 이 그 저 여기 거기 저기 나 너 저희 우리 그녀 그들 무엇 뭐 누구 이거 그거 저거"
)

_FACTUALITY = {
    "denied": "the sentence denies it",
    "possible": "the sentence says that it may be",
    "reported": "the sentence reports what somebody says",
    "asked": "the sentence asks",
    "supposed": "the sentence supposes it",
}
"""Reasons by factuality."""


def extract(sentences: Sequence[Sentence], genre: Genre = "prose") -> Extraction:
    """What the sentences of a text state.

    Args:
        sentences: Of one text, in order, as an analyzer gives them.
        genre: What kind of text it is: some rules hold in prose alone.
    """
    relations: dict[tuple[str, str, str], ExtractedRelation] = {}
    rejected: dict[tuple[str, str, str, str], RejectedRelation] = {}
    mentions: list[ConceptMention] = []
    for sentence in sentences:
        if len(sentence.text) > MAX_SENTENCE:
            continue
        found = list(relations_of(sentence, genre))
        mentions += mentions_of(sentence)
        for one in found:
            same = (one.head.key, one.relation.value, one.tail.key)
            if (reason := fault_of(one)) is not None:
                rejected.setdefault((*same, reason), RejectedRelation(one, reason))
            else:
                mentions += (one.head, one.tail)
                if same not in relations or relations[same].confidence < one.confidence:
                    relations[same] = one
    return Extraction(tuple(_once(mentions)), tuple(relations.values()), tuple(rejected.values()))


def relations_of(sentence: Sentence, genre: Genre) -> Iterator[ExtractedRelation]:
    """All that the rules for a sentence read in it, asserted or not.

    Args:
        sentence: Rules over a parse or over morphemes read its tokens; without tokens, rules over the surface.
        genre: What kind of text it stands in.
    """
    if sentence.language == "en":
        yield from english_surface_relations(sentence, genre)
    elif sentence.language == "ko":
        yield from korean_surface_relations(sentence, genre)


def fault_of(relation: ExtractedRelation) -> str | None:
    """Why something that was read is no relation; None where it is one."""
    for name, end in (("head", relation.head), ("tail", relation.tail)):
        if not end.key:
            return f"the {name} names nothing"
        if end.key in PRONOUNS or end.key in _KOREAN_PRONOUNS:
            return f"the {name} is a pronoun"
        if len(end.name) > MAX_NAME or len(end.name.split()) > MAX_NAME_WORDS:
            return f"the {name} is too long to be a name"
    if relation.factuality != "asserted":
        return _FACTUALITY[relation.factuality]
    if relation.head.key == relation.tail.key:
        return "head and tail are the same concept"
    return None


def _once(mentions: Iterable[ConceptMention]) -> Iterator[ConceptMention]:
    """Each concept once, as it is named first; the longer one where two begin at the same place."""
    seen: set[tuple[str, str]] = set()
    for mention in sorted(mentions, key=lambda one: (one.start, -one.end)):
        if mention.key and (mention.key, mention.kind) not in seen:
            seen.add((mention.key, mention.kind))
            yield mention
