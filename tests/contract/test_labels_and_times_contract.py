"""Labels out of CSV, offsets of times and what waits to be finalised: the same on both stores."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import graphmem
from graphmem.models.episode import Outcome
from graphmem.transfer.exporting import export_domain
from graphmem.transfer.labels import label_episodes
from graphmem.transfer.sources import stream_source
from neo4j_servers import shared_server

AT = datetime(2027, 1, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=45)))
"""The new year where it was, the old one in UTC."""
STORES = ["sqlite", pytest.param("2026", marks=pytest.mark.neo4j), pytest.param("5", marks=pytest.mark.neo4j)]


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path, tenant: str) -> Iterator[graphmem.GraphMemory]:
    if request.param == "sqlite":
        target, auth = str(tmp_path / "memory.db"), None
    else:
        server = shared_server(request.param, request.config)
        target, auth = server.uri, server.auth
    with graphmem.open(target, auth=auth, tenant=tenant, embedder="none") as opened:
        yield opened
        opened.store.tenant(tenant).erase()


def test_labels_are_kept_once_with_source_and_time(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many({"id": f"환불-{number}", "goal": "환불"} for number in range(3))
    memory.episodes.record(goal="환불", id="open")
    rows = ["episode,outcome,source,at", "환불-0,success,심사자,2027-01-01T05:30:00+05:45", "환불-1,failure,,"]
    data = "\r\n".join([*rows, "open,success,,", "absent,success,,"]).encode("utf-8-sig")
    for changed in (2, 0):
        report = label_episodes(memory.workspace, stream_source("labels.csv", io.BytesIO(data)))
        assert (report.read, report.changed, report.unchanged) == (4, changed, 2 - changed)
        assert [refused.line for refused in report.refused] == [4, 5]
    (said,) = memory.episodes.get("환불-0").outcome_history
    assert (said.outcome, said.previous, said.source, said.at) == (Outcome.SUCCESS, Outcome.UNKNOWN, "심사자", AT)
    assert [item.id for item in memory.episodes.list(outcome="failure")] == ["환불-1"]


def test_times_come_back_with_their_offset_and_are_exported_with_it(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add({"id": "e1", "goal": "환불", "started_at": AT, "ended_at": AT})
    memory.messages.add("새해 복 많이 받으세요", at=AT, id="m1", episode="e1")
    begun, said = memory.episodes.get("e1").local_started_at, memory.messages.get("m1").local_at
    assert begun is not None
    assert begun.isoformat() == said.isoformat() == "2027-01-01T05:30:00+05:45"
    [found] = memory.recall("새해 복", kinds=["message"])
    assert found.local_at == AT
    stream = io.BytesIO()
    export_domain(memory.workspace.graph, stream)
    assert stream.getvalue().count(b"2027-01-01T05:30:00+05:45") == 3
    again = {"id": "e1", "goal": "환불", "started_at": AT.timestamp() * 1000, "ended_at": AT}
    assert memory.episodes.add(again).unchanged
