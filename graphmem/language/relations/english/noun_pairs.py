"""Pairs of nouns in a parse, and what lies between them: what the second stage decides on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from graphmem.language.relations.english.nominals import is_nominal
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.noun_lexicon import NounLexicon

LONGEST_PATH = 5
"""Dependencies between two nouns that may be related; those farther apart hardly ever are."""

_BETWEEN = 8
"""Words between two nouns that are features one by one."""


def noun_pairs(parse: Parse) -> Iterator[tuple[int, int]]:
    """The pairs of nouns that a short path joins, in the order of the text."""
    nouns = [place for place in range(len(parse.tokens)) if is_nominal(parse, place)]
    for first, second in combinations(nouns, 2):
        if len(_path(parse, first, second)) <= LONGEST_PATH + 1:
            yield first, second


def features(parse: Parse, first: int, second: int, lexicon: NounLexicon | None = None) -> list[str]:
    """What can be said about a pair of nouns, as names.

    Args:
        parse: The sentence.
        first: The noun that comes first.
        second: The other one.
        lexicon: Classes and parts of nouns, where there are any.
    """
    found = ["always", *_on_path(parse, first, second), *_between(parse, first, second)]
    for name, place in (("1", first), ("2", second)):
        lemma = parse.lemmas[place]
        found += [f"n{name}={lemma}", f"e{name}={lemma[-4:]}", f"g{name}={parse.tokens[place].tag}"]
        if lexicon is not None:
            found += [f"t{name}={one}" for one in lexicon.types(lemma)]
    if lexicon is not None:
        found += _parts(lexicon, parse.lemmas[first], parse.lemmas[second])
    return found


def _parts(lexicon: NounLexicon, first: str, second: str) -> list[str]:
    found = ["1 in 2"] if lexicon.is_part(first, second) else []
    return [*found, "2 in 1"] if lexicon.is_part(second, first) else found


def _on_path(parse: Parse, first: int, second: int) -> list[str]:
    path = _path(parse, first, second)
    steps = [_step(parse, one, after) for one, after in pairwise(path)]
    inner = [parse.lemmas[one] for one in path[1:-1]]
    passive = any(parse.has(one, "auxpass", "nsubjpass") for one in path[1:-1])
    return [
        "path=" + " ".join(steps),
        "words=" + " ".join(inner),
        "full=" + " ".join(f"{step} {word}" for step, word in zip(steps, [*inner, ""], strict=True)),
        f"length={len(path)}",
        *(f"p={word}" for word in inner),
        *(f"pp={word}:{passive}" for word in inner),
    ]


def _between(parse: Parse, first: int, second: int) -> list[str]:
    words = parse.lemmas[first + 1 : second][:_BETWEEN]
    pairs = [f"bb={one} {after}" for one, after in pairwise(words)]
    before = parse.lemmas[first - 1] if first else ""
    after = parse.lemmas[second + 1] if second + 1 < len(parse.tokens) else ""
    return [*(f"b={word}" for word in words), *pairs, f"gap={min(second - first, 8)}", f"<{before}", f">{after}"]


def _step(parse: Parse, one: int, after: int) -> str:
    return f"^{parse.tokens[one].dep}" if parse.head(one) == after else f"_{parse.tokens[after].dep}"


def _path(parse: Parse, first: int, second: int) -> list[int]:
    """The tokens from one noun over the nearest common head to the other one."""
    up = [first, *parse.above(first)]
    down = [second, *parse.above(second)]
    shared = next((one for one in up if one in down), None)
    if shared is None:  # parts of a sentence that nothing joins
        return list(range(first, second + 1)) if second - first <= LONGEST_PATH else [0] * (LONGEST_PATH + 2)
    return up[: up.index(shared) + 1] + down[: down.index(shared)][::-1]
