"""Real processes: closed pipes, interruptions, terminals, other encodings."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator

import pytest

from command_shell import Shell

if sys.platform == "win32":
    pytest.skip("pseudo terminals are POSIX", allow_module_level=True)
import pty


def many_memories(shell: Shell, count: int = 3000) -> None:
    records = (
        {"type": "memory", "id": f"m{n}", "kind": "fact", "text": f"환불 {n} {'x' * 100}"} for n in range(count)
    )
    shell.write("many.jsonl", *records)
    shell.ok("import", "many.jsonl")


def test_a_reader_that_closes_the_pipe_ends_the_command_quietly(shell: Shell) -> None:
    many_memories(shell)
    with shell.start("export") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_stream_closed_before_the_start_is_no_traceback(shell: Shell, closed: int) -> None:
    shell.write("runs.jsonl", {"type": "message", "id": "m1", "text": "환불", "at": 0})
    for line in (["import", "runs.jsonl"], ["recall", "-"], ["recall", "환불"]):
        with shell.start(*line, preexec_fn=lambda: os.close(closed)) as process:
            _, complaint = process.communicate()
        assert b"Traceback" not in complaint
        assert process.returncode == 0, complaint
    assert [item["id"] for item in shell.json("recall", "환불", "--kind", "message")] == ["m1"]


def test_line_by_line_answers_come_before_stdin_ends(shell: Shell) -> None:
    shell.ok("remember", "환불 요청", "--id", "m1")
    pipe = -1
    with shell.start("recall", "-", stdin=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write("환불\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())[0]["id"] == "m1"
        process.stdin.close()
        assert process.wait() == 0


@pytest.fixture
def heard_interrupts() -> Iterator[None]:
    """Lets a child hear Ctrl-C: a run in the background ignores it, and a child would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard_interrupts")
def test_ctrl_c_ends_with_130_and_no_traceback(shell: Shell) -> None:
    shell.ok("remember", "환불 요청", "--id", "m1")
    with shell.start("recall", "-", stdin=-1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"a\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert b"Traceback" not in process.stderr.read()


def test_an_ascii_output_still_gets_valid_json(shell: Shell) -> None:
    shell.ok("remember", "refund 환불 é", "--id", "m1")
    environ = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    said = []
    for line in (["--json", "recall", "refund"], ["recall", "refund"]):
        with shell.start(*line, environ=environ) as process:
            output, complaint = process.communicate()
        assert process.returncode == 0, complaint
        said.append(output.decode("ascii"))
    assert json.loads(said[0])[0]["text"] == "refund 환불 é"
    assert "\\ud658" in said[1]


def at_a_terminal(
    shell: Shell, *line: str, stdin: bytes = b"", environ: dict[str, str] | None = None
) -> tuple[int, str]:
    """Runs a command whose three streams are a terminal; gives its exit code and all it showed."""
    ours, theirs = pty.openpty()
    with shell.start(
        *line, stdin=theirs, stdout=theirs, stderr=theirs, environ={"TERM": "xterm", **(environ or {})}
    ) as process:
        os.close(theirs)
        if stdin:
            os.write(ours, stdin)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says EIO when the other side is gone
                break
            if not part:
                break
            shown += part
        process.wait()
    os.close(ours)
    return process.returncode, shown.decode()


def test_erase_asks_at_a_terminal(shell: Shell) -> None:
    shell.ok("--tenant", "acme", "remember", "x")
    code, shown = at_a_terminal(shell, "erase", "--tenant", "acme", stdin=b"n\n")
    assert code == 1
    assert "Remove everything of tenant 'acme'" in shown
    assert "Nothing was erased" in shown
    assert shell.json("--tenant", "acme", "recall", "x")
    code, shown = at_a_terminal(shell, "erase", "--tenant", "acme", stdin=b"y\n")
    assert code == 0
    assert not shell.json("--tenant", "acme", "recall", "x")


def test_no_color_and_hostile_text_at_a_terminal(shell: Shell) -> None:
    shell.ok("remember", "owned \x1b]0;title\x07 [red]x[/red]")
    _, coloured = at_a_terminal(shell, "recall", "owned")
    _, plain = at_a_terminal(shell, "recall", "owned", environ={"NO_COLOR": "1"})
    for shown in (coloured, plain):
        assert "\x1b]0;" not in shown
        assert "\\x1b]0;title" in shown.replace("\r\n", "")
    assert "\x1b[3" not in plain
    shell.write("runs.jsonl", {"type": "episode", "id": "e1", "goal": "a\u009b2Jb", "steps": []})
    shell.ok("import", "runs.jsonl")
    _, exported = at_a_terminal(shell, "export")
    assert "\u009b" not in exported
    assert "a\\u009b2Jb" in exported


def test_progress_is_for_terminals_only(shell: Shell) -> None:
    records = ({"type": "memory", "id": f"m{n}", "kind": "fact", "text": f"fact {n}"} for n in range(200))
    shell.write("runs.jsonl", *records)
    assert shell.ok("import", "runs.jsonl").stderr == ""
    _, shown = at_a_terminal(shell, "--tenant", "a", "import", "runs.jsonl")
    assert "Importing" in shown
    for option in ("-q", "--no-progress"):
        _, shown = at_a_terminal(shell, "--tenant", option.strip("-"), "import", "runs.jsonl", option)
        assert "Importing" not in shown
