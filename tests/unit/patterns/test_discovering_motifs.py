from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from graphmem.errors import InvalidInputError
from graphmem.models.pattern import EdgeType, NodeKind
from graphmem.patterns.canonical import canonical_code
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy
from graphmem.patterns.motifs import MiningResult, Motif
from graphmem.patterns.policy import MiningPolicy
from motif_corpus import PLANTED, TAXONOMY, corpus


def chain(episode: str, *keys: str, kind: NodeKind = "action", **attributes: object) -> EpisodeGraph:
    """Steps in a row."""
    nodes = tuple(GraphNode(kind, key, key) for key in keys)
    edges = tuple(GraphEdge(place, place + 1, "NEXT") for place in range(len(keys) - 1))
    return EpisodeGraph(episode=episode, nodes=nodes, edges=edges, **attributes)  # type: ignore[arg-type]


def about(episode: str, action: str, concept: str) -> EpisodeGraph:
    """One step about one concept."""
    nodes = (GraphNode("action", action, action), GraphNode("concept", concept, concept))
    return EpisodeGraph(episode=episode, nodes=nodes, edges=(GraphEdge(0, 1, "ABOUT"),))


def keys(motif: Motif) -> list[str]:
    return [node.key for node in motif.nodes]


def all_keys(result: MiningResult) -> list[list[str]]:
    return [keys(motif) for motif in result.motifs]


def without_arrays(motifs: Iterable[Motif]) -> list[tuple[Motif, list[list[int]]]]:
    return [(motif, motif.occurrences.tolist()) for motif in motifs]


@pytest.mark.parametrize("episodes", [1_000, 10_000])
def test_every_planted_motif_is_found_closed(episodes: int) -> None:
    result = discover_motifs(corpus(episodes), TAXONOMY)
    by_code = {motif.code: motif for motif in result.motifs}
    for name, planted in PLANTED.items():
        motif = by_code.get(canonical_code(planted.nodes, planted.edges))
        assert motif is not None, f"{name} is not among the closed motifs"
        assert motif.support >= 0.6 * planted.share * episodes, name


def test_the_order_of_episodes_changes_nothing() -> None:
    graphs = corpus(400)
    shuffled = graphs[:]
    random.Random(3).shuffle(shuffled)
    one, other = discover_motifs(graphs, TAXONOMY), discover_motifs(shuffled, TAXONOMY)
    assert without_arrays(one.motifs) == without_arrays(other.motifs)
    assert one.policy_hash == other.policy_hash


def test_motifs_come_by_support_then_size_then_id() -> None:
    result = discover_motifs(corpus(400), TAXONOMY)
    order = [(-motif.support, -len(motif.nodes), motif.id) for motif in result.motifs]
    assert order == sorted(order)


def test_direction_tells_motifs_apart() -> None:
    graphs = [chain(f"a{number}", "open", "close") for number in range(3)]
    graphs += [chain(f"b{number}", "close", "open") for number in range(4)]
    result = discover_motifs(graphs)
    assert [(keys(motif), motif.edges, motif.support) for motif in result.motifs] == [
        (["close", "open"], ((0, 1, "NEXT"),), 4),
        (["close", "open"], ((1, 0, "NEXT"),), 3),
    ]


def test_two_episodes_alike_are_no_pattern() -> None:
    assert discover_motifs([chain("a", "x", "y"), chain("b", "x", "y")]).motifs == ()


def test_no_episodes_and_empty_episodes_yield_nothing() -> None:
    assert discover_motifs([]).motifs == ()
    result = discover_motifs([EpisodeGraph(episode=str(number)) for number in range(5)])
    assert result.motifs == ()
    assert result.episodes == 5
    assert result.incomplete is None


def test_a_part_of_a_motif_with_the_same_episodes_is_not_repeated() -> None:
    result = discover_motifs([chain(f"e{number}", "a", "b", "c") for number in range(3)])
    assert all_keys(result) == [["a", "b", "c"]]


