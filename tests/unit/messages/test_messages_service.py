from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.errors import ConflictError, InvalidInputError, NotFoundError, StoreMissingError
from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.records import NodeRef
from graphmem.messages.service import MessagesService
from graphmem.models.episode import Episode
from graphmem.models.message import Message
from workspaces import Desk, desk

WHEN = datetime(2026, 2, 1, 10, 0, tzinfo=UTC)


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def messages(at_hand: Desk) -> MessagesService:
    return MessagesService(at_hand.workspace())


def test_a_message_comes_back_as_it_was_given(messages: MessagesService) -> None:
    kept = messages.add(
        "나는 서울로 이사했어", role="user", speaker="민수", session="s1", at=WHEN, id="m1", extra={"mood": "good"}
    )
    assert messages.get("m1") == kept
    assert (kept.text, kept.speaker, kept.session, kept.at) == ("나는 서울로 이사했어", "민수", "s1", WHEN)
    assert kept.extra == {"mood": "good"}


def test_a_message_without_time_or_id_gets_this_moment_and_a_new_id(
    messages: MessagesService, at_hand: Desk
) -> None:
    first, second = messages.add("hello"), messages.add("hello")
    assert first.at == at_hand.clock.now
    assert first.id != second.id


def test_the_same_message_twice_changes_nothing(messages: MessagesService) -> None:
    messages.add("hello", id="m1", at=WHEN)
    messages.add("hello", id="m1", at=WHEN)
    assert len(messages.list()) == 1


def test_an_id_with_other_content_is_refused_unless_it_shall_be_replaced(messages: MessagesService) -> None:
    messages.add("hello", id="m1", at=WHEN)
    with pytest.raises(ConflictError, match="'m1' is stored with other content"):
        messages.add("good bye", id="m1", at=WHEN)
    assert messages.get("m1").text == "hello"
    messages.add("good bye", id="m1", at=WHEN, replace=True)
    assert messages.get("m1").text == "good bye"


def test_many_messages_are_added_and_a_second_time_unchanged(messages: MessagesService) -> None:
    given = [
        {"id": f"m{number}", "text": f"메시지 {number}", "at": WHEN, "session": "s", "speaker": "민수"}
        for number in range(1203)
    ]
    assert len(messages.add_many(given).added) == 1203
    again = messages.add_many(given)
    assert (len(again.added), len(again.changed), len(again.unchanged)) == (0, 0, 1203)


def test_one_id_twice_in_a_stream_is_compared_with_its_first_message(messages: MessagesService) -> None:
    saved = messages.add_many([{"id": "m", "text": "one", "at": WHEN}, {"id": "m", "text": "two", "at": WHEN}])
    assert saved.added == (NodeRef("Message", "m"),)
    assert saved.changed == (NodeRef("Message", "m"),)
    assert messages.get("m").text == "one"


def test_a_refused_message_in_a_stream_keeps_the_batches_before_it(messages: MessagesService) -> None:
    stream = [*({"id": f"m{number}", "text": "x"} for number in range(501)), {"id": "bad id", "text": "x"}]
    with pytest.raises(InvalidInputError, match="blank"):
        messages.add_many(stream)
    assert len(messages.list(limit=1000)) == 500


def test_pages_follow_each_other_in_order_and_hold_every_message_once(messages: MessagesService) -> None:
    messages.add_many(
        {"id": f"m{number}", "text": "x", "at": WHEN + timedelta(minutes=number % 3)} for number in range(25)
    )
    page = messages.list(limit=4)
    seen: list[Message] = []
    while True:
        seen.extend(page)
        if page.next is None:
            break
        page = messages.list(limit=4, after=page.next)
    assert len({message.id for message in seen}) == len(seen) == 25
    assert [(message.at, message.id) for message in seen] == sorted((message.at, message.id) for message in seen)


def test_messages_are_listed_by_session_role_speaker_and_time(messages: MessagesService) -> None:
    messages.add("a", id="a", session="s1", role="user", speaker="Ada", at=WHEN)
    messages.add("b", id="b", session="s1", role="assistant", at=WHEN + timedelta(hours=1))
    messages.add("c", id="c", session="s2", role="user", speaker="민수", at=WHEN + timedelta(hours=2))
    assert _ids(messages.list(session="s1")) == ["a", "b"]
    assert _ids(messages.list(role="user")) == ["a", "c"]
    assert _ids(messages.list(speaker="민수")) == ["c"]
    assert _ids(messages.list(since=WHEN + timedelta(hours=1))) == ["b", "c"]
    assert _ids(messages.list(until=WHEN)) == ["a"]
    assert _ids(messages.list(order="-at")) == ["c", "b", "a"]


def test_a_replaced_message_leaves_its_old_session_and_speaker(messages: MessagesService, at_hand: Desk) -> None:
    messages.add("hello", id="m1", at=WHEN, session="s1", speaker="Ada")
    messages.add("hello", id="m1", at=WHEN, session="s2", speaker="민수", replace=True)
    edges = at_hand.workspace().graph.edges([NodeRef("Message", "m1")])
    speaker = concept_ref("민수", "person").id
    assert sorted((edge.type, edge.target.id) for edge in edges) == [("IN_SESSION", "s2"), ("SPOKEN_BY", speaker)]


def test_a_forgotten_message_is_gone(messages: MessagesService) -> None:
    messages.add("hello", id="m1")
    messages.forget("m1")
    with pytest.raises(NotFoundError) as caught:
        messages.get("m1")
    assert (caught.value.kind, caught.value.id) == ("message", "m1")
    with pytest.raises(NotFoundError):
        messages.forget("m1")


