"""Relations learned from texts over both stores: independent mentions, denials, cycles, what is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import graphmem

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)

Triple = tuple[str, str, str]
OpenMemory = Callable[..., graphmem.GraphMemory]


@pytest.fixture
def memory(open_memory: OpenMemory) -> graphmem.GraphMemory:
    """A memory whose texts are read by rules over the surface, whatever is installed."""
    return open_memory(analyzer="plain")


def say(memory: graphmem.GraphMemory, *texts: str, first: int = 0, **fields: Any) -> None:
    """Keep each text as a message of a conversation of its own, one a day from the `first` day on."""
    for day, text in enumerate(texts, first):
        memory.messages.add(
            text, **{"id": f"m{day}", "session": f"s{day}", "at": MONDAY + timedelta(days=day), **fields}
        )


def learned(memory: graphmem.GraphMemory) -> set[Triple]:
    """The relations read in texts, by the names of their ends."""
    return {ends for ends, edge in relations(memory).items() if edge["source"] == "extracted"}


def relations(memory: graphmem.GraphMemory) -> dict[Triple, dict[str, Any]]:
    graph = memory.workspace.graph
    nodes = {node.ref: str(node.properties["name"]) for node in graph.scan("Concept", limit=1000).records}
    return {
        (nodes[edge.source], edge.type.lower(), nodes[edge.target]): dict(edge.properties)
        for edge in graph.edges(nodes, None, "out")
    }


SMOKING = ("Smoking causes cancer.", "In the long run, smoking causes cancer.")
SCURVY = ("비타민 부족은 괴혈병을 유발한다.", "비타민 부족이 괴혈병을 유발했다.")


@pytest.mark.parametrize(
    ("texts", "triple"),
    [
        (SMOKING, ("Smoking", "causes", "cancer")),
        (SCURVY, ("비타민 부족", "causes", "괴혈병")),
    ],
)
def test_two_independent_mentions_make_a_relation(
    memory: graphmem.GraphMemory, texts: tuple[str, str], triple: Triple
) -> None:
    say(memory, texts[0])
    memory.consolidate()
    assert learned(memory) == set()
    say(memory, texts[1], first=1)
    report = memory.consolidate()
    assert (report.counts["read"], report.counts["relations"], report.counts["promoted"]) == (1, 1, 2)
    assert learned(memory) == {triple}
    edge = relations(memory)[triple]
    assert (edge["evidence_count"], edge["evidence_ids"]) == (2, ["m1", "m0"])
    assert 0.7 < edge["confidence"] == edge["weight"] < 0.8