def test_a_part_with_more_episodes_is_kept() -> None:
    graphs = [chain(f"e{number}", "a", "b", "c") for number in range(3)] + [chain("e9", "a", "b")]
    assert all_keys(discover_motifs(graphs)) == [["a", "b"], ["a", "b", "c"]]


def test_a_motif_that_no_single_leaf_supports_is_found_under_the_ancestor() -> None:
    taxonomy = Taxonomy({"사과": ("과일",), "배": ("과일",), "감": ("과일",), "철": ("금속",)}, {"과일": "과일류"})
    graphs = [about(f"e{place}", "주문", leaf) for place, leaf in enumerate(["사과", "배", "감"])]
    graphs += [about(f"f{place}", "청소", "철") for place in range(4)]
    result = discover_motifs(graphs, taxonomy)
    (motif,) = [motif for motif in result.motifs if "주문" in keys(motif)]
    assert [(node.name, node.generalised) for node in motif.nodes] == [("주문", False), ("과일류", True)]


def test_an_ancestor_is_not_shown_where_one_leaf_says_the_same() -> None:
    taxonomy = Taxonomy({"apple": ("fruit",), "pear": ("fruit",)})
    graphs = [about(f"e{place}", "order", "apple") for place in range(3)]
    graphs += [about(f"f{place}", "sell", "pear") for place in range(3)]
    graphs += [about(f"g{place}", "weigh", "iron") for place in range(6)]
    assert "fruit" not in {key for motif in discover_motifs(graphs, taxonomy).motifs for key in keys(motif)}


def test_steps_take_the_ancestors_of_the_concept_with_their_key() -> None:
    taxonomy = Taxonomy({"restart": ("repair",), "replace": ("repair",), "patch": ("repair",)})
    graphs = [chain(f"e{place}", "inspect", step) for place, step in enumerate(["restart", "replace", "patch"])]
    graphs += [chain(f"f{place}", "greet", "wave", "leave", "rest") for place in range(4)]
    motifs = [motif for motif in discover_motifs(graphs, taxonomy).motifs if "inspect" in keys(motif)]
    assert [keys(motif) for motif in motifs] == [["inspect", "repair"]]
    assert motifs[0].nodes[1].kind == "action"


def test_an_ancestor_of_nearly_everything_is_no_label() -> None:
    leaves = ["apple", "pear", "plum", "fig"]
    taxonomy = Taxonomy(dict.fromkeys(leaves, ("thing",)))
    graphs = [about(f"e{place}", "order", leaf) for place, leaf in enumerate(leaves)]
    assert discover_motifs(graphs, taxonomy).motifs == ()
    everything = discover_motifs(graphs, taxonomy, MiningPolicy(max_ancestor_share=1.0))
    assert all_keys(everything) == [["order", "thing"]]


def test_labels_of_different_kinds_never_match() -> None:
    graphs = [about(f"e{place}", "check", "order") for place in range(3)]
    tools = (GraphNode("action", "check", "check"), GraphNode("tool", "order", "order"))
    graphs += [
        EpisodeGraph(episode=f"f{place}", nodes=tools, edges=(GraphEdge(0, 1, "USED"),)) for place in range(3)
    ]
    assert sorted(motif.support for motif in discover_motifs(graphs).motifs) == [3, 3]


def test_keys_are_compared_as_given_so_composed_and_decomposed_hangul_differ() -> None:
    composed, decomposed = "환불", unicodedata.normalize("NFD", "환불")
    graphs = [chain(f"e{place}", composed, "끝") for place in range(2)]
    graphs += [chain(f"f{place}", decomposed, "끝") for place in range(2)]
    assert discover_motifs(graphs).motifs == ()


