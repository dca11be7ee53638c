from __future__ import annotations

from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from graphmem.concepts.reduction import reduced
from graphmem.graph.levels import abstraction_levels

_DAGS = st.sets(
    st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda edge: edge[0] < edge[1]), max_size=40
)
_DIGRAPHS = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20)


def _parents(edges: set[tuple[int, int]]) -> dict[int, list[int]]:
    graph = nx.DiGraph(list(edges))
    return {node: list(graph.successors(node)) for node in graph}


def test_a_leaf_is_concrete_and_a_root_abstract() -> None:
    levels = abstraction_levels({"시간 초과": ["네트워크 오류"], "네트워크 오류": ["오류"], "한도 초과": ["오류"]})
    assert levels == {"시간 초과": 1, "네트워크 오류": 3, "오류": 5, "한도 초과": 1}


def test_a_long_chain_goes_through_all_levels() -> None:
    chain = {number: [number + 1] for number in range(8)}
    assert [abstraction_levels(chain)[number] for number in range(9)] == [1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_what_stands_alone_has_no_level() -> None:
    assert abstraction_levels({"alone": []}) == {}


def test_a_cycle_gives_no_level_and_no_endless_loop() -> None:
    assert abstraction_levels({"a": ["b"], "b": ["a"], "c": ["d"]}) == {"c": 1, "d": 5}


def test_a_chain_of_a_hundred_thousand_is_no_trouble() -> None:
    size = 100_000
    assert abstraction_levels({number: [number + 1] for number in range(size)})[size] == 5


@given(_DAGS)
def test_nothing_is_more_abstract_than_what_it_is_a_kind_of(edges: set[tuple[int, int]]) -> None:
    levels = abstraction_levels(_parents(edges))
    assert all(1 <= level <= 5 for level in levels.values())
    assert all(levels[head] <= levels[tail] for head, tail in edges)


@given(_DAGS)
def test_the_reduction_is_that_of_networkx(edges: set[tuple[int, int]]) -> None:
    assert reduced(edges) == set(nx.transitive_reduction(nx.DiGraph(list(edges))).edges)


@given(_DIGRAPHS)
def test_a_reduction_leads_where_all_edges_led(edges: set[tuple[int, int]]) -> None:
    whole, less = nx.DiGraph(list(edges)), nx.DiGraph(list(reduced(edges)))
    less.add_nodes_from(whole)
    assert all(nx.descendants(whole, node) == nx.descendants(less, node) for node in whole)


def test_a_way_over_several_edges_implies_the_short_one() -> None:
    chain = list(pairwise(("푸들", "개", "포유류", "동물")))
    assert reduced([*chain, ("푸들", "동물"), ("개", "동물")]) == set(chain)
