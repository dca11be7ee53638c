"""The store goes away while an episode is recorded: it goes on in a file, and an import makes it whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import graphmem
from command_shell import Shell
from graphmem.episodes.recorder import Recorder
from graphmem.episodes.spool import SpooledEpisodesWarning
from graphmem.errors import ConflictError, StoreUnavailableError
from graphmem.models.episode import EpisodeState, Outcome
from graphmem.testing.clock import FakeClock
from neo4j_servers import shared_server
from recording import STORES, picture, root_vector
from tcp_gate import Gate

BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
WITHOUT = frozenset({"created_at", "content_hash"})


class Switch:
    """A tenant's graph that can be away."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self.is_away = False

    def __getattr__(self, name: str) -> Any:
        if self.is_away:
            raise StoreUnavailableError("the store is away")
        return getattr(self._graph, name)


@dataclass
class Place:
    """A store that can go away, and one that is reached whatever happens."""

    away: Callable[[], None]
    back: Callable[[], None]
    memory: graphmem.GraphMemory
    """Loses its store."""
    direct: graphmem.GraphMemory
    """Keeps it."""
    arguments: dict[str, Any]
    """Of `graphmem.open`, of the memory that loses its store."""
    folder: Path


@contextmanager
def on_sqlite(folder: Path, given: dict[str, Any]) -> Iterator[Place]:
    """A file cannot be taken from under an open connection, so its graph is told to be away."""
    arguments = {**given, "target": str(folder / "memory.db")}
    with graphmem.open(**arguments) as memory, graphmem.open(**arguments) as direct:
        switch = Switch(memory.workspace.graph)
        object.__setattr__(memory.workspace, "graph", switch)

        def turn(is_away: bool) -> None:
            switch.is_away = is_away

        yield Place(lambda: turn(True), lambda: turn(False), memory, direct, arguments, folder)


@contextmanager
def on_neo4j(line: str, config: pytest.Config, folder: Path, given: dict[str, Any]) -> Iterator[Place]:
    server = shared_server(line, config)
    given = {**given, "auth": server.auth}
    with Gate(server.uri) as gate:
        arguments = {**given, "target": gate.uri}
        with graphmem.open(**arguments) as memory, graphmem.open(**{**given, "target": server.uri}) as direct:
            yield Place(gate.close, gate.open, memory, direct, arguments, folder)
            direct.store.tenant(given["tenant"]).erase()


