"""Checks records and filters against the closed schema before any store sees them.

Both stores call these, so what one refuses the other refuses, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import assert_never

from graphmem.errors import InvalidInputError, SchemaError
from graphmem.graph.records import (
    And,
    EdgeRecord,
    Equals,
    Filter,
    In,
    Missing,
    NodeRecord,
    Range,
    Scalar,
    Tree,
    Vector,
)
from graphmem.graph.schema import EDGE_TYPES, EMBEDDED, NODE_TYPES, SEARCHABLE, NodeType, PropertyType

_PYTHON_TYPES: dict[PropertyType, tuple[type, ...]] = {
    PropertyType.TEXT: (str,),
    PropertyType.INTEGER: (int,),
    PropertyType.NUMBER: (float, int),
    PropertyType.BOOLEAN: (bool,),
    PropertyType.TIME: (datetime,),
    PropertyType.TEXTS: (list, tuple),
    PropertyType.JSON: (str,),
}

_ALLOWED: dict[str, dict[str, tuple[type, ...]]] = {
    label: {name: _PYTHON_TYPES[declared] for name, declared in node.properties.items()}
    for label, node in NODE_TYPES.items()
}
"""Label -> property -> types."""

_GOOD_SHAPES: set[tuple[object, ...]] = set()
"""Label, names and types of properties that were found to be allowed: an import has few, and millions of nodes."""

_MOST_SHAPES = 4096
"""Shapes that are remembered; beyond that each node is looked at."""

MAX_LIMIT = 10_000
"""Nodes that one page or search may ask for."""

MAX_STORE_ID = 700
"""Characters of a derived id: an episode's id, a slash and a finding's key."""


def node_type(label: str) -> NodeType:
    """The schema's row of a label.

    Raises:
        InvalidInputError: There is no such label.
    """
    found = NODE_TYPES.get(label)
    if found is None:
        raise InvalidInputError(f"unknown label {label!r}; the schema has {', '.join(NODE_TYPES)}")
    return found


def check_node(record: NodeRecord) -> None:
    """Refuse a node whose label, id, properties or vector the schema does not allow.

    Raises:
        InvalidInputError: What is wrong, with label and id.
    """
    if not 0 < len(record.id) <= MAX_STORE_ID:
        node_type(record.label)
        raise InvalidInputError(f"{record.label} has an id of {len(record.id)} characters")
    if record.vector is not None and not node_type(record.label).embedded:
        raise InvalidInputError(f"{record.label} {record.id!r}: this label has no vector")
    properties = record.properties
    shape = (record.label, *properties, *map(type, properties.values()))
    if shape not in _GOOD_SHAPES:
        _check_properties(record, node_type(record.label))
        if len(_GOOD_SHAPES) < _MOST_SHAPES:
            _GOOD_SHAPES.add(shape)


def _check_properties(record: NodeRecord, declared: NodeType) -> None:
    types = _ALLOWED[record.label]
    for name, value in record.properties.items():
        allowed = types.get(name)
        if allowed is None:
            raise InvalidInputError(f"{record.label} {record.id!r}: the schema has no property {name!r}")
        if not isinstance(value, allowed):
            wanted = declared.properties[name].value
            raise InvalidInputError(
                f"{record.label} {record.id!r}: property {name!r} is a {type(value).__name__}, not {wanted}"
            )


def check_edge(record: EdgeRecord) -> None:
    """Refuse an edge whose type, ends or properties the schema does not allow.

    Raises:
        InvalidInputError: What is wrong, with type and ends.
    """
    declared = EDGE_TYPES.get(record.type)
    if declared is None:
        raise InvalidInputError(f"unknown relationship type {record.type!r}")
    if (record.source.label, record.target.label) not in declared.ends:
        raise InvalidInputError(f"{record.type} cannot join {record.source.label} to {record.target.label}")
    for name in record.properties:
        if name not in declared.properties:
            raise InvalidInputError(f"{record.type}: the schema has no property {name!r}")


def check_tree(tree: Tree) -> None:
    """Refuse a tree whose parts are not allowed or not its own.

    Raises:
        InvalidInputError: What is wrong.
    """
    root = tree.root
    check_node(root)
    for node in tree.nodes:
        check_node(node)
    for label in {node.label for node in tree.nodes}:
        if NODE_TYPES[label].owner != root.label:
            raise InvalidInputError(f"{root.label} {root.id!r} cannot own a {label}")
    # the edges of a tree share few maps, so few of them differ in what is checked; the tree keeps the maps alive
    shapes = {(edge[0], edge[1][0], edge[2][0], id(edge[3])): edge for edge in tree.edges}
    for edge in shapes.values():
        check_edge(edge)
    own = {(root.label, root.id), *[(node.label, node.id) for node in tree.nodes]}
    if not own.issuperset([edge[1] for edge in tree.edges]):
        kind = next(edge.type for edge in tree.edges if edge.source not in own)
        raise InvalidInputError(f"{kind}: its source is outside the tree of {root.id!r}")


def check_types(types: Iterable[str] | None) -> tuple[str, ...]:
    """Relationship types as a tuple, all of them when None.

    Raises:
        InvalidInputError: One of them is unknown.
    """
    if types is None:
        return tuple(EDGE_TYPES)
    names = tuple(types)
    for name in names:
        if name not in EDGE_TYPES:
            raise InvalidInputError(f"unknown relationship type {name!r}")
    return names


def check_filter(label: str, where: Filter | None, *, searching: bool = False) -> None:
    """Refuse a filter over what the label does not declare filterable.

    Args:
        label: Label that is read.
        where: The filter.
        searching: Whether it is part of a search, where no mark may be named.

    Raises:
        InvalidInputError: The property, and what may be filtered.
    """
    declared = node_type(label)
    allowed = declared.filterable if searching else declared.filterable | declared.marks
    for name, values in _conditions(where):
        _check_condition(declared, name, values, allowed)


def _conditions(where: Filter | None) -> Iterable[tuple[str, tuple[Scalar, ...]]]:
    match where:
        case None:
            return
        case Equals(name, value):
            yield name, (value,)
        case In(name, values):
            yield name, values
        case Range(name, low, high):
            yield name, tuple(bound for bound in (low, high) if bound is not None)
        case Missing(name):
            yield name, ()
        case And(parts):
            for part in parts:
                yield from _conditions(part)
        case _:
            assert_never(where)


def _check_condition(declared: NodeType, name: str, values: tuple[Scalar, ...], allowed: frozenset[str]) -> None:
    if name != "id" and name not in allowed:
        names = ", ".join(sorted(allowed))
        raise InvalidInputError(f"{declared.label} cannot be filtered by {name!r}; it can by id, {names}")
    expected = PropertyType.TEXT if name == "id" else declared.properties[name]
    for value in values:
        if not isinstance(value, _PYTHON_TYPES[expected]):
            raise InvalidInputError(f"{declared.label}.{name}: {type(value).__name__} is not {expected.value}")
        if isinstance(value, datetime) and value.tzinfo is None:
            raise InvalidInputError(f"{declared.label}.{name}: a time in a filter needs an offset")


def check_order(label: str, order: str) -> tuple[str, bool]:
    """The property to order by, and whether it falls.

    Args:
        label: Label that is scanned.
        order: `id`, a filterable property, or one of them with `-` before it.

    Raises:
        InvalidInputError: The label cannot be ordered so.
    """
    name = order.removeprefix("-")
    if name != "id" and name not in node_type(label).filterable:
        raise InvalidInputError(f"{label} cannot be ordered by {name!r}")
    return name, order.startswith("-")


def check_limit(limit: int) -> None:
    """Refuse a limit that is not 1 to `MAX_LIMIT`.

    Raises:
        InvalidInputError: It is out of bounds.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError(f"limit {limit} is not between 1 and {MAX_LIMIT}")


def check_embedded(label: str) -> None:
    """Refuse a label whose nodes carry no vector.

    Raises:
        InvalidInputError: The label is unknown or not embedded.
    """
    if not node_type(label).embedded:
        raise InvalidInputError(f"{label} has no vectors; these have: {', '.join(EMBEDDED)}")


def check_searchable(label: str) -> None:
    """Refuse a label whose nodes carry no search text.

    Raises:
        InvalidInputError: The label is unknown or not searchable.
    """
    if not node_type(label).searchable:
        raise InvalidInputError(f"{label} cannot be searched; these can: {', '.join(SEARCHABLE)}")


def check_dimension(vector: Vector, dimension: int) -> None:
    """Refuse a query vector of another length: an index would find nothing and say nothing.

    Raises:
        SchemaError: The length is not that of the store's embedder.
    """
    if vector.shape != (dimension,):
        raise SchemaError(
            f"the vector has shape {vector.shape}, the store's embedder has {dimension} dimensions;"
            " ask with the embedder of the store (`graphmem schema status`)"
        )
