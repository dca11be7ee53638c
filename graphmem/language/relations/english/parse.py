"""A parsed sentence as a tree: dependents by name, clauses, and words without capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from graphmem.ports.text_analyzer import Sentence, Token

NOUNS = frozenset({"NOUN", "PROPN"})
VERBS = frozenset({"VERB", "AUX"})
_NOMINAL = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})
_CASED = re.compile(r"[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*|[A-Z]+[a-z]+[A-Z][A-Za-z0-9]*")
"""A word with capitals within: PostgreSQL, gRPC."""


@dataclass(frozen=True)
class Parse:
    """A sentence with the tree that its tokens form. Tokens are named by their place."""

    sentence: Sentence

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens, in order; what is written like a name and stands like a noun is one."""
        return tuple(map(_named, self.sentence.tokens))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The dependents of each token, in order."""
        found: list[list[int]] = [[] for _ in self.tokens]
        for place, token in enumerate(self.tokens):
            if token.head != place:
                found[token.head].append(place)
        return tuple(map(tuple, found))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The tokens in lower case."""
        return tuple(token.text.lower() for token in self.tokens)

    @cached_property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas in lower case."""
        return tuple(token.lemma.lower() for token in self.tokens)

    def dependents(self, place: int, *names: str) -> list[int]:
        """The dependents that are tied to a token by one of these dependencies."""
        return [child for child in self.children[place] if self.tokens[child].dep in names]

    def has(self, place: int, *names: str) -> bool:
        """Whether a token has a dependent of one of these dependencies."""
        return any(self.tokens[child].dep in names for child in self.children[place])

    def head(self, place: int) -> int:
        """The head of a token; the token itself at the root."""
        return self.tokens[place].head

    def above(self, place: int) -> Iterator[int]:
        """The heads of a token from the nearest to the root."""
        seen = {place}
        while (head := self.tokens[place].head) not in seen:
            yield head
            seen.add(head)
            place = head

    def below(self, place: int) -> list[int]:
        """A token with all that hangs on it, in order."""
        found, waiting = {place}, [place]
        while waiting:
            for child in self.children[waiting.pop()]:
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        return sorted(found)

    def is_noun(self, place: int) -> bool:
        """Whether a token is a noun or a name."""
        return self.tokens[place].pos in NOUNS

    def is_verb(self, place: int) -> bool:
        """Whether a token is a verb or an auxiliary."""
        return self.tokens[place].pos in VERBS

    def follows(self, place: int, *words: str) -> bool:
        """Whether these words stand right behind a token."""
        return self.words[place + 1 : place + 1 + len(words)] == words


def _named(token: Token) -> Token:
    """A subject or object with capitals within as a name: taggers take those they do not know for adverbs."""
    if token.pos in NOUNS or token.dep not in _NOMINAL or not _CASED.fullmatch(token.text):
        return token
    return replace(token, pos="PROPN", tag="NNP", lemma=token.text)
