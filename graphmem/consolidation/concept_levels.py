"""The phase that says how abstract concepts are, from where they stand in the is_a tree.

One new relation may lift everything above it: levels are worked out from all is_a relations that hang together
with it, however far; only levels that change are written. A level that somebody gave stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphmem.consolidation.phases import Changes, Run, in_batches
from graphmem.graph.levels import abstraction_levels
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.ports.reading import PAGE, pages

IS_A = "IS_A"
LEVEL = "abstraction_level"
LEVEL_SOURCE = "level_source"
"""Says where a level comes from; absent where it was given."""


@dataclass(frozen=True, slots=True)
class LevelsPlan:
    """Levels that would change."""

    levels: tuple[tuple[str, int | None], ...] = ()
    """Concept id -> its level from now on; None: it has none any more."""
    batch: int = 500

    def __bool__(self) -> bool:
        return bool(self.levels)

    def counts(self) -> dict[str, int]:
        """Concepts whose level changes."""
        return {"levels": len(self.levels)}

    def to_dict(self) -> dict[str, list[object]]:
        """Nothing: levels follow from relations that are listed."""
        return {}

    def batches(self) -> Iterator[Changes]:
        """Some concepts at a time."""
        for some in in_batches(self.levels, self.batch):
            rows: list[tuple[str, Mapping[str, Value | None]]] = [
                (concept, {LEVEL: level, LEVEL_SOURCE: None if level is None else IS_A.lower()})
                for concept, level in some
            ]
            yield Changes(properties={"Concept": rows}, items=len(rows))


class ConceptLevels:
    """Keeps the abstraction levels of concepts equal to their place in the is_a tree."""

    def plan(self, run: Run) -> LevelsPlan:
        """The levels that differ from what the is_a relations say."""
        if run.news is not None and not run.news.moved:
            return LevelsPlan()
        stored: dict[NodeRef, tuple[Value, bool]] = {}
        parents: dict[NodeRef, set[NodeRef]] = {}
        for nodes, edges in _every_concept(run) if run.news is None else _hanging_together(run, run.news.moved):
            for node in nodes:
                if LEVEL in node.properties:
                    stored[node.ref] = node.properties[LEVEL], LEVEL_SOURCE not in node.properties
            for edge in edges:
                if edge.target.label == "Concept" and edge[:3] not in run.planned.removed:
                    parents.setdefault(edge.source, set()).add(edge.target)
        for kind, head, tail in run.planned.edges:
            if kind == IS_A:
                parents.setdefault(head, set()).add(tail)
        levels = abstraction_levels(parents)
        given = {ref for ref, (_, is_given) in stored.items() if is_given}
        changed: dict[str, int | None] = {
            ref.id: level
            for ref, level in levels.items()
            if ref not in given and stored.get(ref, (None,))[0] != level
        }
        changed |= {ref.id: None for ref in stored if ref not in given and ref not in levels}
        return LevelsPlan(tuple(sorted(changed.items())))

    def rounds(self, run: Run) -> Iterator[LevelsPlan]:
        """The whole plan: a level is known when all relations were read."""
        yield self.plan(run)


_Part = tuple[Iterable[NodeRecord], Iterable[EdgeRecord]]


def _every_concept(run: Run) -> Iterator[_Part]:
    """All concepts with the is_a relations that start at them."""
    for page in pages(run.graph, "Concept"):
        yield page, run.graph.edges([node.ref for node in page], [IS_A], "out")


def _hanging_together(run: Run, moved: Collection[NodeRef]) -> Iterator[_Part]:
    """These concepts and all that is_a relations join to them, in any number of steps."""
    seen: set[NodeRef] = set()
    reached = sorted(moved)
    while reached:
        seen.update(reached)
        found: set[NodeRef] = set()
        for refs in in_batches(reached, PAGE):
            edges = run.graph.edges(refs, [IS_A], "both")
            found.update(end for edge in edges for end in edge[1:3])
            yield run.graph.get(refs).values(), edges
        reached = sorted(found - seen)
