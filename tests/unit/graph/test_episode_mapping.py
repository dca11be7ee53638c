"""An episode survives the way into records and back, and its graph is the one the model says."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.graph.mapping.episode import episode_hash, episode_tree, shared_nodes, to_episode
from graphmem.graph.validation import check_node, check_tree
from graphmem.models.episode import Cause, Episode, Outcome, OutcomeChange, Step

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

NAMES = st.sampled_from(
    ["http", "Timeout", "시간 초과", unicodedata.normalize("NFD", "가전"), "가전", "C++", "raise_pool"]
)
TEXTS = st.sampled_from(["", "ok", "결제가 실패했습니다", "a\nb", "🎉"])
MOMENTS = st.integers(0, 4_000_000_000).map(lambda seconds: EPOCH + timedelta(seconds=seconds))


@st.composite
def a_step(draw: st.DrawFn, index: int) -> Step:
    names = st.lists(NAMES, max_size=3).map(tuple)
    earlier = st.lists(st.integers(0, index - 1), unique=True, max_size=3).map(tuple) if index else st.just(())
    return Step(
        action=draw(NAMES),
        reasoning=draw(TEXTS),
        result=draw(TEXTS),
        effective=draw(st.booleans()),
        tools=draw(names),
        concepts=draw(names),
        errors=draw(names),
        fixes=draw(names),
        arguments=draw(st.dictionaries(NAMES, st.integers() | TEXTS | st.none(), max_size=2)),
        at=draw(st.none() | MOMENTS),
        after=draw(st.none() | earlier),
        extra=draw(st.dictionaries(TEXTS, st.lists(st.booleans(), max_size=2), max_size=2)),
    )


@st.composite
def an_episode(draw: st.DrawFn) -> Episode:
    is_open = draw(st.booleans())
    return Episode(
        id=draw(st.sampled_from(["e1", "실행-17", "conv-26:D1"])),
        goal=draw(TEXTS),
        steps=tuple(draw(a_step(index)) for index in range(draw(st.integers(0, 5)))),
        state="open" if is_open else "closed",
        outcome=None if is_open else draw(st.sampled_from(["success", "failure"])),
        started_at=draw(st.none() | MOMENTS),
        user_id=draw(st.none() | st.just("ada")),
        task=draw(st.none() | NAMES),
        variant=draw(st.none() | NAMES | st.just({"model": "m", "temperature": 0})),
        session=draw(st.none() | st.just("s1")),
        domain=draw(st.none() | NAMES),
        satisfaction=draw(st.none() | st.sampled_from([0.0, 0.25, 1.0])),
        lessons=draw(st.lists(TEXTS.filter(bool), max_size=2).map(tuple)),
        tags=draw(st.lists(NAMES, max_size=2).map(tuple)),
        causes=draw(st.sampled_from([(), (Cause(effect="Timeout", cause="PoolExhausted"),)])),
        outcome_history=draw(
            st.sampled_from([(), (OutcomeChange(outcome="success", previous="failure", at=NOON),)])
        ),
        extra=draw(st.dictionaries(TEXTS, st.integers(), max_size=2)),
    )


@settings(deadline=None)
@given(an_episode())
def test_an_episode_is_read_back_as_it_was_given(episode: Episode) -> None:
    tree = episode_tree(episode, NOON)
    steps = [node for node in reversed(tree.nodes) if node.label == "Step"]
    assert to_episode(tree.root, steps) == episode


@settings(deadline=None)
@given(an_episode())
def test_every_tree_fits_the_schema_and_its_shared_ends_are_named(episode: Episode) -> None:
    tree = episode_tree(episode, NOON)
    check_tree(tree)
    shared = shared_nodes(episode, NOON)
    for node in shared:
        check_node(node)
    known = {tree.root.ref, *(node.ref for node in tree.nodes), *(node.ref for node in shared)}
    assert {edge.target for edge in tree.edges} <= known
    names = [(edge.type, edge.source, edge.target) for edge in tree.edges]
    assert len(names) == len(set(names))


def kinds(episode: Episode) -> dict[str, str]:
    tree = episode_tree(episode, NOON)
    return {
        str(node.properties["name"]): str(node.properties["kind"])
        for node in tree.nodes
        if node.label == "Finding"
    }


def types(episode: Episode) -> list[tuple[str, str, str]]:
    return sorted((edge.type, edge.source.id, edge.target.id) for edge in episode_tree(episode, NOON).edges)


def test_findings_are_one_a_key_and_a_cause_wherever_one_is_named_as_cause() -> None:
    episode = Episode(
        id="e",
        goal="g",
        steps=(
            Step(action="call", errors=("Timeout", "timeout", "PoolExhausted")),
            Step(action="fix", fixes=("Leak",)),
        ),
        causes=(Cause(effect="Timeout", cause="PoolExhausted"), Cause(effect="느림", cause="Timeout")),
    )
    assert kinds(episode) == {"Timeout": "cause", "PoolExhausted": "cause", "Leak": "cause", "느림": "symptom"}
    assert ("RAISED", "e/0", "e/poolexhausted") in types(episode)
    assert ("FIXED", "e/1", "e/leak") in types(episode)
    assert ("CAUSED_BY", "e/timeout", "e/poolexhausted") in types(episode)
    assert not [edge for edge in types(episode) if edge[0] == "RAISED" and edge[2] == "e/느림"]


def test_parallel_steps_join_by_next() -> None:
    episode = Episode(
        id="e",
        goal="g",
        steps=(
            Step(action="a"),
            Step(action="b", after=(0,)),
            Step(action="c", after=(0,)),
            Step(action="d", after=(1, 2)),
        ),
    )
    nexts = [edge[1:] for edge in types(episode) if edge[0] == "NEXT"]
    assert nexts == [("e/0", "e/1"), ("e/0", "e/2"), ("e/1", "e/3"), ("e/2", "e/3")]


def test_later_outcomes_and_left_out_defaults_do_not_change_the_hash_but_content_does() -> None:
    plain = Episode(id="e", goal="g", steps=(Step(action="a"),))
    history = (OutcomeChange(outcome="failure", previous="unknown"), OutcomeChange(outcome="success"))
    corrected = plain.model_copy(update={"outcome": Outcome.SUCCESS, "outcome_history": history})
    assert episode_hash(plain) == episode_hash(corrected)
    assert episode_hash(plain) == episode_hash(
        Episode(id="e", goal="g", steps=(Step(action="a", effective=True),))
    )
    assert episode_hash(plain) != episode_hash(
        Episode(id="e", goal="g", steps=(Step(action="a", effective=False),))
    )


def test_keys_of_korean_names_do_not_depend_on_how_they_are_composed() -> None:
    composed, decomposed = (unicodedata.normalize(form, "결제_실패") for form in ("NFC", "NFD"))
    first, second = (
        [
            node.id
            for node in episode_tree(
                Episode(id="e", goal="g", steps=(Step(action="x", errors=(name,)),)), NOON
            ).nodes
        ]
        for name in (composed, decomposed)
    )
    assert first == second


def test_what_was_fixed_before_it_was_seen_is_still_a_symptom_and_what_was_only_fixed_a_cause() -> None:
    episode = Episode(
        id="e", goal="g", steps=(Step(action="fix", fixes=("Leak", "누수")), Step(action="see", errors=("Leak",)))
    )
    assert kinds(episode) == {"Leak": "symptom", "누수": "cause"}
