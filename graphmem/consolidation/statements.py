"""What a text states or denies, as claims, and what it mentions: pure, from what extraction found in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from graphmem.consolidation.linking import FINDING
from graphmem.graph.keys import canonical_key
from graphmem.graph.mapping.claim import ALIAS, ClaimEnd, ClaimWords
from graphmem.language.extraction import EVENT, ConceptMention, ExtractedRelation, Extraction
from graphmem.language.relations.extracting import fault_of
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.models.fields import MAX_NAME_LENGTH

ALIAS_RULE = "alias"
ALIAS_PRIOR = 0.9
"""How sure an alias is that a text introduces: by judgement."""

_AROUND = 80
"""Characters beside a name that are kept as the evidence of its alias."""

Reading = tuple[str, Extraction]
"""A text and what was found in it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim as a text speaks of it."""

    words: ClaimWords
    against: bool
    rule: str
    prior: float
    sentence: str


def statements_in(readings: Iterable[Reading], findings: Collection[str] = ()) -> list[Statement]:
    """What the texts of one source state and deny, each claim once.

    Where they say both, the last word counts; where they say it twice, the stronger rule.

    Args:
        readings: Its texts in order, each with what was found in it.
        findings: Keys of the findings of its episode: an event of the same key is that finding.
    """
    found: dict[str, Statement] = {}
    for text, extraction in readings:
        for statement in _in_order(text, extraction, findings):
            words = statement.words
            same = found.get(words.ref.id)
            if same is None or same.against != statement.against or same.prior < statement.prior:
                found[words.ref.id] = statement
    return list(found.values())


def mentioned(readings: Iterable[Reading]) -> Counter[tuple[str, str]]:
    """(key, kind) of each concept -> how many of the texts of a source mention it."""
    found: Counter[tuple[str, str]] = Counter()
    for _, extraction in readings:
        ends = (_end(mention, ()) for mention in extraction.concepts)
        found.update({(end.key, end.kind) for end in ends if end is not None})
    return found


def _in_order(text: str, extraction: Extraction, findings: Collection[str]) -> Iterator[Statement]:
    said = [(one, False) for one in extraction.relations]
    said += [(one.relation, True) for one in extraction.rejected if _is_denied(one.relation)]
    for relation, against in sorted(said, key=lambda pair: pair[0].head.start):
        head, tail = _end(relation.head, findings), _end(relation.tail, findings)
        if head is not None and tail is not None and head.key != tail.key:
            words = ClaimWords(head, relation.relation.value, tail)
            yield Statement(words, against, relation.rule, relation.confidence, relation.sentence)
    for mention in extraction.concepts:
        yield from _aliases(text, mention)


def _is_denied(relation: ExtractedRelation) -> bool:
    """Whether the only fault of what was rejected is that its text denies it."""
    return relation.factuality == "denied" and fault_of(replace(relation, factuality="asserted")) is None


def _aliases(text: str, mention: ConceptMention) -> Iterator[Statement]:
    end = _end(mention, ())
    for alias in mention.aliases:
        key = canonical_key(alias)
        if end is not None and key is not None and key != end.key and len(alias) <= MAX_NAME_LENGTH:
            words = ClaimWords(end, ALIAS, ClaimEnd(key, end.kind, alias))
            evidence = text[max(0, mention.start - _AROUND) : mention.end + _AROUND].strip()
            yield Statement(words, against=False, rule=ALIAS_RULE, prior=ALIAS_PRIOR, sentence=evidence)


def _end(mention: ConceptMention, findings: Collection[str]) -> ClaimEnd | None:
    """The concept that a mention means by its name; None for what no concept can be named."""
    key = canonical_key(mention.name)
    if key is None or len(mention.name) > MAX_NAME_LENGTH:
        return None
    kind = mention.kind or DEFAULT_CONCEPT_KIND
    return ClaimEnd(key, FINDING if kind == EVENT and key in findings else kind, mention.name)
