from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.errors import ConflictError, InvalidInputError, ModelError, NotFoundError, RecordingError
from graphmem.messages.service import MessagesService
from graphmem.models.episode import Cause, Episode, EpisodeState, Outcome, Step
from graphmem.patterns.service import PatternsService
from workspaces import Desk, desk, desk_without_embedder

WHEN = datetime(2026, 2, 1, 10, 0, tzinfo=UTC)


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def episodes(at_hand: Desk) -> EpisodesService:
    return EpisodesService(at_hand.workspace())


def refund(name: str = "run-17", **fields: object) -> Episode:
    given: dict[str, object] = {
        "goal": "주문 17번 환불",
        "domain": "support",
        "task": "refund-damaged",
        "outcome": "success",
        "started_at": WHEN,
        "ended_at": WHEN + timedelta(minutes=4),
        "steps": (
            Step(action="call_api", tools=("http",), errors=("Timeout",), effective=False, concepts=("가전",)),
            Step(action="raise_pool", fixes=("PoolExhausted",), arguments={"size": 20}),
            Step(action="확인", after=(0,), result="됐다"),
        ),
        "causes": (Cause(effect="Timeout", cause="PoolExhausted"),),
    }
    return Episode(id=name, **{**given, **fields})


def without_rules(episode: Episode) -> Episode:
    """An episode that was given with neither summary nor lessons, as it was given."""
    assert episode.summary
    return episode.model_copy(update={"summary": None, "lessons": ()})


def test_what_rules_add_is_no_content(episodes: EpisodesService) -> None:
    episodes.add(refund())
    back = episodes.get("run-17")
    assert back.summary == "목표: 주문 17번 환불. 과정: raise_pool, 확인. 오류: Timeout. 결말: 성공."
    assert back.lessons == ("Timeout 상황: call_api 실패 후 raise_pool 성공.",)
    assert episodes.add(back).unchanged
    assert episodes.get("run-17") == back


def test_an_episode_comes_back_as_it_was_given(episodes: EpisodesService) -> None:
    assert len(episodes.add(refund()).added) == 1
    assert without_rules(episodes.get("run-17")) == refund()


def test_an_episode_without_steps_comes_back(episodes: EpisodesService) -> None:
    episodes.add(Episode(id="empty", goal=""))
    assert episodes.get("empty").steps == ()


def test_the_same_episode_twice_changes_nothing(episodes: EpisodesService) -> None:
    episodes.add(refund())
    assert len(episodes.add(refund()).unchanged) == 1
    assert len(episodes.list()) == 1


def test_an_id_with_other_content_is_refused_unless_it_shall_be_replaced(episodes: EpisodesService) -> None:
    episodes.add(refund())
    shorter = refund(steps=(Step(action="raise_pool", fixes=("PoolExhausted",)),))
    with pytest.raises(ConflictError, match="'run-17' is stored with other content"):
        episodes.add(shorter)
    assert len(episodes.get("run-17").steps) == 3
    episodes.add(shorter, replace=True)
    assert without_rules(episodes.get("run-17")) == shorter


def test_a_mapping_of_fields_is_an_episode_too(episodes: EpisodesService) -> None:
    episodes.add({"id": "e", "goal": "g", "steps": [{"action": "look"}]})
    assert episodes.get("e").steps[0].action == "look"
    with pytest.raises(InvalidInputError, match=r"episode: steps\.0\.action"):
        episodes.add({"id": "f", "goal": "g", "steps": [{"action": " "}]})


def test_many_episodes_are_added_once(episodes: EpisodesService) -> None:
    given = [refund(f"run-{number}") for number in range(620)]
    assert len(episodes.add_many(given).added) == 620
    assert len(episodes.add_many(iter(given)).unchanged) == 620


def test_episodes_are_listed_newest_first_and_those_without_time_last(episodes: EpisodesService) -> None:
    episodes.add_many(
        [
            Episode(id="untimed", goal="g"),
            refund("old", started_at=WHEN - timedelta(days=1), ended_at=None),
            refund("new"),
        ]
    )
    assert _ids(episodes.list()) == ["new", "old", "untimed"]
    assert _ids(episodes.list(order="id")) == ["new", "old", "untimed"]
    first = episodes.list(limit=2)
    assert _ids(first) == ["new", "old"]
    assert _ids(episodes.list(limit=2, after=first.next)) == ["untimed"]


