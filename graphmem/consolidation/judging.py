"""Whether a claim holds, from the evidence for and against it: pure.

Mentions count once a unit (a session, an episode) and once a text: who repeats himself, or what is copied from
one conversation into the next, says nothing new.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.keys import label_key
from graphmem.graph.mapping.claim import Evidence

MOST_IDS = 50
"""Ids of evidence that a relation names: the newest; all of it stays with the claim."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What all the evidence of a claim comes to."""

    support: int
    """Independent mentions that state it."""
    against: int
    """Independent mentions that deny it."""
    confidence: float
    """How sure it is, 0..1; see `confidence_of`."""
    mentions: int
    """Texts that state it, whether independent or not."""
    ids: tuple[str, ...]
    """Ids of the newest of these, newest first."""

    def holds(self, policy: ConsolidationPolicy) -> bool:
        """Whether that is enough for a relation."""
        return self.support >= policy.claim_min_mentions and self.confidence >= policy.claim_min_confidence


def judge(evidence: Iterable[Evidence]) -> Judgement:
    """Weigh the evidence of one claim; its order does not matter."""
    sides: dict[bool, list[Evidence]] = {False: [], True: []}
    for one in evidence:
        sides[one.against].append(one)
    stating, denying = independent(sides[False]), independent(sides[True])
    newest = sorted(sides[False], key=lambda one: (one.at, one.source), reverse=True)
    return Judgement(
        support=len(stating),
        against=len(denying),
        confidence=confidence_of(sum(stating), sum(denying)),
        mentions=len(newest),
        ids=tuple(one.source.id for one in newest[:MOST_IDS]),
    )


def confidence_of(weight_for: float, weight_against: float) -> float:
    """The expected share of truth after evidence of so much weight.

    The mean of a beta distribution with one unit of weight on each side before anything is seen:
    `(r + 1) / (r + s + 2)` for weights r and s (Jøsang and Ismail, The Beta Reputation System, 2002,
    equation 6). The weight of a mention is the precision of the rule that read it: two mentions by a rule
    that is always right come to .75, and one denial of the same weight takes them to .6.

    Args:
        weight_for: Sum of the priors of independent mentions that state it.
        weight_against: Sum of the priors of those that deny it.

    Returns:
        Above 0, below 1, rounded to six places.
    """
    return round((weight_for + 1) / (weight_for + weight_against + 2), 6)


def independent(evidence: Sequence[Evidence]) -> list[float]:
    """The priors of as many mentions as differ pairwise in unit and in text, the strongest first.

    A largest matching of units with texts, by augmenting paths (Kuhn 1955); where a unit has several texts, or
    a text several units, the stronger mention is tried first.
    """
    strength: dict[tuple[str, str], float] = {}
    for one in evidence:
        pair = one.unit, label_key(one.sentence) or ""
        strength[pair] = max(one.prior, strength.get(pair, 0.0))
    texts: dict[str, list[str]] = defaultdict(list)
    for unit, text in sorted(strength, key=lambda pair: (-strength[pair], pair)):
        texts[unit].append(text)
    held: dict[str, str] = {}
    holder: dict[str, str] = {}
    for unit in texts:
        _match(unit, texts, held, holder)
    return sorted((strength[unit, text] for unit, text in held.items()), reverse=True)


def _match(unit: str, texts: dict[str, list[str]], held: dict[str, str], holder: dict[str, str]) -> None:
    """Give a unit a text of its own, others giving up theirs for another one where they can."""
    reached: dict[str, str] = {}
    waiting = [unit]
    for asking in waiting:
        for text in texts[asking]:
            if text in reached:
                continue
            reached[text] = asking
            if text not in holder:
                _hand_on(text, reached, held, holder)
                return
            waiting.append(holder[text])


def _hand_on(text: str, reached: dict[str, str], held: dict[str, str], holder: dict[str, str]) -> None:
    given: str | None = text
    while given is not None:
        unit = reached[given]
        before = held.get(unit)
        held[unit], holder[given] = given, unit
        given = before
