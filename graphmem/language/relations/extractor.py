"""Texts to what they state: an analyzer and the rules, bound together for whoever reads many texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import normalize

from graphmem.language.extraction import ConceptMention, ExtractedRelation, Extraction, Genre
from graphmem.language.markup import Readable, without_markup
from graphmem.language.relations.extracting import extract
from graphmem.language.relations.registry import relation_rules
from graphmem.ports.text_analyzer import TextAnalyzer

VERSION = 3
"""Raised when the same rules read more or less in the same text: what was read is read again then."""

if TYPE_CHECKING:
    from graphmem.language.relations.second_stage import SecondStage

_BATCH = 64
"""Texts that are analyzed together: parsers are quicker on several, and memory stays flat."""


@dataclass(frozen=True, slots=True)
class Extractor:
    """Finds concepts and relations in texts; the same text always gives the same. Safe in several threads."""

    analyzer: TextAnalyzer
    """Cuts texts into sentences, and into words where it can."""
    second_stage: SecondStage | None = None
    """A second opinion on parsed English prose; None: the rules alone."""

    @property
    def fingerprint(self) -> str:
        """Changes with what it would find in a text: its analyzer, its rules and their priors, its version."""
        rules = sorted((rule.name, rule.prior, rule.prose_only) for rule in relation_rules())
        return f"{VERSION} {self.analyzer.name} {rules}"

    def extract(self, text: str, genre: Genre = "prose") -> Extraction:
        """What a text states.

        Args:
            text: Any text; what is no language gives nothing. It is read in NFC and without markup: offsets are
                those of its composed form, names and sentences have no markup within.
            genre: What kind of text it is: some rules hold in prose alone.
        """
        return next(self.extract_many([text], genre))

    def extract_many(self, texts: Iterable[str], genre: Genre = "prose") -> Iterator[Extraction]:
        """What each text states, in order, while they are read.

        Args:
            texts: Any number of texts; few are held at a time.
            genre: As for `extract`.
        """
        waiting = iter(texts)
        while batch := list(islice(waiting, _BATCH)):
            readable = [without_markup(normalize("NFC", text)) for text in batch]
            analyzed = self.analyzer.analyze([one.text for one in readable])
            for one, sentences in zip(readable, analyzed, strict=True):
                found = extract(sentences, genre, self.second_stage)
                yield found if one.places is None else _placed(found, one)


def _placed(found: Extraction, readable: Readable) -> Extraction:
    """What was found in a text without its markup, each mention at its place in the text as written."""

    def mention(one: ConceptMention) -> ConceptMention:
        start, end = readable.span(one.start, one.end)
        return replace(one, start=start, end=end)

    def relation(one: ExtractedRelation) -> ExtractedRelation:
        return replace(one, head=mention(one.head), tail=mention(one.tail))

    return Extraction(
        tuple(map(mention, found.concepts)),
        tuple(map(relation, found.relations)),
        tuple(replace(one, relation=relation(one.relation)) for one in found.rejected),
    )
