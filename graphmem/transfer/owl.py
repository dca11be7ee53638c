"""OWL and RDF Schema: classes with labels and superclasses, to an ontology. Pure.

What a class is defined by beyond its named superclasses (restrictions, unions, complements) is left out: is_a has
no words for it. So are properties, and equivalence, which would be a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from graphmem.models.concept import RelationType
from graphmem.transfer.ontology import Ontology
from graphmem.transfer.skos import SKOS, TYPE
from graphmem.transfer.statements import Statements

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"

_LABELS = (f"{SKOS}prefLabel", f"{RDFS}label")
_SYNONYMS = (f"{SKOS}altLabel", "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym")
_DEFINITIONS = (f"{SKOS}definition", "http://purl.obolibrary.org/obo/IAO_0000115", f"{RDFS}comment")
_CLASSES = (f"{OWL}Class", f"{RDFS}Class")
_BUILT_IN = (RDF, RDFS, OWL)
"""Beginnings of IRIs that the languages themselves define: everything is an owl:Thing."""


def owl_ontology(said: Statements) -> Ontology:
    """What an OWL or RDFS file says: `subClassOf` as is_a, `type` as instance_of where the type is a class.

    The named members of an intersection stand above a class that is one, or is below one.
    """
    found = Ontology()
    for thing, kind in said.links(TYPE):
        if kind in _CLASSES and _is_named(thing):
            found.things[thing] = None
    for head, tail in _superclasses(said):
        found.things |= {head: None, tail: None}
        found.links[head, RelationType.IS_A, tail] = None
    classes = frozenset(found.things)
    for thing, kind in said.links(TYPE):
        if kind in classes and _is_named(thing) and thing not in classes:
            found.things[thing] = None
            found.links[thing, RelationType.INSTANCE_OF, kind] = None
    for place, predicates in (
        (found.labels, _LABELS),
        (found.synonyms, _SYNONYMS),
        (found.definitions, _DEFINITIONS),
    ):
        for predicate in predicates:
            for thing, label in said.labels(predicate):
                if thing in found.things:
                    place[thing].append(label)
    return found


def _superclasses(said: Statements) -> Iterator[tuple[str, str]]:
    members = dict(said.links(f"{OWL}intersectionOf"))
    first, rest = dict(said.links(f"{RDF}first")), dict(said.links(f"{RDF}rest"))
    above = [*said.links(f"{RDFS}subClassOf")]
    defined = [pair for pair in said.links(f"{OWL}equivalentClass") if pair[1] in members]
    defined += [(thing, thing) for thing in members if _is_named(thing)]
    for head, tail in [*above, *defined]:
        parts = _listed(members[tail], first, rest) if tail in members else (tail,)
        for part in parts:
            if _is_named(head) and _is_named(part) and head != part:
                yield head, part


def _listed(at: str, first: Mapping[str, str], rest: Mapping[str, str]) -> Iterator[str]:
    """The members of an RDF list; one that runs in a circle ends where it began."""
    seen: set[str] = set()
    while at in first and at not in seen:
        seen.add(at)
        yield first[at]
        at = rest.get(at, "")


def _is_named(thing: str) -> bool:
    return not thing.startswith(("_:", *_BUILT_IN))
