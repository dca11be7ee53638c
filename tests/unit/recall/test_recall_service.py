from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.concepts.service import ConceptsService
from graphmem.episodes.service import EpisodesService
from graphmem.errors import InvalidInputError, StoreMissingError
from graphmem.memories.service import MemoriesService
from graphmem.messages.service import MessagesService
from graphmem.models.concept import Concept
from graphmem.models.episode import Episode
from graphmem.models.procedure import Procedure
from graphmem.procedures.service import ProceduresService
from graphmem.recall.recall import RecallService
from graphmem.recall.recipes import RecallRecipe, Weights
from graphmem.recall.results import RecallResult
from workspaces import Desk, desk, desk_without_embedder


def _year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def filled(at_hand: Desk) -> Desk:
    workspace = at_hand.workspace()
    messages = MessagesService(workspace)
    messages.add("I moved to Seoul last month", id="m1", speaker="Ada", at=_year(2025))
    messages.add("나는 지난달에 서울로 이사했어", id="m2", speaker="민수", at=_year(2025))
    EpisodesService(workspace).add(
        Episode(id="e1", goal="Refund a damaged order", outcome="success", started_at=_year(2025))
    )
    ConceptsService(workspace).add(Concept(name="Timeout", definition="An answer that does not come in time."))
    MemoriesService(workspace).remember("Ada prefers e-mail", kind="preference", id="f1")
    ProceduresService(workspace).add(Procedure(id="p1", name="Restart the pool", steps=("drain", "restart")))
    return at_hand


def recaller(at_hand: Desk, tenant: str = "acme", user: str | None = None) -> RecallService:
    return RecallService(at_hand.workspace(tenant, user))


@pytest.mark.parametrize(
    ("query", "kind", "name"),
    [
        ("who moved to Seoul?", "message", "m1"),
        ("서울로 이사", "message", "m2"),
        ("refunding damaged orders", "episode", "e1"),
        ("answer not in time", "concept", None),
        ("does Ada prefer e-mails", "preference", "f1"),
        ("restart pool", "procedure", "p1"),
    ],
)
def test_each_kind_is_found_by_its_words(filled: Desk, query: str, kind: str, name: str | None) -> None:
    best = recaller(filled).recall(query)[0]
    assert best.kind == kind
    assert name is None or best.id == name


def test_an_item_says_what_it_is_and_why_it_was_found(filled: Desk) -> None:
    best = recaller(filled).recall("who moved to Seoul?")[0]
    assert best.text == "I moved to Seoul last month"
    assert best.at == _year(2025)
    assert best.score == pytest.approx(1.0)
    lexical, similarity = best.why
    assert (lexical.name, similarity.name) == ("lexical", "similarity")
    assert "seoul" in lexical.words
    assert lexical.score > 0
    assert 0 <= similarity.score <= 1
    assert lexical.share + similarity.share == pytest.approx(best.score)
    assert "shares" in best.explain()


def test_an_answer_explains_itself_and_is_true_when_it_holds_something(filled: Desk) -> None:
    found = recaller(filled).recall("서울", limit=2)
    assert found
    assert len(found) == len(list(found)) <= 2
    assert found.explain().startswith("recipe balanced: words 0.70")
    assert "m2" in found.explain()


@pytest.mark.parametrize("blank", ["", " \n\t", "\u200b", "\u3164", "?!.,", "\x00", "\ud800"])
def test_a_query_without_a_word_recalls_nothing(filled: Desk, blank: str) -> None:
    assert not recaller(filled).recall(blank)


def test_what_has_nothing_to_do_with_the_query_is_left_out(filled: Desk) -> None:
    found = recaller(filled).recall("zzzz", recipe="lexical")
    assert not found


