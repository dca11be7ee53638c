"""SKOS: concepts with labels and broader ones, to an ontology; see `graphmem.transfer.policy.Format`. Pure."""

from __future__ import annotations

from typing import Final

from graphmem.models.concept import RelationType
from graphmem.transfer.ontology import Ontology
from graphmem.transfer.statements import Statements

SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

_NOT_CONCEPTS = tuple(f"{SKOS}{name}" for name in ("ConceptScheme", "Collection", "OrderedCollection"))


def skos_ontology(said: Statements) -> Ontology:
    """What a SKOS file says: `broader` and `narrower` as is_a, `related` as linked_to.

    Concepts are what is declared as one, what has a preferred label, and both ends of these relations; schemes and
    collections are none.
    """
    found = Ontology()
    others = {thing for thing, kind in said.links(TYPE) if kind in _NOT_CONCEPTS}
    for thing, kind in said.links(TYPE):
        if kind == f"{SKOS}Concept":
            found.things[thing] = None
    for thing, label in said.labels(f"{SKOS}prefLabel"):
        if thing not in others:
            found.things[thing] = None
            found.labels[thing].append(label)
    for thing, label in said.labels(f"{SKOS}altLabel"):
        found.synonyms[thing].append(label)
    for thing, label in said.labels(f"{SKOS}definition"):
        found.definitions[thing].append(label)
    _link(said, found, others)
    return found


def _link(said: Statements, found: Ontology, others: set[str]) -> None:
    upwards = [*said.links(f"{SKOS}broader"), *((b, a) for a, b in said.links(f"{SKOS}narrower"))]
    for relation, pairs in (
        (RelationType.IS_A, upwards),
        (RelationType.LINKED_TO, [tuple(sorted(pair)) for pair in said.links(f"{SKOS}related")]),
    ):
        for head, tail in pairs:
            if head not in others and tail not in others:
                found.things |= {head: None, tail: None}
                found.links[head, relation, tail] = None
