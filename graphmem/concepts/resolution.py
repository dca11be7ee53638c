"""Which concept a name means: pure, shared by the service and by imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.concept import concept_key, concept_ref, named_concept
from graphmem.graph.records import In, NodeRecord
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node


def choose(name: str, kind: str | None, candidates: Sequence[NodeRecord]) -> NodeRecord | None:
    """The stored concept that a name means.

    Args:
        name: The name as written.
        kind: The kind asked for; None: of kind "concept" before others, else the only one there is.
        candidates: The stored concepts with the name's key, of any kind.

    Returns:
        None when nothing is stored that it could mean, or several kinds could be meant.
    """
    wanted = concept_ref(name, kind or DEFAULT_CONCEPT_KIND)
    for candidate in candidates:
        if candidate.ref == wanted:
            return candidate
    return candidates[0] if kind is None and len(candidates) == 1 else None


def resolve(
    name: str, kind: str | None, candidates: Sequence[NodeRecord], recorded_at: datetime
) -> tuple[NodeRecord, bool]:
    """The concept that a name means, made when there is none.

    Returns:
        The node, and whether it is new.
    """
    known = choose(name, kind, candidates)
    if known is not None:
        return known, False
    return named_concept(name, recorded_at, kind or DEFAULT_CONCEPT_KIND), True


def key_of_name(name: str) -> str:
    """The canonical key of a concept's name.

    Raises:
        InvalidInputError: The name is blank.
    """
    try:
        return concept_key(name)
    except ValueError as fault:
        raise InvalidInputError(str(fault)) from None


def candidates_by_key(graph: TenantGraph, names: Iterable[str]) -> Mapping[str, list[NodeRecord]]:
    """The stored concepts of each name's key, in one read.

    Args:
        graph: One tenant's graph.
        names: Names as written.

    Returns:
        Key -> concepts by id; every key of a name has an entry.

    Raises:
        InvalidInputError: A name is blank.
    """
    found: dict[str, list[NodeRecord]] = {key_of_name(name): [] for name in names}
    for record in every_node(graph, "Concept", In("key", tuple(found))):
        found[str(record.properties["key"])].append(record)
    return found
