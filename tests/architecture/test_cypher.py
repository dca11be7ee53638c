"""The statements under cypher/: complete headers, names by rule, each in use, none hidden in Python.

That each runs on its line of Neo4j is tested in tests/integration/test_cypher_explained.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.graph.schema import EDGE_TYPES, EMBEDDED, NODE_TYPES, SEARCHABLE, TREE_EDGES, PropertyType
from graphmem.queries import cypher_folder, query, query_names
from graphmem.stores.neo4j import statements, trees
from graphmem.stores.neo4j.migrations import VECTORS, migration_files

ROOT = Path(__file__).parents[2]
NAMES = query_names()
WRITES_ITS_OWN_CYPHER = {Path("graphmem/patterns/evidence.py")}
"""The evidence query of a pattern is made for it: shown to the analyst, with its parameters."""
NOT_CYPHER = {"sqlite", "testing"}
"""SQL, and the hostile input of the contract tests."""
CLAUSES = re.compile(
    r"\b(MATCH|MERGE|UNWIND|DETACH|FOREACH|OPTIONAL|YIELD|CREATE (?:\(|INDEX|CONSTRAINT|VECTOR|FULLTEXT)|"
    r"SHOW INDEXES|CALL (?:\{|\(|db\.)|RETURN [a-z]|SET [a-z_]+[.\[ ]|LIMIT \$)"
)


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_has_a_complete_header_and_uses_what_it_declares(name: str) -> None:
    assert query(name).doc.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_a_path_is_a_folder_and_a_snake_case_name(name: str) -> None:
    assert re.fullmatch(r"(graph|reports)/[a-z][a-z_]*(\.v5)?|schema/\d{4}_[a-z_]+(\.v5)?", name)


@pytest.mark.parametrize("name", NAMES)
def test_labels_types_and_properties_are_written_in_their_case(name: str) -> None:
    text = query(name).text
    for label in re.findall(r"\(\w*:([A-Za-z_|]+)", text):
        assert all(re.fullmatch(r"[A-Z][A-Za-z]+", part) for part in label.split("|")), label
    for kind in re.findall(r"\[\w*:([A-Za-z_|]+)", text):
        assert all(re.fullmatch(r"[A-Z][A-Z_]+", part) for part in kind.split("|")), kind


@pytest.mark.parametrize("name", NAMES)
def test_version_25_is_used_only_for_what_5_cannot_say(name: str) -> None:
    found = query(name)
    if found.language == "25":
        assert "SEARCH" in found.text or "CREATE VECTOR INDEX" in found.text
        assert f"{name}.v5" in NAMES


@pytest.mark.parametrize("name", query_names("graph"))
def test_every_statement_of_the_store_is_used(name: str) -> None:
    used = {found.name for found in vars(statements).values() if hasattr(found, "stand_ins")}
    constants = {found.name: key for key, found in vars(statements).items() if hasattr(found, "stand_ins")}
    assert name in used
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "graphmem").rglob("*.py"))
    assert re.search(rf"statements\.{constants[name]}\b", sources), f"nothing runs {constants[name]}"


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text("utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    attribute_docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs | attribute_docs
        ):
            yield node.lineno, node.value


def test_no_cypher_hides_in_python() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text[:60]!r}"
        for path in sorted((ROOT / "graphmem").rglob("*.py"))
        if path.relative_to(ROOT) not in WRITES_ITS_OWN_CYPHER and not NOT_CYPHER & set(path.parts)
        for line, text in _texts(path)
        if CLAUSES.search(text)
    ]
    assert found == []


def test_every_label_has_its_constraint() -> None:
    text = "\n".join(file.text for file in migration_files())
    for label in NODE_TYPES:
        assert f"FOR (node:{label}) REQUIRE (node.tenant, node.id) IS UNIQUE" in text


def test_every_searchable_label_has_its_full_text_index() -> None:
    found = re.findall(
        r"FOR \(node:(\w+)\) ON EACH \[node\.search_text, node\.tenant\]", query("schema/0001_texts").text
    )
    assert tuple(found) == SEARCHABLE


def test_range_indexes_are_over_filterable_properties() -> None:
    found = re.findall(r"FOR \(node:(\w+)\) ON \(node\.tenant, node\.(\w+)\)", query("schema/0001_ranges").text)
    assert found
    assert all(name in NODE_TYPES[label].filterable for label, name in found)


def test_a_vector_index_declares_every_filterable_property() -> None:
    statements_of = {
        match[1]: text for text in VECTORS.statements if (match := re.search(r"FOR \(node:(\w+)\)", text))
    }
    assert tuple(statements_of) == EMBEDDED
    for label, text in statements_of.items():
        declared = re.search(r"WITH \[(.*?)\]", text, re.DOTALL)
        assert declared is not None
        names = [name.strip().removeprefix("node.") for name in declared[1].split(",")]
        assert names[0] == "tenant"
        assert set(names[1:]) == set(NODE_TYPES[label].filterable)


def test_both_lines_have_the_same_vector_indexes() -> None:
    older = query("schema/0001_vectors.v5").statements
    names = [re.findall(r"CREATE VECTOR INDEX (\w+)", text) for text in (*VECTORS.statements, *older)]
    assert names[: len(VECTORS.statements)] == names[len(VECTORS.statements) :]


def test_migrations_are_numbered_in_order() -> None:
    numbers = [int(file.path.name[:4]) for file in migration_files()]
    assert numbers == sorted(numbers)
    assert all(file.mode == "schema" for file in migration_files())


def test_save_trees_writes_every_property_of_what_a_root_owns() -> None:
    text = statements.SAVE_TREES.text
    for label, kind in NODE_TYPES.items():
        if kind.owner is None:
            continue
        assert label in trees.OWNED
        body = re.search(rf"CREATE \(\w+:{label} {{(.*?)}}\)", text, re.DOTALL)
        assert body is not None
        written = re.findall(r"(\w+): ((?:times\[)?own\[(\d+)\]\]?)", body[1])
        assert [name for name, _, _ in written] == ["id", *kind.properties]
        for place, (name, value, number) in enumerate(written):
            assert int(number) == place
            is_time = kind.properties.get(name) is PropertyType.TIME
            assert value.startswith("times[") == is_time, name


def _converted(text: str, variable: str) -> set[str]:
    body = re.search(rf"{variable} {{\s*\.\*,(.*?)}}", text, re.DOTALL)
    assert body is not None
    return set(re.findall(r"(\w+): ", body[1])) - {"tenant"}


def _times(properties: dict[str, PropertyType]) -> set[str]:
    return {name for name, kind in properties.items() if kind is PropertyType.TIME}


def test_times_are_converted_wherever_they_are_written() -> None:
    assert _converted(statements.SAVE_TREES.text, "given") == _times(NODE_TYPES["Episode"].properties)
    of_nodes = set().union(*(_times(kind.properties) for kind in NODE_TYPES.values()))
    assert _converted(statements.SAVE_NODES.text, "given") == of_nodes
    of_edges = set().union(*(_times(edge.properties) for edge in EDGE_TYPES.values()))
    assert _converted(statements.SAVE_EDGES.text, "shape") == of_edges
    assert _converted(statements.SAVE_TREES.text, "shape") == of_edges


def test_save_trees_looks_up_every_label_at_which_an_edge_of_a_tree_may_end() -> None:
    owned = {label for label, kind in NODE_TYPES.items() if kind.owner}
    sources = owned | {"Episode"}
    ends = {target for edge in EDGE_TYPES.values() for source, target in edge.ends if source in sources}
    assert ends - owned - {"Episode"} == trees.SHARED_LABELS
    assert set(re.findall(r"UNWIND \$targets\.(\w+)", statements.SAVE_TREES.text)) == trees.SHARED_LABELS


def test_what_goes_with_a_root_is_what_the_schema_says() -> None:
    owned = sorted(label for label, kind in NODE_TYPES.items() if kind.owner)
    owning = {name for name in TREE_EDGES if any(target in owned for _, target in EDGE_TYPES[name].ends)}
    for statement in (statements.CLEAR_TREES, statements.REMOVE_NODES):
        types, labels = re.findall(r"\[:([A-Z_|]+)\]->\(owned:([A-Za-z|]+)\)", statement.text)[0]
        assert set(types.split("|")) == owning
        assert sorted(labels.split("|")) == owned
    removed = re.findall(r"\[edge:([A-Z_|]+)\]", statements.CLEAR_TREES.text)[0]
    assert set(removed.split("|")) == TREE_EDGES


def test_the_folder_explains_itself() -> None:
    assert (cypher_folder() / "README.md").is_file()
