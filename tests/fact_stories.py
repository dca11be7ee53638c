"""Stories of one subject and predicate, told in any order, and what a store holds of them in the end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.models.memories import Fact
from graphmem.ports.graph_store import TenantGraph

Story = list[dict[str, Any]]

TOLD_AT = datetime(2030, 1, 1, tzinfo=UTC)


def year(number: int) -> datetime:
    """The beginning of a year."""
    return datetime(number, 1, 1, tzinfo=UTC)


_YEARS = st.none() | st.integers(2015, 2022).map(year)


@st.composite
def stories(draw: st.DrawFn, objects: tuple[str, ...] = ("서울", "Busan", "busan", "제주도")) -> Story:
    """Statements with known and unknown beginnings and ends, restatements, and equal times."""
    story = []
    for number in range(draw(st.integers(1, 6))):
        begin, end = draw(_YEARS), draw(_YEARS)
        if begin and end and end < begin:
            begin, end = end, begin
        story.append(
            {
                "id": f"f{number}",
                "text": f"statement {number}",
                "object": draw(st.sampled_from(objects)),
                "at": draw(_YEARS) or TOLD_AT,
                "valid_from": begin,
                "valid_to": end,
                "confidence": draw(st.sampled_from([0.5, 0.7, 0.9])),
            }
        )
    return story


def picture(graph: TenantGraph) -> dict[str, Any]:
    """All that a store holds of memories but when it was recorded: fields, whether each stands, and the links."""
    records = graph.scan("Memory", limit=1000).records
    links = graph.edges([record.ref for record in records], ["SUPERSEDES", "ASSERTED_IN", "DERIVED_FROM"])
    memories = {record.id: (to_memory(record).model_dump(), _stands(record)) for record in records}
    return {"memories": memories, "links": sorted((edge.type, edge.source.id, edge.target.id) for edge in links)}


def _stands(record: NodeRecord) -> bool:
    until = record.properties["superseded_at"]
    assert isinstance(until, datetime)
    return until.year == 9999


def told(memories: tuple[Any, ...]) -> list[tuple[str | None, int | None, int | None]]:
    """Object, year in which it began to hold, and year in which it ended, of each fact."""
    facts = [memory for memory in memories if isinstance(memory, Fact)]
    return [(fact.object, _year(fact.valid_from), _year(fact.valid_to)) for fact in facts]


def _year(moment: datetime | None) -> int | None:
    return None if moment is None else moment.year


def memory_refs(graph: TenantGraph) -> list[NodeRef]:
    """All memories of a tenant."""
    return [record.ref for record in graph.scan("Memory", limit=1000).records]
