"""Every file of cypher/reports, run as it stands, gives the rows of its function over the port, on both lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import neo4j
import pytest

import graphmem
from graphmem.demo.samples import sample_lines
from graphmem.queries import query, query_names
from graphmem.reports.named import NAMED_REPORTS
from graphmem.testing.clock import FakeClock
from graphmem.transfer.importing import import_records
from graphmem.transfer.sources import file_source
from neo4j_servers import Neo4jServer

REPORTS = query_names("reports")

VARIANTS: dict[str, list[dict[str, int]]] = {
    "limit": [{"limit": 1}, {"limit": 3}, {"limit": 100_000}],
    "depth": [{"depth": 1}, {"depth": 2}, {"depth": 100_000}],
    "days": [{"days": 1}, {"days": 2}, {"days": 100_000}],
}


class Sampled(NamedTuple):
    """The demo's samples, recorded over three days and consolidated, beside another tenant's."""

    server: graphmem.GraphMemory
    file: graphmem.GraphMemory
    driver: neo4j.Driver

    def from_the_file(self, name: str, parameters: Mapping[str, int]) -> list[dict[str, Any]]:
        """The rows of the text in cypher/reports, header and all, as Neo4j's own shell runs it."""
        known = {"tenant": self.server.tenant, "now": self.server.workspace.now(), **parameters}
        given = {key: known[key] for key in query(name).params}
        text: Any = query(name).path.read_text(encoding="utf-8")
        with self.driver.session(default_access_mode="READ") as session:
            return [record.data() for record in session.run(text, given)]


def over_the_port(memory: graphmem.GraphMemory, name: str, parameters: Mapping[str, int]) -> list[dict[str, Any]]:
    return NAMED_REPORTS[name].answer(memory.workspace.graph, memory.workspace.now(), **parameters)


def record(memory: graphmem.GraphMemory, clock: FakeClock, samples: Path) -> None:
    assert not import_records(memory.workspace, [file_source(samples)]).refused
    clock.advance(days=1)
    memory.remember("나는 커피를 좋아한다", id="f1")
    memory.messages.add("안녕하세요, 환불이 안 돼요", id="m1")
    steps = (
        graphmem.Step(action="조회", tools=("주문API",), errors=("시간초과",), effective=False),
        graphmem.Step(action="재시도", tools=("주문API", "http"), fixes=("풀고갈",), errors=("원인 모름",)),
    )
    links = (("시간초과", "풀고갈"), ("풀고갈", "누수"), ("시간초과", "누수"))
    causes = tuple(graphmem.Cause(effect=effect, cause=cause) for effect, cause in links)
    memory.episodes.add(graphmem.Episode(id="한글", goal="환불", domain="고객지원", steps=steps, causes=causes))
    memory.episodes.add(graphmem.Episode(id="열린", goal="환불", domain="고객지원", steps=steps, state="open"))
    add_what_stands_alone(memory, clock)
    clock.advance(days=1, hours=3)
    memory.consolidate()


def add_what_stands_alone(memory: graphmem.GraphMemory, clock: FakeClock) -> None:
    memory.concepts.add(graphmem.Concept(name="외톨이"))
    memory.concepts.relate("누수", "causes", "풀고갈", head_kind="finding", tail_kind="finding", evidence=["m1"])
    memory.concepts.relate(
        "풀고갈", "causes", "시간초과", head_kind="finding", tail_kind="finding", confidence=0.5
    )
    memory.concepts.relate("시간초과", "causes", "누수", head_kind="finding", tail_kind="finding")
    memory.concepts.relate("고양이", "is_a", "동물", source="extracted")
    for number, city in enumerate(("서울", "부산")):
        at: dict[str, Any] = {"subject": "민수", "predicate": "lives_in", "object": city, "valid_from": clock()}
        memory.remember(f"민수는 {city}에 산다", id=f"home-{number}", **at)
    other = {"subject": "민수", "predicate": "lives_in", "object": "대구", "user_id": "ada"}
    memory.remember("민수는 대구에 산다", id="home-2", **other)
    memory.remember("사라진 말에서 안 것", id="f2", sources=["gone", "lost"])
    counts = {"new": (0, 0, 0), "always": (4, 0, 0), "never": (0, 0, 3), "mixed": (5, 1, 2)}
    for name, (successes, partials, failures) in counts.items():
        used = {"successes": successes, "partials": partials, "failures": failures}
        memory.procedures.add(graphmem.Procedure(id=name, name=f"배포 {name}", steps=("빌드", "테스트"), **used))
    newer = graphmem.Procedure(id="newer", name="배포 new", steps=("빌드",), supersedes="new", user_id="ada")
    memory.procedures.add(newer)


@pytest.fixture(scope="module")
def sampled(neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sampled]:
    folder = tmp_path_factory.mktemp("reports")
    samples = folder / "samples.jsonl"
    samples.write_text("".join(f"{line}\n" for line in sample_lines()), encoding="utf-8")
    clock, tenant = FakeClock(), f"test-{uuid4().hex}"
    of_server: dict[str, Any] = {"target": neo4j_server.uri, "auth": neo4j_server.auth, "embedder": "none"}
    driver = neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth)
    file_clock = FakeClock()
    with (
        driver,
        graphmem.open(**of_server, tenant=tenant, clock=clock) as server,
        graphmem.open(**of_server, tenant=f"{tenant}-other", clock=file_clock) as other,
        graphmem.open(folder / "memory.db", tenant=tenant, embedder="none", clock=file_clock) as file,
    ):
        record(server, clock, samples)
        record(file, file_clock, samples)
        other.remember("another tenant's", id="f1")
        other.episodes.add(
            graphmem.Episode(id="한글", goal="환불", steps=(graphmem.Step(action="x", tools=("http",)),))
        )
        yield Sampled(server, file, driver)


def test_every_file_is_a_named_query_with_the_same_parameters() -> None:
    assert tuple(NAMED_REPORTS) == REPORTS
    for name, report in NAMED_REPORTS.items():
        assert set(query(name).params) - {"tenant", "now"} == set(report.defaults), name
        assert "tenant" in query(name).params, name


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_gives_the_same_rows_in_cypher_and_over_the_port(sampled: Sampled, name: str) -> None:
    defaults = NAMED_REPORTS[name].defaults
    variants = [changed for parameter in defaults for changed in VARIANTS[parameter]]
    for changed in ({}, *variants):
        given = {**defaults, **changed}
        rows = sampled.from_the_file(name, given)
        assert rows, given
        assert list(rows[0]) == list(query(name).returns)
        assert rows == over_the_port(sampled.server, name, given), given
        assert rows == over_the_port(sampled.file, name, given), given
        assert rows == sampled.server.query(name, **given).to_dicts(), given


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_of_an_empty_tenant_is_empty(sampled: Sampled, name: str, neo4j_server: Neo4jServer) -> None:
    del sampled
    with graphmem.open(
        neo4j_server.uri, auth=neo4j_server.auth, tenant=f"test-{uuid4().hex}", embedder="none"
    ) as empty:
        assert empty.query(name).to_dicts() == []


def test_growth_ends_at_the_time_it_is_asked(sampled: Sampled) -> None:
    days = [row["day"] for row in sampled.from_the_file("reports/growth", {"days": 30})]
    now = sampled.server.workspace.now()
    assert days == [(now - timedelta(days=back)).date().isoformat() for back in (2, 1, 0)]
