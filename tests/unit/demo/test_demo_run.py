from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.bootstrap import open_memory
from graphmem.demo.run import REPORT_FILE, SAMPLE_FILE, STORE_FILE, prepare_folder, run_demo
from graphmem.errors import GraphMemError


def test_the_demo_takes_an_open_memory_and_says_what_it_does(tmp_path: Path) -> None:
    prepare_folder(tmp_path)
    told: list[str] = []
    with open_memory(tmp_path / STORE_FILE, embedder="none", tenant="체험") as memory:
        result = run_demo(memory, tmp_path, told.append)
    assert len(told) == 3
    assert result.imported.refused == []
    assert result.mined.tiers["significant"] == result.report.tiers["significant"]
    assert "candidate" not in result.report.tiers
    assert result.example is not None
    assert result.example.episodes
    assert "체험" in (tmp_path / REPORT_FILE).read_text(encoding="utf-8")


def test_preparing_twice_writes_the_same_samples(tmp_path: Path) -> None:
    folder = tmp_path / "새 폴더"
    prepare_folder(folder)
    first = (folder / SAMPLE_FILE).read_bytes()
    prepare_folder(folder)
    assert (folder / SAMPLE_FILE).read_bytes() == first


def test_a_store_of_ones_own_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / STORE_FILE).write_bytes(b"mine")
    with pytest.raises(GraphMemError, match="of your own"):
        prepare_folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [STORE_FILE]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraphMemError, match="cannot be made"):
        prepare_folder(tmp_path / "file" / "inside")
