"""The one tokeniser: what both stores index and what every query asks for.

A word gives its English stem; a run of Hangul, Han, kana or another script written without blanks
gives its character pairs and itself; an identifier, number, address or path gives itself and its
parts. Ranking is in graph/bm25.py. Left out: stop words (they weigh next to nothing in BM25),
morphology of languages other than English, and accents (café is not cafe).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from graphmem.graph.folding import fold, visible
from graphmem.graph.stems import stem

MAX_TOKEN = 255
"""Length of a token in UTF-16 units: Lucene's white-space tokenizer would cut longer ones itself."""

_CACHED_LENGTH = 64
"""Longer chunks are addresses or data: they rarely come twice, and the cache stays small."""

_MARKS = dict.fromkeys(map(ord, "™®©℠"), " ") | dict.fromkeys(map(ord, "’‘ʼ＇"), "'") | {0x2010: "-", 0x2011: "-"}
"""Read before NFKC, which would write Windows™ as WindowsTM."""

_KINDS = (
    dict.fromkeys("/:@=&?%~\\$", "o")  # joins parts that are identifiers themselves: paths, addresses, key=value
    | {".": "p", "'": "q", "-": "h", "_": "u", "+": "t", "#": "t", ",": "k"}
)

_UNSPACED = (
    *(range(0x0E00, 0x0F00), range(0x1000, 0x10A0), range(0x1780, 0x1800)),  # Thai, Lao, Burmese, Khmer
    *(range(0x1100, 0x1200), range(0x3130, 0x3190), range(0xA960, 0xA980), range(0xAC00, 0xD800)),  # Hangul
    *(
        range(0x3005, 0x3008),
        range(0x3040, 0x3130),
        range(0x31A0, 0x3200),
        range(0xFF66, 0xFFA0),
    ),  # kana, bopomofo
    *(range(0x3400, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x32400)),  # Han
)
"""Scripts whose words are not divided by blanks, or carry their particles (Korean)."""

_PARTICLES = frozenset(
    re.findall(
        r"\S+", "은 는 이 가 을 를 의 에 로 와 과 도 만 나 에서 에게 에는 으로 까지 부터 처럼 보다 마다 이나"
    )
)
"""After a noun of one syllable they leave no pair that the bare noun shares: 물을 gives 물 as well."""

_WORD = "(?<!u)u*+[ld][ldu]*+(?:q[ldu]++)*+"
_NAME = rf"{_WORD}(?:(?:[pht]+|(?<=d)k(?=d)){_WORD})*t{{0,2}}"
_SPANS = re.compile(rf"(?P<name>(?:(?<!p)p(?=l))?{_NAME}(?:o+{_NAME})*)|(?P<run>c+)|(?P<symbol>s)")
"""Over kinds, a letter a character: see `_kind`. Nothing is tried twice, so time grows with length only."""

