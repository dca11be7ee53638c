"""Which concept a name means, for the service and for imports; the rule itself is in ports/identity.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from graphmem.errors import InvalidInputError, NotFoundError
from graphmem.graph.mapping.concept import concept_key, named_concept
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.identity import choose_concept, concepts_by_key


def choose(name: str, kind: str | None, candidates: Sequence[NodeRecord]) -> NodeRecord | None:
    """The stored concept that a name means; see `choose_concept`.

    Args:
        name: The name as written.
        kind: The kind asked for; None: of kind "concept" before others, else the only one there is.
        candidates: The stored concepts of the name's key, from `candidates_by_key`.

    Returns:
        None when nothing is stored that it could mean, or several could be meant.
    """
    return choose_concept(key_of_name(name), [kind or DEFAULT_CONCEPT_KIND], candidates, others=kind is None)


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


def find_concept(graph: TenantGraph, name: str, kind: str | None) -> NodeRecord:
    """The concept of a name, an alias or an id.

    Args:
        graph: One tenant's graph.
        name: A name, however it is written, or an id.
        kind: Its kind; None: of kind "concept" before others, else the only one of that name.

    Raises:
        NotFoundError: There is none.
        InvalidInputError: The name is blank, or means several concepts.
    """
    candidates = candidates_by_key(graph, [name])[key_of_name(name)]
    found = choose(name, kind, candidates)
    if found is None:
        fault = unclear(name, kind, candidates)
        if fault is not None:
            raise fault
    if found is None and kind is None:
        ref = NodeRef("Concept", name)
        found = graph.get([ref]).get(ref)
    if found is None:
        raise NotFoundError("concept", name)
    return found


def unclear(name: str, kind: str | None, candidates: Sequence[NodeRecord]) -> InvalidInputError | None:
    """Why a name that `choose` found nothing for means several concepts; None when it means none.

    Args:
        name: The name as written.
        kind: The kind asked for.
        candidates: From `candidates_by_key`.
    """
    key = key_of_name(name)
    named = [node for node in candidates if node.properties["key"] == key]
    aliased = [node for node in candidates if node.properties["key"] != key]
    if kind is None and named:
        kinds = ", ".join(sorted(str(node.properties["kind"]) for node in named))
        return InvalidInputError(f"{name!r} is the name of concepts of several kinds: say which of {kinds}")
    meant = [node for node in aliased if kind is None or node.properties["kind"] == kind]
    if len(meant) < 2:
        return None
    concepts = ", ".join(f"{node.properties['name']} ({node.properties['kind']})" for node in meant)
    return InvalidInputError(f"{name!r} is another name of several concepts: name the one you mean, {concepts}")


def key_of_name(name: str) -> str:
    """The canonical key of a concept's name.

    Raises:
        InvalidInputError: The name is blank.
    """
    try:
        return concept_key(name)
    except ValueError as fault:
        raise InvalidInputError(str(fault)) from None


def candidates_by_key(graph: TenantGraph, names: Iterable[str]) -> dict[str, list[NodeRecord]]:
    """The stored concepts that these names may mean, by key: those named so, then those that they are aliases of.

    Args:
        graph: One tenant's graph.
        names: Names as written.

    Returns:
        Every key of a name has an entry.

    Raises:
        InvalidInputError: A name is blank.
    """
    return concepts_by_key(graph, map(key_of_name, names))
