"""What a rule hands over: two places of a parse, the rule's name, and the word whose use decides on its truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from graphmem.language.relations.english.parse import Parse


@dataclass(frozen=True, slots=True)
class Finding:
    """A relation between two tokens."""

    head: int
    """Head word of the noun phrase or clause that the statement is about."""
    tail: int
    """Head word of the other one."""
    rule: str
    """Name of the rule in the catalogue."""
    at: int
    """The verb, or the word that stands for one, that states it."""
    presupposed: bool = False
    """Whether it is taken for granted rather than stated: a denial of the sentence does not touch it."""
    clauses: bool = False
    """Whether head and tail are the verbs of whole clauses."""


Finder = Callable[[Parse, int], Iterator[Finding]]
"""The findings of some rules at one token."""


def pairs(heads: Iterable[int], tails: Iterable[int], rule: str, at: int) -> Iterator[Finding]:
    """Each head with each tail."""
    ends = tuple(tails)
    for head in heads:
        for tail in ends:
            if head != tail:
                yield Finding(head, tail, rule, at)


def taken_for_granted(heads: Iterable[int], tails: Iterable[int], rule: str, at: int) -> Iterator[Finding]:
    """Each head with each tail, where the words presuppose the relation."""
    for one in pairs(heads, tails, rule, at):
        yield Finding(one.head, one.tail, one.rule, one.at, presupposed=True)
