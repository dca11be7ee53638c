from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from unicodedata import normalize
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversing import WHEN, cutting, episodes_of, parts, said
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.episodes.boundaries import BoundaryPolicy
from graphmem.episodes.conversations import MAX_GOAL
from graphmem.episodes.forgetting import forget_episode
from graphmem.episodes.pending import finalise_all, pending_episodes
from graphmem.episodes.segmentation import Segmentation
from graphmem.episodes.service import EpisodesService
from graphmem.errors import ModelUnavailableError, StoreMissingError
from graphmem.models.episode import Episode, EpisodeState, Outcome
from graphmem.models.message import Message
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.workspace import Workspace
from workspaces import Desk, desk, desk_without_embedder


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def workspace(at_hand: Desk) -> Workspace:
    return at_hand.workspace()


def states(graph: TenantGraph) -> list[tuple[str, str | None]]:
    """State and outcome of each episode, in the order of their begin."""
    found = sorted(episodes_of(graph).values(), key=lambda one: (one.started_at or WHEN, one.id))
    return [(one.state.value, None if one.outcome is None else one.outcome.value) for one in found]


def test_a_conversation_is_cut_at_cues_and_gaps(workspace: Workspace) -> None:
    messages = [
        said("m1", "주문 17 환불해 주세요", 0),
        said("m2", "환불 처리했습니다", 1, role="assistant"),
        said("m3", "네 해결됐습니다 감사합니다", 2),
        said("m4", "Where is my parcel?", 3),
        said("m5", "By the way, how do I change my address?", 4),
        said("m6", "In the settings.", 5, role="assistant"),
        said("m7", "배송은 언제 오나요?", 60),
    ]
    cutting(workspace).add_many(messages)
    assert parts(workspace.graph) == [["m1", "m2", "m3"], ["m4"], ["m5", "m6"], ["m7"]]
    closed = ("closed", "unknown")
    assert states(workspace.graph) == [("closed", "success"), closed, closed, ("open", None)]


