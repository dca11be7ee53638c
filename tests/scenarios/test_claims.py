"""Relations learned from texts over both stores: independent mentions, denials, cycles, what is forgotten."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.errors import NotFoundError
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.transfer.copying import copy_store
from graphmem.transfer.erasing import erase_user
from graphmem.transfer.exporting import export_full
from transferring import exported, import_data, records_of

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


SMOKING = ("Smoking causes cancer.", "Smoking causes cancer in many people.")
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


def test_the_same_session_and_the_same_text_count_once(memory: graphmem.GraphMemory) -> None:
    say(memory, *SMOKING, session="s0")
    say(memory, SMOKING[0], first=2)
    say(memory, SCURVY[0], SCURVY[0], first=3)
    memory.consolidate()
    # s0 said it in two ways, and s2 copied one of them: two texts, two sessions
    assert learned(memory) == {("Smoking", "causes", "cancer")}
    memory.messages.forget("m1")
    memory.consolidate()
    assert learned(memory) == set()


def test_denials_weigh_against_a_relation_and_can_take_it_back(memory: graphmem.GraphMemory) -> None:
    say(memory, *SMOKING, "Smoking does not cause cancer.")
    memory.consolidate()
    assert learned(memory) == set()
    say(memory, "Smoking often causes cancer.", first=3)
    memory.consolidate()
    weighed = relations(memory)["Smoking", "causes", "cancer"]
    assert weighed["evidence_ids"] == ["m3", "m1", "m0"]
    say(memory, "Smoking never causes cancer.", first=4)
    report = memory.consolidate()
    assert report.counts["demoted"] == 1
    assert learned(memory) == set()


def test_korean_denials_weigh_as_well(memory: graphmem.GraphMemory) -> None:
    say(memory, *SCURVY, "비타민 부족은 괴혈병을 유발하지 않는다.")
    memory.consolidate()
    assert learned(memory) == set()


def test_what_is_asked_or_supposed_is_no_evidence(memory: graphmem.GraphMemory) -> None:
    say(
        memory,
        "Does smoking cause cancer?",
        "If smoking causes cancer, I stop.",
        "비타민 부족은 괴혈병을 유발할까?",
    )
    memory.consolidate()
    assert memory.workspace.graph.count("Claim") == 0


def test_a_second_run_does_nothing_and_only_new_texts_are_read(memory: graphmem.GraphMemory) -> None:
    say(memory, *SMOKING, *SCURVY)
    plan = memory.consolidate(plan=True)
    assert memory.consolidate().counts == plan.counts()
    assert not memory.consolidate(plan=True)
    assert memory.consolidate().run is None
    say(memory, "Nothing of interest.", first=4)
    assert memory.consolidate().counts["read"] == 1


def test_a_replaced_message_is_read_again_and_takes_back_what_it_said(memory: graphmem.GraphMemory) -> None:
    say(memory, *SMOKING)
    memory.consolidate()
    memory.messages.add("I changed my mind.", id="m1", session="s1", at=MONDAY, replace=True)
    report = memory.consolidate()
    assert (report.counts["read"], report.counts["demoted"]) == (1, 1)
    assert learned(memory) == set()
    assert not memory.consolidate(plan=True)


def test_forgetting_a_source_takes_its_evidence_along(memory: graphmem.GraphMemory) -> None:
    say(memory, *SMOKING, *SCURVY)
    memory.consolidate()
    memory.messages.forget("m0")
    memory.messages.forget("m2")
    memory.messages.forget("m3")
    memory.consolidate()
    assert learned(memory) == set()
    graph = memory.workspace.graph
    assert [node.properties["head"] for node in graph.scan("Claim").records] == ["Smoking"]
    # the one text that is left still mentions these
    assert {node.properties["name"] for node in concepts(memory)} == {"Smoking", "cancer"}
    assert not memory.consolidate(plan=True)


def test_texts_of_closed_episodes_are_evidence(memory: graphmem.GraphMemory) -> None:
    for number, text in enumerate(("Corrosion causes leakage.", "Found it: corrosion often causes leakage.")):
        step = {"action": "look", "reasoning": text, "result": "ok"}
        memory.episodes.add(graphmem.Episode(id=f"e{number}", goal="Find the fault", steps=(step,)))
    memory.episodes.add(graphmem.Episode(id="e3", goal="Corrosion causes leakage.", state="open"))
    memory.consolidate()
    assert relations(memory)["Corrosion", "causes", "leakage"]["evidence_ids"] == ["e1", "e0"]


def test_a_given_relation_is_never_changed(memory: graphmem.GraphMemory) -> None:
    memory.concepts.relate("Smoking", "causes", "cancer")
    before = relations(memory)
    say(memory, *SMOKING, "Smoking does not cause cancer.", "Smoking never causes cancer.")
    memory.consolidate()
    assert relations(memory)["Smoking", "causes", "cancer"] == before["Smoking", "causes", "cancer"]
    assert not memory.consolidate(plan=True)


def test_a_cycle_is_refused_the_weaker_relation_first(memory: graphmem.GraphMemory) -> None:
    say(memory, "A router is a kind of device.", "So a router is a kind of device.")
    say(memory, "A device is a kind of gadget.", "A device is a kind of gadget, too.", first=2)
    say(memory, "A gadget is a kind of router.", "So a gadget is a kind of router.", first=4)
    say(memory, "A router is a kind of device, everybody knows.", first=6)
    plan = memory.consolidate(plan=True)
    assert plan.counts()["refused"] == 1
    refusal = plan.to_dict()["refusals"][0]
    assert refusal["why"].count(" is_a ") == 3
    report = memory.consolidate()
    assert report.counts["refused"] == 1
    assert len(learned(memory)) == 2
    assert ("router", "is_a", "device") in learned(memory)
    again = memory.consolidate(plan=True)
    assert not again
    assert again.counts()["refused"] == 1


def test_a_cycle_through_a_given_relation_is_refused(memory: graphmem.GraphMemory) -> None:
    memory.concepts.relate("포유류", "is_a", "고래")
    say(memory, "고래는 포유류의 일종이다.", "고래가 포유류의 일종이다.", "고래는 포유류의 일종이었다.")
    report = memory.consolidate()
    assert report.counts["refused"] == 1
    assert learned(memory) == set()


def test_a_message_mentions_the_concepts_that_are_known(memory: graphmem.GraphMemory) -> None:
    memory.concepts.add(graphmem.Concept(name="scurvy", definition="A lack of vitamin C"))
    say(memory, "My aunt had Scurvy.", "한국에도 Scurvy 환자가 있다.")
    memory.consolidate()
    graph = memory.workspace.graph
    for name in ("m0", "m1"):
        (edge,) = graph.edges([NodeRef("Message", name)], ["MENTIONS"])
        assert (edge.properties["source"], edge.properties["count"]) == ("extracted", 1)
        assert 0 < edge.properties["salience"] <= 1  # type: ignore[operator]
    assert graph.count("Concept") == 1


def test_another_tenant_is_untouched(open_memory: OpenMemory, tenant: str) -> None:
    ours = open_memory(analyzer="plain")
    theirs = open_memory(tenant=f"{tenant}-other", analyzer="plain")
    say(ours, SMOKING[0])
    say(theirs, SMOKING[1])
    ours.consolidate()
    assert theirs.workspace.graph.count("Claim") == 0
    theirs.consolidate()
    assert learned(ours) == learned(theirs) == set()


def test_the_evidence_of_two_users_adds_up_and_goes_with_its_user(open_memory: OpenMemory) -> None:
    ada, bob = (open_memory(user=name, analyzer="plain") for name in ("ada", "bob"))
    say(ada, SMOKING[0])
    say(bob, SMOKING[1], first=1)
    ada.consolidate()
    assert learned(bob) == {("Smoking", "causes", "cancer")}
    erase_user(bob.workspace.graph, "ada")
    bob.consolidate()
    assert learned(bob) == set()
    (claim,) = bob.workspace.graph.scan("Claim").records
    assert [edge.properties["user_id"] for edge in bob.workspace.graph.edges([claim.ref])] == ["bob"]
    erase_user(bob.workspace.graph, "bob")
    assert bob.workspace.graph.count("Claim") == bob.workspace.graph.count("Concept") == 0


def test_a_bounded_run_reads_some_texts_and_the_next_one_goes_on(open_memory: OpenMemory) -> None:
    memory = open_memory(analyzer="plain", consolidation={"max_items": 3, "batch_texts": 2})
    say(memory, *SMOKING, *SCURVY)
    memory.messages.add_many({"id": f"x{number}", "text": "Hello."} for number in range(3))
    done = []
    while memory.consolidate(plan=True):
        counts = memory.consolidate().counts
        done.append((counts["read"], counts["unread"]))
    assert sum(read for read, _ in done) == 7
    assert [left for _, left in done][-1] == 0
    assert len(learned(memory)) == 2


def test_earlier_texts_that_mention_a_new_concept_are_linked_to_it(memory: graphmem.GraphMemory) -> None:
    say(memory, "I worry about Scurvy.", "비타민 C가 부족하다.")
    memory.consolidate()
    say(memory, "Hunger causes Scurvy.", "Hunger often causes Scurvy in winter.", first=2)
    plan = memory.consolidate(plan=True)
    assert memory.consolidate().counts == plan.counts()
    graph = memory.workspace.graph
    (scurvy,) = (node for node in graph.scan("Concept").records if node.properties["name"] == "Scurvy")
    mentions = graph.edges([scurvy.ref], ["MENTIONS"], "in")
    assert {edge.source.id for edge in mentions if edge.source.label == "Message"} == {"m0", "m2", "m3"}
    assert not memory.consolidate(plan=True)


def test_a_second_name_that_two_texts_introduce_is_adopted_and_dropped_again(
    memory: graphmem.GraphMemory,
) -> None:
    memory.concepts.add(graphmem.Concept(name="서울", definition="대한민국의 수도"))
    say(memory, "서울(Seoul)은 크다.")
    memory.consolidate()
    with pytest.raises(NotFoundError):
        memory.concepts.get("Seoul")
    say(memory, "서울(Seoul)에는 강이 있다.", first=1)
    plan = memory.consolidate(plan=True)
    assert plan.counts()["aliases"] == 1
    assert memory.consolidate().counts == plan.counts()
    assert memory.concepts.get("Seoul").name == "서울"
    assert not memory.consolidate(plan=True)
    memory.messages.forget("m1")
    memory.consolidate()
    with pytest.raises(NotFoundError):
        memory.concepts.get("Seoul")
    assert not memory.consolidate(plan=True)


def test_a_relation_may_be_told_of_a_concept_by_both_of_its_names(memory: graphmem.GraphMemory) -> None:
    network = "Virtual Private Network (VPN)"
    say(memory, f"{network} causes delays.", f"Again, {network} often causes delays.")
    memory.consolidate()
    say(memory, "VPN causes overload.", "Virtual Private Network causes overload.", first=2)
    say(memory, "VPN causes overload, too.", "So a Virtual Private Network causes overload.", first=4)
    memory.consolidate()
    names = {head for head, _, tail in learned(memory) if tail == "overload"}
    assert names == {"Virtual Private Network"}
    (edge,) = (edge for (_, _, tail), edge in relations(memory).items() if tail == "overload")
    assert edge["evidence_ids"] == ["m5", "m4", "m3", "m2"]
    assert not memory.consolidate(plan=True)


def test_levels_follow_the_is_a_tree_and_given_ones_stay(memory: graphmem.GraphMemory) -> None:
    memory.concepts.add(graphmem.Concept(name="동물", definition="움직이는 생물", abstraction_level=4))
    memory.concepts.add(graphmem.Concept(name="포유류", definition="젖먹이 동물"))
    memory.concepts.relate("포유류", "is_a", "동물")
    plan = memory.consolidate(plan=True)
    assert memory.consolidate().counts == plan.counts()
    levels = {node.properties["name"]: node.properties.get("abstraction_level") for node in concepts(memory)}
    assert levels == {"동물": 4, "포유류": 1}
    say(memory, "고래는 포유류의 일종이다.", "고래가 포유류의 일종이다.")
    plan = memory.consolidate(plan=True)
    assert memory.consolidate().counts == plan.counts()
    levels = {node.properties["name"]: node.properties.get("abstraction_level") for node in concepts(memory)}
    assert levels == {"동물": 4, "포유류": 3, "고래": 1}
    assert not memory.consolidate(plan=True)
    described = [line for line in records_of(exported(memory.workspace.graph)) if line["type"] == "concept"]
    assert {line["name"]: line.get("abstraction_level") for line in described} == {"동물": 4, "포유류": None}
    memory.concepts.unrelate(graphmem.Relation(head="포유류", relation="is_a", tail="동물"))
    memory.messages.forget("m1")
    memory.consolidate()
    levels = {node.properties["name"]: node.properties.get("abstraction_level") for node in concepts(memory)}
    assert (levels["동물"], levels["포유류"]) == (4, None)


def concepts(memory: graphmem.GraphMemory) -> tuple[NodeRecord, ...]:
    return memory.workspace.graph.scan("Concept", limit=1000).records


def test_copies_and_full_exports_bring_the_evidence_along(memory: graphmem.GraphMemory, tmp_path: Path) -> None:
    say(memory, *SMOKING, *SCURVY)
    memory.consolidate()
    graph = memory.workspace.graph
    written = io.BytesIO()
    export_full(graph, written, HashingEmbedder.spec)
    imported, copied = (graphmem_file(tmp_path / name, memory.tenant) for name in ("imported.db", "copied.db"))
    assert not import_data(imported.workspace, written.getvalue()).refused
    copy_store(memory.store, copied.store, [memory.tenant])
    for other in (imported, copied):
        claims = {node.ref: dict(node.properties) for node in graph.scan("Claim").records}
        assert {node.ref: dict(node.properties) for node in other.workspace.graph.scan("Claim").records} == claims
        assert other.workspace.graph.edges(claims) == graph.edges(claims)
        assert not other.consolidate(plan=True)
        other.messages.forget("m0")
        other.consolidate()
        assert learned(other) == {("비타민 부족", "causes", "괴혈병")}
        other.close()


def graphmem_file(path: Path, tenant: str) -> graphmem.GraphMemory:
    return graphmem.open(str(path), tenant=tenant, embedder="hashing", analyzer="plain")
