"""Messages are cut into the same episodes on both stores, live and imported."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

import graphmem
from conversing import WHEN, episodes_of, parts, said
from graphmem.transfer.exporting import export_domain
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions, ImportPolicy
from neo4j_servers import shared_server
from transferring import import_data, source, sqlite_workspace

STORES = ["sqlite", pytest.param("2026", marks=pytest.mark.neo4j), pytest.param("5", marks=pytest.mark.neo4j)]
TALK = [
    said("m1", "주문 17 환불해 주세요", 0),
    said("m2", "처리했습니다", 1, role="assistant"),
    said("m3", "해결됐습니다 감사합니다", 2),
    said("m4", "저는 서울에 살아요", 3),
    said("m5", "그건 그렇고 배송은 언제 오나요?", 4),
    said("m6", "x", 90),
    *[said(f"n{number}", "no session", number, session=None) for number in range(3)],
]
CUT = [["m1", "m2", "m3"], ["n0", "n1", "n2"], ["m4"], ["m5"], ["m6"]]


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path, tenant: str) -> Iterator[graphmem.GraphMemory]:
    """A memory of the test's own tenant."""
    if request.param == "sqlite":
        target, auth = str(tmp_path / "memory.db"), None
    else:
        server = shared_server(request.param, request.config)
        target, auth = server.uri, server.auth
    opened = graphmem.open(target, auth=auth, tenant=tenant, embedder="hashing")
    yield opened
    opened.store.tenant(tenant).erase()
    opened.close()


def exported(memory: graphmem.GraphMemory) -> bytes:
    stream = io.BytesIO()
    export_domain(memory.workspace.graph, stream)
    return stream.getvalue()


def test_live_messages(memory: graphmem.GraphMemory) -> None:
    for message in TALK:
        memory.messages.add_many([message])
    graph = memory.workspace.graph
    assert parts(graph) == CUT
    late = memory.messages.add("늦었습니다", session="s1", at=WHEN + timedelta(minutes=1, seconds=30), id="m25")
    found = memory.episodes.get(str(late.episode))
    assert (found.outcome, found.goal) == ("success", "주문 17 환불해 주세요")
    assert found.summary is not None
    assert "메시지 4개" in found.summary
    running = [one for one in memory.episodes.pending() if not one.is_ended]
    assert len(running) == 2
    assert [hit.id for hit in memory.episodes.similar("주문 17 환불해 주세요", 1, 0.5)] == [found.id]
    memory.messages.forget("m6")
    assert "m6" not in str(parts(graph))


def test_an_import_ends_what_it_brings_and_again_changes_nothing(memory: graphmem.GraphMemory) -> None:
    records = [json.loads(one.model_dump_json(exclude_defaults=True)) for one in TALK]
    data = "\n".join(json.dumps(one, ensure_ascii=False) for one in records).encode()
    report = import_data(memory.workspace, data, format="message")
    assert (report.added, report.refused) == (len(TALK), [])
    assert parts(memory.workspace.graph) == CUT
    assert {one.state for one in episodes_of(memory.workspace.graph).values()} == {"closed"}
    before = exported(memory)
    assert import_data(memory.workspace, data, format="message").unchanged == len(TALK)
    assert exported(memory) == before


def test_an_export_says_the_same_elsewhere_and_here(memory: graphmem.GraphMemory, tmp_path: Path) -> None:
    memory.messages.add_many(TALK)
    data = exported(memory)
    other = sqlite_workspace(tmp_path / "other.db")
    assert import_data(other, data).refused == []
    stream = io.BytesIO()
    export_domain(other.graph, stream)
    assert stream.getvalue() == data
    again = import_data(memory.workspace, data)
    assert (again.added, again.changed, again.refused) == (0, 0, [])
    assert exported(memory) == data
    assert import_data(other, lines_of(TALK), format="message").unchanged == len(TALK), "their source is the same"


def lines_of(talk: list[graphmem.Message]) -> bytes:
    return b"\n".join(one.model_dump_json(exclude_defaults=True).encode() for one in talk)


def test_an_import_in_small_batches_is_the_same(memory: graphmem.GraphMemory, tmp_path: Path) -> None:
    data = lines_of(TALK)
    options = ImportOptions(format="message", policy=ImportPolicy(batch_records=2))
    import_records(memory.workspace, [source(data)], options)
    other = sqlite_workspace(tmp_path / "other.db")
    import_data(other, data, format="message")
    stream = io.BytesIO()
    export_domain(other.graph, stream)
    assert exported(memory) == stream.getvalue()


def test_a_stream_in_small_batches_is_the_same(memory: graphmem.GraphMemory, tmp_path: Path) -> None:
    # a repeated id begins a batch
    memory.messages.add_many(message for message in TALK for _ in range(2))
    assert parts(memory.workspace.graph) == CUT
    with graphmem.open(tmp_path / "other.db", embedder="hashing") as other:
        other.messages.add_many(TALK)
        assert episodes_of(memory.workspace.graph) == episodes_of(other.workspace.graph)


def test_what_another_writer_says_between_two_batches_counts(memory: graphmem.GraphMemory) -> None:
    def talk() -> Iterator[graphmem.Message]:
        first = said("a1", "환불해 주세요", 0)
        yield first
        yield first
        memory.messages.add("해결됐습니다 감사합니다", session="s1", at=WHEN + timedelta(minutes=1), id="b1")
        yield said("a2", "배송은 언제 오나요?", 2)
        yield said("a2", "배송은 언제 오나요?", 2)
        yield said("a3", "주소는 서울입니다", 3)

    memory.messages.add_many(talk())
    assert parts(memory.workspace.graph) == [["a1", "b1"], ["a2", "a3"]]


def test_two_writers_at_once_lose_no_message(memory: graphmem.GraphMemory) -> None:
    memory.messages.add("begin", session="s1", at=WHEN, id="begin")

    def write(name: str) -> None:
        for number in range(8):
            at = WHEN + timedelta(seconds=number)
            memory.messages.add(f"{name} {number}", session="s1", at=at, id=f"{name}{number}")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, ["a", "b"]))
    names = {name for part in parts(memory.workspace.graph) for name in part}
    assert names == {"begin", *(f"{name}{number}" for name in "ab" for number in range(8))}


def test_two_streams_at_once_lose_no_message(memory: graphmem.GraphMemory) -> None:
    def stream(name: str) -> Iterator[graphmem.Message]:
        for number in range(12):
            message = said(f"{name}{number}", "환불해 주세요" if number % 4 else "해결됐습니다 감사합니다", number)
            # a repeated id begins a batch
            yield message
            yield message

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(memory.messages.add_many, [stream("a"), stream("b")]))
    found = [name for part in parts(memory.workspace.graph) for name in part]
    assert sorted(found) == sorted(f"{name}{number}" for name in "ab" for number in range(12))
