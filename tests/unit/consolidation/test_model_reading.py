"""What a model may be asked in a run, how its calls are counted, and what it found text by text."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.consolidation.model_reading import ModelReading
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.consolidation.sources import Source
from graphmem.consolidation.statements import statements_in
from graphmem.errors import ModelUnavailableError, ReplyError
from graphmem.graph.records import NodeRef
from graphmem.llm.cached import CachedModel
from graphmem.ports.language_model import LanguageModel
from graphmem.prompts.extract_relations import ModelExtractor
from graphmem.testing.scripted_model import ScriptedModel

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NOTHING = json.dumps({"concepts": [], "relations": []})
CAUSE = {"head": "disk", "relation": "causes", "tail": "outage", "factuality": "asserted", "quote": "disk"}


def source(*texts: str, name: str = "m") -> Source:
    return Source(NodeRef("Message", name), "hash", f"message:{name}", NOON, texts, "chat")


def reading(model: LanguageModel, calls: int = 100) -> ModelReading:
    return ModelReading(model, ConsolidationPolicy(max_model_calls=calls))


def reply(*relations: dict[str, str], concepts: dict[str, list[str]] | None = None) -> str:
    named = [{"name": name, "aliases": aliases} for name, aliases in (concepts or {}).items()]
    return json.dumps({"concepts": named, "relations": relations}, ensure_ascii=False)


def test_there_is_room_for_a_source_when_each_piece_may_be_asked_twice() -> None:
    asking = reading(ScriptedModel(always=NOTHING), calls=3)
    assert asking.has_room_for(source("short", "and another one"))
    assert not asking.has_room_for(source("long. " * 2_000))
    asking.read(source("short"))
    assert asking.has_room_for(source("short"))
    asking.read(source("short"))
    assert asking.is_over
    assert not asking.has_room_for(source("short"))
    assert asking.use.counts() == {"model_calls": 2, "read_by_model": 2, "model_failures": 0}


def test_what_is_taken_from_messages_and_what_says_nothing_is_not_asked_about() -> None:
    model = ScriptedModel()
    asking = reading(model, calls=2)
    assert not asking.has_room_for(replace(source("said"), is_excerpt=True))
    assert asking.has_room_for(source())
    assert asking.read(source()) == []
    assert (model.requests, asking.use.sources) == ([], 0)


def test_answers_from_a_cache_are_no_calls_whatever_is_behind_it() -> None:
    # the scripted model counts nothing itself
    asking = reading(CachedModel(ScriptedModel(always=NOTHING)), calls=3)
    for _ in range(5):
        asking.read(source("the same"))
    assert asking.use.calls == 1
    asking.read(source("another one"))
    assert asking.use.calls == 2


def test_a_useless_reply_is_one_texts_and_a_service_out_of_reach_everybodys() -> None:
    asking = reading(ScriptedModel(["no", "no", NOTHING, ModelUnavailableError("away")]))
    with pytest.raises(ReplyError):
        asking.read(source("first"))
    assert asking.has_room_for(source("second"))
    asking.read(source("second"))
    with pytest.raises(ModelUnavailableError):
        asking.read(source("third"))
    assert asking.is_over
    assert (asking.use.failures, len(asking.use.faults)) == (2, 2)


def test_the_fingerprint_is_that_of_model_and_prompt() -> None:
    first, second = (ModelExtractor(ScriptedModel(name=name)) for name in ("first", "second"))
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == ModelExtractor(ScriptedModel(["x"], name="first")).fingerprint
    assert reading(ScriptedModel(name="first")).fingerprint == first.fingerprint


def test_what_is_found_belongs_to_the_text_that_says_it() -> None:
    texts = ("The disk is full.", "서울(Seoul)에서 disk 때문에 outage가 났다.", "서울은 크다.")
    later = {**CAUSE, "quote": "disk 때문에 outage가 났다."}
    model = ScriptedModel([reply(later, concepts={"서울": ["Seoul"], "disk": []})])
    found = reading(model).read(source(*texts))
    assert [text for text, _ in found] == list(texts)
    names = [{one.name for one in part.concepts} for _, part in found]
    assert names == [{"disk"}, {"disk", "outage", "서울"}, {"서울"}]
    assert [len(part.relations) for _, part in found] == [0, 1, 0]
    assert [[one.aliases for one in part.concepts if one.aliases] for _, part in found] == [[], [("Seoul",)], []]
    for text, part in found:
        assert all(text[one.start : one.end] == one.name for one in part.concepts)
    assert {(one.words.head.name, one.words.tail.name) for one in statements_in(found)} == {
        ("disk", "outage"),
        ("서울", "Seoul"),
    }


OTHERS = ["The disk is full.", "디스크가 찼다.", "", "한국어와 disk", "e\u0301 disk"]


@given(st.lists(st.sampled_from(OTHERS), max_size=5))
def test_no_relation_gets_lost_between_texts(texts: list[str]) -> None:
    texts = [unicodedata.normalize("NFD", text) for text in texts]
    model = ScriptedModel([reply({**CAUSE, "quote": "disk caused the outage"})])
    found = reading(model).read(source(*texts, "A disk caused the outage."))
    assert [len(part.relations) for _, part in found] == [0] * len(texts) + [1]