def test_episodes_are_listed_by_what_they_are(episodes: EpisodesService) -> None:
    episodes.add_many(
        [
            refund("a", outcome="failure", variant="v1"),
            refund("b", domain="배송", variant={"model": "x", "prompt": 2}),
            Episode(id="c", goal="g", state=EpisodeState.OPEN, task="t", session="s"),
        ]
    )
    assert _ids(episodes.list(outcome="failure")) == ["a"]
    assert _ids(episodes.list(outcome=Outcome.SUCCESS)) == ["b"]
    assert _ids(episodes.list(domain="배송")) == ["b"]
    assert _ids(episodes.list(state="open")) == ["c"]
    assert _ids(episodes.list(task="t", session="s")) == ["c"]
    assert _ids(episodes.list(variant="v1")) == ["a"]
    assert _ids(episodes.list(variant={"prompt": 2, "model": "x"})) == ["b"]
    assert _ids(episodes.list(since=WHEN, until=WHEN)) == ["a", "b"]
    assert _ids(episodes.list(since=WHEN + timedelta(seconds=1))) == []


def test_a_filter_that_means_nothing_is_refused(episodes: EpisodesService) -> None:
    episodes.add(refund())
    with pytest.raises(InvalidInputError, match="outcome 'good' is not one of success, partial"):
        episodes.list(outcome="good")
    with pytest.raises(InvalidInputError, match="state 'done'"):
        episodes.list(state="done")
    with pytest.raises(InvalidInputError, match="since"):
        episodes.list(since=datetime(2026, 1, 1))  # noqa: DTZ001 (naive on purpose)


def test_all_episodes_can_be_walked_through(episodes: EpisodesService) -> None:
    episodes.add_many(refund(f"run-{number:03}") for number in range(130))
    assert len(list(episodes.all(order="id"))) == 130


def test_a_forgotten_episode_takes_its_steps_and_findings_with_it(
    episodes: EpisodesService, at_hand: Desk
) -> None:
    episodes.add(refund())
    episodes.forget("run-17")
    graph = at_hand.workspace().graph
    assert (graph.count("Episode"), graph.count("Step"), graph.count("Finding")) == (0, 0, 0)
    with pytest.raises(NotFoundError):
        episodes.get("run-17")


def test_a_corrected_outcome_keeps_what_was_said_before(episodes: EpisodesService, at_hand: Desk) -> None:
    episodes.add(refund())
    at_hand.clock.advance(days=1)
    episodes.set_outcome("run-17", "failure", source="환불 담당자")
    changed = episodes.set_outcome("run-17", Outcome.PARTIAL, source="audit", at=WHEN + timedelta(days=9))
    assert changed.outcome is Outcome.PARTIAL
    said = [(entry.previous, entry.outcome, entry.source) for entry in changed.outcome_history]
    assert said == [
        (Outcome.SUCCESS, Outcome.FAILURE, "환불 담당자"),
        (Outcome.FAILURE, Outcome.PARTIAL, "audit"),
    ]
    assert changed.outcome_history[0].at == at_hand.clock.now
    assert changed == episodes.get("run-17")


def test_saying_the_same_outcome_twice_changes_nothing(episodes: EpisodesService) -> None:
    episodes.add(refund())
    episodes.set_outcome("run-17", "failure", source="qa")
    assert len(episodes.set_outcome("run-17", "failure", source="qa").outcome_history) == 1
    episodes.set_outcome("run-17", "partial", source="qa", at=WHEN)
    assert len(episodes.set_outcome("run-17", "partial", source="qa", at=WHEN).outcome_history) == 2


def test_a_corrected_outcome_does_not_make_the_same_record_a_changed_one(episodes: EpisodesService) -> None:
    episodes.add(refund())
    episodes.set_outcome("run-17", "failure")
    assert len(episodes.add(refund()).unchanged) == 1
    assert episodes.get("run-17").outcome is Outcome.FAILURE


def test_an_open_episode_has_no_outcome_to_correct(episodes: EpisodesService) -> None:
    episodes.add(Episode(id="running", goal="g", state=EpisodeState.OPEN))
    with pytest.raises(RecordingError, match="still open"):
        episodes.set_outcome("running", "success")


def test_an_outcome_of_nothing_is_not_found(episodes: EpisodesService) -> None:
    episodes.add(refund())
    with pytest.raises(NotFoundError):
        episodes.set_outcome("nowhere", "success")
    with pytest.raises(InvalidInputError):
        episodes.set_outcome("run-17", "splendid")


def test_similar_episodes_are_the_closed_ones_about_the_same_thing(episodes: EpisodesService) -> None:
    episodes.add_many(
        [
            Episode(id="same", goal="파손된 주문의 환불 처리", outcome="failure"),
            Episode(id="other", goal="Rotate the TLS certificates of the cluster", outcome="success"),
            Episode(id="open", goal="파손된 주문의 환불 처리", state=EpisodeState.OPEN),
        ]
    )
    found = episodes.similar("파손된 주문의 환불 처리")
    assert [match.id for match in found] == ["same"]
    assert found[0].similarity == pytest.approx(1.0, abs=1e-3)
    assert found[0].episode.outcome is Outcome.FAILURE


