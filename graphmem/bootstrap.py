"""The composition root: settings to a memory. Which adapters it stands on is chosen in adapters.py."""

from __future__ import annotations

import os
import shlex
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from graphmem.adapters import bounded, cached, make_analyzer, make_embedder, make_language_model, open_store
from graphmem.concepts.service import ConceptsService
from graphmem.episodes.segmentation import Segmentation
from graphmem.episodes.service import EpisodesService
from graphmem.episodes.spool import Spool, SpooledEpisodesWarning
from graphmem.errors import InvalidInputError, SettingsError
from graphmem.memories.service import MemoriesService
from graphmem.memory import GraphMemory, Parts, Query
from graphmem.messages.service import MessagesService
from graphmem.patterns.service import PatternsService
from graphmem.ports.aliased_graph import AliasedGraph
from graphmem.ports.clock import Clock, system_clock
from graphmem.ports.noted_graph import NotedGraph
from graphmem.ports.rows import Rows
from graphmem.ports.workspace import Workspace
from graphmem.procedures.service import ProceduresService
from graphmem.recall.recall import RecallService
from graphmem.settings import Settings, load_settings
from graphmem.targets import as_text
from graphmem.transfer.spooled import spool_lines

if TYPE_CHECKING:
    from graphmem.consolidation.phases import TextReader
    from graphmem.consolidation.plan import ConsolidationPlan, ConsolidationReport
    from graphmem.ports.embedder import Embedder
    from graphmem.ports.free_query import FreeAnswer
    from graphmem.ports.graph_store import GraphStore
    from graphmem.ports.language_model import LanguageModel
    from graphmem.queries import Query as Statement


class _FromSettings(str):
    """A default that is told apart from the same text given by the caller."""

    __slots__ = ()


_DEFAULT_TENANT: Final = _FromSettings("default")


def open_memory(
    target: str | os.PathLike[str] | Settings | None = None,
    *,
    tenant: str = _DEFAULT_TENANT,
    user: str | None = None,
    database: str | None = None,
    auth: Any = None,
    driver: Any = None,
    embedder: Embedder | str | None = None,
    language_model: LanguageModel | str | None = None,
    clock: Clock | None = None,
    **settings: Any,
) -> GraphMemory:
    """Open a memory; nothing is created before the first write.

    Args:
        target: A path or `sqlite:///path`; a `neo4j://`, `neo4j+s://`, `neo4j+ssc://` or `bolt://`
            address; "neo4j" for the one in NEO4J_URI; or a `Settings`. None: GRAPHMEM_STORE, else
            `graphmem.db` in the current folder.
        tenant: Whose memory it is: nothing ever crosses it.
        user: Stamps what is written and filters what is read.
        database: Database on a Neo4j server.
        auth: (user, password) or another authentication of the Neo4j driver; None: NEO4J_USERNAME and
            NEO4J_PASSWORD, without a password no authentication.
        driver: A Neo4j driver of the caller; it is never closed.
        embedder: An embedder, or the name of one: use, minilm, hashing, none, openai:<model>.
        language_model: A language model, or the name of one: none, openai:<model>. Retries, the budget of
            the settings and the cache are put around either.
        clock: Tells the time; None: the system's.
        **settings: Any other setting by name.

    Raises:
        SettingsError: A setting is unknown or refused.
    """
    arguments: dict[str, Any] = {"user": user, "database": database, **settings}
    if not isinstance(tenant, _FromSettings):
        arguments["tenant"] = tenant
    if isinstance(embedder, str):
        arguments["embedder"] = embedder
    if isinstance(language_model, str):
        arguments["language_model"] = language_model
    if target is not None and not isinstance(target, Settings):
        arguments["store"] = as_text(target)
    known = target.changed(arguments) if isinstance(target, Settings) else load_settings(arguments)
    embeds = make_embedder(known) if embedder is None or isinstance(embedder, str) else cached(embedder)
    if language_model is None or isinstance(language_model, str):
        writes = make_language_model(known)
    else:
        writes = bounded(language_model, known)
    _announce_spooled(known)
    return assemble(known, embeds, language_model=writes, clock=clock or system_clock, auth=auth, driver=driver)


def assemble(
    settings: Settings,
    embedder: Embedder | None,
    *,
    language_model: LanguageModel | None = None,
    clock: Clock = system_clock,
    auth: Any = None,
    driver: Any = None,
) -> GraphMemory:
    """A memory of settings and models.

    Args:
        settings: All settings.
        embedder: Embeds texts; None: nothing is embedded.
        language_model: Writes summaries and the like; None: rules do.
        clock: Tells the time.
        auth: As for `open_memory`.
        driver: As for `open_memory`.
    """
    store = open_store(settings, embedder, clock=clock, auth=auth, driver=driver)
    graph = AliasedGraph(NotedGraph(store.tenant(settings.tenant)))
    workspace = Workspace(
        graph, settings.user, embedder, clock, os.urandom, language_model, make_analyzer(settings), settings.facts
    )
    return GraphMemory(
        Parts(
            store=store,
            workspace=workspace,
            messages=MessagesService(workspace, Segmentation(workspace, settings.boundary)),
            episodes=EpisodesService(workspace, spool=_spool(settings)),
            concepts=ConceptsService(workspace),
            facts=MemoriesService(workspace),
            procedures=ProceduresService(workspace),
            patterns=PatternsService(workspace, settings.mining),
            recall=RecallService(workspace, settings.recall),
            consolidation=_Consolidation(workspace, settings),
            query=_queries(store, workspace),
        )
    )


