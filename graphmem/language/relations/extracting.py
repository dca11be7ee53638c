"""Collects what the rules of all languages read in a text, and refuses what is no relation: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import (
    EVENT,
    ConceptMention,
    ExtractedRelation,
    Extraction,
    Genre,
    RejectedRelation,
)
from graphmem.language.relations.english.relations import english_relations
from graphmem.language.relations.korean import korean_relations
from graphmem.language.relations.mentions import introduced_aliases, mentions_of
from graphmem.language.relations.surface_english import english_surface_relations
from graphmem.language.relations.surface_korean import korean_surface_relations
from graphmem.language.relations.surface_words import PRONOUNS, word_set
from graphmem.models.concept import RelationType
from graphmem.ports.text_analyzer import Sentence

if TYPE_CHECKING:
    from graphmem.language.relations.second_stage import SecondStage

MAX_NAME = 120
"""Characters of a head or tail: what is longer is a clause."""
MAX_NAME_WORDS = 12

MAX_EVENT = 300
"""Characters of a head or tail that is a clause."""

MAX_SENTENCE = 2_000
"""Characters: what is longer is a listing or a log, where rules only misread."""

_KOREAN_PRONOUNS = word_set(
    "이것 그것 저것 이것들 그것들 이 그 저 여기 거기 저기 나 너 저희 우리 그녀 그들 무엇 뭐 누구 이거 그거 저거"
)
_EMPTY = word_set("thing stuff way lot bit kind sort type part everything 것 일 점 수")

_DOUBLE = "the text says of the same both that it is a kind and that it is an instance"

_FACTUALITY = {
    "denied": "the sentence denies it",
    "possible": "the sentence says that it may be",
    "reported": "the sentence reports what somebody says",
    "asked": "the sentence asks",
    "supposed": "the sentence supposes it",
}
"""Reasons by factuality."""


def extract(
    sentences: Sequence[Sentence], genre: Genre = "prose", second_stage: SecondStage | None = None
) -> Extraction:
    """What the sentences of a text state.

    Args:
        sentences: Of one text, in order, as an analyzer gives them.
        genre: What kind of text it is: some rules hold in prose alone.
        second_stage: A second opinion on parsed English prose; None: the rules alone.
    """
    found: list[ExtractedRelation] = []
    mentions: list[ConceptMention] = []
    for sentence in sentences:
        if len(sentence.text) <= MAX_SENTENCE:
            read = list(relations_of(sentence, genre, second_stage))
            ends = [end for one in read if fault_of(one) is None for end in (one.head, one.tail)]
            found += read
            mentions += introduced_aliases(sentence, [*mentions_of(sentence), *ends])
    return assembled(mentions, found)


def assembled(mentions: Iterable[ConceptMention], found: Iterable[ExtractedRelation]) -> Extraction:
    """Mentions and relations as an extraction: each once, what is no relation set aside with its reason.

    Args:
        mentions: Of the whole text, the ends of relations among them.
        found: What rules or a model read, asserted or not.
    """
    concepts = {(one.key, one.kind): one for one in _once(mentions)}
    relations: dict[tuple[str, str, str], ExtractedRelation] = {}
    rejected: dict[tuple[str, str, str, str], RejectedRelation] = {}
    for one in found:
        same = (one.head.key, one.relation.value, one.tail.key)
        if (reason := fault_of(one)) is not None:
            rejected.setdefault((*same, reason), RejectedRelation(one, reason))
        elif same not in relations or relations[same].confidence < one.confidence:
            relations[same] = replace(
                one, head=_named_fully(one.head, concepts), tail=_named_fully(one.tail, concepts)
            )
    for same in _said_twice(relations):
        doubled = RejectedRelation(relations.pop(same), _DOUBLE)
        rejected.setdefault((*same, _DOUBLE), doubled)
    ends = {(end.key, end.kind) for one in relations.values() for end in (one.head, one.tail)}
    return Extraction(tuple(_without_aliases(concepts, ends)), tuple(relations.values()), tuple(rejected.values()))


def relations_of(
    sentence: Sentence, genre: Genre, second_stage: SecondStage | None = None
) -> Iterable[ExtractedRelation]:
    """All that the rules for a sentence read in it, asserted or not.

    Args:
        sentence: Rules over a parse or over morphemes read its tokens; without tokens, rules over the surface.
        genre: What kind of text it stands in.
        second_stage: As for `extract`.
    """
    match sentence.language, bool(sentence.tokens):
        case "en", True if second_stage is not None and genre == "prose":
            return with_second_opinion(sentence, second_stage)
        case "en", True:
            return english_relations(sentence, genre)
        case "en", False:
            return english_surface_relations(sentence, genre)
        case "ko", True:
            return korean_relations(sentence, genre)
        case "ko", False:
            return korean_surface_relations(sentence, genre)
        case _:
            return ()


def with_second_opinion(sentence: Sentence, second_stage: SecondStage) -> Iterable[ExtractedRelation]:
    """The relations of parsed prose by the rules and the second stage together."""
    from graphmem.language.relations.second_stage import prose_relations  # noqa: PLC0415 (loads numpy)

    return prose_relations(sentence, second_stage)


def fault_of(relation: ExtractedRelation) -> str | None:
    """Why something that was read is no relation; None where it is one."""
    for name, end in (("head", relation.head), ("tail", relation.tail)):
        if (fault := _fault_of_end(end)) is not None:
            return f"the {name} {fault}"
    if relation.factuality != "asserted":
        return _FACTUALITY[relation.factuality]
    if relation.head.key == relation.tail.key:
        return "head and tail are the same concept"
    return None


def _said_twice(relations: Mapping[tuple[str, str, str], ExtractedRelation]) -> list[tuple[str, str, str]]:
    """Of what is both a kind and an instance of one thing, the less sure one; the kind where both are as sure."""
    doubled = []
    for (head, relation, tail), one in relations.items():
        other = relations.get((head, RelationType.INSTANCE_OF.value, tail))
        if relation == RelationType.IS_A.value and other is not None:
            lesser = relation if one.confidence <= other.confidence else other.relation.value
            doubled.append((head, lesser, tail))
    return doubled


def _fault_of_end(end: ConceptMention) -> str | None:
    if not end.key:
        return "names nothing"
    if end.key in PRONOUNS or end.key in _KOREAN_PRONOUNS:
        return "is a pronoun"
    if end.key in _EMPTY:
        return "says nothing by itself"
    return "is too long to be a name" if _is_too_long(end) else None


def _is_too_long(end: ConceptMention) -> bool:
    if end.kind == EVENT:
        return len(end.name) > MAX_EVENT
    return len(end.name) > MAX_NAME or len(end.name.split()) > MAX_NAME_WORDS


def _once(mentions: Iterable[ConceptMention]) -> Iterator[ConceptMention]:
    """Each concept once, as it is named first, with all its aliases; the longer one where two begin together."""
    first: dict[tuple[str, str], ConceptMention] = {}
    for mention in sorted(mentions, key=lambda one: (one.start, -one.end)):
        same = first.setdefault((mention.key, mention.kind), mention)
        if not set(mention.aliases) <= set(same.aliases):
            aliases = tuple(dict.fromkeys((*same.aliases, *mention.aliases)))
            first[mention.key, mention.kind] = replace(same, aliases=aliases)
    return (mention for mention in first.values() if mention.key)


def _named_fully(end: ConceptMention, concepts: Mapping[tuple[str, str], ConceptMention]) -> ConceptMention:
    """An end of a relation with the aliases that the text gives for it."""
    known = concepts.get((end.key, end.kind))
    return replace(end, aliases=known.aliases) if known and known.aliases else end


def _without_aliases(
    concepts: Mapping[tuple[str, str], ConceptMention], ends: AbstractSet[tuple[str, str]]
) -> Iterator[ConceptMention]:
    """The concepts but those that only are another one's alias."""
    aliases = {canonical_key(alias) for one in concepts.values() for alias in one.aliases}
    for same, one in concepts.items():
        if one.key not in aliases or one.aliases or same in ends:
            yield one
