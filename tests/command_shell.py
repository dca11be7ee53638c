"""The command line as a person uses it: a folder, and commands run in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from graphmem.cli.main import main

ROOT = Path(__file__).parents[1]
"""The checkout."""


@dataclass(frozen=True)
class Shell:
    """Runs commands in one folder."""

    folder: Path

    def run(self, *line: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, list(line), input=stdin)

    def start(self, *line: str, **attributes: Any) -> subprocess.Popen[bytes]:
        """The command as a process of its own, installed or not."""
        environ = {**os.environ, "PYTHONPATH": str(ROOT), **attributes.pop("environ", {})}
        pipe = subprocess.PIPE
        streams = {"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe, **attributes}
        return subprocess.Popen([sys.executable, "-m", "graphmem", *line], cwd=self.folder, env=environ, **streams)

    def ok(self, *line: str, stdin: str | bytes | None = None) -> Result:
        result = self.run(*line, stdin=stdin)
        assert result.exit_code == 0, result.output
        return result

    def json(self, *line: str, stdin: str | bytes | None = None) -> Any:
        return json.loads(self.ok("--json", *line, stdin=stdin).stdout)

    def lines(self, *line: str, stdin: str | bytes | None = None) -> list[Any]:
        return [json.loads(answer) for answer in self.run(*line, stdin=stdin).stdout.splitlines()]

    def write(self, name: str, *records: dict[str, Any]) -> str:
        text = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
        (self.folder / name).write_text(text, encoding="utf-8")
        return name
