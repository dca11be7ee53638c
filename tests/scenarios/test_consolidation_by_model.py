"""Texts read by a language model in consolidation, over both stores: calls, failures, marks, what is forgotten."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

import graphmem
from graphmem.consolidation.model_reading import SOURCES_AT_ONCE
from graphmem.errors import ModelError, ModelUnavailableError
from graphmem.graph.mapping.claim import CLAIM
from graphmem.graph.records import NodeRef
from graphmem.llm.retrying import RetryingModel, RetryPolicy
from graphmem.ports.language_model import LanguageModel, ModelRequest
from graphmem.testing.scripted_model import ScriptedModel
from graphmem.transfer.erasing import erase_user

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


def everything(request: ModelRequest) -> str:
    """The same of a text that holds several of them."""
    relations = [one for text, reply in SAID.items() if text in request.user for one in reply["relations"]]
    return json.dumps({"concepts": [], "relations": relations}, ensure_ascii=False)


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
    open_memory: OpenMemory, model: LanguageModel | None, calls: int = 100, **more: Any
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


def read_by(counts: Mapping[str, int]) -> tuple[int, int, int, int]:
    """Texts read, those read by the model, its calls and its failures."""
    return counts["read"], counts["read_by_model"], counts["model_calls"], counts["model_failures"]


def test_a_plan_asks_nobody_and_says_how_many_texts_would_be_read(open_memory: OpenMemory) -> None:
    model = reader()
    memory = opened(open_memory, model, calls=4)
    say(memory, *SAID, "Smoking causes cancer.")
    plan = memory.consolidate(plan=True)
    assert read_by(plan.counts()) == (2, 3, 3, 0)
    assert model.requests == []
    assert read_by(memory.consolidate().counts) == (5, 3, 3, 0)
    # those that the rules have read are left
    later = memory.consolidate(plan=True)
    assert later
    assert read_by(later.counts()) == (0, 2, 2, 0)


def test_what_the_calls_do_not_reach_is_read_by_rules_and_asked_about_later(open_memory: OpenMemory) -> None:
    model = reader()
    memory = opened(open_memory, model, calls=3)
    say(memory, *SAID)
    done: list[tuple[int, ...]] = []
    while not done or done[-1][0]:
        done.append(read_by(memory.consolidate().counts))
    # a text may take two calls: with one left none is begun
    assert done == [(4, 2, 2, 0), (2, 2, 2, 0), (0, 0, 0, 0)]
    assert learned(memory) == LEARNED


def test_new_texts_come_before_those_that_the_rules_have_read(open_memory: OpenMemory) -> None:
    texts = list(SAID)
    memory = opened(open_memory, None)
    say(memory, *texts[:2])
    memory.consolidate()
    model = reader()
    memory = opened(open_memory, model, calls=2)
    say(memory, texts[2], first=2)
    memory.consolidate()
    assert [text in model.requests[0].user for text in texts] == [False, False, True, False]


def test_no_text_is_half_read(open_memory: OpenMemory) -> None:
    text = " ".join(f"In case {number} the disk was full, and an outage came." for number in range(300))
    cases = found(("disk", "causes", "outage"), quote="the disk was full, and an outage came")
    model = reader(always=lambda request: json.dumps(cases) if "In case" in request.user else answer(request))
    memory = opened(open_memory, model, calls=5)
    say(memory, text, *SAID)
    assert read_by(memory.consolidate().counts) == (5, 4, 4, 0)
    assert not any("In case" in request.user for request in model.requests)
    memory = opened(open_memory, model, calls=6)
    assert read_by(memory.consolidate().counts) == (1, 1, 3, 0)
    assert [rule for rule, _ in evidence(memory, "m0")] == ["extract_relations"]
    assert memory.consolidate().run is None


def test_useless_replies_leave_a_text_to_the_rules_for_good(open_memory: OpenMemory) -> None:
    model = reader(answers=["no", "{}"])
    memory = opened(open_memory, model)
    say(memory, "Smoking causes cancer.", *SAID)
    report = memory.consolidate()
    assert read_by(report.counts) == (5, 4, 6, 1)
    assert [rule for rule, _ in evidence(memory, "m0")] == ["causes.surface_causes"]
    (fault,) = report.faults
    assert "extract_relations" in fault
    assert learned(memory) == LEARNED
    assert not memory.consolidate(plan=True)
    assert (memory.consolidate().run, len(model.requests)) == (None, 6)
    # another model may do better
    assert read_by(opened(open_memory, reader(name="other")).consolidate().counts) == (5, 5, 5, 0)


def test_a_model_out_of_reach_is_asked_no_more_and_the_rules_read_the_rest(open_memory: OpenMemory) -> None:
    model = reader(answers=[answer, ModelUnavailableError("the service is away")] + [answer] * 3)
    memory = opened(open_memory, RetryingModel(model, RetryPolicy(attempts=1)))
    say(memory, *SAID)
    report = memory.consolidate()
    assert read_by(report.counts) == (4, 1, 2, 1)
    assert "the service is away" in report.faults[0]
    assert report.to_dict()["faults"] == list(report.faults)
    assert read_by(memory.consolidate().counts) == (3, 3, 3, 0)
    assert learned(memory) == LEARNED


def test_a_model_that_refuses_everything_is_asked_three_times(open_memory: OpenMemory) -> None:
    model = reader(always=ModelError("the key is wrong"))
    memory = opened(open_memory, model)
    say(memory, *SAID, "Smoking causes cancer.")
    report = memory.consolidate()
    assert read_by(report.counts) == (5, 0, 3, 3)
    assert report.faults == ("the key is wrong",)
    # nothing is written, so there is nothing to record
    again = memory.consolidate()
    assert (again.run, read_by(again.counts)) == (None, (0, 0, 3, 3))


def test_the_bound_of_the_whole_memory_holds_as_well(open_memory: OpenMemory) -> None:
    model = reader()
    memory = opened(open_memory, model, max_model_calls=2)
    say(memory, *SAID)
    report = memory.consolidate()
    assert (report.counts["read"], report.counts["read_by_model"], len(model.requests)) == (4, 2, 2)
    assert "max_model_calls" in report.faults[0]


def test_what_a_model_read_stays_when_none_is_given(open_memory: OpenMemory) -> None:
    memory = opened(open_memory, reader())
    say(memory, *SAID)
    memory.consolidate()
    without = opened(open_memory, None)
    assert without.consolidate().run is None
    say(without, "Smoking causes cancer.", first=4)
    assert read_by(without.consolidate().counts) == (1, 0, 0, 0)
    assert learned(without) == LEARNED
    # a new text of the message is nobody's yet
    without.messages.add("I changed my mind.", id="m0", session="s0", at=MONDAY, replace=True)
    assert read_by(without.consolidate().counts) == (1, 0, 0, 0)
    assert learned(without) == {("메모리", "causes", "장애")}


def test_another_model_is_asked_anew(open_memory: OpenMemory) -> None:
    memory = opened(open_memory, reader())
    say(memory, *SAID)
    memory.consolidate()
    other = reader(always=NOTHING, name="other")
    memory = opened(open_memory, other)
    assert read_by(memory.consolidate().counts) == (4, 4, 4, 0)
    assert learned(memory) == set()
    assert memory.consolidate().run is None


def test_a_models_reading_takes_the_place_of_the_rules(open_memory: OpenMemory) -> None:
    first, second = "Smoking causes cancer.", "Smoking causes cancer in many people."
    memory = opened(open_memory, None)
    say(memory, first, second)
    memory.consolidate()
    assert learned(memory) == {("Smoking", "causes", "cancer")}
    replies = {
        first: found(("Smoking", "causes", "cancer"), quote=first),
        second: found(("Smoking", "causes", "cancer in many people"), quote=second),
    }
    model = reader(
        always=lambda request: next(json.dumps(reply) for text, reply in replies.items() if text in request.user)
    )
    report = opened(open_memory, model).consolidate()
    assert read_by(report.counts) == (2, 2, 2, 0)
    assert report.counts["demoted"] == 1
    # one piece of evidence a text: the model's
    assert evidence(memory, "m0") == [("extract_relations", first)]
    assert evidence(memory, "m1") == [("extract_relations", second)]
    claims = {str(node.properties["tail"]) for node in memory.workspace.graph.scan(CLAIM).records}
    assert claims == {"cancer", "cancer in many people"}
    assert learned(memory) == set()


def test_what_a_model_finds_denied_is_evidence_against(open_memory: OpenMemory) -> None:
    denied = "Nobody ever saw an outage because of the disk."
    reply = found(("disk", "causes", "outage"), quote=denied, factuality="denied")
    memory = opened(
        open_memory, reader(always=lambda one: json.dumps(reply) if denied in one.user else answer(one))
    )
    say(memory, *SAID, denied)
    memory.consolidate()
    (polarity,) = (
        edge.properties["polarity"]
        for edge in memory.workspace.graph.edges([NodeRef("Message", "m4")], ["ASSERTED_IN"], "in")
    )
    assert polarity == "against"
    assert learned(memory) == {("메모리", "causes", "장애")}


def test_decomposed_korean_is_read_as_composed(open_memory: OpenMemory) -> None:
    memory = opened(open_memory, reader())
    say(memory, *(unicodedata.normalize("NFD", text) for text in SAID))
    memory.consolidate()
    assert learned(memory) == LEARNED


def test_texts_link_to_what_only_the_model_finds_in_them(open_memory: OpenMemory) -> None:
    memory = opened(open_memory, reader())
    say(memory, *SAID)
    memory.consolidate()
    graph = memory.workspace.graph
    mentions = graph.edges([NodeRef("Message", f"m{day}") for day in range(4)], ["MENTIONS"], "out")
    assert {edge.source.id for edge in mentions} == {"m0", "m1", "m2", "m3"}
    assert len(mentions) == 8


def test_an_episode_is_asked_about_once_with_all_its_texts(open_memory: OpenMemory) -> None:
    texts = list(SAID)
    steps = [{"action": "look", "result": text} for text in texts[1:]]
    memory = opened(open_memory, model := reader(always=everything))
    for name in ("disk", "장애"):
        memory.concepts.add(graphmem.Concept(name=name, definition="known before"))
    memory.episodes.add({"id": "e", "goal": texts[0], "steps": steps, "started_at": MONDAY, "ended_at": MONDAY})
    say(memory, texts[1], texts[3])
    counts = memory.consolidate().counts
    assert read_by(counts) == (3, 3, 3, 0)
    assert all(text in model.requests[-1].user for text in texts)
    assert learned(memory) == LEARNED
    graph = memory.workspace.graph
    names = {node.ref: node.properties["name"] for node in graph.scan("Concept").records}
    found_in = {
        names[edge.target]: edge.properties["count"]
        for edge in graph.edges([NodeRef("Episode", "e")], ["MENTIONS"], "out")
    }
    # the goal stands in the summary as well
    assert {name: found_in[name] for name in ("disk", "장애")} == {"disk": 3, "장애": 2}
    assert memory.consolidate().run is None
    memory.episodes.add({"id": "f", "goal": "Nothing", "started_at": MONDAY, "ended_at": MONDAY})
    assert read_by(memory.consolidate().counts) == (1, 1, 1, 0)


def test_what_changes_or_goes_while_the_model_reads_is_not_written(open_memory: OpenMemory) -> None:
    texts = list(SAID)

    def meanwhile(request: ModelRequest) -> str:
        if texts[0] in request.user:
            memory.messages.add("Something else.", id="m0", session="s0", at=MONDAY, replace=True)
        if texts[1] in request.user:
            memory.messages.forget("m1")
        return answer(request)

    memory = opened(open_memory, reader(always=meanwhile))
    say(memory, *texts)
    memory.consolidate()
    assert evidence(memory, "m0") == []
    assert learned(memory) == {("메모리", "causes", "장애")}
    assert memory.workspace.graph.count(CLAIM) == 1
    assert memory.consolidate().run is None


def test_forgetting_and_erasing_take_what_the_model_read_along(open_memory: OpenMemory) -> None:
    ada, bob = (opened(open_memory, reader(), user=name) for name in ("ada", "bob"))
    texts = list(SAID)
    say(ada, *texts[:3])
    say(bob, texts[3], first=3)
    ada.consolidate()
    assert learned(bob) == LEARNED
    ada.messages.forget("m0")
    assert read_by(ada.consolidate().counts) == (0, 0, 0, 0)
    assert learned(bob) == {("메모리", "causes", "장애")}
    erase_user(bob.workspace.graph, "ada")
    bob.consolidate()
    assert learned(bob) == set()
    graph = bob.workspace.graph
    assert [
        edge.properties["user_id"] for node in graph.scan(CLAIM).records for edge in graph.edges([node.ref])
    ] == ["bob"]
    erase_user(graph, "bob")
    assert graph.count(CLAIM) == graph.count("Concept") == 0


def test_nothing_crosses_tenants(open_memory: OpenMemory, tenant: str) -> None:
    model = reader()
    ours, theirs = (opened(open_memory, model, tenant=name) for name in (tenant, f"{tenant}-other"))
    texts = list(SAID)
    say(ours, *texts[:3])
    say(theirs, texts[3])
    ours.consolidate()
    assert [texts[3] in request.user for request in model.requests] == [False] * 3
    assert theirs.workspace.graph.count(CLAIM) == 0
    theirs.consolidate()
    assert learned(ours) == {("disk", "causes", "outage")}
    assert learned(theirs) == set()


def test_a_bounded_run_bounds_what_the_model_reads_as_well(open_memory: OpenMemory) -> None:
    memory = opened(open_memory, reader(), consolidation={"max_items": 3})
    say(memory, *SAID)
    assert read_by(memory.consolidate().counts) == (3, 3, 3, 0)
    assert read_by(memory.consolidate().counts) == (1, 1, 1, 0)
    assert learned(memory) == LEARNED


def test_a_run_that_is_stopped_has_paid_for_few_texts_in_vain(open_memory: OpenMemory) -> None:
    calls = count(1)

    def stopped(request: ModelRequest) -> str:
        if next(calls) == SOURCES_AT_ONCE + 5:
            raise KeyboardInterrupt
        return answer(request)

    memory = opened(open_memory, reader(always=stopped))
    texts = list(SAID)
    say(memory, *texts, *(f"Nothing {number}." for number in range(2 * SOURCES_AT_ONCE - len(texts))))
    with pytest.raises(KeyboardInterrupt):
        memory.consolidate()
    # opened anew, since the replies of this one are remembered
    memory = opened(open_memory, reader())
    assert read_by(memory.consolidate().counts) == (SOURCES_AT_ONCE,) * 3 + (0,)
    assert learned(memory) == LEARNED
    assert memory.consolidate().run is None
