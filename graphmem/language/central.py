"""The sentence that stands for a text: the one whose words recur most across it. Pure.

The sum-of-frequencies form of extractive summarising (Nenkova and Vanderwende 2005, "The Impact of Frequency
on Summarization"): the mean share of a sentence's tokens, so that long sentences win nothing by length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from graphmem.graph.tokens import query_tokens

_SENTENCES = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_TEXTS = 200
_CHARACTERS = 2_000
_FEWEST_TOKENS = 3


def central_sentence(texts: Sequence[str]) -> str:
    """The most central sentence of some texts, the earliest among equals.

    Args:
        texts: In order; the first 200 count, and 2,000 characters of each.

    Returns:
        "" when no text says anything.
    """
    sentences = [
        sentence
        for text in texts[:_TEXTS]
        for part in _SENTENCES.findall(text[:_CHARACTERS])
        if (sentence := part.strip())
    ]
    tokens = [query_tokens(sentence) for sentence in sentences]
    # a token counts once a sentence: one that repeats itself is not more central
    held = Counter(token for one in tokens for token in set(one))
    best, best_score = "", -1.0
    for sentence, own in zip(sentences, tokens, strict=True):
        score = sum(held[token] for token in own) / max(len(own), _FEWEST_TOKENS)
        if score > best_score:
            best, best_score = sentence, score
    return best
