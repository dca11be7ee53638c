"""How a text stands to what one of its verbs says: negation, modality, reporting, question, condition, tense.

Verbs above the predicate count as far as they reach down: who denies that smoking causes cancer denies it. Verbs
that vouch for what they embed (show, find, know) change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphmem.language.extraction import Factuality
from graphmem.language.relations.english.arguments import is_passive
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

Tense = Literal["past", "present", "future", "none"]
"""When a predicate holds, as its form says; none for a participle or an infinitive."""


_MODALS = words("may might could would should must can ca ought")
_NEGATIONS = words("not n't never no neither nor hardly scarcely barely without none nobody nothing")
_DENIERS = words("deny dispute refute reject doubt disprove prevent stop avoid fail refuse cease rule lack")
_REPORTERS = words(
    "say claim argue believe think suggest report assert allege state tell announce propose maintain contend "
    "insist suspect speculate theorize hypothesize feel guess warn fear hope write add predict expect consider "
    "deem blame suppose assume imply"
)
_ABLE = frozenset({"can", "could", "ca"})
_ATTEMPTS = words(
    "try want hope plan intend attempt wish aim seem appear tend threaten need help expect like decide"
)
_WONDERS = words("wonder ask question investigate examine explore debate")
_UNSURE = words(
    "likely unlikely possible impossible probable possibly perhaps maybe probably potentially allegedly "
    "reportedly supposedly presumably apparently able unable conceivably arguably potential suspected alleged"
)
_CONDITIONS = words("if unless whether provided assuming lest")
_EMBEDDED = words("acl advcl ccomp csubj pcomp xcomp")
_EMBEDDING = frozenset({"from", "of", "about", "on"})
"""Prepositions that put what follows into the scope of their verb: prevents X from causing Y."""

_COMPLEMENTS = frozenset({"ccomp", "xcomp", "pcomp", "csubj"})


@dataclass(frozen=True, slots=True)
class Predicate:
    """A verb as it is used in its sentence."""

    place: int
    """Its token."""
    passive: bool
    tense: Tense
    negated: bool
    """Denied itself, by one of its arguments (no drug causes), or by a verb above it."""
    possible: bool
    """Modal, hedged, attempted or left open."""
    reported: bool
    """Said or thought by somebody."""
    asked: bool
    supposed: bool
    """In a condition, or in what follows from one."""

    @property
    def factuality(self) -> Factuality:
        """How the text stands to it, in one word: the strongest reason not to assert it."""
        if self.asked:
            return "asked"
        if self.supposed:
            return "supposed"
        if self.negated:
            return "denied"
        if self.possible:
            return "possible"
        return "reported" if self.reported else "asserted"


def predicate(parse: Parse, place: int) -> Predicate:
    """Read how a verb, or a noun or preposition that says something, is used.

    Args:
        parse: The sentence.
        place: The token of the verb.
    """
    above = list(_governors(parse, place))
    return Predicate(
        place=place,
        passive=is_passive(parse, place),
        tense=_tense(parse, place),
        negated=_is_negated(parse, place) or any(_denies(parse, *pair) for pair in above),
        possible=_is_modal(parse, place) or any(_leaves_open(parse, *pair) for pair in above),
        reported=_has_source(parse) or any(_reports(parse, *pair) for pair in above),
        asked=is_question(parse) or any(_asks(parse, *pair) for pair in above),
        supposed=any(_supposes(parse, one) for one in (place, *(pair[0] for pair in above))),
    )


def clause_factuality(parse: Parse, cause: int, effect: int) -> Factuality:
    """How a text stands to one clause being the cause of another one.

    What did not happen because of something may have happened for another reason: that is denied. What could not
    happen did not, and a cause that did not happen is one: negation belongs to the event there.
    """
    reason, result = predicate(parse, cause), predicate(parse, effect)
    if result.asked or result.supposed or reason.supposed:
        return "asked" if result.asked else "supposed"
    unable = result.negated and any(parse.words[one] in _ABLE for one in parse.dependents(effect, "aux"))
    if result.negated and not unable:
        return "denied"
    if (result.possible and not unable) or (reason.possible and not reason.negated):
        return "possible"
    return "reported" if result.reported else "asserted"


def is_question(parse: Parse) -> bool:
    """Whether the sentence ends with a question mark."""
    return parse.sentence.text.rstrip("\"'”’)」 !").endswith(("?", "？"))


def _governors(parse: Parse, place: int) -> Iterator[tuple[int, int]]:
    """The words in whose scope a token stands, each with the word below it; no preposition in front of a verb.

    What stands in a relative clause is in nobody's scope.
    """
    below = place
    for head in parse.above(place):
        if head == below:
            continue
        if parse.tokens[below].dep == "relcl":
            return
        if parse.tokens[below].dep != "pcomp" or parse.tokens[head].dep != "prep":
            yield head, below
            below = head
        elif parse.words[head] not in _EMBEDDING:
            return
        else:
            yield parse.head(head), below
            below = parse.head(head)


def _tense(parse: Parse, place: int) -> Tense:
    words = [parse.tokens[child] for child in parse.dependents(place, "aux", "auxpass")]
    if any(word.tag == "MD" and word.lemma.lower() in {"will", "shall", "'ll", "wo"} for word in words):
        return "future"
    tags = [word.tag for word in words] + [parse.tokens[place].tag]
    finite = next((tag for tag in tags if tag in {"VBD", "VBZ", "VBP"}), "")
    return {"VBD": "past", "VBZ": "present", "VBP": "present"}.get(finite, "none")  # type: ignore[return-value]


def _is_negated(parse: Parse, place: int) -> bool:
    if parse.has(place, "neg"):
        return True
    arguments = parse.dependents(place, "nsubj", "nsubjpass", "dobj", "attr", "advmod", "preconj", "cc", "aux")
    for preposition in parse.dependents(place, "prep", "agent"):
        arguments += parse.dependents(preposition, "pobj")
    if any(_is_none(parse, child) for child in arguments):
        return True
    return parse.tokens[place].dep == "pcomp" and parse.words[parse.head(place)] == "without"


def _is_none(parse: Parse, place: int) -> bool:
    """Whether a word stands for nothing: no drug, nobody, neither, hardly."""
    return parse.words[place] in _NEGATIONS or any(
        parse.words[child] in _NEGATIONS or any(parse.words[one] in _NEGATIONS for one in parse.children[child])
        for child in parse.dependents(place, "det", "preconj", "neg")
    )


def _is_modal(parse: Parse, place: int) -> bool:
    return any(parse.words[child] in _MODALS for child in parse.dependents(place, "aux")) or any(
        parse.words[child] in _UNSURE for child in parse.dependents(place, "advmod", "acomp", "amod")
    )


def _embeds(parse: Parse, below: int) -> bool:
    return parse.tokens[below].dep in _COMPLEMENTS


def _denies(parse: Parse, above: int, below: int) -> bool:
    if parse.tokens[below].dep not in _EMBEDDED - {"advcl"}:
        return parse.tokens[below].dep == "conj" and _shares_negation(parse, above, below)
    if parse.lemmas[above] in _DENIERS:
        return not _is_negated(parse, above)
    return _embeds(parse, below) and _is_negated(parse, above)


def _shares_negation(parse: Parse, above: int, below: int) -> bool:
    """Whether a joined verb without a subject of its own stands under the same `not`: does not burn or smoke."""
    own = parse.has(below, "nsubj", "nsubjpass", "aux", "neg")
    joined = {parse.words[child] for child in parse.dependents(above, "cc")}
    return parse.is_verb(above) and not own and "but" not in joined and parse.has(above, "neg")


def _leaves_open(parse: Parse, above: int, below: int) -> bool:
    if parse.tokens[below].dep == "conj":
        own = parse.has(below, "nsubj", "nsubjpass", "aux")
        return parse.is_verb(above) and not own and _is_modal(parse, above)
    if parse.tokens[below].dep not in _EMBEDDED - {"advcl"}:
        return False
    if parse.lemmas[above] in _ATTEMPTS or parse.lemmas[above] in _UNSURE:
        return True
    return _embeds(parse, below) and _is_modal(parse, above)


def _reports(parse: Parse, above: int, below: int) -> bool:
    return parse.tokens[below].dep in {"ccomp", "xcomp", "acl", "oprd"} and parse.lemmas[above] in _REPORTERS


def _has_source(parse: Parse) -> bool:
    return any(word == "according" and parse.follows(place, "to") for place, word in enumerate(parse.words))


def _asks(parse: Parse, above: int, below: int) -> bool:
    return parse.tokens[below].dep in {"ccomp", "pcomp", "acl"} and parse.lemmas[above] in _WONDERS


def _supposes(parse: Parse, place: int) -> bool:
    """Whether a verb stands in a condition, or another clause states its condition."""
    if any(parse.words[child] in _CONDITIONS for child in parse.dependents(place, "mark", "advmod")):
        return True
    return any(
        parse.words[mark] in {"if", "unless"}
        for clause in parse.dependents(place, "advcl")
        for mark in parse.dependents(clause, "mark")
    )
