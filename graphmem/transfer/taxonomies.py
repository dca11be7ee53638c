"""Files that hold a taxonomy: read whole before they give items, since what a name means depends on all rows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from graphmem.errors import InvalidInputError
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.items import Parsed
from graphmem.transfer.ontology import last_part, ontology_items
from graphmem.transfer.owl import owl_ontology
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.rdf_files import read_statements
from graphmem.transfer.reading import Read, raw_source
from graphmem.transfer.skos import skos_ontology
from graphmem.transfer.sources import Source
from graphmem.transfer.wordnet import WordnetRows

TAXONOMY_FORMATS = frozenset({"wordnet", "skos", "owl"})
"""Formats that are read here."""

_WORDS = re.compile(rb"[^\s<>\"'/#:;,()\[\]{}]+")


def read_taxonomy(source: Source, options: ImportOptions) -> Iterator[Read]:
    """All items of a source, in order.

    Args:
        source: What to read.
        options: One of `TAXONOMY_FORMATS`, and bounds.

    Raises:
        InvalidInputError: An option is not one of these formats.
    """
    if options.fields or options.outcome_map is not None or options.outcome_scale is not None:
        raise InvalidInputError("fields and outcome rules belong to the formats chat and swe-agent")
    return _wordnet(source, options) if options.format == "wordnet" else _rdf(source, options)


def _wordnet(source: Source, options: ImportOptions) -> Iterator[Read]:
    rows = WordnetRows()
    for record in raw_source(source, options):
        if isinstance(record, Read):
            yield record
            continue
        path, line, data = record
        try:
            rows.add(line, data)
        except RecordFault as fault:
            yield Read(path, line, len(data), None, str(fault))
    for line, size, parsed in rows.relations():
        yield Read(source.name, line, size, parsed)


def _rdf(source: Source, options: ImportOptions) -> Iterator[Read]:
    """The items of an RDF file, which is one record: refusals tell the line on which a name first stands."""
    for record in raw_source(source, options):
        if isinstance(record, Read):
            yield record
            continue
        path, line, data = record
        try:
            said = read_statements(data)
        except RecordFault as fault:
            yield Read(path, line, len(data), None, str(fault))
            continue
        ontology = skos_ontology(said) if options.format == "skos" else owl_ontology(said)
        lines = _lines_of(ontology.things, data)
        size = len(data)
        for thing, item in ontology_items(ontology, options.language):
            if isinstance(item, RecordFault):
                yield Read(path, lines.get(thing, 1), size, None, f"{thing}: {item}")
            else:
                yield Read(path, lines.get(thing, 1), size, Parsed(item))
            size = 0


def _lines_of(things: Iterable[str], data: bytes) -> dict[str, int]:
    """The line on which what a thing's IRI ends with first stands, as far as it is written like that."""
    waiting: dict[bytes, list[str]] = defaultdict(list)
    for thing in things:
        part = last_part(thing)
        if part is not None:
            waiting[part.encode()].append(thing)
    lines: dict[str, int] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        for word in _WORDS.findall(line):
            lines |= dict.fromkeys(waiting.pop(word, ()), number)
    return lines