def test_only_the_kinds_asked_for_are_recalled(filled: Desk) -> None:
    service = recaller(filled)
    for kinds in (["message"], ["preference"], ["concept", "procedure"], ["pattern"]):
        assert {item.kind for item in service.recall("Ada moved e-mail timeout pool", kinds=kinds)} <= set(kinds)
    assert [item.id for item in service.recall("e-mail", kinds=["preference", "lesson"])] == ["f1"]
    assert not service.recall("e-mail", kinds=["lesson"])
    assert not service.recall("e-mail", kinds=[])


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"limit": 1001},
        {"kinds": ["mesage"]},
        {"recipe": "nope"},
        {"as_of": datetime(2026, 1, 1)},  # noqa: DTZ001 (naive on purpose)
    ],
)
def test_a_wrong_request_is_refused(filled: Desk, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        recaller(filled).recall("x", **wrong)  # type: ignore[arg-type]


def test_an_unknown_kind_is_refused_with_the_nearest(filled: Desk) -> None:
    with pytest.raises(InvalidInputError, match="did you mean 'message'"):
        recaller(filled).recall("x", kinds=["mesage"])


def test_kinds_hold_before_the_limit(at_hand: Desk) -> None:
    workspace = at_hand.workspace()
    MessagesService(workspace).add_many({"id": f"m{number}", "text": "refund refund"} for number in range(300))
    MemoriesService(workspace).remember("a long note that names a refund only once", id="rare", kind="lesson")
    assert [item.id for item in recaller(at_hand).recall("refund", kinds=["lesson"], limit=1)] == ["rare"]


def test_the_limit_bounds_the_answer(at_hand: Desk) -> None:
    MessagesService(at_hand.workspace()).add_many({"text": f"refund {number}"} for number in range(130))
    assert len(recaller(at_hand).recall("refund", limit=7)) == 7
    assert len(recaller(at_hand).recall("refund", limit=100)) == 100


def test_a_user_recalls_his_own_and_what_is_common(at_hand: Desk) -> None:
    for user in ("ada", "bob", None):
        workspace = at_hand.workspace(user=user)
        MessagesService(workspace).add("the refund of the order", id=f"m-{user}")
        MemoriesService(workspace).remember("orders are refunded", id=f"f-{user}")
        EpisodesService(workspace).add(Episode(id=f"e-{user}", goal="refund the order"))
    ConceptsService(at_hand.workspace()).add(Concept(name="refund", definition="money given back for an order"))
    found = {
        item.id
        for item in recaller(at_hand, user="ada").recall("refund order", limit=50)
        if item.kind != "concept"
    }
    assert found == {"m-ada", "f-ada", "f-None", "e-ada"}
    assert len(recaller(at_hand).recall("refund order", limit=50)) == 10


def test_users_hold_before_the_limit(at_hand: Desk) -> None:
    bob, ada = (MessagesService(at_hand.workspace(user=user)) for user in ("bob", "ada"))
    bob.add_many({"text": "refund refund refund"} for _ in range(400))
    ada.add("something about a refund", id="mine")
    assert [item.id for item in recaller(at_hand, user="ada").recall("refund", limit=3)] == ["mine"]


def test_another_tenant_changes_no_answer(filled: Desk) -> None:
    before = recaller(filled).recall("Seoul order timeout")
    MessagesService(filled.workspace("other")).add_many({"text": "Seoul order timeout Ada"} for _ in range(200))
    assert recaller(filled).recall("Seoul order timeout") == before
    assert {item.text for item in recaller(filled, "other").recall("Seoul")} == {"Seoul order timeout Ada"}


def test_a_superseded_fact_is_recalled_only_for_the_time_when_it_held(at_hand: Desk) -> None:
    facts = MemoriesService(at_hand.workspace())
    said = {"subject": "Ada", "predicate": "lives_in"}
    facts.remember("Ada lives in Paris", id="paris", valid_from=_year(2020), **said)
    facts.remember("Ada lives in Seoul", id="seoul", valid_from=_year(2024), supersedes="paris", **said)
    service = recaller(at_hand)
    assert [item.id for item in service.recall("where does Ada live")] == ["seoul"]
    assert [item.id for item in service.recall("where does Ada live", as_of=_year(2022))] == ["paris"]
    assert [item.id for item in service.recall("where does Ada live", as_of=_year(2025))] == ["seoul"]
    assert not service.recall("where does Ada live", as_of=_year(2019))


def test_the_view_of_a_moment_holds_no_later_messages(filled: Desk) -> None:
    service = recaller(filled)
    timed = ["message", "episode"]
    assert service.recall("Seoul", as_of=_year(2025), kinds=timed)
    assert not service.recall("Seoul", as_of=_year(2025) - timedelta(seconds=1), kinds=timed)


def test_a_name_alone_stands_behind_what_says_more(at_hand: Desk) -> None:
    MessagesService(at_hand.workspace()).add("Ada lives in Seoul, near the river", id="m1", speaker="Ada")
    found = recaller(at_hand).recall("Ada")
    assert [item.kind for item in found] == ["message", "concept"]
    assert found[1].score < found[0].score
    assert recaller(at_hand).recall("Ada", kinds=["concept"])[0].score == pytest.approx(1.0)


def test_a_block_leaves_out_names_that_say_nothing(at_hand: Desk) -> None:
    MessagesService(at_hand.workspace()).add("Ada lives in Seoul", id="m1", speaker="Ada")
    block = recaller(at_hand).context("Ada")
    assert [item.kind for item in block.items] == ["message"]
    assert recaller(at_hand).context("zzzz qqqq xxxx").text == ""
    with pytest.raises(InvalidInputError):
        recaller(at_hand).context("Ada", budget=-1)


def test_without_an_embedder_words_alone_find(tmp_path: Path) -> None:
    at_hand = desk_without_embedder(tmp_path)
    MessagesService(at_hand.workspace()).add("나는 서울로 이사했어", id="m1")
    found = recaller(at_hand).recall("서울 이사")
    assert [item.id for item in found] == ["m1"]
    assert [signal.name for signal in found[0].why] == ["lexical"]
    at_hand.store.close()


def test_what_only_vectors_find_is_found(at_hand: Desk) -> None:
    MessagesService(at_hand.workspace()).add("unbelievable", id="m1")
    found = recaller(at_hand).recall("believable")
    assert [item.id for item in found] == ["m1"]
    assert [signal.name for signal in found[0].why] == ["similarity"]
    strict = RecallRecipe(name="strict", least_similarity=0.99)
    assert not recaller(at_hand).recall("believable", recipe=strict)


def test_a_recipe_changes_the_order(at_hand: Desk) -> None:
    MessagesService(at_hand.workspace()).add_many(
        [{"id": "words", "text": f"refund {'padding ' * 30}"}, {"id": "form", "text": "refunding"}]
    )
    vectors = RecallRecipe(name="v", spaced=Weights(lexical=0.0, similarity=1.0))
    assert recaller(at_hand).recall("refundings", recipe=vectors)[0].id == "form"
    assert recaller(at_hand).recall("refundings", recipe="vector").recipe == "vector"


def test_both_normal_forms_of_korean_ask_the_same(filled: Desk) -> None:
    service = recaller(filled)
    composed, decomposed = (
        service.recall(unicodedata.normalize(form, "서울로 이사한 사람")) for form in ("NFC", "NFD")
    )
    assert [item.id for item in composed] == [item.id for item in decomposed]


def test_recalling_from_a_store_that_is_not_there_says_so(at_hand: Desk) -> None:
    with pytest.raises(StoreMissingError):
        recaller(at_hand).recall("anything")


OPERATORS = [
    '"Seoul',
    "Seoul AND NOT moved",
    "+tenant:other Seoul",
    "search_text:Seoul OR *:*",
    "Seoul*",
    "(Seoul",
    "NEAR(Seoul moved, 5)",
    "Seoul^100~2 [a TO z]",
    "'; DROP TABLE node; -- Seoul",
    "(?i).*Seoul.*",
    "{$gt: 1} Seoul \\",
    "Seoul\x00\ud800",
]


@pytest.mark.parametrize("query", OPERATORS)
def test_query_text_has_no_operators(filled: Desk, query: str) -> None:
    found = recaller(filled).recall(query)
    assert found[0].id == "m1"
    assert {item.id for item in found} <= {"m1", "m2", "e1", "f1", "p1"} | {
        item.id for item in found if item.kind == "concept"
    }


def test_a_query_of_a_hundred_kilobytes_is_answered(filled: Desk) -> None:
    service = recaller(filled)
    assert "m1" in _ids(service.recall(f"{'who moved to ' * 10_000} Seoul"))
    assert service.recall(" ".join(f"word{number}" for number in range(12_000))).items is not None
    assert _ids(recaller(filled).recall("서울" * 40_000))[0] == "m2"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=80))
def test_any_text_is_only_a_query(filled: Desk, query: str) -> None:
    found = recaller(filled).recall(query)
    assert all(0 <= item.score <= 1 + 1e-9 for item in found)
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def _ids(found: RecallResult) -> list[str]:
    return [item.id for item in found]