def test_a_label_is_shown_as_the_earliest_episode_gave_it() -> None:
    def named(episode: str, name: str, day: int) -> EpisodeGraph:
        nodes = (GraphNode("action", "refund", name), GraphNode("action", "close", "close"))
        start = datetime(2026, 1, day, tzinfo=UTC)
        return EpisodeGraph(episode=episode, nodes=nodes, edges=(GraphEdge(0, 1, "NEXT"),), started_at=start)

    graphs = [named("a", "REFUND", 3), named("b", "Refund", 1), named("c", "refund", 2)]
    graphs.append(EpisodeGraph(episode="0"))
    (motif,) = discover_motifs(graphs).motifs
    assert [node.name for node in motif.nodes] == ["close", "Refund"]


def test_mining_one_domain_gives_its_motifs_an_id_of_their_own() -> None:
    graphs = [chain(f"e{place}", "a", "b", domain="support") for place in range(3)]
    graphs += [chain(f"f{place}", "a", "b", domain="coding") for place in range(3)]
    (over_all,) = discover_motifs(graphs).motifs
    result = discover_motifs(graphs, None, MiningPolicy(domain="support"))
    (limited,) = result.motifs
    assert (over_all.support, over_all.domain, over_all.scope) == (6, None, None)
    assert (limited.support, limited.domain, limited.scope) == (3, "support", "support")
    assert over_all.id != limited.id
    assert result.episodes == 3


def test_a_motif_carries_the_domain_that_all_its_episodes_share() -> None:
    (motif,) = discover_motifs([chain(f"e{place}", "a", "b", domain="data") for place in range(3)]).motifs
    assert motif.domain == "data"


def test_the_position_is_the_median_place_among_the_steps() -> None:
    graphs = [
        chain(f"e{place}", *(f"x{place}{step}" for step in range(8)), "ask", "hand over") for place in range(3)
    ]
    (motif,) = discover_motifs(graphs).motifs
    assert motif.position == pytest.approx((8 / 9 + 1) / 2)


def test_a_symptom_stands_where_the_step_that_raised_it_stands() -> None:
    nodes = (
        GraphNode("action", "a", "a"),
        GraphNode("action", "b", "b"),
        GraphNode("symptom", "slow", "slow"),
        GraphNode("cause", "disk", "disk"),
    )
    edges = (GraphEdge(1, 2, "RAISED"), GraphEdge(2, 3, "CAUSED_BY"))
    unrelated = (GraphNode("action", "c", "c"), *nodes[2:])
    graphs = [EpisodeGraph(episode=f"e{n}", nodes=nodes, edges=edges) for n in range(2)]
    graphs.append(EpisodeGraph(episode="e3", nodes=unrelated, edges=(GraphEdge(1, 2, "CAUSED_BY"),)))
    motifs = {tuple(keys(motif)): motif for motif in discover_motifs(graphs).motifs}
    assert motifs["disk", "slow"].position == 1.0


def test_the_same_episode_twice_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="episode 'e' is given twice"):
        discover_motifs([chain("e", "a", "b"), chain("e", "a", "b")])


def test_support_grows_with_the_corpus_above_three_thousand_episodes() -> None:
    policy = MiningPolicy()
    assert [policy.support_threshold(n) for n in (0, 3_000, 3_001, 10_000, 100_001)] == [3, 3, 4, 10, 101]
    assert MiningPolicy(min_support=7).support_threshold(100_000) == 7


def test_the_policy_hash_ignores_the_time_budget_and_nothing_else() -> None:
    assert MiningPolicy().fingerprint() == MiningPolicy(time_budget_seconds=5).fingerprint()
    assert MiningPolicy().fingerprint() != MiningPolicy(max_nodes=4).fingerprint()


