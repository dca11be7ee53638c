"""What crosses the store port: nodes, edges, trees, filters and answers, without a model's meaning.

Records are plain frozen dataclasses, those that an import makes by the million (refs and edges) named tuples,
which are made and hashed in C. Property
values are text, integers, floats, booleans, aware UTC datetimes and lists of text; an absent value is
left out, never None. Nested values are canonical JSON text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Scalar = str | int | float | bool | datetime
Value = Scalar | list[str]
Vector = npt.NDArray[np.float32]
Direction = Literal["out", "in", "both"]

PLACEHOLDER = ""
"""content_hash of a node that was only mentioned so far: a described record fills it in as if new."""


class NodeRef(NamedTuple):
    """Names a node within a tenant."""

    label: str
    id: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A node as a store keeps it.

    `properties` holds all declared properties of graph/schema.py that have a value, `user_id`,
    `created_at`, `content_hash` and `search_text` included; never `id` and `tenant`.
    """

    label: str
    id: str
    properties: Mapping[str, Value]
    vector: Vector | None = None
    """Embedding, float32 of the store's dimension; None when there is none or it was not asked for."""

    @property
    def ref(self) -> NodeRef:
        """The node's name."""
        return NodeRef(self.label, self.id)

    @property
    def content_hash(self) -> str:
        """Hash of what was given; `PLACEHOLDER` when the node was only mentioned."""
        value = self.properties.get("content_hash", PLACEHOLDER)
        return value if isinstance(value, str) else PLACEHOLDER


class EdgeRecord(NamedTuple):
    """A relationship; unique by (type, source, target) within a tenant."""

    type: str
    source: NodeRef
    target: NodeRef
    properties: Mapping[str, Value] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Tree:
    """A root with the nodes it owns and all edges of both.

    Every edge starts at the root or at an owned node. Its end may be a shared node (a Tool, a Concept,
    a Session), which must have been saved before.
    """

    root: NodeRecord
    nodes: tuple[NodeRecord, ...] = ()
    edges: tuple[EdgeRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save did, each list in the order given."""

    added: tuple[NodeRef, ...] = ()
    """Nodes that were absent, or placeholders that are described from now on."""
    changed: tuple[NodeRef, ...] = ()
    """Nodes stored with other content; replaced only when the call says replace."""
    unchanged: tuple[NodeRef, ...] = ()
    """Nodes stored with the same content."""


@dataclass(frozen=True, slots=True)
class Equals:
    """The property has this value."""

    property: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class In:
    """The property has one of these values; none of them matches nothing."""

    property: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The property lies between two values, both included; None leaves a side open."""

    property: str
    low: Scalar | None = None
    high: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """The property has no value."""

    property: str


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold; no part holds always."""

    parts: tuple[Filter, ...]


Filter = Equals | In | Range | Missing | And
"""Over filterable properties of graph/schema.py, `id` and `user_id`."""


Cursor = tuple[Scalar | None, str]
"""Where a page ended: the last node's order value (None when it has none) and its id."""


@dataclass(frozen=True, slots=True)
class Page:
    """Nodes in order, and where to go on."""

    records: tuple[NodeRecord, ...]
    next: Cursor | None
    """`after` of the next page; None on the last one."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A node found by a search, with its score."""

    record: NodeRecord
    score: float
    """`nearest`: cosine, -1..1. `search`: BM25, 0 or more."""


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What `expand` reached."""

    nodes: tuple[NodeRecord, ...]
    """Start nodes included, by distance, then label and id."""
    edges: tuple[EdgeRecord, ...]
    """Edges among these nodes that were walked, by (type, source, target)."""
    truncated: bool
    """Whether the limit left nodes out."""
