"""An RDF file as statements, without ever leaving the file.

rdflib fetches the remote contexts of JSON-LD, from the network and from disk, and XML knows entities: both are
refused before it sees them. It follows no `owl:imports`, and neither does anything here.
"""

from __future__ import annotations

import re
from typing import Any

from graphmem.errors import GraphMemError
from graphmem.transfer.decoding import decode_value
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.rdf_prolog import check_prolog
from graphmem.transfer.statements import Statements

_BLANK = b" \t\r\n\xef\xbb\xbf"
_LOOKED_AT = 4096
_JSON = re.compile(rb"\{|\[\s*[{\]]")
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_OWL_XML = "http://www.w3.org/2002/07/owl# Ontology"


def read_statements(data: bytes) -> Statements:
    """All that an RDF file says: RDF/XML, Turtle, N-Triples or JSON-LD, known by how it begins.

    Args:
        data: The file.

    Raises:
        RecordFault: It is none of these, or reaches out of itself.
        GraphMemError: rdflib is not installed.
    """
    try:
        from graphmem.transfer.rdflib_reading import statements  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] != "rdflib":
            raise
        raise GraphMemError("the formats skos and owl need rdflib: pip install 'graphmem[rdf]'") from fault
    return Statements(statements(*_checked(data)))


def _checked(data: bytes) -> tuple[Any, str]:
    """The file as rdflib takes it and its form, after all was refused that could reach out of it."""
    begin = data[:_LOOKED_AT].lstrip(_BLANK)
    if begin.startswith((b"<?xml", b"<!", *_WIDE_MARKS)) or (begin.startswith(b"<") and b"xmlns" in begin):
        if check_prolog(data) == _OWL_XML:
            raise RecordFault("OWL/XML is no RDF: save the ontology as RDF/XML or Turtle")
        return data, "xml"
    if _JSON.match(begin):
        value = decode_value(_text(data))
        _check_contexts(value)
        return value, "json-ld"
    return _text(data).encode(), "turtle"


def _check_contexts(value: Any) -> None:
    """Refuse JSON-LD that names a context instead of holding it."""
    waiting = [value]
    while waiting:
        at = waiting.pop()
        if isinstance(at, list):
            waiting.extend(at)
        elif isinstance(at, dict):
            given = at.get("@context", ())
            contexts = given if isinstance(given, list) else [given]
            if "@import" in at or any(isinstance(context, str) for context in contexts):
                raise RecordFault("a remote @context is not fetched: write the context into the file")
            waiting.extend(at.values())


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise RecordFault(f"not UTF-8 on line {1 + data.count(bytes([10]), 0, fault.start)}") from fault
