from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.concepts.cycles import closing_path
from graphmem.concepts.resolution import choose
from graphmem.concepts.service import ConceptsService
from graphmem.concepts.views import TreeNode, branches
from graphmem.errors import ConflictError, InvalidInputError, NotFoundError
from graphmem.graph.mapping.concept import concept_ref, named_concept
from graphmem.graph.paths import EdgesOut, path_between
from graphmem.graph.records import EdgeRecord, NodeRef
from graphmem.memories.service import MemoriesService
from graphmem.messages.service import MessagesService
from graphmem.models.concept import Concept, Relation, RelationType
from graphmem.testing.clock import START
from workspaces import Desk, desk


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def concepts(at_hand: Desk) -> ConceptsService:
    return ConceptsService(at_hand.workspace())


def test_a_concept_is_found_by_its_name_however_it_is_written(concepts: ConceptsService) -> None:
    concepts.add(Concept(name="Timeouts", definition="An answer that does not come."))
    for name in ("Timeouts", "timeout", "TIMEOUT", " Ｔｉｍｅｏｕｔ "):
        assert concepts.get(name).definition == "An answer that does not come."


def test_a_korean_concept_is_found_in_either_normal_form(concepts: ConceptsService) -> None:
    concepts.add(Concept(name="시간 초과", definition="응답이 오지 않는다"))
    assert concepts.get("시간초과").name == "시간 초과"
    assert concepts.get(unicodedata.normalize("NFD", "시간 초과")).name == "시간 초과"


def test_a_concept_is_found_by_its_id(concepts: ConceptsService) -> None:
    concepts.add(Concept(name="Timeout"))
    assert concepts.get(concept_ref("Timeout").id).name == "Timeout"


def test_a_name_that_is_only_used_is_described_later(concepts: ConceptsService) -> None:
    concepts.relate("timeout", "is_a", "error")
    assert concepts.get("timeout").definition is None
    assert len(concepts.add(Concept(name="timeout", definition="No answer.")).added) == 1
    assert concepts.get("timeout").definition == "No answer."


def test_another_description_is_refused_unless_it_shall_replace(concepts: ConceptsService) -> None:
    concepts.add(Concept(name="timeout", definition="one"))
    with pytest.raises(ConflictError):
        concepts.add(Concept(name="timeout", definition="two"))
    concepts.add(Concept(name="timeout", definition="two"), replace=True)
    assert concepts.get("timeout").definition == "two"


def test_homonyms_differ_by_kind(concepts: ConceptsService) -> None:
    concepts.add(Concept(name="Ada", kind="person"))
    assert concepts.get("Ada").kind == "person"
    concepts.add(Concept(name="Ada", kind="language"))
    with pytest.raises(InvalidInputError, match="say which of language, person"):
        concepts.get("Ada")
    assert concepts.get("Ada", kind="language").kind == "language"
    concepts.add(Concept(name="Ada"))
    assert concepts.get("Ada").kind == "concept"


def test_a_relation_finds_the_only_concept_of_a_name(concepts: ConceptsService) -> None:
    concepts.add(Concept(name="Ada", kind="person"))
    said = concepts.relate("ada", "member_of", "the crew")
    assert (said.head, said.head_kind, said.tail, said.tail_kind) == ("Ada", "person", "the crew", None)
    assert len(concepts.list(name="Ada")) == 1


def test_concepts_are_listed_by_key(concepts: ConceptsService) -> None:
    concepts.relate("나무", "is_a", "식물")
    concepts.add(Concept(name="Ada", kind="person", abstraction_level=1))
    assert [concept.name for concept in concepts.list()] == ["Ada", "나무", "식물"]
    assert [concept.name for concept in concepts.list(kind="person")] == ["Ada"]
    assert [concept.name for concept in concepts.list(abstraction_level=1)] == ["Ada"]
    first = concepts.list(limit=1)
    assert [concept.name for concept in concepts.list(after=first.next, limit=5)] == ["나무", "식물"]


