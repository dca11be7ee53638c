"""Korean sentences as morphemes, by kiwi and its dictionary, both of them packages: no download.

Loading takes three seconds and 550 MB and happens at the first Korean sentence. Morphemes are found in composed
characters; their offsets are those of the sentence as written, composed or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from graphmem.errors import ModelError
from graphmem.language.composing import composed
from graphmem.ports.text_analyzer import Sentence, Token
from graphmem.text.segments import segments

if TYPE_CHECKING:
    from kiwipiepy import Kiwi

LONGEST_SENTENCE = 2_000
"""Characters of a sentence that is read: what is longer is a list, a log or a table, and gets no tokens."""

_UNIVERSAL = {
    **dict.fromkeys(("NNG", "NNB", "XR"), "NOUN"),
    **dict.fromkeys(("NNP", "SL", "SH"), "PROPN"),
    **dict.fromkeys(("NR", "SN"), "NUM"),
    **dict.fromkeys(("VV", "XSV"), "VERB"),
    **dict.fromkeys(("VA", "XSA"), "ADJ"),
    **dict.fromkeys(("VX", "VCP", "VCN"), "AUX"),
    **dict.fromkeys(("MAG", "MAJ"), "ADV"),
    **dict.fromkeys(("SF", "SP", "SS", "SSO", "SSC", "SE", "SO", "SB"), "PUNCT"),
    "NP": "PRON",
    "MM": "DET",
    "IC": "INTJ",
    "SW": "SYM",
    "JC": "CCONJ",
}
_PARTS = {"J": "ADP", "E": "PART", "X": "PART"}
"""By the first letter of a tag: particles, endings, and what is put before or behind a stem."""


class KiwiAnalyzer:
    """Morphemes of Korean sentences with Sejong tags; sentences of other languages are cut out without tokens."""

    name = "kiwi"
    languages = frozenset({"ko"})

    def __init__(self) -> None:
        """Prepare, without loading."""
        self._model: Kiwi | None = None
        self._lock = Lock()

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """Cut texts into sentences of morphemes; see the port.

        Raises:
            ModelError: kiwi or its dictionary is not installed.
        """
        return [tuple(self._read(sentence) for sentence in segments(text)) for text in texts]

    def _read(self, sentence: Sentence) -> Sentence:
        if sentence.language != "ko" or len(sentence.text) > LONGEST_SENTENCE:
            return sentence
        text, spans = composed(sentence.text)
        with self._lock:
            if self._model is None:
                self._model = _load()
            morphemes = [
                (found.form, found.lemma, found.tag.partition("-")[0], found.start, found.end)
                for found in self._model.tokenize(text)
            ]
        return replace(sentence, tokens=tuple(_tokens(morphemes, spans)))


def _load() -> Kiwi:
    try:
        from kiwipiepy import Kiwi  # noqa: PLC0415 (an extra, and only this analyzer needs it)
    except ImportError as error:
        raise ModelError(
            "the analyzer 'kiwi' needs kiwi and its dictionary: pip install 'graphmem[kiwi]', "
            "or choose the analyzer 'plain'"
        ) from error
    # one worker: texts go through one by one, in the thread that asks
    return Kiwi(num_workers=1)


def _tokens(
    morphemes: Sequence[tuple[str, str, str, int, int]], spans: Sequence[tuple[int, int]]
) -> Iterator[Token]:
    """Tokens in order of their starts: kiwi puts some endings before the stem they are contracted with."""
    # of a lone ending it says that its stem begins behind the text
    starts = [min(start, len(spans) - 1) for *_, start, _ in morphemes]
    ends = [min(end, len(spans)) for *_, end in morphemes]
    for place in range(len(starts) - 1, 0, -1):
        starts[place - 1] = min(starts[place - 1 : place + 1])
    for place, (form, lemma, tag, *_) in enumerate(morphemes):
        first, last = starts[place], max(ends[place], starts[place] + 1) - 1
        yield Token(
            text=form,
            lemma=lemma,
            pos=_UNIVERSAL.get(tag) or _PARTS.get(tag[0], "X"),
            tag=tag,
            dep="",
            head=place,
            start=spans[first][0],
            end=spans[last][1],
        )
