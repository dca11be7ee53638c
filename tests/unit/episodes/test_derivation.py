"""What rules add to an episode is no content: given back, it is recognised and left out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from episode_strategies import NOON, episodes
from graphmem.episodes.derivation import as_given, derived_by_rules
from graphmem.episodes.outcomes import history_text
from graphmem.graph.mapping.episode import episode_hash, episode_tree, given_root, to_episode
from graphmem.models.episode import Episode, Outcome, OutcomeChange, Step


def read_back(episode: Episode) -> Episode:
    """The episode as the store gives it after it was added."""
    given = as_given(episode)
    tree = episode_tree(given, NOON, derived=derived_by_rules(given))
    return to_episode(tree.root, [node for node in tree.nodes if node.label == "Step"])


@settings(deadline=None)
@given(episodes())
def test_adding_what_was_read_back_is_unchanged(episode: Episode) -> None:
    back = read_back(episode)
    assert episode_hash(as_given(back)) == episode_hash(as_given(episode))
    assert as_given(as_given(episode)) == as_given(episode)
    again = read_back(back)
    assert (again.summary, again.lessons) == (back.summary, back.lessons)


@settings(deadline=None)
@given(episodes(), st.sampled_from(list(Outcome)))
def test_so_it_is_after_its_outcome_was_corrected(episode: Episode, outcome: Outcome) -> None:
    given = as_given(episode)
    root = episode_tree(given, NOON, derived=derived_by_rules(given)).root
    change = OutcomeChange(outcome=outcome, previous=given.outcome, at=NOON)
    properties = {
        **root.properties,
        "outcome": outcome.value,
        "outcome_history": history_text([*given.outcome_history, change]),
    }
    steps = [node for node in episode_tree(given, NOON).nodes if node.label == "Step"]
    back = to_episode(type(root)("Episode", root.id, properties), steps)
    assert episode_hash(as_given(back)) == root.content_hash


@settings(deadline=None)
@given(episodes(is_open=True))
def test_an_open_episode_has_nothing_derived(episode: Episode) -> None:
    assert derived_by_rules(episode) is None
    assert as_given(episode) is episode


@settings(deadline=None)
@given(episodes())
def test_the_stored_root_without_what_rules_wrote_says_what_was_given(episode: Episode) -> None:
    given = as_given(episode)
    tree = episode_tree(given, NOON, derived=derived_by_rules(given))
    steps = [node for node in tree.nodes if node.label == "Step"]
    bare = to_episode(episode_tree(given, NOON).root, steps)
    assert to_episode(given_root(tree.root), steps) == bare


def test_a_lesson_that_a_rule_would_write_too_is_kept_once() -> None:
    steps = (
        Step(action="a", errors=("E", "F"), effective=False),
        Step(action="b", fixes=("E",)),
        Step(action="c", fixes=("F",)),
    )
    episode = Episode(id="e", goal="g", steps=steps)
    both = read_back(episode).lessons
    assert len(both) == 2
    for own in (both[:1], both[1:], (*both, "mine"), ("mine", both[1]), (both[0], "mine")):
        back = read_back(episode.model_copy(update={"lessons": own}))
        assert sorted(back.lessons) == sorted({*own, *both})
