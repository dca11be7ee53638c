"""SKOS and OWL files: labels in two languages, odd graphs, and files that mean harm. All names are invented."""

from __future__ import annotations

import gzip
import json
import random
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem.concepts.service import ConceptsService
from graphmem.errors import GraphMemError
from graphmem.ports.workspace import Workspace
from graphmem.transfer.report import ImportReport
from transferring import exported, import_data, reasons, sqlite_workspace

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix x: <http://example.org/faults#> .
"""


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a file reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sqlite_workspace(tmp_path / "memory.db")


def skos(workspace: Workspace, text: str, **options: str) -> ImportReport:
    return import_data(workspace, (PREFIXES + text).encode(), format="skos", **options)


def owl(workspace: Workspace, text: str) -> ImportReport:
    return import_data(workspace, (PREFIXES + text).encode(), format="owl")


def said(workspace: Workspace, name: str) -> set[tuple[str, str, str]]:
    relations = ConceptsService(workspace).show(name).relations
    return {(one.head, one.relation.value, one.tail) for one in relations}


FAULTS = """
x:scheme a skos:ConceptScheme ; skos:prefLabel "All faults"@en .
x:Fault a skos:Concept ; skos:prefLabel "Störung"@de, "장애"@ko, "fault"@en .
x:Timeout a skos:Concept ; skos:prefLabel "시간 초과"@ko, "time-out"@en-GB ;
    skos:altLabel "deadline"@en, "délai"@fr ;
    skos:definition "No answer in time."@en, "제때 응답이 없다."@ko ; skos:broader x:NetworkFault .
x:NetworkFault skos:narrower x:Timeout ; skos:broader x:Fault ; skos:related x:Timeout .
"""


def test_labels_become_name_and_aliases(workspace: Workspace) -> None:
    report = skos(workspace, FAULTS)
    assert (report.added, report.refused) == (6, [])
    concept = ConceptsService(workspace).get("time-out")
    assert concept.aliases == ("deadline", "시간 초과")
    assert concept.definition == "No answer in time."
    assert concept.extra == {"iri": "http://example.org/faults#Timeout"}
    assert ConceptsService(workspace).get("fault").aliases == ("장애",)


def test_korean_labels_become_names_when_they_are_asked_for(workspace: Workspace) -> None:
    skos(workspace, FAULTS, language="ko")
    concept = ConceptsService(workspace).get("시간 초과")
    assert concept.aliases == ("time-out", "deadline")
    assert concept.definition == "제때 응답이 없다."


def test_broader_and_narrower_say_one_thing(workspace: Workspace) -> None:
    skos(workspace, FAULTS)
    assert said(workspace, "NetworkFault") == {
        ("time-out", "is_a", "NetworkFault"),
        ("NetworkFault", "is_a", "fault"),
        ("NetworkFault", "linked_to", "time-out"),
    }


def test_a_second_import_adds_nothing(workspace: Workspace) -> None:
    skos(workspace, FAULTS)
    before = exported(workspace.graph)
    again = skos(workspace, FAULTS)
    assert (again.added, again.unchanged, again.changed) == (0, 6, 0)
    assert exported(workspace.graph) == before


def test_a_concept_without_a_label_has_the_name_that_its_iri_ends_with(workspace: Workspace) -> None:
    skos(workspace, "<http://example.org/%EB%83%89%EC%9E%A5%EA%B3%A0> skos:broader <urn:kinds:home_appliance> .")
    assert said(workspace, "냉장고") == {("냉장고", "is_a", "home appliance")}


def test_a_blank_node_counts_when_it_has_a_label_and_is_refused_when_not(workspace: Workspace) -> None:
    report = skos(workspace, '[] skos:broader x:Fault . [] skos:prefLabel "leak" ; skos:broader x:Fault .')
    ((_, reason),) = reasons(report)
    assert "without a label" in reason
    assert said(workspace, "Fault") == {("leak", "is_a", "Fault")}


def test_a_cycle_is_refused_with_its_line_and_the_rest_is_kept(workspace: Workspace) -> None:
    report = skos(workspace, "x:A skos:broader x:B .\nx:B skos:broader x:C .\nx:C skos:broader x:A .\n")
    ((line, reason),) = reasons(report)
    assert line == 7
    assert "C is_a A is_a B is_a C" in reason
    assert report.added == 5


def test_one_name_of_two_things_becomes_two_concepts(workspace: Workspace) -> None:
    skos(
        workspace,
        """x:m1 skos:prefLabel "배" ; skos:broader x:Fruit .
        x:m2 skos:prefLabel "배" ; skos:broader x:Ship . x:Ferry skos:broader x:m2 .""",
    )
    concepts = ConceptsService(workspace)
    assert {concept.kind for concept in concepts.list(name="배")} == {"Fruit", "concept"}
    assert [node.name for node in concepts.tree("배").above] == ["Ship"]


CLASSES = """
x:Appliance a owl:Class ; rdfs:label "가전"@ko, "appliance"@en ; rdfs:comment "Runs at home." .
x:Fridge a owl:Class ; rdfs:subClassOf x:Appliance, owl:Thing,
    [ a owl:Restriction ; owl:onProperty x:cools ; owl:someValuesFrom x:Food ] .
