"""Settles the topics of imported statements: when each holds follows from all that is said, in any order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from graphmem.graph.mapping.assertions import claims_of
from graphmem.graph.timeline import Claim
from graphmem.graph.topics import Topic, make_topic, topic_of
from graphmem.models.memories import Fact, MemoryContent, Preference
from graphmem.models.procedure import Procedure
from graphmem.ports.settling import write_settled
from graphmem.transfer.retiring import Retirement
from graphmem.transfer.target import Target


def settle_imported(target: Target, items: Iterable[MemoryContent | Procedure], retirement: Retirement) -> None:
    """Settle the topics of a batch, and those of memories that it retired.

    Args:
        target: Where the batch was written; nothing is done in a dry run.
        items: What the batch held, unchanged ones included: an import that was stopped is made good.
        retirement: What was retired is taken out of it.
    """
    if target.dry_run:
        return
    policy = target.workspace.facts
    topics = {topic_of(node, policy) for node in target.stored(retirement.touched).values()}
    retirement.touched.clear()
    said: defaultdict[Topic, list[Claim]] = defaultdict(list)
    for item in items:
        if not isinstance(item, Fact | Preference):
            continue
        words = (item.subject or "", item.predicate or "", item.object or "")
        topic = make_topic(policy, item.kind, item.user_id, words)
        if topic is not None:
            topics.add(topic)
            # the memory may be stored without all that says the same
            said[topic] += claims_of(item) if item.assertions else []
    write_settled(target.workspace, target.recorded_at, [one for one in topics if one is not None], said)
