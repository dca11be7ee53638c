"""Lists of noun phrases beside a cue of an English sentence that nobody parsed: subjects, and what a cue lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphmem.language.relations.surface_phrases import (
    QUOTES,
    Phrase,
    Word,
    back,
    is_adverb,
    nearest_part,
    phrase_behind,
    trimmed,
)
from graphmem.language.relations.surface_words import (
    ADVERBS,
    AUXILIARIES,
    LINKS,
    PRONOUNS,
    SUBJECTS,
    word_set,
)

_JOINTS = frozenset({"and", "or"})
_CLAUSE_OPENERS = word_set(
    "and but or because that when if although though since so while whether where as which who unless whereas"
)
"""Words behind which a subject stands."""
_CLOSERS = word_set("and or which that when who are is was were have has had can may")
"""What stands behind a list that has ended; another verb behind its last item would make that a subject."""
_NO_ITEMS = word_set("etc others more so")
_IN_BRACKETS = 8
"""Words in brackets that are looked over."""


def subjects(words: Sequence[Word], end: int) -> list[Phrase]:
    """What a verb says something about: the phrase before it, or all of a list that begins the sentence.

    A pronoun is a phrase too. None where it is not certain: behind a preposition, behind another verb, in a list
    that holds a pronoun, before an infinitive.
    """
    end = _without_marks(words, end)
    if end and words[end - 1].lower == "to":
        return []  # good to be part of a team
    if end and words[end - 1].lower in PRONOUNS:
        return [Phrase(end - 1, end)]
    items, start, is_joined = _list_before(words, end)
    if not items or not _may_begin(words, start):
        return []
    if len(items) > 1 and not is_joined:
        return items[:1] if start == 0 else []  # the HD 39, a plane, led to: what stands in commas explains
    if start == 0:
        return items
    behind_joint = words[start - 1].lower in _JOINTS and start > 1 and words[start - 2].lower in PRONOUNS
    return [] if behind_joint else items[-1:]


def described(words: Sequence[Word], end: int) -> list[Phrase]:
    """What a participle describes: the nearest noun phrase."""
    items, _, _ = _list_before(words, _without_marks(words, end))
    return [nearest_part(words, items[-1])] if items else []


def listed_before(words: Sequence[Word], end: int) -> list[Phrase]:
    """The noun phrases of a list that ends before a place, wherever it begins."""
    items, _, _ = _list_before(words, _without_marks(words, end))
    return [nearest_part(words, item) for item in items]


def listed_behind(words: Sequence[Word], begin: int) -> Iterator[Phrase]:
    """The noun phrases of a list that begins at a place; a later one counts only where the list or clause ends.

    A pronoun is a phrase too.
    """
    first = phrase_behind(words, begin)
    if first is None:
        if begin < len(words) and words[begin].lower in PRONOUNS:
            yield Phrase(begin, begin + 1)
        return
    yield first
    end, is_last = first.end, False
    while not is_last and (joint := _joint_behind(words, end)) is not None:
        following, is_last = joint
        item = phrase_behind(words, following)
        if item is None or not _is_closed(words, item.end) or _is_no_item(words, following):
            return
        yield item
        end = item.end


def _list_before(words: Sequence[Word], end: int) -> tuple[list[Phrase], int, bool]:
    """The phrases of a list, where it begins, and whether its last item is joined by and or or."""
    found: list[Phrase] = []
    begin = start = end
    is_joined = False
    while (start := back(words, begin)) < begin:
        if start and words[start - 1].lower in SUBJECTS:
            start += 1  # we keep logs: a word behind such a pronoun is its verb
        phrase = trimmed(words, start, begin)
        if phrase is None:
            break
        found.insert(0, phrase)
        joint = _joint_before(words, start)
        if joint is None or back(words, joint[0]) == joint[0]:
            return found, start, is_joined
        is_joined = is_joined or (len(found) == 1 and joint[1])
        begin = joint[0]
    return found, begin, is_joined


def _may_begin(words: Sequence[Word], start: int) -> bool:
    """Whether a subject may begin here: at the start, behind a mark or a word that opens a clause."""
    if words[start].lower in LINKS:
        return False  # in later years: no subject
    if start == 1 and words[0].lower in AUXILIARIES:
        return True  # does a leak cause
    return start == 0 or words[start - 1].is_mark or words[start - 1].lower in _CLAUSE_OPENERS


def _joint_before(words: Sequence[Word], place: int) -> tuple[int, bool] | None:
    """Where the item of a list before this one ends, if there is one, and whether a word joins them."""
    end = place
    if end > 0 and words[end - 1].lower in _JOINTS:
        end -= 1
    is_joined = end < place
    if end > 0 and words[end - 1].text == ",":
        end -= 1
    return (end, is_joined) if 0 < end < place else None


def _joint_behind(words: Sequence[Word], place: int) -> tuple[int, bool] | None:
    """Where the next item of a list begins, if one does, and whether it is the last."""
    begin = place
    while begin < len(words) and (words[begin].text == "," or words[begin].text in QUOTES):
        if words[begin].text in QUOTES and begin > place:
            break  # it opens the next item
        begin += 1
    if begin < len(words) and words[begin].lower in _JOINTS:
        return begin + 1, True
    return (begin, False) if begin > place and words[begin - 1].text == "," else None


def _is_closed(words: Sequence[Word], place: int) -> bool:
    return place >= len(words) or words[place].is_mark or words[place].lower in _CLOSERS


def _is_no_item(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    return word.lower in _NO_ITEMS or word.lower in ADVERBS or is_adverb(word)


def _without_marks(words: Sequence[Word], end: int) -> int:
    """Before quotes, commas and a bracket that stand behind a phrase."""
    while end > 0 and (words[end - 1].text in QUOTES or words[end - 1].text in {",", "("}):
        end -= 1
    if end > 0 and words[end - 1].text == ")":
        for begin in range(end - 2, max(-1, end - _IN_BRACKETS), -1):
            if words[begin].text == "(":
                return begin
    return end
