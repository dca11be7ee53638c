"""Mining by plain enumeration: the oracle for small graphs, written from the definitions alone.

Every connected set of edges of every episode, every choice of labels, every order of nodes. Shares
no code with the miner but the values it reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from graphmem.patterns.graphs import EpisodeGraph, Taxonomy

Label = tuple[str, str]
Edge = tuple[int, int, str]
Shape = tuple[tuple[Label, ...], tuple[Edge, ...]]


def brute_force(
    graphs: Sequence[EpisodeGraph],
    taxonomy: Taxonomy,
    *,
    min_support: int,
    max_nodes: int,
    max_generalised: int,
    max_share: float,
) -> dict[Shape, frozenset[str]]:
    """The closed, not over-general motifs and their episodes."""
    frequent = enumerate_frequent(
        graphs,
        taxonomy,
        min_support=min_support,
        max_nodes=max_nodes,
        max_generalised=max_generalised,
        max_share=max_share,
    )
    dropped = set()
    for shape, episodes in frequent.items():
        for smaller in (*_less_an_edge(shape), *_more_general(shape, taxonomy)):
            if frequent.get(smaller) == episodes:
                dropped.add(smaller)
    return {shape: episodes for shape, episodes in frequent.items() if shape not in dropped}


def enumerate_frequent(
    graphs: Sequence[EpisodeGraph],
    taxonomy: Taxonomy,
    *,
    min_support: int,
    max_nodes: int,
    max_generalised: int,
    max_share: float,
) -> dict[Shape, frozenset[str]]:
    """All motifs with enough support and their episodes."""
    generalised, banned = _labels(graphs, taxonomy, min_support, max_share)
    found: dict[Shape, set[str]] = defaultdict(set)
    for graph in graphs:
        for nodes, edges in _connected_subgraphs(graph, max_nodes):
            choices = [
                [
                    (graph.nodes[node].kind, key)
                    for key in (graph.nodes[node].key, *taxonomy.ancestors(graph.nodes[node].key))
                    if (graph.nodes[node].kind, key) not in banned
                ]
                for node in nodes
            ]
            for labels in product(*choices):
                if sum(label in generalised for label in labels) <= max_generalised:
                    found[smallest_form(labels, edges)].add(graph.episode)
    return {shape: frozenset(episodes) for shape, episodes in found.items() if len(episodes) >= min_support}


def _labels(
    graphs: Sequence[EpisodeGraph], taxonomy: Taxonomy, min_support: int, max_share: float
) -> tuple[set[Label], set[Label]]:
    """Labels that others are below, and labels that are too general to be used."""
    nodes: list[tuple[str, str, str]] = [
        (graph.episode, node.kind, node.key) for graph in graphs for node in graph.nodes
    ]
    generalised = {(kind, above) for _, kind, key in nodes for above in taxonomy.ancestors(key)}
    banned: set[Label] = set()
    for kind, key in generalised:
        of_kind = [node for node in nodes if node[1] == kind]
        below = [node for node in of_kind if key == node[2] or key in taxonomy.ancestors(node[2])]
        exact = {node[0] for node in of_kind if node[2] == key}
        in_episodes = len({node[0] for node in below}) > max_share * len(graphs)
        if in_episodes and len(below) > max_share * len(of_kind) and len(exact) < min_support:
            banned.add((kind, key))
    return generalised, banned


def _connected_subgraphs(graph: EpisodeGraph, max_nodes: int) -> Iterator[tuple[list[int], list[Edge]]]:
    """Every connected set of distinct edges over 2 to `max_nodes` nodes, nodes renumbered."""
    every = sorted({(source, target, str(kind)) for source, target, kind in graph.edges})
    for size in range(1, len(every) + 1):
        for chosen in combinations(every, size):
            nodes = sorted({node for source, target, _ in chosen for node in (source, target)})
            if 2 <= len(nodes) <= max_nodes and is_connected(nodes, chosen):
                place = {node: number for number, node in enumerate(nodes)}
                yield nodes, [(place[source], place[target], kind) for source, target, kind in chosen]


def is_connected(nodes: Sequence[int], edges: Sequence[Edge]) -> bool:
    """Whether the edges join all the nodes."""
    reached = {nodes[0]}
    for _ in nodes:
        for source, target, _kind in edges:
            if source in reached or target in reached:
                reached |= {source, target}
    return reached == set(nodes)


def smallest_form(labels: Sequence[Label], edges: Sequence[Edge]) -> Shape:
    """The least of all renumberings: labels first, then edges."""
    forms = []
    for order in permutations(range(len(labels))):
        place = {node: number for number, node in enumerate(order)}
        forms.append(
            (
                tuple(labels[node] for node in order),
                tuple(sorted((place[source], place[target], kind) for source, target, kind in edges)),
            )
        )
    return min(forms)


def _less_an_edge(shape: Shape) -> Iterator[Shape]:
    labels, edges = shape
    for left_out in edges:
        rest = [edge for edge in edges if edge != left_out]
        nodes = sorted({node for source, target, _ in rest for node in (source, target)})
        if len(nodes) >= 2 and is_connected(nodes, rest):
            place = {node: number for number, node in enumerate(nodes)}
            if len(nodes) >= len(labels) - 1:
                yield smallest_form(
                    [labels[node] for node in nodes],
                    [(place[source], place[target], kind) for source, target, kind in rest],
                )


def _more_general(shape: Shape, taxonomy: Taxonomy) -> Iterator[Shape]:
    labels, edges = shape
    for place, (kind, key) in enumerate(labels):
        for above in taxonomy.ancestors(key):
            yield smallest_form([*labels[:place], (kind, above), *labels[place + 1 :]], edges)


def occurs(labels: Sequence[Label], edges: Sequence[Edge], graph: EpisodeGraph, taxonomy: Taxonomy) -> bool:
    """Whether some injective map keeps labels (is_a), edge types and directions."""
    present = {(source, target, str(kind)) for source, target, kind in graph.edges}
    return any(
        all(
            graph.nodes[node].kind == kind
            and (key == graph.nodes[node].key or key in taxonomy.ancestors(graph.nodes[node].key))
            for node, (kind, key) in zip(chosen, labels, strict=True)
        )
        and all((chosen[source], chosen[target], kind) in present for source, target, kind in edges)
        for chosen in permutations(range(len(graph.nodes)), len(labels))
    )
