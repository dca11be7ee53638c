"""Files that hold a taxonomy: read whole before they give items, since what a name means depends on all rows."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.errors import InvalidInputError
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.reading import Read, raw_source
from graphmem.transfer.sources import Source
from graphmem.transfer.wordnet import WordnetRows

TAXONOMY_FORMATS = frozenset({"wordnet", "skos", "owl"})
"""Formats that are read here."""


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
    return _wordnet(source, options)


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
