"""What may stand before the root of an XML file: names for namespaces, and nothing that grows or fetches. Pure.

Ontology editors write their namespaces as entities (`<!ENTITY owl "http://...">`), so a file that declares some is
common. One that nests them, makes them long, declares many or fetches them is an attack or useless.
"""

from __future__ import annotations

from xml.parsers import expat

from graphmem.transfer.faults import RecordFault

_MOST_ENTITIES = 200
_LONGEST_ENTITY = 300
"""Characters: the IRI of a namespace is shorter."""


def check_prolog(data: bytes) -> str:
    """Refuse an XML file whose prolog declares more than short names.

    Args:
        data: The file; it is read up to its first element. What is no XML at all is left to the parser.

    Returns:
        Name of the root, its namespace before it; "" where there is none.

    Raises:
        RecordFault: It declares an entity that is external, nested, long or one too many.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    declared = 0

    def entity(_name: str, is_parameter: bool, value: str | None, *_place: str | None) -> None:
        nonlocal declared
        declared += 1
        if is_parameter or value is None:
            raise RecordFault("the file declares an external or parameter entity: nothing outside a file is read")
        if "&" in value or "%" in value or len(value) > _LONGEST_ENTITY or declared > _MOST_ENTITIES:
            raise RecordFault("the file declares entities that are nested, long or many: write them out")

    def element(name: str, _attributes: dict[str, str]) -> None:
        raise _RootError(name)

    parser.EntityDeclHandler = entity
    parser.StartElementHandler = element
    try:
        parser.Parse(data, True)
    except _RootError as reached:
        return str(reached)
    except expat.ExpatError:
        pass
    return ""


class _RootError(Exception):
    """The root element was reached: the prolog is over."""