class Ticking:
    """A clock that goes on by one second each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_when_time_runs_out_the_sizes_that_are_complete_are_returned() -> None:
    graphs = corpus(300)
    everything = discover_motifs(graphs, TAXONOMY)
    result = discover_motifs(graphs, TAXONOMY, MiningPolicy(time_budget_seconds=1.5), clock=Ticking())
    assert result.complete_nodes == 3
    assert result.incomplete is not None
    assert result.incomplete.startswith("motifs of 4 to 5 nodes were not searched to the end")
    assert max(len(motif.nodes) for motif in result.motifs) == 3
    supports = {motif.code: motif.support for motif in everything.motifs if len(motif.nodes) <= 3}
    assert supports.items() <= {motif.code: motif.support for motif in result.motifs}.items()


def test_when_too_many_motifs_are_frequent_the_search_says_so() -> None:
    result = discover_motifs(corpus(300), TAXONOMY, MiningPolicy(max_frequent=100))
    assert result.incomplete is not None
    assert "more than 100 motifs are frequent" in result.incomplete


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[str, float]] = []
    discover_motifs(corpus(100), progress=lambda stage, share: told.append((stage, share)))
    assert told[0] == ("encode", 0.0)
    assert ("grow to 5 nodes", 1.0) in told
    assert all(0.0 <= share <= 1.0 for _, share in told)


def loop(episode: str, steps: int, *, ending: EdgeType | None = None) -> EpisodeGraph:
    """One action repeated, all with one tool; the last step may raise a symptom."""
    nodes = [GraphNode("action", "다시 시도", "다시 시도")] * steps + [GraphNode("tool", "sh", "sh")]
    edges = [GraphEdge(place, place + 1, "NEXT") for place in range(steps - 1)]
    edges += [GraphEdge(place, steps, "USED") for place in range(steps)]
    if ending:
        nodes.append(GraphNode("symptom", "한도 초과", "한도 초과"))
        edges.append(GraphEdge(steps - 1, steps + 1, ending))
    return EpisodeGraph(episode=episode, nodes=tuple(nodes), edges=tuple(edges))


def test_what_the_cap_hides_in_a_loop_is_counted_by_the_exact_matcher() -> None:
    graphs = [loop(f"short{number}", 4, ending="RAISED") for number in range(3)]
    graphs.append(loop("long", 500, ending="RAISED"))
    result = discover_motifs(graphs)
    assert result.capped == ("long",)
    with_symptom = [motif for motif in result.motifs if "한도 초과" in keys(motif)]
    assert with_symptom
    assert all(motif.support == 4 and not motif.is_lower_bound for motif in with_symptom)


def test_a_support_that_could_not_be_decided_is_marked_as_a_lower_bound() -> None:
    graphs = [loop(f"short{number}", 4, ending="RAISED") for number in range(3)]
    graphs.append(loop("long", 500, ending="RAISED"))
    result = discover_motifs(graphs, None, MiningPolicy(max_matching_steps=0))
    assert any(motif.is_lower_bound for motif in result.motifs)
    assert all(motif.support >= 3 for motif in result.motifs)


@pytest.mark.parametrize("shape", ["loop", "many tools", "many steps"])
def test_a_monstrous_episode_neither_stops_nor_falsifies_the_rest(shape: str) -> None:
    rng = random.Random(5)
    graphs = corpus(200)
    if shape == "loop":
        monsters = [loop(f"x{number}", 5_000) for number in range(3)]
    elif shape == "many tools":
        nodes = (GraphNode("action", "a", "a"), *(GraphNode("tool", f"t{n}", f"t{n}") for n in range(500)))
        edges = tuple(GraphEdge(0, n, "USED") for n in range(1, 501))
        monsters = [EpisodeGraph(episode=f"x{number}", nodes=nodes, edges=edges) for number in range(2)]
    else:
        monsters = [
            chain(f"x{number}", *(f"action {rng.randrange(36)}" for _ in range(10_000))) for number in range(2)
        ]
    alone, result = discover_motifs(graphs, TAXONOMY), discover_motifs(graphs + monsters, TAXONOMY)
    assert result.incomplete is None
    ours = {graph.episode for graph in graphs}
    together = {motif.code: set(motif.episodes) & ours for motif in result.motifs}
    shared = [motif for motif in alone.motifs if motif.code in together]
    assert len(shared) > 0.8 * len(alone.motifs)
    assert all(together[motif.code] == set(motif.episodes) for motif in shared)