def _spool(settings: Settings) -> Spool:
    """Where recordings go while the store is away: beside a file, else into the current folder."""
    target = settings.target()
    if target.kind == "sqlite":
        path = Path(target.address)
        return Spool(path.parent, path.name, settings.tenant, spool_lines)
    # by the server, since another one's recordings may lie in the same folder
    server = sha256(f"{target.address}\n{settings.database or ''}".encode()).hexdigest()[:8]
    return Spool(Path(), f"graphmem-{server}", settings.tenant, spool_lines)


def _announce_spooled(settings: Settings) -> None:
    """Warn of recordings that wait to be imported."""
    files = _spool(settings).files()
    if files:
        command = shlex.join(["graphmem", "--tenant", settings.tenant, "import", "--update", *map(str, files[:3])])
        others = f" and {len(files) - 3} more beside them" if len(files) > 3 else ""
        warnings.warn(
            f"recordings that wait in files, since the store was away: {len(files)}; run `{command}`{others},"
            " then remove the files",
            SpooledEpisodesWarning,
            stacklevel=3,
        )


def run_free_cypher(settings: Settings, store: GraphStore, text: str, parameters: Mapping[str, Any]) -> FreeAnswer:
    """The rows of an operator's own Cypher, which sees every tenant; it only reads, within the settings' limits.

    Args:
        settings: Whether it is allowed, and its limits.
        store: A store on Neo4j, such as `memory.store`.
        text: One statement.
        parameters: A value for each of its parameters.

    Raises:
        SettingsError: The settings do not allow it.
        InvalidInputError: The store runs no Cypher, or the statement is refused.
        StatementError: It failed while it ran, or took too long.
    """
    from graphmem.ports.free_query import FreeQueryLimits, RunsFreeQueries  # noqa: PLC0415 (few calls need it)

    if not isinstance(store, RunsFreeQueries):
        raise InvalidInputError(
            "free Cypher needs a store on Neo4j, and this one is none; `graphmem query list` names the queries"
            " that every store answers"
        )
    if not settings.allow_cypher:
        raise SettingsError(
            "free Cypher is off, since it sees every tenant: an operator turns it on with allow_cypher = true in"
            " graphmem.toml, or GRAPHMEM_ALLOW_CYPHER=true"
        )
    limits = FreeQueryLimits(settings.cypher_timeout_seconds, settings.cypher_max_rows, settings.cypher_max_bytes)
    return store.free_query(text, parameters, limits)


@dataclass(frozen=True, slots=True)
class _Consolidation:
    """Consolidation bound to a tenant; its module loads when it runs."""

    workspace: Workspace
    settings: Settings

    def apply(self) -> ConsolidationReport:
        from graphmem.consolidation.consolidate import consolidate  # noqa: PLC0415 (few calls need it)

        work = self.workspace
        return consolidate(
            work.graph,
            embedder=work.embedder,
            clock=work.clock,
            entropy=work.entropy(10),
            policy=self.settings.consolidation,
            reader=_reader(work),
            model=work.language_model,
        )

    def plan(self) -> ConsolidationPlan:
        from graphmem.consolidation.consolidate import plan_consolidation  # noqa: PLC0415 (few calls need it)

        work = self.workspace
        return plan_consolidation(
            work.graph,
            self.settings.consolidation,
            work.now(),
            embedder=work.embedder,
            reader=_reader(work),
            model=work.language_model,
        )


def _reader(workspace: Workspace) -> TextReader | None:
    """What reads texts for consolidation."""
    from graphmem.language.relations.extractor import Extractor  # noqa: PLC0415 (few calls need it)

    return None if workspace.analyzer is None else Extractor(workspace.analyzer)


@runtime_checkable
class _RunsCypher(Protocol):
    """A store that runs the files of cypher/reports as they are."""

    def run_query(self, query: Statement, parameters: Mapping[str, Any]) -> list[dict[str, Any]]: ...


def _queries(store: GraphStore, workspace: Workspace) -> Query:
    """Named queries: in Cypher where the store runs it, else by their equals over the port."""

    def run(name: str, parameters: Mapping[str, Any]) -> Rows:
        from graphmem.queries import query  # noqa: PLC0415 (few calls need it)
        from graphmem.reports.named import named_report  # noqa: PLC0415 (few calls need it)

        report, now = named_report(name), workspace.now()
        given = report.parameters(name, parameters)
        if not isinstance(store, _RunsCypher):
            return Rows(tuple(report.answer(workspace.graph, now, **given)))
        statement = query(name)
        known = {"tenant": workspace.graph.tenant, "now": now, **given}
        return Rows(tuple(store.run_query(statement, {name: known[name] for name in statement.params})))

    return run
