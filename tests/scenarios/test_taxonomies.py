"""Taxonomies from files on each store: import, again, trees, what is mined below them, GraphML."""

from __future__ import annotations

import io
from pathlib import Path

import networkx as nx
import pytest

import graphmem
from graphmem.models.episode import Episode
from graphmem.reports.taxonomy.text import tree_lines
from graphmem.transfer.graphml import write_graphml
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import Format, ImportOptions, ImportPolicy
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import stream_source

WORDS = "\n".join(
    line.replace("|", "\t")
    for line in (
        "crane|is_a|bird|03|02",
        "crane|is_a|machine|06|05",
        "bird|is_a|animal|02|01",
        "grey crane|is_a|crane|04|03",
        "두루미|is_a|crane|07|03",
        "두루미|is_a|animal|07|01",
        "tower crane|is_a|crane|08|06",
        "animal|is_a|두루미|01|07",
    )
)
SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix x: <http://example.org/> .
x:Fault skos:prefLabel "fault"@en, "장애"@ko .
x:Timeout skos:prefLabel "timeout"@en, "시간 초과"@ko ; skos:broader x:Fault .
x:Fault skos:broader x:Timeout .
"""


def imported(memory: graphmem.GraphMemory, text: str, form: Format) -> ImportReport:
    """Import a file in batches of two, so that what is refused depends on what was written before."""
    options = ImportOptions(format=form, policy=ImportPolicy(batch_records=2, batch_waiting=2))
    return import_records(memory.workspace, [stream_source("file", io.BytesIO(text.encode()))], options)


def test_senses_cycles_and_trees_are_the_same_on_each_store(memory: graphmem.GraphMemory) -> None:
    report = imported(memory, WORDS, "wordnet")
    assert report.added == 7
    (refused,) = report.refused
    assert refused.line == 8
    assert "animal is_a 두루미 would close a cycle" in refused.reason
    assert list(tree_lines(memory.concepts.tree("crane"))) == [
        "crane",
        "  is a bird",
        "    is a animal",
        "  <- grey crane",
        "  <- 두루미",
    ]
    assert list(tree_lines(memory.concepts.tree("두루미")))[1:] == [
        "  is a crane",
        "    is a bird",
        "      is a animal",
    ]
    assert list(tree_lines(memory.concepts.tree("두루미", depth=1)))[1:] == ["  is a animal", "  is a crane"]
    assert list(tree_lines(memory.concepts.tree("crane", kind="machine")))[1:] == [
        "  is a machine",
        "  <- tower crane",
    ]
    again = imported(memory, WORDS, "wordnet")
    assert (again.added, again.changed, again.unchanged, len(again.refused)) == (0, 0, 7, 1)


@pytest.mark.parametrize("name", ["fault", "장애"])
def test_labels_of_both_languages_name_one_concept(memory: graphmem.GraphMemory, name: str) -> None:
    report = imported(memory, SKOS, "skos")
    assert (report.added, len(report.refused)) == (3, 1)
    assert [node.name for node in memory.concepts.tree(name).below] == ["timeout"]


def test_what_runs_are_about_is_mined_by_what_it_is(memory: graphmem.GraphMemory) -> None:
    imported(memory, WORDS, "wordnet")
    # an ancestor of most of what occurs would say nothing, so most runs are about something else
    for number, name in enumerate(("grey crane", "두루미", "bolt", "cog", "washer") * 3):
        steps = [{"action": "watch", "concepts": [name]}, {"action": "note"}]
        memory.episodes.add(Episode.model_validate({"id": f"e{number}", "goal": "watch", "steps": steps}))
    memory.patterns.mine()
    labels = {node.label for pattern in memory.patterns.list() for node in pattern.nodes}
    assert "crane" in labels
    assert not labels & {"machine"}


def test_a_graph_is_written_and_read_back(memory: graphmem.GraphMemory, tmp_path: Path) -> None:
    imported(memory, WORDS, "wordnet")
    write_graphml(memory.concepts.graph("crane", depth=1), tmp_path / "a.graphml")
    read = nx.read_graphml(tmp_path / "a.graphml")
    assert {held["name"] for _, held in read.nodes(data=True)} == {"crane", "bird", "grey crane", "두루미"}
    assert memory.concepts.graph().number_of_edges() == 7