def test_a_relation_twice_is_one_relation_with_the_newest_confidence(concepts: ConceptsService) -> None:
    concepts.relate("timeout", "is_a", "error", confidence=0.5, evidence=["m1"])
    concepts.relate("Timeouts", "is_a", "error", confidence=0.9)
    relations = concepts.show("timeout").relations
    assert [(relation.tail, relation.confidence) for relation in relations] == [("error", 0.9)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"relation": "likes"},
        {"confidence": 1.5},
        {"head": " "},
        {"tail": "\u3164"},
        {"source": "dreamt"},
    ],
)
def test_a_wrong_relation_is_refused(concepts: ConceptsService, wrong: dict[str, object]) -> None:
    given = {"head": "a", "relation": "is_a", "tail": "b", **wrong}
    with pytest.raises(InvalidInputError):
        concepts.relate(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("relation", ["is_a", "part_of"])
def test_a_cycle_is_refused_and_named(concepts: ConceptsService, relation: str) -> None:
    concepts.relate("오류", relation, "문제")
    concepts.relate("문제", relation, "일")
    with pytest.raises(InvalidInputError, match=f"일 {relation} 오류 {relation} 문제 {relation} 일"):
        concepts.relate("일", relation, "오류")
    with pytest.raises(InvalidInputError, match="close a cycle"):
        concepts.relate("오류", relation, "오류")
    assert len(concepts.show("일").relations) == 1


def test_relations_of_different_types_may_run_in_a_circle(concepts: ConceptsService) -> None:
    concepts.relate("a", "is_a", "b")
    concepts.relate("b", "part_of", "a")
    concepts.relate("a", "causes", "b")
    concepts.relate("b", "causes", "a")
    assert len(concepts.show("a").relations) == 4


def test_a_concept_shows_its_relations_and_what_is_about_it(concepts: ConceptsService, at_hand: Desk) -> None:
    concepts.relate("timeout", "is_a", "error")
    concepts.relate("PoolExhausted", "causes", "timeout")
    MemoriesService(at_hand.workspace()).remember("재시도하면 풀린다", kind="lesson", about=["timeout"])
    view = concepts.show("timeout")
    said = [(relation.head, relation.relation, relation.tail) for relation in view.relations]
    assert said == [("PoolExhausted", "causes", "timeout"), ("timeout", "is_a", "error")]
    assert [(found.relation, found.kind, found.text) for found in view.mentions] == [
        ("about", "lesson", "재시도하면 풀린다")
    ]


def test_what_another_user_said_is_not_shown(concepts: ConceptsService, at_hand: Desk) -> None:
    for user in ("ada", "bob"):
        MessagesService(at_hand.workspace(user=user)).add(f"by {user}", speaker="민수")
    assert len(concepts.show("민수").mentions) == 2
    assert len(concepts.show("민수", limit=1).mentions) == 1
    assert concepts.show("민수", limit=1).truncated
    mine = ConceptsService(at_hand.workspace(user="ada")).show("민수")
    assert [found.text for found in mine.mentions] == ["by ada"]


def test_a_tree_leads_up_and_down(concepts: ConceptsService) -> None:
    for head, tail in (("timeout", "error"), ("error", "event"), ("oom", "error"), ("시간 초과", "timeout")):
        concepts.relate(head, "is_a", tail)
    tree = concepts.tree("error")
    assert (_names(tree.above), _names(tree.below)) == (["event"], ["oom", "timeout"])
    assert _names(tree.below[1].branches) == ["시간 초과"]
    assert not tree.truncated


def test_a_concept_with_two_parents_is_unfolded_once(concepts: ConceptsService) -> None:
    for head, tail in (("d", "b"), ("d", "c"), ("b", "a"), ("c", "a"), ("e", "d")):
        concepts.relate(head, "is_a", tail)
    b, c = concepts.tree("a").below
    assert (_names(b.branches), _names(c.branches)) == (["d"], ["d"])
    assert [node.branches[0].repeated for node in (b, c)] == [False, True]
    assert [_names(node.branches[0].branches) for node in (b, c)] == [["e"], []]


def test_a_relation_can_be_taken_back(concepts: ConceptsService) -> None:
    said = concepts.relate("a", "is_a", "b")
    assert concepts.unrelate(said)
    assert not concepts.unrelate(said)
    concepts.relate("b", "is_a", "a")


def test_a_forgotten_concept_is_gone_with_its_relations(concepts: ConceptsService) -> None:
    concepts.relate("timeout", "is_a", "error")
    concepts.forget("timeout")
    assert concepts.show("error").relations == ()
    for call in (concepts.get, concepts.forget, concepts.show, concepts.tree):
        with pytest.raises(NotFoundError):
            call("timeout")


def test_a_blank_name_is_refused(concepts: ConceptsService) -> None:
    concepts.relate("a", "is_a", "b")
    for blank in ("", " ", "\u200b", "\u3164"):
        for call in (concepts.get, concepts.forget, concepts.show, concepts.tree):
            with pytest.raises(InvalidInputError):
                call(blank)


def test_another_tenant_has_other_concepts(concepts: ConceptsService, at_hand: Desk) -> None:
    concepts.relate("timeout", "is_a", "error")
    other = ConceptsService(at_hand.workspace("other"))
    with pytest.raises(NotFoundError):
        other.get("timeout")
    with pytest.raises(NotFoundError):
        other.get(concept_ref("timeout").id)
    assert len(other.list()) == 0
    other.relate("error", "is_a", "timeout")
    assert [relation.tail for relation in concepts.show("timeout").relations] == ["error"]


def test_a_name_means_the_concept_of_its_kind_before_others() -> None:
    plain, person, tool = (named_concept("Ada", START, kind) for kind in ("concept", "person", "tool"))
    assert choose("ada", None, [person, plain]) is plain
    assert choose("ada", None, [person]) is person
    assert choose("ada", None, [person, tool]) is None
    assert choose("ada", "tool", [person, tool]) is tool
    assert choose("ada", "tool", [person]) is None
    assert choose("ada", None, []) is None


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.integers(0, 7), st.integers(0, 7)
)
def test_an_edge_closes_a_cycle_exactly_when_networkx_finds_a_way_back(
    pairs: list[tuple[int, int]], head: int, tail: int
) -> None:
    oracle: nx.DiGraph[int] = nx.DiGraph(pairs)
    oracle.add_nodes_from((head, tail))
    path = closing_path(RelationType.IS_A, _ref(head), _ref(tail), _edges_out(pairs))
    assert (path is not None) == nx.has_path(oracle, tail, head)
    if path is not None:
        assert len(path) == nx.shortest_path_length(oracle, tail, head) + 1
        assert (path[0], path[-1]) == (_ref(tail), _ref(head))
    assert closing_path(RelationType.CAUSES, _ref(head), _ref(tail), _edges_out(pairs)) is None


