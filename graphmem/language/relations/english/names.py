"""Proper names in a parse: runs of capitalised words, with `of` between them, and titles in quotation marks.

A tagger knows a name word by word; here a name is found whole: Society for Science, "Death of Samantha".
"""

from __future__ import annotations

from graphmem.language.relations.english.parse import Parse

_LINKS = frozenset({"of", "for", "de", "du", "la", "del", "von", "van", "the", "&"})
"""Words without capitals inside a name."""

_MARKS = {'"': '"', "“": "”", "‘": "’", "'": "'", "``": "''", "«": "»"}
_LONGEST_TITLE = 10
"""Words of a quotation that is taken for a title."""

_LONGEST_NICKNAME = 3
"""Words of a nickname."""


def is_name(parse: Parse, place: int) -> bool:
    """Whether a noun is a proper name, or the head of one."""
    token = parse.tokens[place]
    named = token.pos == "PROPN" and not token.text.islower()  # taggers take rare words for names
    return named or name_span(parse, place) is not None


def is_individual(parse: Parse, place: int) -> bool:
    """Whether a noun names one thing: a proper name, or a singular written like one (Fortune oil, iPhone).

    The first word of a sentence says nothing by its capital.
    """
    if is_name(parse, place):
        return True
    if parse.tokens[place].tag != "NN" or parse.has(place, "det", "poss"):
        return False
    text = parse.tokens[place].text
    if not text.isupper() and any(letter.isupper() for letter in text[1:]) and "-" not in text:
        return True
    first = _compound_start(parse, place)
    word = parse.tokens[first].text
    return 0 < first < place and word[0].isupper() and not word.isupper() and "-" not in word


def _compound_start(parse: Parse, place: int) -> int:
    """The first word of a compound, also of one within: of Rossi crime family the first."""
    inside = parse.dependents(place, "compound", "nmod")
    return min((place, *(_compound_start(parse, one) for one in inside if one < place)))


def name_span(parse: Parse, place: int) -> tuple[int, int] | None:
    """First and last word of a title in quotation marks, or of a name with `of` in it, around its head word.

    Returns:
        None where there is neither; a name may be one all the same.
    """
    return _title(parse, place) or _linked(parse, place)


def _title(parse: Parse, place: int) -> tuple[int, int] | None:
    for first in range(place, max(-1, place - _LONGEST_TITLE), -1):
        closing = _MARKS.get(parse.tokens[first - 1].text) if first else None
        if closing is None:
            continue
        for last in range(place, min(len(parse.tokens) - 1, first + _LONGEST_TITLE)):
            if parse.tokens[last + 1].text == closing:
                return (first, last) if _is_title(parse, first, last) else None
        return None
    return None


def _is_title(parse: Parse, first: int, last: int) -> bool:
    return parse.tokens[first].text[:1].isupper() and not any(
        parse.tokens[one].text in {".", "!", ";"} for one in range(first, last)
    )


def _linked(parse: Parse, place: int) -> tuple[int, int] | None:
    """Society for Science, William "Bill" Myers, Heinkel HD 26: more than the words in front of the head."""
    if not parse.tokens[place].text[:1].isupper():
        return None
    last = place
    while (after := _next_capital(parse, last)) is not None:
        last = after
    last = _compound_end(parse, last) if last != place else last
    last += _owns_nothing(parse, last)
    if parse.tokens[place].pos == "PROPN" and last + 1 < len(parse.tokens) and parse.tokens[last + 1].tag == "CD":
        last += 1
    first = _start(parse, place)
    nickname = _before_nickname(parse, first)
    if last == place and nickname is None:
        return None
    first = first if nickname is None else _start(parse, nickname)
    return (first + 1, last) if parse.words[first] == "the" and first < place else (first, last)


def _owns_nothing(parse: Parse, last: int) -> bool:
    """Whether the 's behind a name is part of it, since a verb follows: Miller's is a shop."""
    return parse.words[last + 1 : last + 2] in {("'s",), ("’s",)} and (
        last + 2 < len(parse.tokens) and parse.tokens[last + 1].tag == "POS" and parse.is_verb(last + 2)
    )


def _start(parse: Parse, place: int) -> int:
    """The first of the capitalised words in front of a word that belong to it, or with it to a name behind."""
    first = place
    while first and parse.tokens[first - 1].text[:1].isupper():
        beside = parse.tokens[first - 1].dep in {"compound", "nmod"} and parse.head(first - 1) == parse.head(place)
        if parse.head(first - 1) not in range(first, place + 1) and not beside:
            break
        first -= 1
    return first


def _before_nickname(parse: Parse, first: int) -> int | None:
    """The capitalised word in front of a nickname in quotation marks: Jane "Jo" Miller."""
    words, tokens = parse.words, parse.tokens
    if first > 2 and tokens[first - 1].text == "-" and tokens[first - 2].text[:1].isupper():
        first -= 2
    for opening in range(first - 2, max(0, first - 2 - _LONGEST_NICKNAME), -1):
        if _MARKS.get(words[opening]) == words[first - 1]:
            return opening - 1 if tokens[opening - 1].text[:1].isupper() else None
    return None


def _compound_end(parse: Parse, place: int) -> int:
    """The last word of a compound of capitalised words: of Consumer Freedom the last one."""
    head = parse.head(place)
    inside = all(parse.tokens[one].text[:1].isupper() for one in range(place, head + 1))
    return head if parse.tokens[place].dep == "compound" and head > place and inside else place


def _next_capital(parse: Parse, place: int) -> int | None:
    """The next capitalised word, behind one or two links or around a nickname in quotation marks."""
    words, tokens = parse.words, parse.tokens
    nickname = words[place + 1 : place + 4]
    if len(nickname) == 3 and nickname[0] in _MARKS and nickname[2] == _MARKS[nickname[0]]:
        return place + 4 if place + 4 < len(tokens) and tokens[place + 4].pos == "PROPN" else None
    for one in range(place + 1, min(place + 4, len(tokens))):
        if words[one] in _LINKS or _is_title_link(parse, one):
            continue
        capital = tokens[one].text[:1].isupper() and parse.is_noun(one)
        return one if capital and one > place + 1 else None
    return None


def _is_title_link(parse: Parse, place: int) -> bool:
    """Whether a preposition stands inside a title, by a capital of its own or of the article behind it."""
    behind = parse.tokens[place + 1].text if place + 1 < len(parse.tokens) else ""
    return parse.tokens[place].tag == "IN" and (parse.tokens[place].text[:1].isupper() or behind in {"The", "A"})
