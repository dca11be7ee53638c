"""What no file of the repository may hold, and what every one of a kind must."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
MAX_MODULE_LINES = 500

MACHINE_PATH = re.compile(r"(?<![\w.~$}-])/(?:work|root|tmp|home|opt/wheels)(?:/|\b(?!\w))")
REGISTRY_HOST = re.compile(
    r"pypi\.org|pythonhosted\.org|repo\d?\.maven|npmjs\.|crates\.io|proxy\.golang|deb\.debian|docker\.io|ghcr\.io"
)
UNREASONED_NOQA = re.compile(r"#\s*(?:ruff:\s*)?noqa(?!: [A-Z]+\d+(?:, [A-Z]+\d+)* \([^)]+)", re.IGNORECASE)
SILENCED = re.compile(r"#\s*type:\s*ignore(?!\[)|pragma:\s*no cover|\bTODO\b|\bFIXME\b")

_NAMED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def test_no_file_names_a_path_of_some_machine() -> None:
    assert _matches(MACHINE_PATH, _texts()) == []


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert _matches(REGISTRY_HOST, _texts()) == []


def test_each_silenced_lint_says_which_and_why() -> None:
    assert _matches(UNREASONED_NOQA, _python_texts()) == []


def test_no_check_is_silenced_wholesale_and_nothing_is_left_to_do() -> None:
    assert _matches(SILENCED, _python_texts()) == []


def test_no_module_is_longer_than_one_sitting() -> None:
    assert [name for name, text in _python_texts() if text.count("\n") > MAX_MODULE_LINES] == []


@pytest.mark.parametrize("name", ["core.txt", "minilm.txt", "dev.txt", "kiwi.txt", "lock.txt", "weights.txt"])
def test_each_requirement_has_one_version_and_a_hash(name: str) -> None:
    lines = _requirement_lines(name)
    assert lines
    assert [line for line in lines if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []


@pytest.mark.parametrize(
    ("name", "extras"), [("core.txt", []), ("minilm.txt", ["minilm"]), ("dev.txt", ["all", "dev"])]
)
def test_the_pinned_versions_are_the_ones_the_project_declares(name: str, extras: list[str]) -> None:
    # the dictionary of kiwi has a file of its own, since it alone comes as a source archive
    lines = [*_requirement_lines(name), *_requirement_lines("kiwi.txt")]
    pins = {pin.name: pin for pin in map(_pin, lines)}
    unmet = [
        str(declared)
        for declared in _declared(extras)
        if not (pin := pins.get(canonicalize_name(declared.name)))
        or not declared.specifier.contains(next(iter(pin.specifier)).version)
    ]
    assert unmet == [], "run: make lock"


def test_whoever_has_the_tests_has_what_demo_and_weights_need() -> None:
    core, minilm, dev = (
        {str(_pin(line)) for line in _requirement_lines(name)} for name in ("core.txt", "minilm.txt", "dev.txt")
    )
    assert core <= minilm <= dev


def test_each_public_name_says_what_it_is_for() -> None:
    undocumented = [
        f"{name}: {node.name if isinstance(node, _NAMED) else 'module'}"
        for name, text in _python_texts()
        if name.startswith("graphmem/")
        for node in _public(ast.parse(text), is_suite=name.startswith("graphmem/testing/"))
        if not ast.get_docstring(node) and not _is_said_elsewhere(node, text)
    ]
    assert undocumented == []


def _public(tree: ast.Module, *, is_suite: bool) -> Iterator[_Documented]:
    if tree.body:
        yield tree
    for node in tree.body:
        if isinstance(node, _NAMED) and not node.name.startswith("_"):
            yield node
            yield from _public_methods(node, is_suite=is_suite)


def _public_methods(node: ast.stmt, *, is_suite: bool) -> Iterator[_Documented]:
    if not isinstance(node, ast.ClassDef):
        return
    for method in node.body:
        hidden = ("_", "test_") if is_suite else "_"
        if isinstance(method, _NAMED) and not method.name.startswith(hidden):
            yield method


def _is_said_elsewhere(node: _Documented, text: str) -> bool:
    if isinstance(node, ast.Module):
        return False
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    header = "\n".join(text.splitlines()[node.lineno - 1 : node.body[0].lineno])
    return bool(decorators & {"override", "overload", "setter"}) or "# noqa: D102 (" in header


def _matches(pattern: re.Pattern[str], texts: Iterator[tuple[str, str]]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in texts
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def _python_texts() -> Iterator[tuple[str, str]]:
    return ((name, text) for name, text in _texts() if name.endswith(".py"))


def _texts() -> Iterator[tuple[str, str]]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: which files belong to the project cannot be told")
    for name in sorted(set(listed.stdout.split("\0")) - {""}):
        path = ROOT / name
        if path.is_file():
            yield name, path.read_text(encoding="utf-8", errors="replace")


def _requirement_lines(name: str) -> list[str]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _pin(line: str) -> Requirement:
    return Requirement(line.partition("--hash")[0].strip())


def _declared(extras: list[str]) -> Iterator[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    own = [extra for text in optional["all"] for extra in Requirement(text).extras] if "all" in extras else []
    for text in [*project["dependencies"], *(text for extra in [*extras, *own] for text in optional[extra])]:
        if (declared := Requirement(text)).name != project["name"]:
            yield declared
