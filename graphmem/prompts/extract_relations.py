"""The prompt that finds concepts and relations in a text: the same values as the rules give.

What the model names counts only where it stands in the text: head, tail and quote, each verbatim. What does
not is set aside with its reason, as is what the text does not assert.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated
from unicodedata import normalize

from pydantic import Field

from graphmem.language.extraction import (
    ConceptMention,
    ExtractedRelation,
    Extraction,
    Factuality,
    Genre,
    RejectedRelation,
)
from graphmem.language.relations.extracting import assembled, fault_of
from graphmem.language.relations.naming import named
from graphmem.language.sentences import split_sentences
from graphmem.models.concept import RelationType
from graphmem.models.fields import Frozen
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.prompt_text import Language, language_of
from graphmem.ports.text_analyzer import Sentence
from graphmem.prompts.asking import CALLS_AT_MOST, Prompt, ask
from graphmem.prompts.grounding import MAX_QUOTE as MAX_QUOTE  # noqa: PLC0414 (a bound of this prompt)
from graphmem.prompts.grounding import Quote, Sayings, folded
from graphmem.prompts.parsing import UnreadableReplyError, line
from graphmem.prompts.transcript import Turn, transcript

VERSION = 1
"""Raised when the prompt, in either language, finds more or less in the same text.

