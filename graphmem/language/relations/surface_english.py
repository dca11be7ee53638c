"""Relations of English sentences that nobody parsed: the few phrases that say a relation by themselves.

A pronoun or a long stretch beside such a phrase is handed on as it is read; whoever collects relations refuses
it and says why. Left out: relations between clauses, and all verbs whose sense depends on their nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.language.extraction import ConceptMention, ExtractedRelation, Factuality, Genre
from graphmem.language.relations.naming import is_proper, named
from graphmem.language.relations.surface_cues import ENGLISH_CUES, SurfaceCue
from graphmem.language.relations.surface_lists import described, listed_before, listed_behind, subjects
from graphmem.language.relations.surface_phrases import Phrase, Word, before_verb, words_of
from graphmem.language.relations.surface_words import FORMS_OF_BE, word_set
from graphmem.ports.text_analyzer import Sentence

_MODALS = word_set("may might can could would should must probably possibly perhaps likely apparently cannot")
_DENIALS = word_set("not never no neither nor hardly without cannot")
_REPORTS = re.compile(
    r"\b(?:say|says|said|claims?|claimed|argues?|argued|reported|reports|believes?|believed|thinks?|thought|suspects?"
    r"|suspected|suggests?|suggested|told|heard|alleged(?:ly)?|supposedly|reportedly|according to)\b"
)
_SUPPOSES = re.compile(r"\b(?:if|unless|whether|suppose|supposing|assuming|imagine|what if|in case)\b")
_ASKS = re.compile(r"\?[\s\"')\]]*$")


def english_surface_relations(sentence: Sentence, genre: Genre) -> Iterator[ExtractedRelation]:
    """What the phrases of an English sentence state, in order of the rules.

    Args:
        sentence: Its tokens are not looked at.
        genre: Rules for prose alone are off in chat.
    """
    lower = sentence.text.lower()
    cues = [cue for cue in ENGLISH_CUES if any(hint in lower for hint in cue.hints)]
    if not cues or len(lower) != len(sentence.text):  # lower case may be longer: offsets would shift
        return
    words: list[Word] = []
    for cue in cues:
        if cue.rule.prose_only and genre == "chat":
            continue
        for match in cue.phrase.finditer(lower):
            words = words or words_of(sentence.text)
            yield from _relations(sentence, lower, words, cue, match)


def _relations(
    sentence: Sentence, lower: str, words: Sequence[Word], cue: SurfaceCue, match: re.Match[str]
) -> Iterator[ExtractedRelation]:
    first = next((place for place, word in enumerate(words) if word.start >= match.start()), len(words))
    behind = next((place for place, word in enumerate(words) if word.start >= match.end()), len(words))
    verb = before_verb(words, first)
    if cue.needs_be and not any(word.lower in FORMS_OF_BE for word in words[verb:first]):
        return
    left, right = _left(words, verb, first, cue), list(listed_behind(words, behind))
    if cue.lists_left:
        right = right[:1]
    for one in left:
        stand = _factuality(lower, match.start(), words, one, words[verb:behind])
        for other in right:
            near, far = _mention(sentence, words, one), _mention(sentence, words, other)
            head, tail = (near, far) if cue.head == "left" else (far, near)
            rule = cue.name_rule if is_proper(head.name, opens=head.start == sentence.start) else cue.rule
            yield ExtractedRelation(head, rule.relation, tail, rule.name, rule.prior, sentence.text, stand)


def _left(words: Sequence[Word], verb: int, first: int, cue: SurfaceCue) -> list[Phrase]:
    """The phrases before a cue."""
    if not cue.is_verb:
        found = listed_before(words, verb)
        return found if cue.lists_left else found[-1:]
    is_participle = verb == first and cue.head == "right" and words[first].lower.endswith(("ed", "ing"))
    return described(words, verb) if is_participle else subjects(words, verb)


def _factuality(lower: str, place: int, words: Sequence[Word], left: Phrase, verb: Sequence[Word]) -> Factuality:
    said = {word.lower for word in verb}
    before = {word.lower for word in words[max(0, left.begin - 2) : left.begin]}
    if _ASKS.search(lower):
        return "asked"
    if said & _DENIALS or before & _DENIALS or any(word.endswith("n't") for word in said):
        return "denied"
    if _SUPPOSES.search(lower, 0, place):
        return "supposed"
    if _REPORTS.search(lower):
        return "reported"
    return "possible" if said & _MODALS else "asserted"


def _mention(sentence: Sentence, words: Sequence[Word], phrase: Phrase) -> ConceptMention:
    return named(sentence, words[phrase.begin].start, words[phrase.end - 1].end)
