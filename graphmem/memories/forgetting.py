"""Forgets one memory; what else was said of the same topic is settled without it."""

from __future__ import annotations

from graphmem.graph.mapping.assertions import claims_of
from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.graph.topics import Topic, topic_of
from graphmem.models.memories import TimedStatement
from graphmem.ports.segmenting import retried
from graphmem.ports.settling import Settlement, settle
from graphmem.ports.workspace import Workspace


def forget_memory(workspace: Workspace, record: NodeRecord) -> None:
    """Remove a memory with all its links, those that only say the same, and what it ended goes on.

    Args:
        workspace: Where it is stored.
        record: The memory as it was read.

    Raises:
        ConflictError: Others wrote at once, several times.
    """
    memory = to_memory(record)
    topic = topic_of(record, workspace.facts)
    names = {record.id}
    if topic is not None and isinstance(memory, TimedStatement):
        told = [NodeRef("Memory", claim.source) for claim in claims_of(memory) if claim.is_given]
        names |= {ref.id for ref in workspace.known(told)}
    retried(workspace, lambda _: _forget(workspace, names, topic))


def _forget(workspace: Workspace, names: set[str], topic: Topic | None) -> None:
    settlement = _without(workspace, names, topic)
    refs = [NodeRef("Memory", name) for name in sorted(names)]
    with workspace.graph.transaction() as transaction:
        newer = {edge.source.id for edge in transaction.edges(refs, ["SUPERSEDES"], "in")} - names
        if settlement is not None:
            settlement.write(transaction)
            newer -= {record.id for one in settlement.topics for record in one.memories}
        # what retired it no longer names what is not there
        transaction.set_properties("Memory", [(name, {"supersedes": None}) for name in sorted(newer)])
        transaction.remove_nodes(refs)


def _without(workspace: Workspace, names: set[str], topic: Topic | None) -> Settlement | None:
    if topic is None:
        return None
    return settle(workspace, workspace.now(), topics=[topic], removed=names)
