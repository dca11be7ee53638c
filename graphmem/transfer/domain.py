"""The records of a domain export: what was given, type by type, each type in the order of its ids."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from graphmem.episodes.closing import closed, read_closing
from graphmem.episodes.reading import read_given_episodes
from graphmem.graph.mapping.concept import to_concept, to_relation
from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.mapping.message import to_message, to_session
from graphmem.graph.mapping.procedure import to_procedure
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, Filter, In, NodeRecord, NodeRef
from graphmem.graph.schema import CONCEPT_RELATIONS
from graphmem.models.concept import DEFAULT_CONCEPT_KIND, Relation
from graphmem.models.message import Message
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages
from graphmem.transfer.later_outcomes import as_given
from graphmem.transfer.snapshot import by_source
from graphmem.transfer.writing import to_line, to_record

_PAGE = 500
_EPISODES = 50
_IN_MEMORY = 4 << 20
"""Bytes of later outcomes that wait in memory for their place at the end."""

_SOURCES = ("given", "extracted")
"""Relations of these sources are exported; what consolidation found is found again."""

Records = list[dict[str, Any]]


def domain_records(graph: TenantGraph, own: Filter | None) -> Iterator[Records]:
    """What was given to a tenant, page by page, in the order in which it is written.

    Args:
        graph: The tenant.
        own: Only personal things that match; concepts and relations are left out then.
    """
    for page in pages(graph, "Session", own, limit=_PAGE):
        yield [to_record(to_session(node)) for node in page if node.content_hash != PLACEHOLDER]
    if own is None:
        for page in pages(graph, "Concept", limit=_PAGE):
            yield [to_record(to_concept(node, described=True)) for node in page if _is_described(node)]
        for page in pages(graph, "Concept", limit=_PAGE):
            yield [to_record(relation) for relation in _relations(graph, page)]
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as outcomes:
        for page in pages(graph, "Episode", own, limit=_EPISODES):
            yield _episodes(graph, page, outcomes)
        for page in pages(graph, "Message", own, limit=_PAGE):
            yield _messages(graph, page)
        for page in pages(graph, "Memory", own, limit=_PAGE):
            yield [to_record(to_memory(node)) for node in page]
        for page in pages(graph, "Procedure", own, limit=_PAGE):
            yield [to_record(to_procedure(node)) for node in page]
        outcomes.seek(0)
        yield from _spooled(outcomes)


def _is_described(concept: NodeRecord) -> bool:
    """Whether a concept says more than its name: a description, or names that were found to be its own."""
    return concept.content_hash != PLACEHOLDER or "merged_names" in concept.properties


def _spooled(outcomes: IO[bytes]) -> Iterator[Records]:
    while lines := outcomes.readlines(1 << 20):
        yield [json.loads(line) for line in lines]


def _episodes(graph: TenantGraph, roots: Sequence[NodeRecord], outcomes: IO[bytes]) -> Records:
    """Episodes as they were given; what was said of their outcomes later is put off."""
    records = []
    for root, episode in zip(roots, read_given_episodes(graph, roots), strict=True):
        # how a recording ended was said, whether it was finalised or not; a conversation's end is found again
        closing = None if "origin" in root.properties else read_closing(root.properties)
        given, later = as_given(episode if closing is None else closed(episode, closing))
        records.append(to_record(given))
        outcomes.writelines(to_line(to_record(said)) for said in later)
    return records


def _messages(graph: TenantGraph, nodes: Sequence[NodeRecord]) -> Records:
    """Messages; one whose episode was forgotten says that it has none."""
    messages = [to_message(node) for node in nodes]
    named = {NodeRef("Episode", message.episode) for message in messages if message.episode is not None}
    stored = graph.get(sorted(named)) if named else {}
    return [_message(message, NodeRef("Episode", message.episode or "") in stored) for message in messages]


def _message(message: Message, has_episode: bool) -> dict[str, Any]:
    record = to_record(message if has_episode else message.model_copy(update={"episode": None}))
    # said to have none, or an import would put it into a new one
    return record if has_episode else {**record, "episode": None}


def _relations(graph: TenantGraph, heads: Sequence[NodeRecord]) -> Iterator[Relation]:
    """The relations out of these concepts, each with the kinds that its reader needs to find its ends."""
    edges = [
        edge for edge in by_source(graph.edges([node.ref for node in heads], CONCEPT_RELATIONS)) if _is_said(edge)
    ]
    if not edges:
        return
    nodes = {node.ref: node for node in heads}
    nodes |= graph.get({edge.target for edge in edges} - nodes.keys())
    shared = _ambiguous(graph, [nodes[ref] for edge in edges for ref in (edge.source, edge.target)])
    for edge in edges:
        relation = to_relation(edge, nodes[edge.source], nodes[edge.target])
        kinds = {
            name: DEFAULT_CONCEPT_KIND
            for name, ref in (("head_kind", edge.source), ("tail_kind", edge.target))
            if getattr(relation, name) is None and ref in shared
        }
        yield relation.model_copy(update=kinds) if kinds else relation


def _is_said(edge: EdgeRecord) -> bool:
    return edge.properties.get("source", "given") in _SOURCES


def _ambiguous(graph: TenantGraph, ends: Sequence[NodeRecord]) -> set[NodeRef]:
    """Concepts of the default kind whose name an import could take for one of another kind.

    Only others that an import makes as well count (described ones, speakers, ends of relations), so that the
    next export says the same.
    """
    plain = {node.properties["key"]: node.ref for node in ends if node.properties["kind"] == DEFAULT_CONCEPT_KIND}
    if not plain:
        return set()
    keys = tuple(sorted(map(str, plain)))
    others = [
        node
        for page in pages(graph, "Concept", In("key", keys), limit=_PAGE)
        for node in page
        if node.properties["kind"] != DEFAULT_CONCEPT_KIND
    ]
    if not others:
        return set()
    refs = [node.ref for node in others]
    joined = {
        ref
        for edge in graph.edges(refs, CONCEPT_RELATIONS, "both")
        if _is_said(edge)
        for ref in (edge.source, edge.target)
    }
    joined |= {edge.target for edge in graph.edges(refs, ["SPOKEN_BY"], "in")}
    return {
        plain[node.properties["key"]] for node in others if node.content_hash != PLACEHOLDER or node.ref in joined
    }
