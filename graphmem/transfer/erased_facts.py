"""Settles facts of others without what erased messages said of them: their words and times go too."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence

from graphmem.graph.predicates import FactPolicy
from graphmem.graph.records import NodeRecord
from graphmem.graph.topics import topic_of
from graphmem.ports.clock import system_clock
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.settling import settle
from graphmem.ports.workspace import Workspace


def forget_said(
    graph: TenantGraph,
    facts: Sequence[NodeRecord],
    gone: Collection[str],
    policy: FactPolicy,
    erased: Counter[str],
) -> None:
    """Withdraw what erased sources say of the topics of some facts.

    A fact that is left takes the words of another source, without a vector until `schema reembed`.

    Args:
        graph: The tenant.
        facts: Memories that some of these sources assert.
        gone: Ids of the sources.
        policy: Which predicates hold one object at a time.
        erased: Counts what is removed.
    """
    topics = {topic for fact in facts if (topic := topic_of(fact, policy)) is not None}
    if not topics:
        return
    workspace = Workspace(graph, None, None, system_clock, os.urandom, facts=policy)
    settlement = settle(workspace, workspace.now(), topics=topics, withdrawn=gone)
    if not settlement.is_empty:
        with graph.transaction() as transaction:
            settlement.write(transaction)
        renewed = {record.ref for record in settlement.added}
        erased.update(ref.label for ref in settlement.removed if ref not in renewed)
