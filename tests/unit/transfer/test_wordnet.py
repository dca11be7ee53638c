"""WordNet rows: senses become concepts, bad rows are told, the tree stays a tree. All words here are invented."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graphmem.concepts.service import ConceptsService
from graphmem.concepts.views import TreeNode
from graphmem.errors import InvalidInputError, TransferError
from graphmem.ports.workspace import Workspace
from transferring import exported, import_data, reasons, sqlite_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sqlite_workspace(tmp_path / "memory.db")


def rows(*lines: str) -> bytes:
    return "".join(line.replace("|", "\t") + "\n" for line in lines).encode()


BIRDS = rows(
    "bird|is_a|animal|0002|0001",
    "crane|is_a|bird|0003|0002",
    "grey crane|is_a|crane|0004|0003",
    "crane|is_a|machine|0006|0005",
    "두루미|is_a|crane|0007|0003",
    "Old Grey|instance_of|grey crane|0008|0004",
    "wing|part_of|bird|0009|0002",
    "feather|substance_of|wing|0010|0009",
    "grey crane|member_of|flock|0004|0011",
)


def names(nodes: tuple[TreeNode, ...]) -> list[str]:
    return [node.name for node in nodes]


def test_a_word_means_the_sense_with_most_relations_and_the_others_have_a_kind(workspace: Workspace) -> None:
    report = import_data(workspace, BIRDS, format="wordnet")
    assert (report.read, report.added, report.refused) == (9, 9, [])
    concepts = ConceptsService(workspace)
    assert names(concepts.tree("crane").above) == ["bird"]
    assert names(concepts.tree("crane").below) == ["grey crane", "두루미"]
    assert names(concepts.tree("crane", kind="machine").above) == ["machine"]


def test_every_relation_becomes_one_of_ours(workspace: Workspace) -> None:
    import_data(workspace, BIRDS, format="wordnet")
    said = {
        (relation.head, relation.relation.value, relation.tail)
        for name in ("grey crane", "wing")
        for relation in ConceptsService(workspace).show(name).relations
    }
    assert said == {
        ("grey crane", "is_a", "crane"),
        ("Old Grey", "instance_of", "grey crane"),
        ("grey crane", "member_of", "flock"),
        ("wing", "part_of", "bird"),
        ("feather", "part_of", "wing"),
    }


def test_a_second_import_adds_nothing_and_neither_does_another_order(workspace: Workspace) -> None:
    import_data(workspace, BIRDS, format="wordnet")
    before = exported(workspace.graph)
    again = import_data(workspace, b"".join(reversed(BIRDS.splitlines(keepends=True))), format="wordnet")
    assert (again.added, again.unchanged, again.refused) == (0, 9, [])
    assert exported(workspace.graph) == before


def test_what_was_exported_reads_back_as_the_same_senses(workspace: Workspace, tmp_path: Path) -> None:
    import_data(workspace, BIRDS, format="wordnet")
    other = sqlite_workspace(tmp_path / "other.db")
    import_data(other, exported(workspace.graph))
    assert exported(other.graph) == exported(workspace.graph)


def test_gzip_is_read_as_it_is(workspace: Workspace) -> None:
    assert import_data(workspace, gzip.compress(BIRDS), format="wordnet").added == 9


def test_damaged_gzip_is_an_error_that_names_the_file(workspace: Workspace) -> None:
    packed = gzip.compress(BIRDS)
    for damaged in (packed[:-12], packed[:20] + b"\0\0\0\0" + packed[24:]):
        with pytest.raises(TransferError, match="file-0"):
            import_data(workspace, damaged, format="wordnet")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"crane\tis_a\tbird\t1", "5 columns"),
        (b"crane\tlooks_like\tbird\t1\t2", "second column"),
        (b"crane\tis_a\t \t1\t2", "blank"),
        (b"crane\tis_a\tbird\t1/2\t2", "offset"),
        (b"cran\xff\tis_a\tbird\t1\t2", "UTF-8"),
        (b"x" * 600 + b"\tis_a\tbird\t1\t2", "512"),
        (b"heron\tis_a\tbird\t0003\t0002", "another word here than on line 2"),
    ],
)
def test_a_bad_row_is_told_and_stops_nothing(workspace: Workspace, row: bytes, reason: str) -> None:
    report = import_data(workspace, BIRDS + row + b"\n", format="wordnet")
    assert report.added == 9
    ((line, told),) = reasons(report)
    assert line == 10
    assert reason in told


def test_a_row_that_would_close_a_cycle_is_refused_with_the_whole_cycle(workspace: Workspace) -> None:
    report = import_data(workspace, BIRDS + rows("animal|is_a|grey crane|0001|0004"), format="wordnet")
    assert report.added == 9
    ((line, told),) = reasons(report)
    assert line == 10
    assert told.startswith(
        "animal is_a grey crane would close a cycle: animal is_a grey crane is_a crane is_a bird is_a animal; "
    )


def test_senses_below_one_word_are_told_apart_by_what_is_further_up(workspace: Workspace) -> None:
    data = rows(
        "slope|is_a|shape|1|0",
        "bank|is_a|slope|2|1",
        "bank|is_a|slope|3|1",
        "bank|is_a|slope|4|1",
        "bank|is_a|slope|5|1",
        "river bank|is_a|bank|6|2",
    )
    import_data(workspace, data, format="wordnet")
    kinds = [concept.kind for concept in ConceptsService(workspace).list(name="bank")]
    assert sorted(kinds) == ["concept", "sense 2", "shape", "slope"]


def test_options_of_other_formats_are_refused(workspace: Workspace) -> None:
    with pytest.raises(InvalidInputError, match="chat"):
        import_data(workspace, BIRDS, format="wordnet", fields={"id": "key"})
