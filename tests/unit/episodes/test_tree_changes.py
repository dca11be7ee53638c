"""The changes between two states of an episode, applied to a stored one, give the other one."""

from __future__ import annotations

from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from episode_strategies import NOON, episodes
from graphmem.episodes.tree_changes import tree_changes, write_changes
from graphmem.graph.mapping.episode import episode_tree, shared_nodes
from graphmem.graph.records import NodeRef
from graphmem.models.episode import Episode, Step
from graphmem.ports.graph_store import Transaction
from graphmem.testing.reference import ReferenceGraph


def stored(episode: Episode, *others: Episode) -> ReferenceGraph:
    graph = ReferenceGraph()
    shared = {node.ref: node for one in (episode, *others) for node in shared_nodes(one, NOON)}
    graph.save_nodes(list(shared.values()), replace=False)
    graph.save_trees([episode_tree(episode, NOON)])
    return graph


@settings(deadline=None, max_examples=200)
@given(episodes(is_open=True), episodes(is_open=True))
def test_applied_they_give_the_tree_of_the_other(before: Episode, after: Episode) -> None:
    graph, wanted = stored(before, after), stored(after, before)
    trees = [episode_tree(one, NOON) for one in (before, after)]
    graph.save_nodes([trees[1].root], replace=True)
    write_changes(cast("Transaction", graph), tree_changes(trees[0], trees[1]))
    assert graph.nodes == wanted.nodes
    assert graph.links == wanted.links


@settings(deadline=None)
@given(episodes(is_open=True), episodes(is_open=True), st.integers(0, 5))
def test_the_steps_that_both_begin_with_need_not_be_looked_at(before: Episode, other: Episode, same: int) -> None:
    known = min(same, len(before.steps))
    after = other.model_copy(update={"steps": (*before.steps[:known], *other.steps[known:])})
    whole = tree_changes(*(episode_tree(one, NOON) for one in (before, after)))
    part = tree_changes(*(episode_tree(one, NOON, first=known) for one in (before, after)))
    assert part == whole


@given(episodes(is_open=True))
def test_between_equal_states_there_are_none(episode: Episode) -> None:
    changes = tree_changes(episode_tree(episode, NOON), episode_tree(episode, NOON))
    assert not any((changes.added, changes.changed, changes.removed, changes.linked, changes.unlinked))


def test_one_more_step_adds_one_node_and_touches_no_other() -> None:
    steps = tuple(Step(action=f"a{number}", tools=("http",)) for number in range(50))
    before = Episode(id="e", goal="g", state="open", steps=steps[:49])
    after = Episode(id="e", goal="g", state="open", steps=steps)
    changes = tree_changes(episode_tree(before, NOON), episode_tree(after, NOON))
    assert [node.ref for node in changes.added] == [NodeRef("Step", "e/49")]
    assert not any((changes.changed, changes.removed, changes.unlinked))
    assert sorted(edge.type for edge in changes.linked) == ["HAS_STEP", "NEXT", "USED"]