def test_what_an_episode_says_comes_from_its_messages(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many(
        [
            said("m0", "Hello, how can I help?", -1, role="assistant"),
            said("m1", "My  order\n17 is broken", 0, user_id="ada"),
            said("m2", "It is fixed now, thank you!", 3, user_id="ada"),
            said("m3", "Good to hear.", 4, user_id="ada", role="assistant"),
        ]
    )
    one = episodes_of(workspace.graph)[str(messages.get("m1").episode)]
    assert (one.goal, one.trigger) == ("My order 17 is broken", "My  order\n17 is broken")
    assert (one.session, one.user_id, one.steps) == ("s1", "ada", ())
    assert (one.started_at, one.ended_at) == (WHEN, WHEN + timedelta(minutes=3))
    assert one.outcome is Outcome.SUCCESS
    assert one.outcome_history[0].source.startswith("closing cue")
    assert one.summary is not None
    assert "My order 17" in one.summary
    greeting = episodes_of(workspace.graph)[str(messages.get("m0").episode)]
    assert (greeting.goal, greeting.trigger, greeting.state) == ("Hello, how can I help?", None, EpisodeState.OPEN)


def test_the_first_request_becomes_the_goal_after_a_greeting_too(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add("Hello!", role="assistant", session="s1", at=WHEN, id="m0")
    kept = messages.add("환불 " * 400, session="s1", at=WHEN, id="m1")
    one = episodes_of(workspace.graph)[str(kept.episode)]
    assert one.goal.startswith("환불 환불")
    assert len(one.goal) <= MAX_GOAL
    assert messages.get("m1") == kept


def test_the_same_messages_again_change_nothing(workspace: Workspace) -> None:
    messages = cutting(workspace)
    talk = [said(f"m{number}", text, number) for number, text in enumerate(["안녕", "thanks", "again", "bye"])]
    messages.add_many(talk)
    before = (parts(workspace.graph), workspace.graph.version())
    assert len(messages.add_many(talk).unchanged) == 4
    assert len(messages.add_many([messages.get(one.id) for one in talk]).unchanged) == 4, "with their episodes"
    assert (parts(workspace.graph), workspace.graph.version()) == before


def test_streams_are_apart(at_hand: Desk) -> None:
    workspace = at_hand.workspace()
    talk = [
        said(f"{user}-{session}-{number}", "x", number, user_id=user, session=session)
        for number in range(3)
        for user in (None, "ada", "bora")
        for session in (None, "s1", "s2")
    ]
    cutting(workspace).add_many(talk)
    assert [len(part) for part in parts(workspace.graph)] == [3] * 9
    cutting(at_hand.workspace("other")).add(text="x", session="s1", at=WHEN)
    assert len(episodes_of(at_hand.workspace("other").graph)) == 1


def test_a_message_that_names_an_episode_stays_there(workspace: Workspace) -> None:
    EpisodesService(workspace).add(Episode(id="run-1", goal="a run"))
    messages = cutting(workspace)
    messages.add_many([said("m1", "x"), said("m2", "in the run", 1, episode="run-1"), said("m3", "y", 2)])
    assert messages.get("m2").episode == "run-1"
    assert messages.get("m1").episode == messages.get("m3").episode
    assert len(episodes_of(workspace.graph)) == 2


def test_switched_off_nothing_is_cut(workspace: Workspace) -> None:
    messages = cutting(workspace, BoundaryPolicy(enabled=False))
    messages.add_many([said("m1", "x"), said("m2", "thanks", 1)])
    assert messages.get("m1").episode is None
    assert episodes_of(workspace.graph) == {}
    cutting(workspace).add_many([said("m3", "on again", 2), said("m1", "x")])
    assert messages.get("m3").episode is not None
    assert messages.get("m1").episode is None, "what was kept stays as it is"


def test_a_late_message_goes_where_its_time_says(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many(
        [said("a1", "환불 요청", 0), said("a2", "네", 10), said("b1", "배송 문의", 100), said("c1", "x", 300)]
    )
    assert parts(workspace.graph) == [["a1", "a2"], ["b1"], ["c1"]]
    messages.add_many(
        [
            said("a15", "within", 5),
            said("a3", "right behind the first", 30),
            said("b0", "before the second", 90),
            said("own", "far from all", 200),
            said("own2", "it is fixed now, thanks", 201),
        ]
    )
    assert parts(workspace.graph) == [["a1", "a15", "a2", "a3"], ["b0", "b1"], ["own", "own2"], ["c1"]]
    closed = ("closed", "unknown")
    assert states(workspace.graph) == [closed, closed, ("closed", "success"), ("open", None)]
    second = episodes_of(workspace.graph)[str(messages.get("b1").episode)]
    assert (second.goal, second.started_at) == ("before the second", WHEN + timedelta(minutes=90))
    first = episodes_of(workspace.graph)[str(messages.get("a1").episode)]
    assert first.ended_at == WHEN + timedelta(minutes=30)
    assert first.summary is not None
    assert "4" in first.summary


def test_a_late_message_does_not_follow_an_end(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many([said("a1", "환불 요청", 0), said("a2", "감사합니다", 1), said("b1", "배송 문의", 100)])
    messages.add(text="한 가지 더", session="s1", at=WHEN + timedelta(minutes=5), id="late")
    assert parts(workspace.graph) == [["a1", "a2"], ["late"], ["b1"]]


def test_a_late_message_opens_a_closed_episode_and_its_outcome_stays(workspace: Workspace) -> None:
    messages, episodes = cutting(workspace), EpisodesService(workspace)
    messages.add_many([said("a1", "refund please"), said("a2", "it is fixed now, thanks", 9), said("b1", "x", 99)])
    name = str(messages.get("a1").episode)
    episodes.set_outcome(name, "failure", source="support")
    hash_before = workspace.graph.scan("Episode").records[0].content_hash
    messages.add("I live in Seoul", session="s1", at=WHEN + timedelta(minutes=4), id="late")
    found = episodes.get(name)
    assert (found.state, found.outcome) == (EpisodeState.CLOSED, Outcome.FAILURE)
    assert [change.outcome for change in found.outcome_history] == ["success", "failure"]
    assert hash_before not in {root.content_hash for root in workspace.graph.scan("Episode").records}
    assert workspace.graph.count("Memory") == 1


def test_messages_one_by_one_make_what_they_make_at_once(tmp_path: Path) -> None:
    chance = random.Random(7)
    texts = ["환불해 주세요", "감사합니다", "다른 질문 있어요", "", "thanks! another question: why?", "no", "  "]
    at_hand = desk_without_embedder(tmp_path)
    for number in range(6):
        minutes = sorted(chance.choice([0, 1, 5, 40, 41, 90, 200]) + chance.random() for _ in range(12))
        talk = [said(f"m{i}", chance.choice(texts), at) for i, at in enumerate(minutes)]
        once, single = at_hand.workspace(f"once{number}"), at_hand.workspace(f"single{number}")
        cutting(once).add_many(talk)
        for message in talk:
            cutting(single).add_many([message])
        assert parts(once.graph) == parts(single.graph)
        assert episodes_of(once.graph) == episodes_of(single.graph)
    at_hand.store.close()


TEXTS = st.sampled_from(
    [
        "환불해 주세요",
        "감사합니다",
        normalize("NFD", "해결됐습니다"),
        "thanks, solved",
        "by the way, why?",
        "",
        " \n",
        "ok",
    ]
)
MESSAGES = st.lists(
    st.tuples(
        st.integers(0, 200),
        TEXTS,
        st.sampled_from([None, "s1", "s2"]),
        st.sampled_from([None, "ada"]),
        st.sampled_from(["user", "assistant"]),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(talk=MESSAGES, chance=st.randoms(use_true_random=False), size=st.integers(1, 14))
def test_in_any_order_every_message_is_in_one_episode_of_its_stream(
    tmp_path_factory: pytest.TempPathFactory,
    talk: list[tuple[int, str, str, str, str]],
    chance: random.Random,
    size: int,
) -> None:
    at_hand = desk_without_embedder(tmp_path_factory.mktemp("any"))
    workspace = at_hand.workspace()
    messages = [
        said(f"m{number}", text, minutes, session=session, user_id=user, role=role)
        for number, (minutes, text, session, user, role) in enumerate(talk)
    ]
    chance.shuffle(messages)
    for begin in range(0, len(messages), size):
        cutting(workspace).add_many(messages[begin : begin + size])
    assert sorted(name for part in parts(workspace.graph) for name in part) == sorted(one.id for one in messages)
    running = [one for one in pending_episodes(workspace) if not one.is_ended]
    assert len(running) <= len({(one.user_id, one.session) for one in messages})
    assert not [one for one in pending_episodes(workspace) if one.is_ended]
    at_hand.store.close()


def test_hostile_times(workspace: Workspace) -> None:
    utc = [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime(2024, 2, 29, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2999, 1, 1, tzinfo=UTC),
    ]
    times = [*utc, *utc, datetime(2024, 3, 1, 9, tzinfo=timezone(timedelta(hours=9)))]
    messages = cutting(workspace)
    for number, at in enumerate(times):
        messages.add("x", session="s1", at=at, id=f"m{number}")
    assert parts(workspace.graph) == [["m0", "m4"], ["m2", "m6", "m8"], ["m3", "m7"], ["m1", "m5"]]


def test_a_clock_that_is_put_back_is_no_gap(workspace: Workspace) -> None:
    zone = ZoneInfo("Europe/Berlin")
    before = datetime(2025, 10, 26, 2, 50, fold=0, tzinfo=zone)
    after = datetime(2025, 10, 26, 2, 10, fold=1, tzinfo=zone)
    messages = cutting(workspace)
    messages.add("x", at=before, id="m1")
    messages.add("y", at=after, id="m2")
    assert parts(workspace.graph) == [["m1", "m2"]], "twenty minutes have passed"


def test_messages_without_words(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many([said("m0", "", 0), said("m1", " ", 90), said("m2", "thanks", 91), said("m3", "환불", 92)])
    messages.add_many([said("m4", "감사합니다", 93), said("m5", "", 94), said("m6", "more", 95)])
    assert parts(workspace.graph) == [["m0", "m1", "m2"], ["m3", "m4", "m5"], ["m6"]]
    assert states(workspace.graph)[1] == ("closed", "unknown")


def test_a_forgotten_episode_leaves_its_messages_and_the_next_one_begins_anew(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many([said("m1", "x"), said("m2", "y", 1)])
    forget_episode(workspace, str(messages.get("m1").episode))
    assert messages.get("m1").episode is None
    messages.add_many([said("m3", "z", 2), said("m4", "z", 3)])
    assert messages.get("m3").episode == messages.get("m4").episode
    assert messages.get("m3").episode is not None
    assert messages.get("m1").episode is None


def test_a_forgotten_message_is_in_no_episode_any_more(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many(
        [
            said("m1", "my secret request"),
            said("m2", "환불 부탁", 1),
            said("m3", "감사합니다", 2),
            said("m4", "z", 3),
        ]
    )
    name = str(messages.get("m1").episode)
    messages.forget("m1")
    found = episodes_of(workspace.graph)[name]
    assert (found.goal, found.trigger, found.started_at) == ("환불 부탁", "환불 부탁", WHEN + timedelta(minutes=1))
    assert "secret" not in str(workspace.graph.scan("Episode").records)
    assert found.state is EpisodeState.CLOSED
    messages.forget("m4")
    assert parts(workspace.graph) == [["m2", "m3"]]
    messages.add_many([said("m1", "again", -90), said("m5", "z", 200)])
    assert parts(workspace.graph) == [["m1"], ["m2", "m3"], ["m5"]]


def test_a_message_that_is_added_again_tells_its_episode(workspace: Workspace) -> None:
    first, again = (cutting(workspace).add("안녕하세요", id="m1", at=WHEN) for _ in range(2))
    assert again == first
    assert again.episode is not None


def test_a_replaced_message_stays_where_it_is(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many([said("m1", "typo"), said("m2", "감사합니다", 1), said("m3", "z", 2)])
    name = messages.get("m1").episode
    messages.add_many([said("m1", "no typo")], replace=True)
    assert messages.get("m1").episode == name
    assert episodes_of(workspace.graph)[str(name)].goal == "no typo"
    messages.add_many([said("m1", "no typo", session="s2"), said("m3", "z", 2, session="s2")], replace=True)
    assert parts(workspace.graph) == [["m1"], ["m2"], ["m3"]]


def test_a_conversation_whose_only_message_moves_to_later_is_closed_again(workspace: Workspace) -> None:
    messages = cutting(workspace)
    messages.add_many([said("m1", "환불 부탁"), said("m2", "z", 120)])
    messages.add_many([said("m1", "환불 부탁", 60)], replace=True)
    found = episodes_of(workspace.graph)[str(messages.get("m1").episode)]
    assert (found.state, found.started_at) == (EpisodeState.CLOSED, WHEN + timedelta(minutes=60))
    assert found.ended_at == found.started_at


class _Away:
    """An embedder whose service is away when it is told to be."""

    def __init__(self) -> None:
        self._embedder = HashingEmbedder()
        self.away = False

    @property
    def spec(self) -> EmbedderSpec:
        return self._embedder.spec

    def calibrate(self, cosine: float) -> float:
        return self._embedder.calibrate(cosine)

    def embed(self, texts: list[str]) -> object:
        if self.away and texts == ["the goal"]:
            raise ModelUnavailableError("the service is away")
        return self._embedder.embed(texts)


def test_a_model_that_fails_keeps_the_messages_and_the_episode_waits(tmp_path: Path) -> None:
    embedder = _Away()
    at_hand = desk(tmp_path, embedder)  # type: ignore[arg-type]
    workspace = at_hand.workspace()
    messages = cutting(workspace)
    embedder.away = True
    with pytest.raises(ModelUnavailableError):
        messages.add_many([said("m1", "the  goal"), said("m2", "it is fixed now, thanks", 1), said("m3", "y", 2)])
    assert parts(workspace.graph) == [["m1", "m2"], ["m3"]]
    assert [one.is_ended for one in pending_episodes(workspace)].count(True) == 1
    messages.add("z", session="s1", at=WHEN + timedelta(minutes=3), id="m4")
    embedder.away = False
    assert len(finalise_all(workspace, WHEN)) == 1
    assert states(workspace.graph) == [("closed", "success"), ("open", None)]
    at_hand.store.close()


def test_two_writers_of_one_conversation_lose_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Segmentation.place
    others = [said("b1", "from elsewhere"), said("b2", "감사합니다", 1), said("b3", "from elsewhere", 2)]

    def slow(self: Segmentation, *given: object, **more: object) -> object:
        placement = place(self, *given, **more)  # type: ignore[arg-type]
        if others and given[0][0].id.startswith("a"):  # type: ignore[index]
            cutting(workspace).add_many([others.pop(0)])
        return placement

    monkeypatch.setattr(Segmentation, "place", slow)
    for number in range(3):
        cutting(workspace).add_many([said(f"a{number}", "from here", number)])
    found = parts(workspace.graph)
    assert sorted(name for part in found for name in part) == ["a0", "a1", "a2", "b1", "b2", "b3"]


def test_reading_an_empty_store_creates_none(workspace: Workspace) -> None:
    with pytest.raises(StoreMissingError):
        workspace.graph.count("Message")
    cutting(workspace).add_many([])
    with pytest.raises(StoreMissingError):
        workspace.graph.count("Message")


def test_messages_that_are_given_as_objects_keep_their_fields(workspace: Workspace) -> None:
    message = Message(id="m1", text="안녕", at=WHEN, session="s1", speaker="민수", extra={"a": 1})
    cutting(workspace).add_many([message])
    kept = cutting(workspace).get("m1")
    assert kept.model_copy(update={"episode": None}) == message
