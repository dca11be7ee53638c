"""Things of a taxonomy with their labels and relations, to concepts and relations: pure.

Names come from labels in English and Korean; labels in other languages are left out where there is one of these.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

from graphmem.graph.mapping.concept import concept_key
from graphmem.models.concept import Concept, Relation, RelationType
from graphmem.models.fields import check_name
from graphmem.transfer.faults import RecordFault, reason_of
from graphmem.transfer.senses import kinds_of_senses
from graphmem.transfer.statements import Label

Language = Literal["en", "ko"]

_LAST_PART = re.compile(r"[^/#:]+(?=[/#:]*$)")
_UPWARDS = (RelationType.IS_A, RelationType.INSTANCE_OF)

Link = tuple[str, RelationType, str]
"""Ids of two things and how the first one relates to the second one."""


@dataclass(slots=True)
class Ontology:
    """What a file says of its things, by id: an IRI, or `_:1` for what has none."""

    things: dict[str, None] = field(default_factory=dict)
    """In the order in which they came."""
    labels: dict[str, list[Label]] = field(default_factory=lambda: defaultdict(list))
    """Labels to be named by, the preferred ones first."""
    synonyms: dict[str, list[Label]] = field(default_factory=lambda: defaultdict(list))
    definitions: dict[str, list[Label]] = field(default_factory=lambda: defaultdict(list))
    links: dict[Link, None] = field(default_factory=dict)


def ontology_items(
    ontology: Ontology, language: Language = "en"
) -> Iterator[tuple[str, Concept | Relation | RecordFault]]:
    """The concepts, then the relations among them.

    Args:
        ontology: What was read.
        language: Whose labels become names where there are several; the others become aliases.

    Yields:
        Id of the thing, and the item or why there is none.
    """
    languages = (language, *(other for other in ("en", "ko") if other != language), "")
    names = {thing: name for thing in ontology.things if (name := _name(thing, ontology, languages))}
    kinds = _kinds(ontology, names)
    for thing in ontology.things:
        if thing in names:
            yield thing, _concept(thing, names[thing], kinds.get(thing), ontology, languages)
        else:
            yield thing, RecordFault("a concept without a label, and nothing in its IRI to name it by")
    for head, relation, tail in ontology.links:
        if head in names and tail in names:
            yield (
                head,
                Relation(
                    head=names[head],
                    relation=relation,
                    tail=names[tail],
                    head_kind=kinds.get(head),
                    tail_kind=kinds.get(tail),
                ),
            )


def _kinds(ontology: Ontology, names: Mapping[str, str]) -> dict[str, str]:
    above: dict[str, list[str]] = defaultdict(list)
    weights: Counter[str] = Counter()
    for head, relation, tail in ontology.links:
        if head in names and tail in names:
            weights.update((head, tail))
            if relation in _UPWARDS:
                above[head].append(tail)
    return kinds_of_senses(names, {thing: sorted(found) for thing, found in above.items()}, weights)


def _concept(
    thing: str, name: str, kind: str | None, ontology: Ontology, languages: tuple[str, ...]
) -> Concept | RecordFault:
    labels = (*ontology.labels.get(thing, ()), *ontology.synonyms.get(thing, ()))
    others = dict.fromkeys(
        usable
        for language in languages
        for label in labels
        if _language(label) == language and (usable := _usable(label.text)) and usable != name
    )
    definition = next(_in_order(ontology.definitions.get(thing, ()), languages), None)
    given = {"name": name, "aliases": tuple(others), "definition": definition}
    given |= {} if kind is None else {"kind": kind}
    try:
        return Concept(**given, extra={} if thing.startswith("_:") else {"iri": thing})
    except ValueError as fault:
        return RecordFault(reason_of(fault))


def _name(thing: str, ontology: Ontology, languages: tuple[str, ...]) -> str | None:
    for text in _in_order(ontology.labels.get(thing, ()), languages):
        usable = _usable(text)
        if usable is not None:
            return usable
    part = last_part(thing)
    return None if part is None else _usable(unquote(part).replace("_", " "))


def last_part(thing: str) -> str | None:
    """What an IRI ends with; None for a blank node, and where nothing of it is a name."""
    found = None if thing.startswith("_:") else _LAST_PART.search(thing)
    return None if found is None else found[0]


def _in_order(labels: Iterable[Label], languages: tuple[str, ...]) -> Iterator[str]:
    """Texts by language, the wanted ones first, then the others by name."""
    wanted = {language: place for place, language in enumerate(languages)}
    ranked = sorted(labels, key=lambda label: (wanted.get(_language(label), len(wanted)), _language(label)))
    return (label.text for label in ranked)


def _language(label: Label) -> str:
    """The language without its region: `en` for `en-GB`."""
    return label.language.partition("-")[0].lower()


def _usable(text: str) -> str | None:
    """A text as a name; None when it cannot be one."""
    try:
        name = check_name(" ".join(text.split()))
        concept_key(name)
    except ValueError:
        return None
    return name
