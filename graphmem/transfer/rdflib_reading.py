"""All that touches rdflib: parses what may be parsed, and hands over statements in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.sax import SAXException, SAXParseException

from rdflib import BNode, Graph, Literal
from rdflib.exceptions import ParserError
from rdflib.parser import InputSource
from rdflib.plugins.parsers.jsonld import to_rdf
from rdflib.store import Store

from graphmem.transfer.faults import RecordFault
from graphmem.transfer.statements import Label, Statement

_BASE = "http://taxonomy.invalid/"
"""What relative IRIs begin with where a file gives no base: never the folder in which graphmem runs."""


def statements(data: Any, form: str) -> Iterator[Statement]:
    """Every statement of a file, in its order.

    Args:
        data: The file, for json-ld as a JSON value; it names nothing outside itself.
        form: xml, turtle or json-ld.

    Raises:
        RecordFault: It cannot be parsed; the reason says on which line where it can.
    """
    recorder = _Recorder()
    try:
        graph = Graph(store=recorder, bind_namespaces="none")
        if form == "json-ld":
            to_rdf(data, graph, _BASE)
        else:
            graph.parse(_source(data), format=form, publicID=_BASE)
    except SAXParseException as fault:
        raise RecordFault(f"not XML on line {fault.getLineNumber()}: {fault.getMessage()}") from fault
    except SyntaxError as fault:
        line, reason = getattr(fault, "lines", None), getattr(fault, "_why", "a statement cannot be read")
        raise RecordFault(f"not Turtle{'' if line is None else f' on line {line + 1}'}: {reason}") from fault
    except RecursionError:
        raise RecordFault("nested too deeply") from None
    except (
        SAXException,
        ParserError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        AssertionError,
    ) as fault:
        # rdflib raises each of these for some well-formed file that is no RDF
        raise RecordFault(f"not RDF: {type(fault).__name__}") from fault
    blanks: dict[str, str] = {}
    return (
        Statement(_thing(subject, blanks), str(predicate), _object(value, blanks))
        for subject, predicate, value in recorder.triples_in_order
    )


def _source(data: bytes) -> InputSource:
    """The bytes as they are: an XML file says its encoding itself, and no name can be taken for an address."""
    source = InputSource()
    source.setByteStream(BytesIO(data))
    return source


class _Recorder(Store):
    """Keeps statements in the order in which they are parsed: rdflib's own store has none."""

    def __init__(self) -> None:
        super().__init__()
        self.triples_in_order: list[tuple[Any, Any, Any]] = []

    def add(self, triple: tuple[Any, Any, Any], context: Any, quoted: bool = False) -> None:  # noqa: ARG002 (rdflib's own signature)
        """Keep a statement."""
        self.triples_in_order.append(triple)


def _thing(node: Any, blanks: dict[str, str]) -> str:
    """An IRI as it is; a blank node by its number, since rdflib names them by chance."""
    return blanks.setdefault(str(node), f"_:{len(blanks)}") if isinstance(node, BNode) else str(node)


def _object(node: Any, blanks: dict[str, str]) -> str | Label:
    return Label(str(node), node.language or "") if isinstance(node, Literal) else _thing(node, blanks)
