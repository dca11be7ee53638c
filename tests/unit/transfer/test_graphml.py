from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from graphmem.concepts.service import ConceptsService
from graphmem.errors import InvalidInputError, NotFoundError, TransferError
from graphmem.models.concept import Concept
from graphmem.transfer.graphml import write_graphml
from transferring import sqlite_workspace


@pytest.fixture
def concepts(tmp_path: Path) -> ConceptsService:
    service = ConceptsService(sqlite_workspace(tmp_path / "memory.db"))
    service.add(Concept(name="가전", definition="집에서 쓰는 <전기> 제품 & 더", aliases=("가전제품", "appliance")))
    service.relate("냉장고", "is_a", "가전", confidence=0.8, evidence=["냉장고는 가전이다."])
    service.relate("냉장고", "part_of", "부엌")
    service.relate("부엌", "part_of", "집")
    return service


def by_name(drawn: Any) -> set[tuple[str, str, str]]:
    names = nx.get_node_attributes(drawn, "name")
    return {(names[source], key, names[target]) for source, target, key in drawn.edges(keys=True)}


def by_type(drawn: Any) -> set[tuple[str, str, str]]:
    names = nx.get_node_attributes(drawn, "name")
    return {(names[source], kind, names[target]) for source, target, kind in drawn.edges(data="type")}


def test_all_concepts_are_a_graph(concepts: ConceptsService) -> None:
    drawn = concepts.graph()
    assert by_name(drawn) == {
        ("냉장고", "IS_A", "가전"),
        ("냉장고", "PART_OF", "부엌"),
        ("부엌", "PART_OF", "집"),
    }
    (known,) = [held for _, _, key, held in drawn.edges(keys=True, data=True) if key == "IS_A"]
    assert (known["confidence"], known["source"], known["evidence"]) == (0.8, "given", ["냉장고는 가전이다."])


def test_what_is_around_a_concept_is_bounded_by_depth_and_size(concepts: ConceptsService) -> None:
    assert by_name(concepts.graph("집", depth=1)) == {("부엌", "PART_OF", "집")}
    assert concepts.graph("집", depth=3).number_of_nodes() == 4
    few = concepts.graph("집", depth=3, limit=2)
    assert few.number_of_nodes() == 2
    assert few.graph["truncated"]
    with pytest.raises(NotFoundError):
        concepts.graph("nothing")
    with pytest.raises(InvalidInputError, match="depth"):
        concepts.graph("집", depth=0)


def test_graphml_reads_back_with_korean_and_marks(concepts: ConceptsService, tmp_path: Path) -> None:
    concepts.relate(unicodedata.normalize("NFD", "한글"), "is_a", "문자 😀")
    drawn = concepts.graph()
    write_graphml(drawn, tmp_path / "a.graphml")
    read = nx.read_graphml(tmp_path / "a.graphml", force_multigraph=True)
    assert set(read.nodes) == set(drawn.nodes)
    assert by_type(read) == by_name(drawn) == by_type(drawn)
    definitions = [held["definition"] for _, held in read.nodes(data=True) if "definition" in held]
    assert definitions == ["집에서 쓰는 <전기> 제품 & 더"]


def test_every_edge_has_an_id_of_its_own(concepts: ConceptsService, tmp_path: Path) -> None:
    concepts.relate("냉장고", "has_a", "부엌")
    write_graphml(concepts.graph(), tmp_path / "a.graphml")
    ids = re.findall('<edge [^>]*id="([^"]+)"', (tmp_path / "a.graphml").read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids)) == 4


def test_what_xml_cannot_hold_is_escaped(concepts: ConceptsService, tmp_path: Path) -> None:
    concepts.add(Concept(name="bell\x07", definition="a\x1b[31m\r\n\ufffe\ttab\nline"))
    write_graphml(concepts.graph(), tmp_path / "a.graphml")
    read = nx.read_graphml(tmp_path / "a.graphml", force_multigraph=True)
    (held,) = [held for _, held in read.nodes(data=True) if held["name"].startswith("bell")]
    assert held["name"] == r"bell\u0007"
    assert held["definition"] == "a\\u001b[31m\\u000d\n\\ufffe\ttab\nline"


def test_the_same_concepts_give_the_same_file(concepts: ConceptsService, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_graphml(concepts.graph(), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_folder_that_is_not_there_is_an_error_that_names_the_file(
    concepts: ConceptsService, tmp_path: Path
) -> None:
    with pytest.raises(TransferError, match=r"a\.graphml"):
        write_graphml(concepts.graph(), tmp_path / "none" / "a.graphml")