x:SmartFridge owl:equivalentClass [ owl:intersectionOf ( x:Fridge x:Networked
    [ a owl:Restriction ; owl:onProperty x:has ; owl:someValuesFrom x:Radio ] ) ] .
x:cools a owl:ObjectProperty ; rdfs:label "cools" .
x:mine a x:Fridge, owl:NamedIndividual ; rdfs:label "우리 집 냉장고"@ko .
<http://example.org/faults> a owl:Ontology ; owl:imports <http://192.0.2.1/other.owl> ; rdfs:label "Faults" .
"""


def test_owl_classes_become_a_tree_and_individuals_their_instances(workspace: Workspace) -> None:
    report = owl(workspace, CLASSES)
    assert report.refused == []
    names = {concept.name for concept in ConceptsService(workspace).list()}
    assert names == {"appliance", "Fridge", "SmartFridge", "Networked", "우리 집 냉장고"}
    assert ConceptsService(workspace).get("appliance").definition == "Runs at home."
    assert said(workspace, "Fridge") == {
        ("Fridge", "is_a", "appliance"),
        ("SmartFridge", "is_a", "Fridge"),
        ("우리 집 냉장고", "instance_of", "Fridge"),
    }


def declared(*entities: str) -> str:
    return f"<!DOCTYPE rdf:RDF [{''.join(f'<!ENTITY {entity}>' for entity in entities)}]>"


def laughs() -> str:
    deeper = [f"&l{number};" * 10 for number in range(9)]
    return declared('l0 "ha"', *(f'l{number} "{value}"' for number, value in enumerate(deeper, start=1)))


RDF_XML = """<?xml version="1.0"?>{doctype}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<rdf:Description rdf:about="http://example.org/Fridge"><rdf:type rdf:resource="http://www.w3.org/2002/07/owl#Class"/>
<rdfs:label>{label}</rdfs:label></rdf:Description></rdf:RDF>"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_rdf_xml_is_read_in_the_encodings_of_xml(workspace: Workspace, encoding: str) -> None:
    text = RDF_XML.format(doctype="", label="냉장고")
    assert import_data(workspace, text.encode(encoding), format="owl").refused == []
    assert ConceptsService(workspace).get("냉장고").name == "냉장고"


def test_the_namespaces_of_ontology_editors_are_known_as_entities(workspace: Workspace) -> None:
    text = RDF_XML.format(doctype=declared('ex "example"'), label="&ex; fridge")
    assert import_data(workspace, text.encode(), format="owl").added == 1
    assert ConceptsService(workspace).get("example fridge")


def test_other_notations_are_known_by_how_they_begin(workspace: Workspace) -> None:
    broader = "http://www.w3.org/2004/02/skos/core#broader"
    triples = f"<http://x.org/a> <{broader}> <http://x.org/b> .\n"
    graph = {"@context": {"broader": {"@id": broader, "@type": "@id"}}, "@id": "http://x.org/b", "broader": "x:c"}
    assert import_data(workspace, triples.encode(), format="skos").refused == []
    assert import_data(workspace, json.dumps(graph).encode(), format="skos").refused == []
    assert import_data(workspace, json.dumps([graph]).encode(), format="skos").refused == []
    assert [node.name for node in ConceptsService(workspace).tree("a").above] == ["b"]
    assert [node.name for node in ConceptsService(workspace).tree("b").above] == ["c"]


def test_gzip_is_bounded_by_what_it_unpacks_to(workspace: Workspace) -> None:
    assert import_data(workspace, gzip.compress((PREFIXES + FAULTS).encode()), format="skos").added == 6
    bomb = gzip.compress(b" " * (20 << 20))
    assert "longer than" in reasons(import_data(workspace, bomb, format="skos"))[0][1]


