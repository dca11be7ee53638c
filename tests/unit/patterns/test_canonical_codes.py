from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import categorical_multiedge_match, categorical_node_match

from brute_force_mining import Edge, Label
from graphmem.patterns.canonical import (
    NO_NODE,
    TYPE_BIT,
    canonical_code,
    canonical_order,
    canonicalise,
    motif_id,
    table_codes,
    write_code,
)
from graphmem.patterns.graphs import EDGE_TYPES

Shape = tuple[list[Label], list[Edge]]
LABELS: list[Label] = [("action", "열기"), ("action", "open"), ("tool", "open")]


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """A graph of 2-5 nodes with few labels, several edges a pair and self-loops."""
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=2, max_size=5))
    place = st.integers(0, len(labels) - 1)
    edge = st.tuples(place, place, st.sampled_from(EDGE_TYPES[:3]))
    return labels, draw(st.lists(edge, unique=True, min_size=1, max_size=7))


@st.composite
def shuffled_shapes(draw: st.DrawFn) -> tuple[Shape, Shape]:
    """A graph and the same graph with its nodes and edges in another order."""
    labels, edges = draw(shapes())
    order = draw(st.permutations(range(len(labels))))
    place = {node: number for number, node in enumerate(order)}
    renumbered = [(place[source], place[target], kind) for source, target, kind in edges]
    return (labels, edges), ([labels[node] for node in order], draw(st.permutations(renumbered)))


def as_table(*graphs: Shape) -> tuple[np.ndarray, np.ndarray]:
    width = 5
    numbers = {label: number for number, label in enumerate(sorted(LABELS))}
    labels = np.full((len(graphs), width), NO_NODE, np.int32)
    adjacency = np.zeros((len(graphs), width, width), np.uint8)
    for row, (names, edges) in enumerate(graphs):
        labels[row, : len(names)] = [numbers[name] for name in names]
        for source, target, kind in edges:
            adjacency[row, source, target] |= TYPE_BIT[EDGE_TYPES.index(kind)]
    return labels, adjacency


def as_networkx(shape: Shape) -> nx.MultiDiGraph[int]:
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    labels, edges = shape
    graph.add_nodes_from((number, {"label": label}) for number, label in enumerate(labels))
    graph.add_edges_from((source, target, {"kind": kind}) for source, target, kind in edges)
    return graph


@given(pair=shuffled_shapes())
def test_the_code_does_not_depend_on_the_order_of_nodes_and_edges(pair: tuple[Shape, Shape]) -> None:
    one, other = pair
    assert canonical_code(*one) == canonical_code(*other)
    assert len(set(table_codes(*as_table(one, other)))) == 1


@settings(max_examples=300)
@given(one=shapes(), other=shapes())
def test_codes_are_equal_exactly_for_isomorphic_graphs(one: Shape, other: Shape) -> None:
    isomorphic = nx.is_isomorphic(
        as_networkx(one),
        as_networkx(other),
        node_match=categorical_node_match("label", None),
        edge_match=categorical_multiedge_match("kind", None),
    )
    assert (canonical_code(*one) == canonical_code(*other)) == isomorphic
    assert (len(set(table_codes(*as_table(one, other)))) == 1) == isomorphic


@given(shape=shapes())
def test_a_table_puts_nodes_in_the_same_canonical_form_as_plain_python(shape: Shape) -> None:
    labels, edges = shape
    order = canonicalise(*as_table(shape))[0][: len(labels)].tolist()
    for chosen in (order, canonical_order(labels, edges)):
        place = {node: number for number, node in enumerate(chosen)}
        moved = sorted((place[source], place[target], kind) for source, target, kind in edges)
        assert write_code([labels[node] for node in chosen], moved) == canonical_code(labels, edges)


def test_the_domain_that_mining_was_limited_to_is_part_of_the_code() -> None:
    labels: list[Label] = [("action", "a"), ("action", "b")]
    edges: list[Edge] = [(0, 1, "NEXT")]
    assert canonical_code(labels, edges) != canonical_code(labels, edges, scope="support")


def test_ids_stay_what_they_were_when_they_were_stored() -> None:
    code = canonical_code([("tool", "조회"), ("action", "환불")], [(1, 0, "USED")])
    assert code == '[null,[["action","환불"],["tool","조회"]],[[0,1,"USED"]]]'
    assert motif_id(code) == "7dc37f118863297e7e6cd345b6829599cb78b96129e140a11414d0f0d65e67fc"