_BETWEEN_JOINTS = re.compile("[^o]{2,}")
_ATOM = re.compile("[ld]+(?:q[ld]+)*")
_PLAIN_NUMBER = re.compile(r"d+(?:[pk]d+)*")
_HYPHENATED = re.compile("l+(?:hl+)+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_CAMEL = re.compile("[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_CAMEL_PARTS = re.compile("[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def search_text(text: str) -> str:
    """The tokens of a text joined by one blank, repetitions kept: term frequency counts.

    Args:
        text: Anything, with any characters.

    Returns:
        Tokens without white space or control characters, each at most `MAX_TOKEN` long; "" for none.
    """
    parts = [_cached(chunk) if len(chunk) <= _CACHED_LENGTH else _tokenised(chunk) for chunk in text.split()]
    return " ".join(filter(None, parts))


def tokens(text: str) -> list[str]:
    """The tokens of a text in reading order, repetitions kept."""
    return search_text(text).split()


def query_tokens(text: str, limit: int = 64) -> list[str]:
    """The distinct tokens of a query in order of first appearance.

    Args:
        text: The query as typed: it has no operators.
        limit: Most tokens, at least 1. The longest are kept, since without counts length is the best
            sign of a rare one; among equals the first ones.
    """
    found = list(dict.fromkeys(tokens(text)))
    if len(found) <= limit:
        return found
    kept = set(sorted(found, key=len, reverse=True)[:limit])
    return [token for token in found if token in kept]


def _tokenised(chunk: str) -> str:
    shown = visible(chunk.translate(_MARKS) if not chunk.isascii() else chunk)
    kinds = "".join(map(_kind, shown))
    found: list[str] = []
    for match in _SPANS.finditer(kinds):
        piece, kind = shown[match.start() : match.end()], match.group()
        if match["name"]:
            found.extend(_name_tokens(piece, kind))
        elif match["run"]:
            if found and _PLAIN_NUMBER.fullmatch(kinds, _start_of_name(kinds, match.start()), match.start()):
                found.append(found[-1] + piece[0])
            found.extend(_run_tokens(fold(piece)))
        else:
            found.append(piece)
    return " ".join(map(_bounded, found))


def _start_of_name(kinds: str, end: int) -> int:
    """Where the name that ends here begins."""
    while end and kinds[end - 1] not in "cxs":
        end -= 1
    return end


_cached = lru_cache(maxsize=1 << 15)(_tokenised)


@lru_cache(maxsize=8192)
def _kind(character: str) -> str:
    """One letter: letter, digit, unspaced, symbol, x for what separates, and the joiners of `_KINDS`."""
    known = _KINDS.get(character)
    if known is not None:
        return known
    category = unicodedata.category(character)
    if category[0] in "LM":
        return "c" if any(ord(character) in block for block in _UNSPACED) else "l"
    if category[0] == "N":
        return "d"
    return "s" if category in {"So", "Co", "Cn"} else "x"


def _name_tokens(piece: str, kinds: str) -> Iterator[str]:
    if "o" not in kinds:
        yield from _identifier_tokens(piece, kinds)
        return
    yield fold(piece)
    for match in _BETWEEN_JOINTS.finditer(kinds):
        yield from _identifier_tokens(piece[match.start() : match.end()], match.group())


def _identifier_tokens(piece: str, kinds: str) -> Iterator[str]:
    if _ATOM.fullmatch(kinds):
        yield from _word_tokens(piece)
    elif _HYPHENATED.fullmatch(kinds):
        # e-mail is email, follow-ups are followups
        yield _stemmed(fold(piece.replace("-", "")))
        yield from _parts(piece, kinds)
    elif _PLAIN_NUMBER.fullmatch(kinds):
        yield piece.replace(",", "") if _THOUSANDS.fullmatch(piece) else piece
    else:
        yield fold(piece)
        yield from _parts(piece, kinds)


def _parts(piece: str, kinds: str) -> Iterator[str]:
    for match in _ATOM.finditer(kinds):
        # single characters would make c out of C++ and r, d out of r_and_d
        if match.end() - match.start() > 1:
            yield from _word_tokens(piece[match.start() : match.end()])


def _word_tokens(word: str) -> Iterator[str]:
    yield _stemmed(fold(word))
    if _CAMEL.search(word):
        yield from (_stemmed(part.lower()) for part in _CAMEL_PARTS.findall(word) if len(part) > 1)


def _stemmed(word: str) -> str:
    word = word.removesuffix("'s") or word
    return stem(word) if word.isascii() and word.replace("'", "").isalpha() else word


def _run_tokens(run: str) -> Iterator[str]:
    yield from (run[i : i + 2] for i in range(len(run) - 1))
    if len(run) != 2:
        yield run
    if run[1:] in _PARTICLES:
        yield run[0]


def _bounded(token: str) -> str:
    if len(token) <= MAX_TOKEN // 2:
        return token
    return token.encode("utf-16-le")[: 2 * MAX_TOKEN].decode("utf-16-le", "ignore")
