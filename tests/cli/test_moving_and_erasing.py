"""export, copy, erase, reembed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_shell import Shell


def fill(shell: Shell) -> None:
    shell.write(
        "runs.jsonl",
        {"type": "concept", "name": "환불", "definition": "돈을 돌려주는 일"},
        {"type": "episode", "id": "e1", "goal": "환불\u202e 요청", "user": "ada", "steps": [{"action": "refund"}]},
        {
            "type": "message",
            "id": "m1",
            "text": "제 주문 환불해 주세요",
            "at": "2026-03-01T09:00:00Z",
            "user": "ada",
            "episode": "e1",
        },
        {"type": "memory", "id": "f1", "kind": "fact", "text": "refunds take three days", "user": "bob"},
    )
    shell.ok("import", "runs.jsonl")


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("graphmem.db*")))


def test_export_import_export_gives_the_same_bytes(shell: Shell) -> None:
    fill(shell)
    first = shell.ok("export")
    assert first.stdout_bytes.startswith(b'{"type":"header"')
    assert "patterns mine" in first.stderr
    shell.ok("export", "all.jsonl")
    assert (shell.folder / "all.jsonl").read_bytes() == first.stdout_bytes
    shell.ok("--store", "other.db", "import", "all.jsonl")
    assert shell.ok("--store", "other.db", "export").stdout_bytes == first.stdout_bytes
    shell.ok("--store", "third.db", "import", "-", stdin=first.stdout_bytes)
    assert shell.ok("--store", "third.db", "export").stdout_bytes == first.stdout_bytes


def test_a_full_export_is_a_lossless_copy(shell: Shell) -> None:
    fill(shell)
    shell.ok("consolidate")
    shell.ok("export", "--full", "full.jsonl")
    shell.ok("--store", "other.db", "import", "full.jsonl")
    given = (shell.folder / "full.jsonl").read_text(encoding="utf-8").splitlines()
    kept = shell.ok("--store", "other.db", "export", "--full").stdout.splitlines()
    assert [line for line in kept if line in set(given)] == given
    added = [json.loads(line) for line in set(kept) - set(given)]
    assert {node["label"] for node in added} <= {"ImportRun"}


def test_export_answers_in_json_only_with_a_file(shell: Shell) -> None:
    fill(shell)
    assert shell.json("export", "all.jsonl") == {
        "file": "all.jsonl",
        "records": {"concept": 1, "episode": 1, "memory": 1, "message": 1},
    }
    refused = shell.run("--json", "export")
    assert refused.exit_code == 2
    assert refused.stdout == ""


def test_export_of_one_user_holds_nothing_of_another(shell: Shell) -> None:
    fill(shell)
    records = [json.loads(line) for line in shell.ok("--user", "ada", "export").stdout.splitlines()]
    assert {record.get("id") for record in records} == {None, "e1", "m1"}
    assert shell.run("--user", "ada", "export", "--full").exit_code == 2


def test_export_of_an_empty_tenant_says_so(shell: Shell) -> None:
    fill(shell)
    result = shell.ok("--tenant", "empty", "export")
    assert len(result.stdout.splitlines()) == 1
    assert "tenant 'empty'" in result.stderr


def test_an_export_that_cannot_be_written_is_told(shell: Shell) -> None:
    fill(shell)
    result = shell.run("export", "missing/all.jsonl")
    assert result.exit_code == 1
    assert "missing/all.jsonl" in result.stderr


def test_copy_moves_a_tenant_and_ends_with_both_counts(shell: Shell) -> None:
    fill(shell)
    shell.ok("--tenant", "acme", "remember", "of acme", "--id", "f9")
    report = shell.json("copy", "--from", "graphmem.db", "--to", "other.db")
    assert report["tenants"] == ["default"]
    assert report["complete"]
    assert report["counts"]["Episode"] == {"from": 1, "to": 1}
    assert shell.ok("--store", "other.db", "export").stdout_bytes == shell.ok("export").stdout_bytes
    assert shell.json("--store", "other.db", "--tenant", "acme", "recall", "acme") == []
    everything = shell.json("copy", "--from", "graphmem.db", "--to", "other.db", "--all-tenants")
    assert everything["tenants"] == ["acme", "default"]
    assert shell.json("--store", "other.db", "--tenant", "acme", "recall", "acme")[0]["id"] == "f9"
    assert shell.json("copy", "--from", "other.db", "--to", "back.db", "--all-tenants")["complete"]
    assert shell.ok("--store", "back.db", "export").stdout_bytes == shell.ok("export").stdout_bytes


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        (["--from", "missing.db", "--to", "b.db"], 3, "missing.db"),
        (["--from", "graphmem.db", "--to", "./graphmem.db"], 2, "same store"),
        (["--from", "graphmem.db", "--to", "b.db", "--tenant", "nobody"], 1, "'default'"),
        (["--from", "graphmem.db", "--to", "b.db", "--tenant", "x", "--all-tenants"], 2, "not both"),
        (["--from", "graphmem.db", "--to", "b.db", "--store", "c.db"], 2, "--store"),
        (["--from", "graphmem.db"], 2, "--to"),
    ],
)
def test_a_copy_that_cannot_be_writes_nothing(shell: Shell, line: list[str], code: int, hint: str) -> None:
    fill(shell)
    result = shell.run("copy", *line)
    assert result.exit_code == code, result.output
    assert hint in result.stderr
    assert {path.name for path in shell.folder.iterdir()} <= {
        "runs.jsonl",
        "graphmem.db",
        "graphmem.db-wal",
        "graphmem.db-shm",
    }


def test_erase_removes_a_tenant_and_leaves_the_others(shell: Shell) -> None:
    fill(shell)
    shell.ok("--tenant", "acme", "remember", "canary-5512", "--id", "f9")
    answer = shell.json("erase", "--tenant", "acme", "--yes")
    assert answer == {"erased": {"Memory": 1}}
    assert b"canary-5512" not in bytes_of(shell.folder)
    assert shell.json("recall", "refunds")
    assert "nothing" in shell.ok("erase", "--tenant", "acme", "--yes").stderr.lower()


def test_erase_of_a_user_leaves_the_other_users(shell: Shell) -> None:
    fill(shell)
    erased = shell.json("erase", "--tenant", "default", "--erase-user", "ada", "--yes")["erased"]
    assert erased["Episode"] == 1
    assert erased["Message"] == 1
    assert [item["id"] for item in shell.json("recall", "refunds three days", "--kind", "fact")] == ["f1"]
    assert shell.json("episodes", "list") == []


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (["erase", "--yes"], "--tenant"),
        (["erase", "--erase-user", "ada", "--yes"], "--tenant"),
        (["erase", "--tenant", "default"], "--yes"),
        (["erase", "--tenant", "default", "--user", "ada", "--yes"], "--erase-user"),
        (["erase", "--tenant", "../x", "--yes"], "tenant"),
        (["erase", "--tenant", "default", "--erase-user", "a b", "--yes"], "user"),
    ],
)
def test_erase_takes_its_names_from_the_line_and_asks(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, line: list[str], hint: str
) -> None:
    fill(shell)
    monkeypatch.setenv("GRAPHMEM_TENANT", "default")
    before = shell.ok("export").stdout_bytes
    result = shell.run(*line, stdin="y\n")
    assert result.exit_code == 2
    assert hint in result.stderr
    assert shell.ok("export").stdout_bytes == before


def test_erase_of_a_missing_store_creates_none(shell: Shell) -> None:
    result = shell.run("--store", "missing.db", "erase", "--tenant", "x", "--yes")
    assert result.exit_code == 3
    assert not list(shell.folder.iterdir())


def test_reembed_moves_to_another_embedder(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "none")
    fill(shell)
    assert shell.json("schema", "status")["embedder"] is None
    result = shell.ok("schema", "reembed", "--embedder", "hashing")
    assert "GRAPHMEM_EMBEDDER=hashing" in result.stderr
    assert shell.json("schema", "status")["embedder"]["name"] == "hashing"
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "hashing")
    assert shell.ok("schema", "reembed", "--embedder", "hashing").stderr == ""
    assert shell.json("episodes", "similar", "환불 요청", "--min-similarity", "0.1")[0]["id"] == "e1"
    assert shell.run("schema", "reembed", "--embedder", "none").exit_code == 2
    assert shell.run("schema", "reembed", "--embedder", "bert").exit_code == 2
