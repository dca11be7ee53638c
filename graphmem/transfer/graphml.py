"""Writes a drawn graph as GraphML, which Gephi, yEd and Cytoscape read."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmem.models.fields import canonical_json
from graphmem.transfer.files import replaced_file

if TYPE_CHECKING:
    import networkx as nx

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What XML cannot hold, what readers of it change (a carriage return), and what terminals obey."""


def write_graphml(drawn: nx.MultiDiGraph[str], path: str | Path) -> None:
    r"""Write a graph to a file, whole or not at all.

    Times are written in ISO 8601, lists of text as JSON, and characters that XML cannot hold as escapes such as
    `\u0007`; all else reads back as it is. Ids of edges are unique, as readers need them, so they hold both ends;
    the relation alone is the attribute `type`.

    Args:
        drawn: From `memory.concepts.graph` or `memory.episodes.graph`.
        path: The file; one that is there is replaced.

    Raises:
        TransferError: The file cannot be written.
    """
    import networkx as nx  # noqa: PLC0415 (heavy, and only analysts need it)

    written: nx.MultiDiGraph[str] = nx.MultiDiGraph(**_attributes(drawn.graph))
    for name, held in drawn.nodes(data=True):
        written.add_node(_text(name), **_attributes(held))
    for source, target, key, held in drawn.edges(keys=True, data=True):
        ends = _text(source), _text(target)
        written.add_edge(*ends, key=" ".join((ends[0], key, ends[1])), **_attributes(held))
    with replaced_file(path) as stream:
        nx.write_graphml_xml(written, stream, named_key_ids=True)


def _attributes(held: dict[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in held.items() if value is not None}


def _value(value: Any) -> str | int | float | bool:
    match value:
        case bool() | int() | float():
            return value
        case datetime():
            return value.isoformat()
        case str():
            return _text(value)
        case _:
            return _text(canonical_json(list(value)))


def _text(text: str) -> str:
    return _FORBIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
