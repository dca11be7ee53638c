"""Homonyms, merged concepts, several parents: mining, its query and a look into the episodes agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import neo4j
import pytest

import graphmem
from graphmem.models.pattern import Pattern, Tier

RELATIONS = (
    ("crane", "concept", "bird", "concept"),
    ("bird", "concept", "animal", "concept"),
    ("crane", "machine", "lifter", "concept"),
    ("두루미", "concept", "crane", "concept"),
    ("tower crane", "concept", "crane", "machine"),
    ("heron", "concept", "bird", "concept"),
    ("heron", "concept", "wader", "concept"),
    ("wader", "concept", "animal", "concept"),
    ("cow", "concept", "animal", "concept"),
    # two senses, neither of them plain: below both, above nothing
    ("배", "과일", "먹거리", "concept"),
    ("배", "탈것", "이동 수단", "concept"),
    ("돌배", "concept", "배", "과일"),
    ("나룻배", "concept", "배", "탈것"),
    # a plain sense that is_a does not know takes nothing away
    ("조회", "tool", "읽기", "concept"),
    ("orders", "concept", "읽기", "concept"),
    # known only by what is below it: it is nothing itself, whatever its homonym is
    ("눈", "날씨", "이동 수단", "concept"),
    ("함박눈", "concept", "눈", "concept"),
)
ABOUT = (
    "crane",
    "두루미",
    "tower crane",
    "heron",
    "cow",
    "배",
    "돌배",
    "나룻배",
    "눈",
    "함박눈",
    "bolt",
    "cog",
    "나사",
)
TOOLS = ("조회", "orders", "order", "saw")


@pytest.fixture
def homonymous(memory: graphmem.GraphMemory) -> graphmem.GraphMemory:
    """Runs about things whose names have several senses."""
    memory.concepts.add(graphmem.Concept(name="조회"))
    for head, head_kind, tail, tail_kind in RELATIONS:
        memory.concepts.relate(head, "is_a", tail, head_kind=head_kind, tail_kind=tail_kind)
    memory.concepts.relate("white crane", "is_a", "animal")
    memory.episodes.add_many(runs())
    memory.concepts.add(graphmem.Concept(name="가나", aliases=("Ghana",)))
    memory.concepts.merge("white crane", "두루미")
    return memory


def runs() -> Iterator[graphmem.Episode]:
    """Each thing with each tool, and as an action: that is what the concept of its name is."""
    for number in range(len(ABOUT) * len(TOOLS)):
        done = ABOUT[(number * 5 + number // len(ABOUT)) % len(ABOUT)]
        first = {"action": "watch", "concepts": [ABOUT[number % len(ABOUT)]]}
        second = {"action": "white crane" if number % 9 == 0 else done, "tools": [TOOLS[number % len(TOOLS)]]}
        yield graphmem.Episode.model_validate(
            {"id": f"run-{number:03}", "goal": "g", "outcome": "success", "steps": [first, second]}
        )


def every_pattern(memory: graphmem.GraphMemory) -> list[Pattern]:
    return [found for tier in get_args(Tier) for found in memory.patterns.list(tier=tier, limit=10_000)]


def holding(memory: graphmem.GraphMemory, label: str, kind: str) -> set[str]:
    """What the runs do or are about that patterns of two nodes with this label were found in."""
    found = [
        pattern
        for pattern in every_pattern(memory)
        if any((node.label, node.kind) == (label, kind) for node in pattern.nodes) and len(pattern.nodes) == 2
    ]
    names = {run.id: run.steps[0].concepts[0] for run in runs()}
    return {names[episode] for pattern in found for episode in pattern.episodes}


def mined(memory: graphmem.GraphMemory) -> None:
    memory.patterns.mine(max_ancestor_share=1.0, max_nodes=2, min_support=3)


def test_a_kind_of_thing_counts_what_its_own_sense_is(homonymous: graphmem.GraphMemory) -> None:
    mined(homonymous)
    assert holding(homonymous, "animal", "concept") == {"crane", "두루미", "heron", "cow"}
    assert holding(homonymous, "bird", "concept") == {"crane", "두루미", "heron"}
    assert holding(homonymous, "crane", "concept") == {"crane", "두루미"}
    assert holding(homonymous, "lifter", "concept") == set()
    assert holding(homonymous, "먹거리", "concept") == {"배", "돌배"}
    assert holding(homonymous, "이동 수단", "concept") == {"배", "나룻배"}
    assert holding(homonymous, "배", "concept") == {"배"}
    assert holding(homonymous, "눈", "concept") == {"눈", "함박눈"}


def test_the_query_and_a_look_into_the_episodes_find_exactly_what_mining_found(
    homonymous: graphmem.GraphMemory, store_target: dict[str, Any]
) -> None:
    mined(homonymous)
    patterns = {pattern.id: pattern for pattern in every_pattern(homonymous)}
    for tier in {pattern.tier for pattern in patterns.values()}:
        matrix = homonymous.patterns.matrix(tier=tier)
        for column, name in enumerate(matrix.patterns):
            rows = matrix.holds[:, [column]].nonzero()[0].tolist()
            assert tuple(matrix.episodes[row] for row in rows) == patterns[name].episodes, patterns[name].title
    assert sum(any(node.generalised for node in pattern.nodes) for pattern in patterns.values()) >= 10
    if "auth" in store_target:
        with neo4j.GraphDatabase.driver(store_target["target"], auth=store_target["auth"]) as driver:
            for pattern in patterns.values():
                records = driver.execute_query(pattern.cypher or "", pattern.cypher_parameters).records
                assert [record["episode"] for record in records] == list(pattern.episodes), pattern.title


def test_what_mining_says_of_a_name_does_not_depend_on_the_other_names(memory: graphmem.GraphMemory) -> None:
    memory.concepts.relate("눈", "is_a", "weather", head_kind="날씨")
    memory.concepts.relate("함박눈", "is_a", "눈", tail_kind="concept")
    memory.episodes.add_many(
        graphmem.Episode.model_validate(
            {"id": f"run-{number}", "goal": "g", "steps": [{"action": "watch", "concepts": [name]}]}
        )
        for number, name in enumerate(("눈", "rain", "hail") * 3)
    )
    for name in ("rain", "hail"):
        memory.concepts.relate(name, "is_a", "weather")
    memory.patterns.mine(max_ancestor_share=1.0)
    supports = {pattern.title: pattern.support for pattern in every_pattern(memory)}
    assert supports["watch about any weather"] == 6