def test_filters_of_similar_hold_before_the_limit(episodes: EpisodesService) -> None:
    goal = "Refund a damaged order"
    episodes.add_many(Episode(id=f"s{number}", goal=goal, outcome="success") for number in range(30))
    episodes.add(Episode(id="rare", goal=f"{goal} quickly", outcome="failure", domain="x"))
    assert [match.id for match in episodes.similar(goal, limit=1, min_similarity=0.1, outcome="failure")] == [
        "rare"
    ]
    assert [match.id for match in episodes.similar(goal, limit=1, min_similarity=0.1, domain="x")] == ["rare"]
    assert len(episodes.similar(goal, limit=4)) == 4


def test_similar_has_bounds_and_a_blank_text_is_like_nothing(episodes: EpisodesService) -> None:
    episodes.add(refund())
    assert episodes.similar("  ") == ()
    for wrong in ({"limit": 0}, {"min_similarity": 1.5}):
        with pytest.raises(InvalidInputError):
            episodes.similar("x", **wrong)


def test_likeness_without_an_embedder_says_what_to_do(tmp_path: Path) -> None:
    at_hand = desk_without_embedder(tmp_path)
    episodes = EpisodesService(at_hand.workspace())
    episodes.add(refund())
    with pytest.raises(ModelError, match="embedder='use'"):
        episodes.similar("refund")
    at_hand.store.close()


def test_an_episode_is_drawn_with_steps_findings_tools_and_concepts(episodes: EpisodesService) -> None:
    episodes.add(refund(session="s1"))
    drawn = episodes.graph("run-17")
    assert {name.split(":")[0] for name in drawn.nodes} == {
        "Episode",
        "Step",
        "Finding",
        "Tool",
        "Concept",
        "Session",
    }
    assert drawn.has_edge("Step:run-17/0", "Step:run-17/1", "NEXT")
    assert drawn.has_edge("Finding:run-17/timeout", "Finding:run-17/poolexhausted", "CAUSED_BY")
    assert drawn.nodes["Step:run-17/2"]["action"] == "확인"
    assert drawn.nodes["Episode:run-17"]["label"] == "Episode"


def test_episodes_become_a_table(episodes: EpisodesService) -> None:
    episodes.add_many([refund(), Episode(id="z", goal="g", variant={"b": 1})])
    table = episodes.to_frame(order="id")
    assert list(table["id"]) == ["run-17", "z"]
    assert list(table["steps"]) == [3, 0]
    assert table["duration_ms"][0] == 240_000
    assert table["variant"][1] == '{"b":1}'
    assert list(episodes.to_frame(domain="nothing").columns) == list(table.columns)


def test_users_and_tenants_do_not_see_each_others_episodes(at_hand: Desk) -> None:
    ada, bob = (EpisodesService(at_hand.workspace(user=user)) for user in ("ada", "bob"))
    other = EpisodesService(at_hand.workspace("other"))
    ada.add(refund("mine"))
    assert ada.get("mine").user_id == "ada"
    assert _ids(bob.list()) == _ids(other.list()) == []
    assert bob.similar("주문 17번 환불") == other.similar("주문 17번 환불") == ()
    for stranger in (bob, other):
        for call in (stranger.get, stranger.forget, stranger.graph):
            with pytest.raises(NotFoundError):
                call("mine")
        with pytest.raises(NotFoundError):
            stranger.set_outcome("mine", "failure")
    assert len(list(ada.all())) == 1


def _ids(found: Iterable[Episode]) -> list[str]:
    return [episode.id for episode in found]


def test_a_forgotten_episode_takes_the_patterns_that_count_it_and_leaves_its_messages(
    episodes: EpisodesService, at_hand: Desk
) -> None:
    steps = tuple(Step(action=name) for name in ("look", "wait", "pay"))
    episodes.add_many(Episode(id=f"e{number}", goal="g", steps=steps, task=f"t{number}") for number in range(4))
    MessagesService(at_hand.workspace()).add("x", id="m1", episode="e0")
    PatternsService(at_hand.workspace()).mine()
    graph = at_hand.workspace().graph
    assert graph.count("Pattern") > 0
    episodes.forget("e0")
    assert graph.count("Pattern") == 0
    assert MessagesService(at_hand.workspace()).get("m1").episode is None