What was read is asked about again then, and paid for.
"""

MAX_CONCEPTS = 60
MAX_RELATIONS = 40
MAX_PIECE = 6_000
"""Characters of a text that are asked about in one call: more hold more relations than a reply has room for."""

CONFIDENCE = 0.7
"""Of what a model finds; by judgement: nothing was counted, and it differs from model to model."""

_MAX_NAME = 200
_MAX_TOKENS = 6_000
_NAME = "extract_relations"


Name = Annotated[str, line(_MAX_NAME)]


class ConceptReply(Frozen):
    """A concept as the model read it."""

    name: Name
    aliases: Annotated[tuple[Name, ...], Field(max_length=10)]


class RelationReply(Frozen):
    """A relation as the model read it."""

    head: Name
    relation: RelationType
    tail: Name
    factuality: Factuality
    quote: Quote
    """Words of the text that say it."""


class ExtractionReply(Frozen):
    """The form of the reply."""

    concepts: Annotated[tuple[ConceptReply, ...], Field(max_length=MAX_CONCEPTS)]
    relations: Annotated[tuple[RelationReply, ...], Field(max_length=MAX_RELATIONS)]


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """Finds concepts and relations in texts by a language model, as `Extractor` does by rules."""

    model: LanguageModel
    """Called at most `CALLS_AT_MOST` times a piece of a text."""

    @property
    def fingerprint(self) -> str:
        """Changes with what it would find in a text: its model, the prompt and the checks behind it."""
        return f"{_NAME} {VERSION} {self.model.name}"

    def calls_at_most(self, text: str) -> int:
        """How often the model may be called for a text; attempts of a model that retries are not counted."""
        return CALLS_AT_MOST * sum(1 for _ in pieces(normalize("NFC", text)))

    def extract(self, text: str, genre: Genre = "prose") -> Extraction:
        """What a text states; see `extract_relations`."""
        del genre  # a model reads both
        return extract_relations(self.model, text)

    def extract_many(self, texts: Iterable[str], genre: Genre = "prose") -> Iterator[Extraction]:
        """What each text states, in order, while they are read."""
        return (self.extract(text, genre) for text in texts)


def extract_relations(model: LanguageModel, text: str, language: Language | None = None) -> Extraction:
    """What a model finds in a text.

    Args:
        model: Called once for each `MAX_PIECE` characters, and once more where a reply is of no use.
        text: It is read in NFC, as by the rules.
        language: Of the instructions; None: that of the text.

    Raises:
        ReplyError: Neither of two replies is of use.
        ModelUnavailableError: The model cannot be reached.
        ModelError: It refuses the request, or its budget is spent.
    """
    composed = normalize("NFC", text)
    chosen = language or language_of(composed)
    mentions: list[ConceptMention] = []
    found: list[ExtractedRelation] = []
    unfounded: list[RejectedRelation] = []
    for piece in pieces(composed):
        turn = Turn("text", piece.text)
        prompt = Prompt(_NAME, ExtractionReply, _MAX_TOKENS, _Check(Sayings([turn])))
        reply = ask(model, prompt, transcript([turn], max_characters=4 * MAX_PIECE), chosen)
        for one in reply.relations:
            relation, fault = _read(piece, one)
            if fault is None:
                found.append(relation)
            else:
                unfounded.append(RejectedRelation(relation, fault))
        mentions += _concepts(piece, reply.concepts)
    mentions += [end for one in found if fault_of(one) is None for end in (one.head, one.tail)]
    read = assembled(mentions, found)
    return replace(read, rejected=(*read.rejected, *unfounded))


def pieces(text: str) -> Iterator[Sentence]:
    """A text in pieces of whole sentences, none longer than `MAX_PIECE`; blank ones left out."""
    start = end = 0
    for sentence in split_sentences(text):
        if sentence.end - start > MAX_PIECE and end > start:
            yield Sentence(text[start:end], start, "")
            start = sentence.start
        end = sentence.end
        while end - start > MAX_PIECE:
            yield Sentence(text[start : start + MAX_PIECE], start, "")
            start += MAX_PIECE
    if text[start:end].strip():
        yield Sentence(text[start:end], start, "")


@dataclass(frozen=True, slots=True)
class _Check:
    """Refuses a reply of which nothing stands in the text: it is about something else."""

    said: Sayings

    def __call__(self, reply: ExtractionReply, language: Language) -> None:
        del language
        if reply.relations and not any(self.said.holds(one.quote) for one in reply.relations):
            raise UnreadableReplyError("relations: no quote stands in the text")


def _read(piece: Sentence, reply: RelationReply) -> tuple[ExtractedRelation, str | None]:
    """A relation of a reply, and why it does not count; None where all of it stands in the text."""
    near = find_words(piece.text, reply.quote)
    spans = [find_words(piece.text, name, near[0] if near else 0) for name in (reply.head, reply.tail)]
    head, tail = (_mention(piece, name, span) for name, span in zip((reply.head, reply.tail), spans, strict=True))
    relation = ExtractedRelation(
        head, reply.relation, tail, _NAME, CONFIDENCE, reply.quote, factuality=reply.factuality
    )
    for what, span in (("head", spans[0]), ("tail", spans[1]), ("quote", near)):
        if span is None:
            return relation, f"the {what} does not stand in the text"
    return relation, None


def _concepts(piece: Sentence, replies: Iterable[ConceptReply]) -> Iterator[ConceptMention]:
    for reply in replies:
        span = find_words(piece.text, reply.name)
        if span is not None:
            aliases = tuple(dict.fromkeys(alias for alias in reply.aliases if find_words(piece.text, alias)))
            yield replace(_mention(piece, reply.name, span), aliases=aliases)


def _mention(piece: Sentence, name: str, span: tuple[int, int] | None) -> ConceptMention:
    """The concept as the text writes it; as the reply does where it is not there."""
    if span is not None:
        return named(piece, *span)
    return replace(named(Sentence(name, 0, ""), 0, len(name)), start=0, end=0)


def find_words(text: str, words: str, start: int = 0) -> tuple[int, int] | None:
    """Where words stand in a text, whatever blanks are between them: behind a place before in front of it."""
    parts = folded(words).split()
    if not parts:
        return None
    written = re.compile(
        r"\s+".join(
            rf"(?<!\w){re.escape(parts[0])}" if n == 0 else re.escape(part) for n, part in enumerate(parts)
        )
    )
    found = written.search(text, start) or written.search(text)
    return found.span() if found else None
