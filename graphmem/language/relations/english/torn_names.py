"""Names and nouns that the parser tore apart, told by the marks around them."""

from __future__ import annotations

from graphmem.language.relations.english.names import is_name
from graphmem.language.relations.english.parse import Parse


def is_whole_subject(parse: Parse, subject: int, verb: int) -> bool:
    """Whether a subject can be trusted: parsers lose it where a bracket opens or closes before its verb."""
    first, last = min(subject, verb), max(subject, verb)
    between, before = parse.words[first:last], parse.words[:last]
    if any(part.count("(") != part.count(")") for part in (between, before)) or _has_subtitle(
        parse, subject, between
    ):
        return False
    if _is_cut_title(parse, subject, verb):
        return False
    if first + 1 < last and parse.head(first + 1) == first and parse.tokens[first + 1].tag == "NN":
        return False  # the head of a noun phrase taken for a modifier behind it
    return is_name(parse, subject) or not _has_stray_capital(parse, subject, last)


def _has_subtitle(parse: Parse, subject: int, between: tuple[str, ...]) -> bool:
    """Whether a colon cuts the subject off from the rest of its name: Act of War: Direct Action."""
    start = min(parse.below(subject))
    behind = start > 0 and parse.words[start - 1] == ":" and parse.tokens[start].text[0].isupper()
    bracket = between.index("(") if "(" in between else len(between)
    return behind or ":" in between[:bracket]


def _is_cut_title(parse: Parse, subject: int, verb: int) -> bool:
    """Whether a title was cut at its comma, by the noun that comes back behind it: Good Days, Bad Days."""
    last = verb - 1
    commas = [one for one in range(max(1, verb - 5), last) if parse.words[one] == ","]
    return any(
        parse.words[one - 1] == parse.words[last]
        and parse.tokens[last].text[0].isupper()
        and subject in {one - 1, last}
        for one in commas
    )


def _has_stray_capital(parse: Parse, subject: int, verb: int) -> bool:
    """Whether a common noun is a piece of a title that the parser took apart: Love to Love You Bradys."""
    text = parse.tokens[subject].text
    capital = subject > 0 and text[0].isupper() and not text.isupper()
    if capital and parse.head(subject - 1) != subject:
        return True
    bracket = next((one for one in range(subject, verb) if parse.words[one] == "("), verb)
    return any(parse.tokens[one].text[0].isupper() for one in range(subject + 1, bracket))


def is_torn(parse: Parse, noun: int) -> bool:
    """Whether a hyphen ties a noun to a word that the parser took for another one beside it: Co-stars."""
    token = parse.tokens[noun]
    beside = [(noun + 1, noun + 2), (noun - 1, noun - 2)]
    return any(
        parse.words[hyphen] == "-" and (parse.tokens[one].dep, parse.head(one)) == (token.dep, token.head)
        for hyphen, one in beside
        if 0 <= one < len(parse.tokens)
    )