@pytest.mark.parametrize(
    ("doctype", "label"),
    [
        (laughs(), "&l9;"),
        (declared('big "' + "x" * 100_000 + '"'), "&big;" * 10_000),
        (declared('f SYSTEM "file:///etc/passwd"'), "&f;"),
        (declared('f SYSTEM "http://192.0.2.1/x"'), "&f;"),
        ('<!DOCTYPE rdf:RDF [<!ENTITY % p SYSTEM "http://192.0.2.1/x.dtd"> %p;]>', "x"),
        (declared(*(f'e{number} "x"' for number in range(1000))), "&e1;"),
    ],
)
def test_entities_that_grow_or_fetch_are_refused(workspace: Workspace, doctype: str, label: str) -> None:
    report = import_data(workspace, RDF_XML.format(doctype=doctype, label=label).encode(), format="owl")
    ((line, reason),) = reasons(report)
    assert line == 1
    assert "entit" in reason


def test_a_dtd_elsewhere_is_not_fetched(workspace: Workspace) -> None:
    text = RDF_XML.format(doctype='<!DOCTYPE rdf:RDF SYSTEM "http://192.0.2.1/x.dtd">', label="fridge")
    assert import_data(workspace, text.encode(), format="owl").added == 1


@pytest.mark.parametrize(
    "document",
    [
        {"@context": "http://192.0.2.1/context.jsonld", "@id": "x:a"},
        {"@context": ["file:///etc/passwd"], "@id": "x:a"},
        {"@context": {"@import": "http://192.0.2.1/context.jsonld"}, "@id": "x:a"},
        {
            "@context": {"term": {"@id": "x:t", "@context": "http://192.0.2.1/c"}},
            "@id": "x:a",
            "term": {"@id": "x:b"},
        },
        [{"@graph": [{"@id": "x:a", "@context": "http://192.0.2.1/c"}]}],
    ],
)
def test_a_remote_context_is_refused_and_not_fetched(workspace: Workspace, document: object) -> None:
    report = import_data(workspace, json.dumps(document).encode(), format="skos")
    assert "not fetched" in reasons(report)[0][1]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"@prefix x: <http://x.org/> .\nx:a x:b\n\nx:c x:d x:e .\n", "not Turtle on line"),
        (
            b"<?xml version='1.0'?>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<x>",
            "on line 3",
        ),
        (b"<?xml version='1.0'?><Ontology xmlns='http://www.w3.org/2002/07/owl#'/>", "OWL/XML"),
        (b"Prefix(:=<http://x.org/>)\nOntology(<http://x.org/>)", "not Turtle"),
        (b"\xff\xf0 broken", "not UTF-8 on line 1"),
        (b'{"@id": "x:a", ', "JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"@prefix x: <http://x.org/> .\nx:a x:b " + b"[ x:c " * 50_000, "nested too deeply"),
        (b'{"@graph": ' * 50_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_rdf_is_told_with_the_place(workspace: Workspace, data: bytes, reason: str) -> None:
    ((_, told),) = reasons(import_data(workspace, data, format="skos"))
    assert reason in told


def test_damaged_files_never_do_more_than_being_refused(workspace: Workspace) -> None:
    chance = random.Random(7)
    files = [(PREFIXES + FAULTS).encode(), RDF_XML.format(doctype=laughs(), label="a").encode()]
    for data in files:
        for _ in range(60):
            damaged = bytearray(data)
            for _ in range(chance.randint(1, 8)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            import_data(workspace, bytes(damaged), format="skos", dry_run=True)


LONG = "가" * 600


def test_labels_that_no_name_can_be_are_passed_over(workspace: Workspace) -> None:
    skos(workspace, f'x:Long skos:prefLabel "{LONG}"@ko, "  "@en, "ok"@fr . x:Nul skos:prefLabel "a\\u0000b" .')
    assert {concept.name for concept in ConceptsService(workspace).list()} == {"ok", "Nul"}


def test_without_rdflib_the_error_says_what_to_install(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rdflib", None)
    monkeypatch.delitem(sys.modules, "graphmem.transfer.rdflib_reading", raising=False)
    with pytest.raises(GraphMemError, match=r"graphmem\[rdf\]"):
        skos(workspace, FAULTS)


def test_rdflib_is_loaded_by_nothing_else() -> None:
    code = "import sys, graphmem, graphmem.transfer.importing; print('rdflib' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )


def test_of_relations_that_close_a_cycle_the_least_sure_one_is_refused(workspace: Workspace) -> None:
    records = [
        {"type": "relation", "head": "a", "relation": "is_a", "tail": "b", "confidence": 0.4},
        {"type": "relation", "head": "b", "relation": "is_a", "tail": "c", "confidence": 0.9},
        {"type": "relation", "head": "c", "relation": "is_a", "tail": "a"},
    ]
    report = import_data(workspace, "\n".join(map(json.dumps, records)).encode())
    ((line, reason),) = reasons(report)
    assert line == 1
    assert "a is_a b would close a cycle" in reason