@settings(max_examples=30, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_is_a_stays_acyclic_whatever_is_related(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, int]]
) -> None:
    at_hand = desk(tmp_path_factory.mktemp("taxonomy"))
    concepts = ConceptsService(at_hand.workspace())
    kept: nx.DiGraph[int] = nx.DiGraph()
    for head, tail in pairs:
        would_close = head == tail or (
            kept.has_node(head) and kept.has_node(tail) and nx.has_path(kept, tail, head)
        )
        if would_close:
            with pytest.raises(InvalidInputError):
                concepts.relate(f"c{head}x", "is_a", f"c{tail}x")
        else:
            concepts.relate(f"c{head}x", "is_a", f"c{tail}x")
            kept.add_edge(head, tail)
    at_hand.store.close()


def test_a_stored_cycle_does_no_harm_to_a_tree() -> None:
    edges = [EdgeRecord("IS_A", _ref(a), _ref(b)) for a, b in ((1, 2), (2, 3), (3, 1))]
    names = {_ref(number): str(number) for number in (1, 2, 3)}
    (first,) = branches(_ref(1), edges, names, upwards=True)
    assert (first.name, first.branches[0].name) == ("2", "3")
    assert first.branches[0].branches == (TreeNode("1", "1", repeated=True),)


def test_there_is_no_path_without_edges() -> None:
    assert path_between(_ref(1), _ref(2), lambda _: []) is None
    assert path_between(_ref(1), _ref(1), lambda _: []) == [_ref(1)]


def test_a_relation_keeps_its_kinds_when_taken_back(concepts: ConceptsService) -> None:
    concepts.relate("Ada", "member_of", "crew", head_kind="person")
    assert concepts.unrelate(
        Relation(head="Ada", relation=RelationType.MEMBER_OF, tail="crew", head_kind="person")
    )


def _ref(number: int) -> NodeRef:
    return NodeRef("Concept", str(number))


def _edges_out(pairs: list[tuple[int, int]]) -> EdgesOut:
    def edges(refs: Iterable[NodeRef]) -> list[EdgeRecord]:
        wanted = set(refs)
        return [EdgeRecord("IS_A", _ref(a), _ref(b)) for a, b in pairs if _ref(a) in wanted]

    return edges


def _names(nodes: Iterable[TreeNode]) -> list[str]:
    return [node.name for node in nodes]