def test_reading_a_store_that_is_not_there_says_so_and_makes_none(
    messages: MessagesService, tmp_path: Path
) -> None:
    with pytest.raises(StoreMissingError):
        messages.list()
    assert list(tmp_path.iterdir()) == []


def test_a_message_of_an_episode_is_linked_to_it(messages: MessagesService, at_hand: Desk) -> None:
    EpisodesService(at_hand.workspace()).add(Episode(id="e1", goal="g"))
    messages.add("hello", id="m1", episode="e1")
    edges = at_hand.workspace().graph.edges([NodeRef("Episode", "e1")], ["HAS_MESSAGE"])
    assert [edge.target.id for edge in edges] == ["m1"]


def test_a_message_of_an_unknown_episode_is_refused(messages: MessagesService) -> None:
    with pytest.raises(NotFoundError, match="no episode"):
        messages.add("hello", episode="nowhere")


@pytest.mark.parametrize(
    "wrong",
    [{"at": datetime(2026, 1, 1)}, {"role": "robot"}, {"id": "a/b"}, {"speaker": " "}],  # noqa: DTZ001 (naive on purpose)
)
def test_a_wrong_value_is_refused_without_repeating_the_text(
    messages: MessagesService, wrong: dict[str, object]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        messages.add_many([{"text": "a secret of Ada", **wrong}])
    assert next(iter(wrong)) in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_speaker_without_anything_visible_is_refused(messages: MessagesService) -> None:
    with pytest.raises(InvalidInputError, match="key could hold"):
        messages.add("hello", speaker="\u3164")


def test_composed_and_decomposed_text_of_one_id_are_two_contents(messages: MessagesService) -> None:
    messages.add("한글", id="m1", at=WHEN)
    with pytest.raises(ConflictError):
        messages.add(unicodedata.normalize("NFD", "한글"), id="m1", at=WHEN)


def test_a_user_stamps_what_he_writes_and_sees_nothing_else(at_hand: Desk) -> None:
    ada, bob = (MessagesService(at_hand.workspace(user=user)) for user in ("ada", "bob"))
    everybody = MessagesService(at_hand.workspace())
    ada.add("mine", id="m1")
    bob.add("his", id="m2")
    everybody.add("nobody's", id="m3")
    assert ada.get("m1").user_id == "ada"
    assert _ids(ada.list()) == ["m1"]
    assert _ids(everybody.list(order="id")) == ["m1", "m2", "m3"]
    for stranger in ("m2", "m3"):
        with pytest.raises(NotFoundError):
            ada.get(stranger)
        with pytest.raises(NotFoundError):
            ada.forget(stranger)


def test_a_user_cannot_replace_what_is_anothers(at_hand: Desk) -> None:
    ada, bob = (MessagesService(at_hand.workspace(user=user)) for user in ("ada", "bob"))
    ada.add("mine", id="m1")
    with pytest.raises(ConflictError, match="another user"):
        bob.add("his", id="m1", replace=True)
    assert ada.get("m1").text == "mine"


def test_a_user_says_nothing_in_anothers_episode(at_hand: Desk) -> None:
    EpisodesService(at_hand.workspace(user="ada")).add(Episode(id="e1", goal="비밀"))
    EpisodesService(at_hand.workspace()).add(Episode(id="e2", goal="common"))
    eve = MessagesService(at_hand.workspace(user="eve"))
    with pytest.raises(NotFoundError, match="'e1'"):
        eve.add("소문", episode="e1", id="m1")
    assert eve.add("hello", episode="e2").episode == "e2"
    assert eve.add_many([Message(id="m2", text="hi", at=WHEN, user_id="ada", episode="e1")]).added


def test_a_message_that_names_a_user_keeps_it(at_hand: Desk) -> None:
    messages = MessagesService(at_hand.workspace(user="ada"))
    messages.add_many([Message(id="m1", text="x", at=WHEN, user_id="bob")])
    assert MessagesService(at_hand.workspace(user="bob")).get("m1").user_id == "bob"


def test_another_tenant_sees_nothing(at_hand: Desk) -> None:
    MessagesService(at_hand.workspace("acme")).add("mine", id="m1")
    other = MessagesService(at_hand.workspace("other"))
    assert _ids(other.list()) == []
    with pytest.raises(NotFoundError):
        other.get("m1")
    other.add("theirs", id="m1")
    assert MessagesService(at_hand.workspace("acme")).get("m1").text == "mine"


@pytest.mark.parametrize(
    "hostile", ["", "a b", "../x", "a/b", "{x}", "a\u202eb", "a\x00", "x" * 129, "\u1100\u1161"]
)
def test_an_id_that_no_store_can_hold_is_refused_everywhere(messages: MessagesService, hostile: str) -> None:
    messages.add("hello", id="m1")
    for call in (messages.get, messages.forget, lambda value: messages.add("x", id=value)):
        with pytest.raises(InvalidInputError):
            call(hostile)


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_page_has_bounds(messages: MessagesService, limit: int) -> None:
    messages.add("hello")
    with pytest.raises(InvalidInputError, match="limit"):
        messages.list(limit=limit)


def test_an_order_by_something_unknown_is_refused(messages: MessagesService) -> None:
    messages.add("hello")
    with pytest.raises(InvalidInputError, match="cannot be ordered by 'text'"):
        messages.list(order="text")


def _ids(found: Iterable[Message]) -> list[str]:
    return [message.id for message in found]
