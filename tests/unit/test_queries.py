"""Query files: what a header must say, what is refused, and how a stand-in is filled in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graphmem.errors import InvalidInputError
from graphmem.queries import Query, cypher_folder, query, query_names, read_query

GOOD = """// Finds nodes.
// In two lines.
// stand-ins: Episode is the label, true is the filter
// params: tenant, limit
// returns: id
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE true AND node.note <> 'costs $5' // $nothing
RETURN node.id AS id
LIMIT $limit
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "find.cypher"
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str) -> Query:
    return read_query(write(folder, text), "find")


def test_a_file_is_read_with_what_its_header_says(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)
    assert found.doc == "Finds nodes. In two lines."
    assert (found.params, found.returns) == (("tenant", "limit"), ("id",))
    assert (found.mode, found.language) == ("read", "5")
    assert found.stand_ins == {"label": "Episode", "filter": "true"}
    assert found.text.startswith("CYPHER 5\nMATCH")


def test_parameters_in_texts_and_comments_are_not_parameters(tmp_path: Path) -> None:
    assert "nothing" not in read(tmp_path, GOOD).params


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("// params: tenant, limit", "// params: tenant", 11, r"\$limit is used"),
        ("// params: tenant, limit", "// params: tenant, limit, days", 1, "declares days"),
        ("// params: tenant, limit\n", "", 1, "params"),
        ("// params: tenant, limit", "// params: tenant, tenant, limit", 4, "distinct"),
        ("// returns: id\n", "", 1, "returns"),
        ("// mode: read", "// mode: look", 6, "read, write, schema"),
        ("// mode: read\n", "", 1, "mode"),
        ("CYPHER 5\n", "", 7, "CYPHER 5 or CYPHER 25"),
        ("// Finds nodes.\n// In two lines.\n", "", 1, "what the statement does"),
        ("Episode is the label", "Memory is the label", 3, "Memory is not in"),
        ("Episode is the label", "Episode, the label", 3, "not of the form"),
    ],
)
def test_a_broken_header_is_refused_with_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, reason: str
) -> None:
    with pytest.raises(InvalidInputError, match=reason) as caught:
        read(tmp_path, GOOD.replace(old, new))
    assert str(caught.value).startswith(f"{tmp_path / 'find.cypher'}:{line}: ")


def test_a_header_without_a_statement_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="no statement"):
        read(tmp_path, GOOD.partition("CYPHER")[0])


def test_stand_ins_are_replaced_where_they_stand_alone(tmp_path: Path) -> None:
    text = GOOD.replace("RETURN", "USING INDEX node:Episode(id) // Episodes, Episode_text\nRETURN")
    filled = read(tmp_path, text).filled(label="Memory", filter="node.kind = $kind")
    assert "(node:Memory {" in filled
    assert "node:Memory(id) // Episodes, Memory_text" in filled
    assert "WHERE node.kind = $kind AND" in filled


def test_a_replacement_may_hold_what_another_one_replaces(tmp_path: Path) -> None:
    filled = read(tmp_path, GOOD).filled(filter="node.Episode", label="true")
    assert "(node:true {" in filled
    assert "WHERE node.Episode AND" in filled


def test_a_replacement_is_taken_as_it_is(tmp_path: Path) -> None:
    assert r"WHERE node.name = '\1' AND" in read(tmp_path, GOOD).filled(filter=r"node.name = '\1'")


def test_a_kind_without_a_stand_in_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="type"):
        read(tmp_path, GOOD).filled(type="HAS_STEP")


def test_the_statements_of_a_schema_file_are_told_apart(tmp_path: Path) -> None:
    text = GOOD.partition("// stand-ins")[0] + (
        "// params: none\n// returns: none\n// mode: schema\nCYPHER 5\nCREATE INDEX a FOR (n:A) ON (n.b);\n\n"
        "CYPHER 5\nCREATE INDEX c FOR (n:A) ON (n.d);\n"
    )
    first, second = read(tmp_path, text).statements
    assert (first, second) == (
        "CYPHER 5\nCREATE INDEX a FOR (n:A) ON (n.b)",
        "CYPHER 5\nCREATE INDEX c FOR (n:A) ON (n.d)",
    )


def test_korean_headers_and_texts_are_read(tmp_path: Path) -> None:
    text = GOOD.replace("Finds nodes.", "노드를 찾는다.").replace("costs $5", "$가격")
    assert read(tmp_path, text).doc == "노드를 찾는다. In two lines."


def test_an_unknown_name_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(InvalidInputError, match="did you mean 'graph/save_trees'"):
        query("graph/save_tree")


@pytest.mark.parametrize("name", ["../pyproject", "/etc/hosts", "graph/../graph/count", ""])
def test_a_name_never_leaves_the_folder(name: str) -> None:
    with pytest.raises(InvalidInputError):
        query(name)


def test_names_are_sorted_and_can_be_narrowed_to_a_folder() -> None:
    names = query_names()
    assert list(names) == sorted(names)
    assert set(query_names("schema")) == {name for name in names if name.startswith("schema/")}


def test_the_folder_is_found_without_the_package_being_in_the_checkout_of_the_caller(tmp_path: Path) -> None:
    code = "from graphmem.queries import query; print(query('graph/count').mode)"
    package = Path(cypher_folder()).parent
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "read"
