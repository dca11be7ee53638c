"""patterns mine --workers and --dask, as typed."""

from __future__ import annotations

import json

from command_shell import Shell


def recorded(shell: Shell) -> Shell:
    steps = [{"action": "본인 확인을"}, {"action": "환불", "tools": ["결제창"]}]
    runs = [
        {"type": "episode", "id": f"r{n}", "goal": "환불", "outcome": "success", "steps": steps} for n in range(4)
    ]
    shell.ok("import", shell.write("runs.jsonl", *runs))
    return shell


def test_worker_processes_find_what_one_process_finds(shell: Shell) -> None:
    recorded(shell)
    with shell.start("--json", "patterns", "mine", "--workers", "2") as process:
        answer, talk = process.communicate(timeout=120)
    assert process.returncode == 0, talk.decode()
    spread = json.loads(answer)
    assert spread["patterns"] == spread["added"] > 0
    alone = shell.json("patterns", "mine")
    assert (alone["patterns"], alone["added"], alone["removed"]) == (spread["patterns"], 0, 0)


def test_a_cluster_that_does_not_answer_is_named(shell: Shell) -> None:
    result = recorded(shell).run("patterns", "mine", "--dask", "tcp://127.0.0.1:9")
    assert result.exit_code != 0
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in result.stderr
    assert "Traceback" not in result.stderr


def test_parts_change_nothing(shell: Shell) -> None:
    whole = recorded(shell).json("patterns", "mine")
    parted = shell.json("patterns", "mine", "--partitions", "3")
    assert (parted["patterns"], parted["added"], parted["removed"]) == (whole["patterns"], 0, 0)
