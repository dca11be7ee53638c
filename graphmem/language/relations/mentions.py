"""The concepts that a sentence mentions: pure.

Names are seen by how they are written in every sentence. Nouns come from the parse or the morphemes where there
are any, else from stop words and particles. Mentions may overlap: a run of nouns holds an identifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem.language.extraction import ConceptMention
from graphmem.language.relations.aliases import introductions, with_aliases
from graphmem.language.relations.english_runs import english_runs
from graphmem.language.relations.korean import korean_mentions
from graphmem.language.relations.korean_runs import korean_runs
from graphmem.language.relations.names import written_names
from graphmem.language.relations.naming import named
from graphmem.language.relations.parsed_mentions import parsed_mentions
from graphmem.ports.text_analyzer import Sentence

_INTRODUCERS = (
    *("(", "（", "known", "called", "referred", "short for", "stands for", "abbreviated", ", or ", "aka", "a.k"),
    *("a. k", "a k", "일명", "이른바", "속칭", "줄여서"),
)
"""One of these stands in every sentence that gives a second name: reading it all costs more than all else."""

_RUNS: Mapping[str, Callable[[str], Iterable[tuple[int, int]]]] = {"en": english_runs, "ko": korean_runs}
_PARSED: Mapping[str, Callable[[Sentence], Iterable[ConceptMention]]] = {
    "en": parsed_mentions,
    "ko": korean_mentions,
}


def mentions_of(sentence: Sentence) -> Iterator[ConceptMention]:
    """The concepts that a sentence mentions, in no fixed order; one may lie within another."""
    spans = set(written_names(sentence.text))
    if sentence.tokens and sentence.language in _PARSED:
        yield from _PARSED[sentence.language](sentence)
    elif sentence.language in _RUNS:
        spans.update(_RUNS[sentence.language](sentence.text))
    for span in sorted(spans):
        yield named(sentence, *span)


def introduced_aliases(sentence: Sentence, mentions: Sequence[ConceptMention]) -> Sequence[ConceptMention]:
    """The mentions of a sentence, each with the other names that the sentence gives for it."""
    lower = sentence.text.lower()
    if not any(word in lower for word in _INTRODUCERS):
        return mentions
    spans = [(one.start - sentence.start, one.end - sentence.start) for one in mentions]
    if not introductions(sentence.text, spans):
        return mentions
    within = [replace(one, start=one.start - sentence.start, end=one.end - sentence.start) for one in mentions]
    named_fully = with_aliases(sentence.text, within)
    return [replace(one, aliases=two.aliases) for one, two in zip(mentions, named_fully, strict=True)]
