"""The one rule of names: what a name means among the concepts of its key and those that it is an alias of."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.graph.mapping.concept import named_concept
from graphmem.ports.identity import choose_concept

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOOL = ("tool", "concept")


def test_a_mention_means_its_own_kind_then_a_plain_concept_then_the_only_one() -> None:
    tool, plain, person, place = (
        named_concept("search", NOON, kind) for kind in ("tool", "concept", "person", "place")
    )
    assert choose_concept("search", TOOL, [plain, tool, person], others=True) is tool
    assert choose_concept("search", TOOL, [person, plain], others=True) is plain
    assert choose_concept("search", TOOL, [person], others=True) is person
    assert choose_concept("search", TOOL, [person], others=False) is None
    assert choose_concept("search", TOOL, [person, place], others=True) is None
    assert choose_concept("search", TOOL, [], others=True) is None


def test_a_concept_of_the_name_goes_before_one_that_has_it_as_an_alias() -> None:
    city, band, team = (
        named_concept("New York City", NOON),
        named_concept("NYC", NOON, "band"),
        named_concept("New York Cosmos", NOON),
    )
    plain = ("concept",)
    assert choose_concept("nyc", plain, [city], others=True) is city
    assert choose_concept("nyc", plain, [band, city], others=True) is band
    assert choose_concept("nyc", plain, [band, city], others=False) is city
    assert choose_concept("nyc", plain, [city, team], others=True) is None


def test_kinds_keep_aliases_apart() -> None:
    planet, god = named_concept("Planet Mercury", NOON, "planet"), named_concept("Hermes", NOON, "god")
    for kind, meant in (("planet", planet), ("god", god)):
        assert choose_concept("mercury", (kind,), [planet, god], others=False) is meant
    assert choose_concept("mercury", ("concept",), [planet, god], others=True) is None
