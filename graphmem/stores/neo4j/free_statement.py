"""Reads an operator's statement and refuses what only its text can tell: pure.

The plan shows operators, but neither functions, nor what an expression holds inside (`EXISTS { LOAD CSV ... }`
within a CASE is not in it), nor a USE of the same database. These are looked for here, in the tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.errors import InvalidInputError
from graphmem.stores.neo4j.free_allowed import (
    BEFORE_PARENTHESIS,
    CLAUSES,
    FORBIDDEN_WORDS,
    FUNCTIONS,
    PROCEDURES,
)
from graphmem.stores.neo4j.free_tokens import Token, position, tokens_of


@dataclass(frozen=True, slots=True)
class FreeStatement:
    """A statement that its text does not speak against."""

    language: str
    """Version of Cypher: "5", or "25"."""
    body: str
    """What follows the version, without comments."""
    parameters: frozenset[str]

    @property
    def text(self) -> str:
        """What is run."""
        return f"CYPHER {self.language} {self.body}"

    @property
    def explained(self) -> str:
        """What asks for the plan of the very same text."""
        return f"CYPHER {self.language} EXPLAIN {self.body}"


def read_statement(text: str) -> FreeStatement:
    """The statement, when its text does no more than read.

    Args:
        text: One statement; it may name its language by `CYPHER 5` or `CYPHER 25`, else it is 5.

    Raises:
        InvalidInputError: What is refused, where, and why.
    """
    kept, tokens = tokens_of(text)
    language, rest = _language(tokens)
    while rest and rest[-1].text == ";":
        rest = rest[:-1]
    if not rest:
        raise InvalidInputError("free Cypher: there is no statement")
    for reason, token in _faults(rest):
        raise InvalidInputError(f"free Cypher refuses {position(kept, token.place)}: {reason}")
    end = next((one.place for one in tokens if one.place > rest[-1].place), len(kept))
    parameters = frozenset(
        token.text
        for token, following in zip(rest, [*rest[1:], rest[0]], strict=True)
        # $any(...) and $all(...) make labels out of an expression
        if token.kind == "parameter" and following.text != "("
    )
    return FreeStatement(language, kept[rest[0].place : end].rstrip(), parameters)


def _language(tokens: Sequence[Token]) -> tuple[str, Sequence[Token]]:
    if len(tokens) > 1 and tokens[0].word == "cypher" and tokens[1].text in {"5", "25"}:
        return tokens[1].text, tokens[2:]
    return "5", tokens


def _faults(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    if tokens[0].word not in CLAUSES:
        yield f"a free query begins with one of {', '.join(sorted(CLAUSES)).upper()}", tokens[0]
    for place, token in enumerate(tokens):
        if token.word in FORBIDDEN_WORDS:
            yield f"{FORBIDDEN_WORDS[token.word]} (a name of this kind must stand in backticks)", token
        if token.text == ";" and token.kind == "sign":
            yield "there is more than one statement", token
        if token.word == "call":
            yield from _faults_of_call(tokens, place)
        if token.text == "(" and token.kind == "sign":
            yield from _faults_of_parenthesis(tokens, place)


def _faults_of_call(tokens: Sequence[Token], place: int) -> Iterator[tuple[str, Token]]:
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is not None and following.kind == "sign" and following.text in {"(", "{"}:
        return
    name, _ = _chain(tokens[place + 1 :])
    if not name:
        yield "CALL names no procedure (a name of this kind must stand in backticks)", tokens[place]
    elif name not in PROCEDURES:
        yield f"the procedure {name} is not one of {', '.join(sorted(PROCEDURES))}", tokens[place]


def _faults_of_parenthesis(tokens: Sequence[Token], place: int) -> Iterator[tuple[str, Token]]:
    if place == 0:
        return
    before = tokens[place - 1]
    if before.kind == "parameter" and before.text.lower() not in {"all", "any"}:
        yield "a parameter cannot be called", before
    if not before.is_name:
        return
    name, length = _chain(tokens[:place][::-1], backwards=True)
    is_alone, ahead = length == 1, tokens[place - length - 1] if place > length else None
    if is_alone and before.word in BEFORE_PARENTHESIS:
        return
    if ahead is not None and ahead.word == "call" and name in PROCEDURES:
        return
    if not name.isascii() or name.lower() not in FUNCTIONS:
        yield f"the function {name} is not on the list of those that only read", before


def _chain(tokens: Sequence[Token], *, backwards: bool = False) -> tuple[str, int]:
    """Names joined by dots from the first token on, and how many tokens they take."""
    parts: list[str] = []
    place = 0
    while place < len(tokens) and tokens[place].is_name:
        parts.append(tokens[place].text)
        place += 1
        if place + 1 < len(tokens) and tokens[place].text == "." and tokens[place + 1].is_name:
            place += 1
        else:
            break
    return ".".join(parts[::-1] if backwards else parts), place
