"""The phase that links episodes in the order of time: what followed on what, and what led to what.

Closed episodes are read in the order in which they began, with memory for the last ones of each session, user and
task alone: those whose place new ones change, with their past, or all where episodes changed or went. Only links
that differ are written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from graphmem.consolidation.consequences import Consequences
from graphmem.consolidation.order_reading import read_around
from graphmem.consolidation.phases import Changes, Run, in_batches
from graphmem.consolidation.succession import Succession
from graphmem.graph.records import EdgeRecord, In, NodeRecord, NodeRef, Value
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, PAGE, every_node, pages

FOLLOWED_BY = "FOLLOWED_BY"
LED_TO = "LED_TO"

_Name = tuple[str, NodeRef, NodeRef]


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """What would be written of the order of episodes."""

    add: tuple[EdgeRecord, ...] = ()
    remove: tuple[EdgeRecord, ...] = ()
    batch: int = 200

    def __bool__(self) -> bool:
        return bool(self.add or self.remove)

    def counts(self) -> dict[str, int]:
        """Links made or changed, and taken back."""
        return {"linked": len(self.add), "unlinked": len(self.remove)}

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Each link, with the names that say that one episode led to another."""
        links = [
            {
                "episode": edge.source.id,
                "type": edge.type,
                "next": edge.target.id,
                "names": list(edge.properties.get("evidence", ())),  # type: ignore[arg-type]  # a list of texts
            }
            for edge in self.add
        ]
        return {"order": links}

    def batches(self) -> Iterator[Changes]:
        """Links taken back, then links made."""
        for edges in in_batches(self.remove, self.batch):
            yield Changes(remove_edges=edges)
        for edges in in_batches(self.add, self.batch):
            yield Changes(edges=edges)


class EpisodeOrder:
    """Links episodes that followed on, or led to, one another."""

    def plan(self, run: Run) -> OrderPlan:
        """The links that differ from what the closed episodes say."""
        succession = Succession(timedelta(minutes=run.policy.followed_gap_minutes))
        consequences = Consequences()
        add: list[EdgeRecord] = []
        remove: list[EdgeRecord] = []
        for roots, due in _in_order(run):
            findings = _findings(run.graph, roots)
            wanted: dict[_Name, EdgeRecord] = {}
            for root in roots:
                before, led = succession.before(root), consequences.before(root, findings[root.id])
                if due is None or root.id in due:
                    wanted.update((edge[:3], edge) for edge in _links(run, root, before, led))
            asked = [root.ref for root in roots if due is None or root.id in due]
            present = {edge[:3]: edge for edge in run.graph.edges(asked, [FOLLOWED_BY, LED_TO], "in")}
            add += [edge for name, edge in sorted(wanted.items()) if _differs(edge, present.get(name))]
            remove += [edge for name, edge in sorted(present.items()) if name not in wanted and _is_ours(edge)]
        return OrderPlan(tuple(add), tuple(remove), run.policy.batch_episodes)

    def rounds(self, run: Run) -> Iterator[OrderPlan]:
        """The whole plan: it holds one or two links an episode."""
        yield self.plan(run)


def _in_order(run: Run) -> Iterator[tuple[Sequence[NodeRecord], frozenset[str] | None]]:
    """Episodes by their begin, in batches; with the ids of those that are to be linked, None: all."""
    if run.news is None:
        for roots in pages(run.graph, "Episode", CLOSED, order="started_at"):
            yield roots, None
        return
    reading = read_around(run.graph, run.news.episodes)
    for some in in_batches(reading.roots, PAGE):
        yield some, reading.due


def _links(
    run: Run, root: NodeRecord, before: str | None, led: Mapping[str, Sequence[str]]
) -> Iterator[EdgeRecord]:
    """The links that end at an episode."""
    if before is not None:
        yield _edge(FOLLOWED_BY, before, root, run)
    for episode, names in led.items():
        yield _edge(LED_TO, episode, root, run, names)


def _findings(graph: TenantGraph, roots: Sequence[NodeRecord]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for node in every_node(graph, "Finding", In("episode", tuple(root.id for root in roots))):
        found[str(node.properties["episode"])].append(str(node.properties["name"]))
    return found


def _edge(kind: str, episode: str, root: NodeRecord, run: Run, names: Sequence[str] = ()) -> EdgeRecord:
    properties: dict[str, Value] = {"created_at": run.now, "source": "consolidated"}
    if "user_id" in root.properties:
        properties["user_id"] = root.properties["user_id"]
    if names:
        properties["evidence"] = list(names)
    return EdgeRecord(kind, NodeRef("Episode", episode), root.ref, properties)


def _differs(wanted: EdgeRecord, stored: EdgeRecord | None) -> bool:
    if stored is None:
        return True
    return _is_ours(stored) and wanted.properties.get("evidence") != stored.properties.get("evidence")


def _is_ours(edge: EdgeRecord) -> bool:
    return edge.properties.get("source") == "consolidated"
