from __future__ import annotations

from pathlib import Path

from graphmem.concepts.service import ConceptsService
from graphmem.models.concept import Concept
from graphmem.patterns.ancestry import taxonomy_above
from graphmem.patterns.kinship import keys_below
from graphmem.ports.workspace import Workspace
from transferring import sqlite_workspace


def crane(tmp_path: Path) -> Workspace:
    """Two kinds of crane, one below a word that has two senses itself."""
    workspace = sqlite_workspace(tmp_path / "memory.db")
    relate = ConceptsService(workspace).relate
    relate("crane", "is_a", "bird", head_kind="concept")
    relate("bird", "is_a", "animal")
    relate("crane", "is_a", "machine", head_kind="machine")
    relate("machine", "is_a", "device")
    relate("두루미", "is_a", "crane", tail_kind="concept")
    relate("tower crane", "is_a", "crane", tail_kind="machine")
    return workspace


def test_a_key_has_the_ancestors_of_its_plain_concept_alone(tmp_path: Path) -> None:
    taxonomy = taxonomy_above(crane(tmp_path).graph, ["crane", "두루미"])
    assert taxonomy.ancestors("crane") == {"bird", "animal"}
    assert taxonomy.ancestors("두루미") == {"crane", "bird", "animal"}


def test_another_sense_on_the_way_up_is_passed_over(tmp_path: Path) -> None:
    taxonomy = taxonomy_above(crane(tmp_path).graph, ["tower crane"])
    assert taxonomy.ancestors("tower crane") == {"machine", "device"}


def test_below_a_name_stands_what_is_below_its_plain_concept(tmp_path: Path) -> None:
    graph = crane(tmp_path).graph
    assert keys_below(graph, "cranes", "about") == {"crane", "두루미"}
    assert keys_below(graph, "device", "about") == {"device", "machine", "tower crane"}


def test_a_plain_concept_that_is_nothing_takes_no_ancestors_away(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "memory.db")
    concepts = ConceptsService(workspace)
    concepts.relate("조회", "is_a", "읽기", head_kind="tool")
    concepts.add(Concept(name="조회"))
    assert taxonomy_above(workspace.graph, ["조회"]).ancestors("조회") == {"읽기"}


def test_what_is_no_concept_has_no_ancestors(tmp_path: Path) -> None:
    assert taxonomy_above(crane(tmp_path).graph, ["sparrow"]).ancestors("sparrow") == frozenset()
