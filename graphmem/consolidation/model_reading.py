"""Reads texts by a language model instead of the rules, whole sources only, as long as the calls of a run last.

Nothing is lost where it fails: the rules read what it did not. What a failure says about the next text decides
whether it is asked again: a reply of no use is one text's, a service that cannot be reached is everybody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.consolidation.sources import Source
from graphmem.consolidation.statements import Reading
from graphmem.errors import ModelError, ModelUnavailableError, ReplyError
from graphmem.language.extraction import ConceptMention, Extraction
from graphmem.ports.language_model import LanguageModel, ModelReply, ModelRequest, forget_reply
from graphmem.ports.model_usage import usage_of
from graphmem.prompts.asking import CALLS_AT_MOST
from graphmem.prompts.extract_relations import ModelExtractor, find_words

SOURCES_AT_ONCE = 20
"""Sources that are written together: a run that is stopped has paid for at most so many in vain."""

_REFUSALS_IN_A_ROW = 3
"""A model that refuses so many requests as such is asked no more: its key is wrong, its own budget is spent."""

_BETWEEN = "\n\n"
"""Between the texts of a source: no sentence reaches across."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a language model did in a run, or would do."""

    calls: int = 0
    sources: int = 0
    """Messages and episodes that it has read."""
    failures: int = 0
    """Those that it was asked about in vain."""
    faults: tuple[str, ...] = ()
    """Why, each once."""

    def counts(self) -> dict[str, int]:
        """In the words of the report."""
        return {"model_calls": self.calls, "read_by_model": self.sources, "model_failures": self.failures}


class ModelReading:
    """A language model with the calls that a run may make."""

    def __init__(self, model: LanguageModel, policy: ConsolidationPolicy) -> None:
        self._model = _Counted(model)
        self._extractor = ModelExtractor(self._model)
        self._calls = policy.max_model_calls
        self._refusals = 0
        self._sources = 0
        self._faults: dict[str, int] = {}
        self._is_stopped = False

    @property
    def fingerprint(self) -> str:
        """See `ModelExtractor.fingerprint`."""
        return self._extractor.fingerprint

    @property
    def is_over(self) -> bool:
        """Whether there are no calls left for even a short text, or asking on is of no use."""
        return self._is_stopped or self._left < CALLS_AT_MOST

    @property
    def use(self) -> ModelUse:
        """What it has done so far."""
        return ModelUse(self._model.calls, self._sources, sum(self._faults.values()), tuple(self._faults))

    def has_room_for(self, source: Source) -> bool:
        """Whether a source can be read whole, however many of its replies are of no use at first.

        What is taken from messages is left to the rules: the messages are asked about.
        """
        if source.is_excerpt:
            return False
        return not self._is_stopped and self._extractor.calls_at_most(_whole(source.texts)) <= self._left

    def read(self, source: Source) -> list[Reading]:
        """What a source states, text by text.

        Args:
            source: One that there is room for.

        Raises:
            ReplyError: The model's replies about it are of no use.
            ModelError: The model did not answer; `is_over` says whether the next source may be asked about.
        """
        text = _whole(source.texts)
        try:
            found = self._extractor.extract(text, source.genre)
        except ModelError as error:
            self._note(error)
            raise
        self._refusals = 0
        self._sources += bool(text)
        return by_text(source.texts, found)

    def expect(self, source: Source) -> None:
        """Count a source as read by as many calls as it takes where each reply is of use; nothing is asked."""
        text = _whole(source.texts)
        self._model.expect(self._extractor.calls_at_most(text) // CALLS_AT_MOST)
        self._sources += bool(text)

    def _note(self, error: ModelError) -> None:
        self._faults[str(error)] = self._faults.get(str(error), 0) + 1
        self._refusals = 0 if isinstance(error, ReplyError) else self._refusals + 1
        self._is_stopped = isinstance(error, ModelUnavailableError) or self._refusals >= _REFUSALS_IN_A_ROW

    @property
    def _left(self) -> int:
        return self._calls - self._model.calls


def by_text(texts: Sequence[str], found: Extraction) -> list[Reading]:
    """What was found in several texts at once, as if each had been read by itself.

    Args:
        texts: In order.
        found: What is stated in them, joined as `ModelReading` joins them. A concept is one of each text that
            names it so; a relation is one of the text in which its head stands.
    """
    readings, start = [], 0
    for text in (normalize("NFC", one) for one in texts):
        end = start + len(text)
        concepts = tuple(_within(text, found.concepts))
        relations = tuple(one for one in found.relations if start <= one.head.start < end)
        rejected = tuple(one for one in found.rejected if start <= one.relation.head.start < end)
        readings.append((text, Extraction(concepts, relations, rejected)))
        start = end + len(_BETWEEN)
    return readings


def _within(text: str, concepts: Iterable[ConceptMention]) -> Iterator[ConceptMention]:
    for concept in concepts:
        place = find_words(text, concept.name)
        if place is not None:
            aliases = tuple(alias for alias in concept.aliases if find_words(text, alias))
            yield replace(concept, start=place[0], end=place[1], aliases=aliases)


class _Counted:
    """A model that counts calls: further attempts where it tells them, answers from a cache never."""

    def __init__(self, inner: LanguageModel) -> None:
        self._inner = inner
        self._asked = 0
        self._before = usage_of(inner)

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def calls(self) -> int:
        # a wrapper of a model that does not count tells 0
        return max(self._asked, (usage_of(self._inner) - self._before).calls)

    def expect(self, calls: int) -> None:
        self._asked += calls

    def complete(self, request: ModelRequest) -> ModelReply:
        self._asked += 1
        reply = self._inner.complete(request)
        if reply.input_tokens == reply.output_tokens == 0:
            self._asked -= 1
        return reply

    def forget(self, request: ModelRequest) -> None:
        forget_reply(self._inner, request)


def _whole(texts: Sequence[str]) -> str:
    """The texts of a source as one: a question about all of it costs no more than one about a part."""
    return normalize("NFC", _BETWEEN.join(texts))
