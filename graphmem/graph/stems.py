"""English stems (Snowball English, Porter 2), the same whether or not PyStemmer is installed.

Leaves out all other languages: their words are kept as they are, or cut into character pairs.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Protocol

_PROBE = (
    *("added", "evening", "geologist", "ourselves", "pasting", "inning", "transitional", "universities"),
    *("generously", "dying", "replied", "hopping", "skis", "bias", "early", "communism", "arsenal", "user's"),
)
"""Words that versions of the algorithm treat differently, and some that exercise its steps."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (the libraries' name)


def _pure_stemmer() -> _Stemmer:
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415 (10 ms that a start can spare)

    stemmer: _Stemmer = EnglishStemmer()
    return stemmer


def _fast_stemmer() -> _Stemmer | None:
    try:
        import Stemmer  # noqa: PLC0415 (optional)
    except ImportError:
        return None
    # no cache of its own: it is not safe with threads, and `stem` has one
    stemmer: _Stemmer = Stemmer.Stemmer("english", 0)
    return stemmer


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    pure, fast = _pure_stemmer(), _fast_stemmer()
    # stored tokens must not change with what happens to be installed: speed only where nothing differs
    if fast is not None and all(fast.stemWord(word) == pure.stemWord(word) for word in _PROBE):
        return fast
    return pure


_lock = Lock()


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """The English stem of a lower-case ASCII word; the word itself where the algorithm leaves nothing."""
    with _lock:  # both stemmers keep the word they work on in themselves
        return _stemmer().stemWord(word) or word


def forget() -> None:
    """Empty the caches, so that a stemmer installed or removed meanwhile is seen."""
    _stemmer.cache_clear()
    stem.cache_clear()
