"""The sample records against the import format, by a checker that shares no code with the importer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import networkx as nx
import pytest

from graphmem.demo.samples import sample_lines, sample_records

FIELDS: dict[str, tuple[set[str], set[str]]] = {
    "header": ({"version"}, {"producer"}),
    "episode": (
        {"id", "goal", "steps"},
        {
            "state",
            "outcome",
            "started_at",
            "ended_at",
            "user",
            "task",
            "variant",
            "session",
            "domain",
            "trigger",
            "resolution",
            "satisfaction",
            "summary",
            "lessons",
            "tags",
            "causes",
            "extra",
        },
    ),
    "message": ({"id", "text", "at"}, {"user", "session", "role", "speaker", "episode", "extra"}),
    "session": ({"id"}, {"user", "started_at", "extra"}),
    "concept": ({"name"}, {"kind", "definition", "aliases", "abstraction_level", "extra"}),
    "relation": ({"head", "relation", "tail"}, {"confidence", "source", "evidence", "extra"}),
    "memory": (
        {"kind", "text"},
        {
            "id",
            "user",
            "why",
            "confidence",
            "subject",
            "predicate",
            "object",
            "at",
            "valid_from",
            "valid_to",
            "supersedes",
            "about",
            "sources",
            "counts",
            "extra",
        },
    ),
    "procedure": (
        {"id", "name", "steps"},
        {"when", "successes", "partials", "failures", "sources", "extra"},
    ),
    "outcome": ({"episode", "outcome"}, {"source", "at"}),
}
STEP_FIELDS = {
    "action",
    "reasoning",
    "result",
    "effective",
    "tools",
    "concepts",
    "errors",
    "fixes",
    "arguments",
    "at",
    "extra",
    "after",
}
RELATIONS = {
    "is_a",
    "instance_of",
    "part_of",
    "member_of",
    "has_a",
    "causes",
    "similar_to",
    "opposite_of",
    "used_for",
    "linked_to",
    "prerequisite_of",
}
MEMORY_KINDS = {"fact", "preference", "lesson", "correction", "validation", "domain", "working"}
OUTCOMES = {"success", "partial", "failure", "unknown"}
TIMES = {"at", "started_at", "ended_at", "valid_from", "valid_to"}


def records(kind: str | None = None, seed: int = 7) -> list[dict[str, Any]]:
    return [dict(record) for record in sample_records(seed) if kind in {None, record["type"]}]


def moment(value: object) -> datetime:
    """The time that a record means; fails on a naive one."""
    if isinstance(value, int):
        return datetime.fromtimestamp(value / 1000, tz=UTC)
    assert isinstance(value, str)
    parsed = datetime.fromisoformat(value)
    assert parsed.tzinfo is not None, value
    return parsed


def texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield str(name)
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)
        case _:
            return


@pytest.fixture(scope="module", params=[7, 1, 99])
def sample(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return records(seed=request.param)


def test_the_same_seed_gives_the_same_lines() -> None:
    assert list(sample_lines(7)) == list(sample_lines(7))


def test_the_lines_do_not_depend_on_how_python_hashes() -> None:
    program = "from graphmem.demo.samples import sample_lines; print(*map(ascii, sample_lines()), sep='\\n')"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_another_seed_gives_other_lines() -> None:
    assert list(sample_lines(7)) != list(sample_lines(8))


def test_lines_are_the_records_as_json_with_readable_korean() -> None:
    lines = list(sample_lines())
    assert [json.loads(line) for line in lines] == records()
    assert not any("\\u" in line or "\n" in line for line in lines)


def test_records_come_in_an_order_in_which_they_can_be_linked(sample: list[dict[str, Any]]) -> None:
    kinds = [record["type"] for record in sample]
    order = [
        "header",
        "concept",
        "relation",
        "session",
        "episode",
        "outcome",
        "message",
        "memory",
        "procedure",
    ]
    assert list(dict.fromkeys(kinds)) == order
    assert kinds == sorted(kinds, key=order.index)


def test_there_is_enough_of_everything(sample: list[dict[str, Any]]) -> None:
    counts = Counter(record["type"] for record in sample)
    assert counts["header"] == 1
    assert counts["episode"] == 316
    assert 40 <= counts["message"] <= 60
    assert 20 <= counts["memory"] <= 25


def test_every_record_has_its_required_fields_and_no_unknown_ones(sample: list[dict[str, Any]]) -> None:
    for record in sample:
        required, optional = FIELDS[record["type"]]
        names = record.keys() - {"type"}
        assert next(iter(record)) == "type"
        assert required <= names, record
        assert names <= required | optional, record


def test_steps_have_an_action_and_only_known_fields(sample: list[dict[str, Any]]) -> None:
    for episode in sample:
        for step in episode["steps"] if episode["type"] == "episode" else []:
            assert step["action"].strip()
            assert step.keys() <= STEP_FIELDS
            for field in ("tools", "concepts", "errors", "fixes"):
                assert len(set(step.get(field, []))) == len(step.get(field, []))


def test_no_text_is_empty_padded_unfilled_or_decomposed(sample: list[dict[str, Any]]) -> None:
    for text in texts(sample):
        assert text
        assert text == text.strip()
        assert text == unicodedata.normalize("NFC", text)
        assert not set("{}#") & set(text), text
        assert "(" not in text, text


def test_ids_are_unique_within_a_type_and_visible(sample: list[dict[str, Any]]) -> None:
    ids = Counter((record["type"], record["id"]) for record in sample if "id" in record)
    assert max(ids.values()) == 1
    for name in [name for _, name in ids] + [record["user"] for record in sample if record.get("user")]:
        assert 1 <= len(name) <= 128
        assert not any(mark.isspace() or mark in "/{}" for mark in name)
        assert ".." not in name


def test_times_are_aware_and_end_after_they_start(sample: list[dict[str, Any]]) -> None:
    for record in sample:
        for field in TIMES & record.keys():
            moment(record[field])
        if "ended_at" in record:
            assert moment(record["started_at"]) <= moment(record["ended_at"])
        if {"valid_from", "valid_to"} <= record.keys():
            assert moment(record["valid_from"]) < moment(record["valid_to"])


def test_step_times_lie_within_their_episode_in_order(sample: list[dict[str, Any]]) -> None:
    told = [record for record in sample if record["type"] == "episode" and record["steps"]]
    told = [record for record in told if "at" in record["steps"][0]]
    assert len(told) > 50
    for episode in told:
        times = [moment(step["at"]) for step in episode["steps"]]
        assert times == sorted(times)
        assert moment(episode["started_at"]) <= times[0]
        assert "ended_at" not in episode or times[-1] <= moment(episode["ended_at"])


def test_after_names_distinct_earlier_steps(sample: list[dict[str, Any]]) -> None:
    branching = 0
    for episode in sample:
        for index, step in enumerate(episode["steps"]) if episode["type"] == "episode" else []:
            after = step.get("after", [])
            assert len(set(after)) == len(after)
            assert all(isinstance(earlier, int) and 0 <= earlier < index for earlier in after)
            branching += len(after) > 1
    assert branching >= 18


def test_causes_lie_among_findings_and_have_no_cycle(sample: list[dict[str, Any]]) -> None:
    for episode in sample:
        if "causes" not in episode:
            continue
        graph = nx.DiGraph([(each["effect"], each["cause"]) for each in episode["causes"]])
        assert nx.is_directed_acyclic_graph(graph)
        assert {each["effect"] for each in episode["causes"]} <= {
            error for step in episode["steps"] for error in step.get("errors", [])
        }


def test_is_a_has_no_cycle_and_relations_are_of_known_types(sample: list[dict[str, Any]]) -> None:
    relations = [record for record in sample if record["type"] == "relation"]
    assert {record["relation"] for record in relations} <= RELATIONS
    taxonomy = [(each["head"], each["tail"]) for each in relations if each["relation"] == "is_a"]
    assert len(set(taxonomy)) == len(taxonomy)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(taxonomy))


def test_values_lie_in_their_bounds(sample: list[dict[str, Any]]) -> None:
    for record in sample:
        assert record.get("outcome", "unknown") in OUTCOMES
        assert record.get("state", "closed") in {"open", "closed"}
        assert 0 <= record.get("satisfaction", 0) <= 1
        assert 0 <= record.get("confidence", 0) <= 1
        assert record.get("role", "user") in {"user", "assistant"}
        if record["type"] == "memory":
            assert record["kind"] in MEMORY_KINDS


def test_what_a_record_refers_to_exists(sample: list[dict[str, Any]]) -> None:
    known = {(record["type"], record["id"]) for record in sample if "id" in record}
    sources = {name for kind, name in known if kind in {"message", "episode"}}
    for record in sample:
        for field in ("session", "episode"):
            assert field not in record or (field, record[field]) in known
        if "supersedes" in record:
            assert ("memory", record["supersedes"]) in known
        assert set(record.get("sources", [])) <= sources


def test_a_session_belongs_to_one_user_and_starts_before_what_it_holds(sample: list[dict[str, Any]]) -> None:
    sessions = {record["id"]: record for record in sample if record["type"] == "session"}
    for record in sample:
        if "session" not in record:
            continue
        session = sessions[record["session"]]
        assert record["user"] == session["user"]
        held = record.get("at", record.get("started_at"))
        assert held is None or moment(session["started_at"]) <= moment(held)


def test_there_are_open_empty_unknown_partial_and_untimed_episodes(sample: list[dict[str, Any]]) -> None:
    episodes = [record for record in sample if record["type"] == "episode"]
    still_open = [record for record in episodes if record.get("state") == "open"]
    assert len(still_open) == 2
    assert not any({"outcome", "ended_at"} & record.keys() for record in still_open)
    assert sum(not record["steps"] for record in episodes) == 2
    outcomes = Counter(record.get("outcome", "unknown") for record in episodes)
    assert outcomes["unknown"] >= 10
    assert outcomes["partial"] >= 15
    for field in ("started_at", "user", "session", "task", "resolution", "tags"):
        assert 0 < sum(field not in record for record in episodes) < len(episodes)


def test_later_outcomes_settle_episodes_that_had_none(sample: list[dict[str, Any]]) -> None:
    outcome_of = {
        record["id"]: record.get("outcome", "unknown") for record in sample if record["type"] == "episode"
    }
    later = [record for record in sample if record["type"] == "outcome"]
    assert len(later) == 3
    assert {outcome_of[record["episode"]] for record in later} == {"unknown"}


def test_a_third_is_korean_in_every_kind_of_text(sample: list[dict[str, Any]]) -> None:
    for kind, field in (("episode", "goal"), ("message", "text"), ("memory", "text")):
        of_kind = [record for record in sample if record["type"] == kind]
        korean = sum(any("가" <= mark <= "힣" for mark in record[field]) for record in of_kind)
        assert 0.28 <= korean / len(of_kind) <= 0.5, kind


def test_several_domains_users_and_two_versions_take_part(sample: list[dict[str, Any]]) -> None:
    episodes = [record for record in sample if record["type"] == "episode"]
    assert {record["domain"] for record in episodes} == {
        "support",
        "ops",
        "coding",
        "data",
        "여행",
        "쇼핑몰",
    }
    assert len({record.get("user") for record in episodes}) >= 9
    assert {record.get("variant") for record in episodes} == {None, "v1", "v2"}
