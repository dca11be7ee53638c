"""What is learned of is_a and part_of forms no cycles, whatever is stored and whatever comes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.consolidation.cycles import AcyclicRelation
from graphmem.graph.records import EdgeRecord, NodeRef

Pair = tuple[str, str]
pairs = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=14, unique=True)


def ref(name: str) -> NodeRef:
    return NodeRef("Concept", name)


def relation(stored: Sequence[Pair], removed: Sequence[Pair] = ()) -> AcyclicRelation:
    def edges(refs: Sequence[NodeRef]) -> list[EdgeRecord]:
        return [EdgeRecord("IS_A", ref(head), ref(tail)) for head, tail in stored if ref(head) in refs]

    return AcyclicRelation(edges, [(ref(head), ref(tail)) for head, tail in removed])


def is_acyclic(edges: Sequence[Pair]) -> bool:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for head, tail in edges:
        sorter.add(head, tail)
    try:
        sorter.prepare()
    except CycleError:
        return False
    return True


@given(pairs, pairs)
def test_an_edge_is_refused_exactly_when_it_would_close_a_cycle(stored: list[Pair], new: list[Pair]) -> None:
    standing: list[Pair] = []
    for edge in stored:
        if is_acyclic([*standing, edge]):
            standing.append(edge)
    found = relation(tuple(standing))
    for head, tail in new:
        path = found.add(ref(head), ref(tail))
        assert (path is None) == is_acyclic([*standing, (head, tail)])
        if path is None:
            standing.append((head, tail))
        else:
            names = [one.id for one in path]
            assert (names[0], names[-1]) == (tail, head)
            assert set(itertools.pairwise(names)) <= set(standing)


def test_what_goes_closes_no_cycle() -> None:
    assert relation([("a", "b")]).add(ref("b"), ref("a")) == [ref("a"), ref("b")]
    assert relation([("a", "b")], removed=[("a", "b")]).add(ref("b"), ref("a")) is None


def test_nothing_is_a_kind_of_itself() -> None:
    assert relation([]).add(ref("a"), ref("a")) == [ref("a")]


@pytest.mark.parametrize("length", [3000])
def test_a_long_chain_is_walked(length: int) -> None:
    chain = [(str(number), str(number + 1)) for number in range(length)]
    path = relation(chain).add(ref(str(length)), ref("0"))
    assert path is not None
    assert len(path) == length + 1
