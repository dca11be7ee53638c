"""Facts beside a season or a holiday, which name no date."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.facts import FoundFact, find_facts
from graphmem.language.undated import undated_times

SAID_AT = datetime(2026, 12, 1, 3, tzinfo=UTC)


def found(text: str) -> list[FoundFact]:
    return list(find_facts(text, speaker="Mina", said_at=SAID_AT))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "predicate", "object_"),
    [
        ("올여름에 부산으로 이사했어", "lives_in", "부산"),
        ("올여름 부산으로 이사했어요.", "lives_in", "부산"),
        ("지난봄에 서울로 이사했어요", "lives_in", "서울"),
        ("저는 작년 겨울에 Busan으로 이사했어요.", "lives_in", "Busan"),
        ("2024년 가을부터 제주도에 살고 있어요.", "lives_in", "제주도"),
        ("나는 올가을에 Naver에 입사했어", "works_at", "Naver"),
        ("겨울방학에 대구로 이사했어요.", "lives_in", "대구"),
        ("추석에 부산으로 이사했어", "lives_in", "부산"),
        ("I moved to Busan this summer.", "lives_in", "Busan"),
        ("Last spring I moved to 부산.", "lives_in", "부산"),
        ("Back in the summer of 2024 I moved to Oslo.", "lives_in", "Oslo"),
        ("In early autumn, I moved to Oslo.", "lives_in", "Oslo"),
        ("Since last winter I work at Google.", "works_at", "Google"),
        ("At Christmas I moved to Seoul.", "lives_in", "Seoul"),
    ],
)
def test_a_fact_beside_a_season_is_found_and_says_no_date(
    text: str, predicate: str, object_: str, form: str
) -> None:
    (fact,) = found(unicodedata.normalize(form, text))  # type: ignore[arg-type]
    assert (fact.predicate, fact.object, fact.valid_from) == (predicate, object_, None)


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("저는 여름을 좋아해요.", "여름"),
        ("저는 겨울 바다를 좋아해요.", "겨울 바다"),
        ("I love winter sports.", "winter sports"),
        ("I live in Winter Park.", "Winter Park"),
        ("I live in Spring Hill.", "Spring Hill"),
    ],
)
def test_a_season_that_is_spoken_of_itself_stays_in_its_name(text: str, object_: str) -> None:
    assert [fact.object for fact in found(text)] == [object_]


@pytest.mark.parametrize(
    "text",
    [
        "매년 여름에 부산으로 이사했어",
        "그 여름에 부산으로 이사했어",
        "동생이 올여름에 부산으로 이사했어",
        "올여름에 부산으로 이사할 거야",
        "I might move to Canada in the summer.",
    ],
)
def test_habits_others_and_plans_say_nothing_beside_a_season_either(text: str) -> None:
    assert found(text) == []


def test_a_date_in_the_same_clause_still_dates_the_fact() -> None:
    (fact,) = found("I moved to Busan in March, and last summer was hot.")
    assert fact.valid_from == datetime(2026, 3, 1, tzinfo=UTC)


@given(st.text(alphabet=list("올지난작년 여름에봄부터가을겨울summerlastin the2024.,추석"), max_size=60))
def test_places_lie_in_the_text_in_order_without_overlap_within_a_language(text: str) -> None:
    places = undated_times(text)
    assert list(places) == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
