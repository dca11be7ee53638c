"""The code blocks of a Markdown page, and a folder in which they run like at a reader's prompt."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The checkout."""

RUN = frozenset({"python", "sh"})
"""Languages that run; `console` holds what needs a server or a network."""

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    code: str
    line: int
    """Of its first line of code, counted from 1."""
    expected: str | None = None
    """What it prints: the `text` block after it, when nothing runs in between."""


def documents() -> list[Path]:
    """Every page that a reader may open, from the top."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in their order."""
    text = page.read_text(encoding="utf-8")
    found = [
        Block(match["language"], match["code"], text.count("\n", 0, match.start("code")) + 1)
        for match in _FENCE.finditer(text)
    ]
    return [
        Block(block.language, block.code, block.line, after.code if after and after.language == "text" else None)
        for block, after in zip_longest(found, found[1:])
        if block
    ]


def runnable(page: Path) -> Iterator[Block]:
    """The blocks of a page that run."""
    return (block for block in blocks(page) if block.language in RUN)


@dataclass(frozen=True)
class Prompt:
    """A folder with `graphmem` and `python` at hand, installed or not, and nobody's settings."""

    folder: Path

    def run(self, block: Block) -> subprocess.CompletedProcess[str]:
        """Run a block to its end."""
        command = ["sh", "-eu", "-c", block.code] if block.language == "sh" else [sys.executable, "-c", block.code]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def _environment(self) -> dict[str, str]:
        tools = self.folder / ".bin"
        tools.mkdir(exist_ok=True)
        for name, module in (("graphmem", "-m graphmem"), ("python", "")):
            script = tools / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
            script.chmod(0o755)
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        utf8 = {"PYTHONUTF8": "1", "COLUMNS": "120"}
        return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", **utf8}