@pytest.fixture(params=STORES)
def place(
    request: pytest.FixtureRequest, tmp_path: Path, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    given = {"tenant": tenant, "embedder": "hashing", "clock": FakeClock()}
    made: AbstractContextManager[Place]
    if request.param == "sqlite":
        made = on_sqlite(tmp_path, given)
    else:
        made = on_neo4j(request.param, request.config, tmp_path, given)
    with made as found:
        yield found


@pytest.fixture
def shell(place: Place, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "hashing")
    for name, value in zip(("USERNAME", "PASSWORD"), place.arguments.get("auth", ()), strict=False):
        monkeypatch.setenv(f"NEO4J_{name}", value)
    return Shell(place.folder)


def files(place: Place) -> list[Path]:
    return sorted(place.folder.glob("*.jsonl"))


def work(run: Recorder, at: int = -1, away: Callable[[], None] = lambda: None) -> None:
    """The course of an episode; before its step of this number the store goes away."""
    for number, step in enumerate(STEPS):
        if number == at:
            away()
        step(run)


def timed(run: Recorder) -> None:
    with run.step("확인", at=BEGIN) as step:
        step.result = "됐다"


STEPS: tuple[Callable[[Recorder], Any], ...] = (
    lambda run: run.step(
        "call_api", tools=["http"], errors=["Timeout"], effective=False, concepts=["가전"], at=BEGIN
    ),
    timed,
    lambda run: run.step("raise_pool", fixes=["PoolExhausted"], at=BEGIN),
    lambda run: run.cause("Timeout", "PoolExhausted"),
    lambda run: run.succeed("환불했다", lessons=["재고를 먼저 본다"], at=BEGIN + timedelta(minutes=4)),
)


def begin(memory: graphmem.GraphMemory, name: str, **more: Any) -> Recorder:
    return memory.episodes.record(
        "주문 17번 환불",
        id=name,
        session="s1",
        domain="support",
        started_at=BEGIN,
        **{"on_error": "spool", **more},
    )


def imported(place: Place, shell: Shell) -> None:
    """Import what was spooled by the command line, as the announcement says."""
    place.back()
    arguments = ["--tenant", place.arguments["tenant"], "--store", place.arguments["target"]]
    result = shell.ok(*arguments, "import", "--update", *map(str, files(place)))
    assert "graphmem --tenant" in result.stderr
    for file in files(place):
        file.unlink()


@pytest.mark.parametrize("at", [-1, 1, 4], ids=["from the begin", "in between", "close"])
def test_recording_goes_on_and_its_import_equals_an_undisturbed_one(place: Place, shell: Shell, at: int) -> None:
    if at < 0:
        place.away()
    with begin(place.memory, "spooled") as run:
        work(run, at, place.away)
        assert run.is_spooled
    assert run.episode.outcome is Outcome.SUCCESS
    (file,) = files(place)
    assert "spooled" in file.name
    imported(place, shell)
    with begin(place.direct, "undisturbed") as undisturbed:
        work(undisturbed)
    assert picture(place.direct, "spooled", WITHOUT) == picture(place.direct, "undisturbed", WITHOUT)
    assert root_vector(place.direct, "spooled") == pytest.approx(
        root_vector(place.direct, "undisturbed"), abs=1e-6
    )
    assert place.direct.episodes.pending() == ()


def test_within_a_step_that_raises_it_is_closed_in_the_file(place: Place, shell: Shell) -> None:
    def course(run: Recorder, away: Callable[[], None]) -> None:
        with run.step("pay", at=BEGIN):
            away()
            raise TimeoutError("결제 17")

    for memory, name, away in (
        (place.memory, "spooled", place.away),
        (place.direct, "undisturbed", lambda: None),
    ):
        with pytest.raises(TimeoutError) as caught, begin(memory, name) as run:
            course(run, away)
        assert not getattr(caught.value, "__notes__", [])
    imported(place, shell)
    assert picture(place.direct, "spooled", WITHOUT) == picture(place.direct, "undisturbed", WITHOUT)
    stored = place.direct.episodes.get("spooled")
    assert stored == place.direct.episodes.get("undisturbed").model_copy(update={"id": "spooled"})
    assert stored.error == "TimeoutError: 결제 #"


def test_left_open_in_the_file_it_can_be_resumed_after_the_import(place: Place, shell: Shell) -> None:
    with pytest.raises(KeyboardInterrupt), begin(place.memory, "spooled") as run:  # noqa: PT012 (the recording is meant)
        run.step("first")
        place.away()
        raise KeyboardInterrupt
    imported(place, shell)
    assert place.direct.episodes.get("spooled").state is EpisodeState.OPEN
    with place.direct.episodes.resume("spooled") as run:
        run.step("second")
        run.succeed()
    assert [step.action for step in place.direct.episodes.get("spooled").steps] == ["first", "second"]


def test_once_in_the_file_it_stays_there_and_the_store_keeps_what_it_had(place: Place) -> None:
    run = begin(place.memory, "spooled")
    run.step("first")
    place.away()
    run.step("second")
    place.back()
    run.step("third")
    assert [step.action for step in place.direct.episodes.get("spooled").steps] == ["first"]
    run.succeed()
    assert place.direct.episodes.get("spooled").state is EpisodeState.OPEN
    assert files(place)[0].read_bytes().count(b'"action"') == 3


def test_what_waits_is_not_written_over_by_another_recording_of_its_id(place: Place) -> None:
    place.away()
    with begin(place.memory, "e") as run:
        run.succeed("첫 번째")
    (file,) = files(place)
    kept = file.read_bytes()
    for turn in (place.away, place.back):
        turn()
        with pytest.raises(ConflictError, match=f"'e' waits in .*{file.name}"):
            begin(place.memory, "e")
    assert file.read_bytes() == kept


def test_the_next_start_announces_what_waits(place: Place, shell: Shell) -> None:
    place.away()
    begin(place.memory, "spooled").succeed()
    (file,) = files(place)
    with pytest.warns(SpooledEpisodesWarning, match="graphmem --tenant") as caught:
        graphmem.open(**place.arguments).close()
    assert caught[0].filename == __file__
    assert file.name in str(caught[0].message)
    graphmem.open(**{**place.arguments, "tenant": "somebody-else"}).close()
    imported(place, shell)
    graphmem.open(**place.arguments).close()


def test_by_default_it_is_an_error_and_what_was_stored_stays(place: Place) -> None:
    with pytest.raises(StoreUnavailableError) as caught, begin(place.memory, "e", on_error="raise") as run:  # noqa: PT012 (the recording is meant)
        run.step("first")
        place.away()
        run.step("second")
    assert "could not be closed" in caught.value.__notes__[0]
    assert not run.is_spooled
    place.back()
    stored = place.direct.episodes.get("e")
    assert (stored.state, [step.action for step in stored.steps]) == (EpisodeState.OPEN, ["first"])
    assert files(place) == []
    with place.direct.episodes.resume("e") as resumed:
        resumed.step("second")
        resumed.succeed()


def test_a_recorder_whose_step_failed_can_try_again(place: Place) -> None:
    run = begin(place.memory, "e", on_error="raise")
    place.away()
    with pytest.raises(StoreUnavailableError):
        run.step("first")
    with pytest.raises(StoreUnavailableError):
        run.succeed()
    place.back()
    run.step("first")
    run.succeed("done")
    stored = place.direct.episodes.get("e")
    assert (stored.resolution, len(stored.steps)) == ("done", 1)
