"""An optional second opinion on relations in prose: a logistic regression over pairs of nouns.

It sees the path between two nouns, the words around it, the nouns themselves as vectors and, where a lexicon is
given, what kinds of things they are. Its weights are the user's: nothing is shipped, nothing is loaded by default.
Never for chat, where it was not trained and finds what is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.language.extraction import ExtractedRelation
from graphmem.language.relations.english.findings import Finding
from graphmem.language.relations.english.mentions import noun_mention
from graphmem.language.relations.english.noun_pairs import features, noun_pairs
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.predicates import is_question, predicate
from graphmem.language.relations.english.relations import findings, relation_of
from graphmem.language.relations.noun_lexicon import NounLexicon
from graphmem.models.concept import RelationType
from graphmem.ports.text_analyzer import Sentence

Vectors = Callable[[Sequence[str]], NDArray[Any]]
"""Vectors of words, one row each, such as the `embed` of an embedder."""

RULE = "second_stage"
"""Name under which its own findings go; not a rule of the catalogue."""

NONE = ""
"""The class of pairs without a relation."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learned, with all that is needed to use it."""

    classes: tuple[str, ...]
    """Relation and direction, such as `causes>` (the first noun is its head) or `causes<`; NONE for none."""
    names: dict[str, int]
    """Row of each named feature."""
    named: NDArray[np.float32]
    """A row for each named feature, a column for each class."""
    dense: NDArray[np.float32]
    """A row for each component of both nouns' vectors; without rows where no vectors are used."""


@dataclass(frozen=True, slots=True)
class SecondStage:
    """Weights with what they were learned over, and how sure they must be."""

    weights: Weights
    vectors: Vectors | None = None
    """The embedder that was used in training."""
    lexicon: NounLexicon | None = None
    """The lexicon that was used in training."""
    accepts: float = 0.6
    """Probability from which it adds a relation of its own, 0..1."""
    drops: float = 0.05
    """Probability below which it drops what a rule found between two nouns, 0..1."""

    def probabilities(self, parse: Parse, pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
        """How likely each class is for each pair of nouns: a row a pair, a column a class.

        Softmax of the weighted features.
        """
        scores = np.zeros((len(pairs), len(self.weights.classes)))
        for row, (first, second) in enumerate(pairs):
            names = self.weights.names
            known = [names[one] for one in features(parse, first, second, self.lexicon) if one in names]
            scores[row] = self.weights.named[known].sum(axis=0)
        if self.vectors is not None and len(pairs) and len(self.weights.dense):
            scores += both_vectors(self.vectors, parse, pairs) @ self.weights.dense
        scores -= scores.max(axis=1, keepdims=True, initial=-np.inf)
        raised: NDArray[np.float64] = np.exp(scores)
        shares: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
        return shares


def both_vectors(vectors: Vectors, parse: Parse, pairs: Sequence[tuple[int, int]]) -> NDArray[Any]:
    """The vectors of both nouns of each pair, side by side."""
    places = sorted({place for pair in pairs for place in pair})
    rows = dict(zip(places, vectors([parse.lemmas[place] for place in places]), strict=True))
    return np.stack([np.concatenate([rows[first], rows[second]]) for first, second in pairs])


def prose_relations(sentence: Sentence, stage: SecondStage) -> tuple[ExtractedRelation, ...]:
    """The relations of a sentence of prose by the rules and the second stage together.

    What a rule finds stays unless the second stage is sure that it is none; what the second stage alone is
    sure of is added, with its probability as confidence.

    Args:
        sentence: A parsed English sentence.
        stage: What decides.
    """
    parse = Parse(sentence)
    pairs = list(noun_pairs(parse))
    likely = stage.probabilities(parse, pairs)
    odds = {
        pair: dict(zip(stage.weights.classes, row, strict=True)) for pair, row in zip(pairs, likely, strict=True)
    }
    kept = [one for one in findings(parse) if _odds_of(one, odds) >= stage.drops]
    found: dict[tuple[str, str, str], ExtractedRelation] = {}
    for relation in (*(relation_of(parse, one) for one in kept), *_own(parse, odds, stage.accepts)):
        if relation is not None:
            found.setdefault((relation.head.key, relation.relation, relation.tail.key), relation)
    return tuple(found.values())


def _odds_of(one: Finding, odds: dict[tuple[int, int], dict[str, float]]) -> float:
    """The probability of what a rule found; 1 where the second stage has no say."""
    pair = (min(one.head, one.tail), max(one.head, one.tail))
    if pair not in odds:
        return 1.0
    name = f"{one.rule.partition('.')[0]}{'>' if one.head < one.tail else '<'}"
    return odds[pair].get(name, 1.0)


def _own(
    parse: Parse, odds: dict[tuple[int, int], dict[str, float]], accepts: float
) -> Iterator[ExtractedRelation | None]:
    for (first, second), classes in odds.items():
        name, probability = max(classes.items(), key=lambda item: item[1])
        if name == NONE or probability < accepts:
            continue
        ends = (first, second) if name.endswith(">") else (second, first)
        yield _relation(parse, ends, RelationType(name[:-1]), float(probability))


def _relation(
    parse: Parse, ends: tuple[int, int], relation: RelationType, probability: float
) -> ExtractedRelation | None:
    head, tail = (noun_mention(parse, place) for place in ends)
    if head is None or tail is None or head.key == tail.key:
        return None
    verb = next((one for one in (*ends, *parse.above(ends[1])) if parse.is_verb(one)), ends[1])
    factuality = "asked" if is_question(parse) else predicate(parse, verb).factuality
    return ExtractedRelation(head, relation, tail, RULE, probability, parse.sentence.text, factuality)
