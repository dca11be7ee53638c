"""Texts read by a language model in consolidation, over both stores: calls, failures, marks, what is forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import graphmem
from graphmem.graph.records import NodeRef
from graphmem.ports.language_model import ModelRequest
from graphmem.testing.scripted_model import ScriptedModel

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
NOTHING = json.dumps({"concepts": [], "relations": []})

OpenMemory = Callable[..., graphmem.GraphMemory]
Triple = tuple[str, str, str]


def found(*triples: Triple, quote: str, factuality: str = "asserted") -> dict[str, Any]:
    """What a model replies that finds these in a text."""
    relations = [
        {"head": head, "relation": relation, "tail": tail, "factuality": factuality, "quote": quote}
        for head, relation, tail in triples
    ]
    return {"concepts": [], "relations": relations}


SAID = {
    "Whenever the disk fills up, an outage follows.": found(
        ("disk", "causes", "outage"), quote="Whenever the disk fills up, an outage follows."
    ),
    "An outage, again: it was the disk.": found(("disk", "causes", "outage"), quote="An outage, again"),
    "메모리가 새면 장애가 난다.": found(("메모리", "causes", "장애"), quote="메모리가 새면 장애가 난다."),
    "장애의 뒤에는 늘 메모리가 있었다.": found(("메모리", "causes", "장애"), quote="장애의 뒤에는 늘 메모리가"),
}
"""Texts in which the rules see nothing, with what a model finds."""

LEARNED = {("disk", "causes", "outage"), ("메모리", "causes", "장애")}


def answer(request: ModelRequest) -> str:
    """What a model that knows these texts replies; of any other text it finds nothing."""
    for text, reply in SAID.items():
        if text in request.user:
            return json.dumps(reply, ensure_ascii=False)
    return NOTHING


def reader(**more: Any) -> ScriptedModel:
    return ScriptedModel(**{"always": answer, **more})


def say(memory: graphmem.GraphMemory, *texts: str, first: int = 0) -> None:
    """Keep each text as a message of a conversation of its own."""
    for day, text in enumerate(texts, first):
        memory.messages.add(text, id=f"m{day}", session=f"s{day}", at=MONDAY + timedelta(days=day))


def learned(memory: graphmem.GraphMemory) -> set[Triple]:
    """The relations read in texts, by the names of their ends."""
    graph = memory.workspace.graph
    names = {node.ref: str(node.properties["name"]) for node in graph.scan("Concept", limit=1000).records}
    return {
        (names[edge.source], edge.type.lower(), names[edge.target])
        for edge in graph.edges(names, None, "out")
        if edge.properties.get("source") == "extracted" and edge.target in names
    }


def evidence(memory: graphmem.GraphMemory, message: str) -> list[tuple[str, str]]:
    """Rule and sentence of all that was read in a message."""
    edges = memory.workspace.graph.edges([NodeRef("Message", message)], ["ASSERTED_IN"], "in")
    return sorted((str(one.properties["rule"]), str(one.properties["sentence"])) for one in edges)


def opened(
    open_memory: OpenMemory, model: ScriptedModel | None, calls: int = 100, **more: Any
) -> graphmem.GraphMemory:
    """A memory whose texts a model reads, else rules over the surface."""
    bounds = {"max_model_calls": calls, **more.pop("consolidation", {})}
    return open_memory(analyzer="plain", language_model=model, consolidation=bounds, **more)


def test_a_model_reads_new_texts_once(open_memory: OpenMemory) -> None:
    model = reader()
    memory = opened(open_memory, model)
    say(memory, *SAID)
    counts = memory.consolidate().counts
    assert (counts["model_calls"], counts["read_by_model"], counts["read"]) == (4, 4, 4)
    assert learned(memory) == LEARNED
    assert evidence(memory, "m3") == [("extract_relations", "장애의 뒤에는 늘 메모리가")]
    assert memory.consolidate().run is None
    assert not memory.consolidate(plan=True)
    assert len(model.requests) == 4
    assert [request.language for request in model.requests] == ["en", "en", "ko", "ko"]


def test_no_model_is_asked_unless_calls_are_allowed(open_memory: OpenMemory) -> None:
    model = reader()
    memory = opened(open_memory, model, calls=0)
    say(memory, *SAID)
    counts = memory.consolidate().counts
    assert (counts["model_calls"], counts["read_by_model"], counts["read"]) == (0, 0, 4)
    assert model.requests == []
    assert learned(memory) == set()
