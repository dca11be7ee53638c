"""GraphMemory, the façade: everyday verbs and the services, grouped; no logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, overload

from graphmem.concepts.service import ConceptsService
from graphmem.episodes.service import EpisodesService
from graphmem.errors import InvalidInputError
from graphmem.memories.service import MemoriesService
from graphmem.messages.service import MessagesService
from graphmem.models.memories import MEMORY_KINDS, Memory
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.rows import Rows
from graphmem.ports.workspace import Workspace
from graphmem.procedures.service import ProceduresService
from graphmem.recall.context import ContextBlock
from graphmem.recall.recall import RecallService
from graphmem.recall.recipes import RecallRecipe
from graphmem.recall.results import RecallResult

if TYPE_CHECKING:
    from graphmem.consolidation.plan import ConsolidationPlan, ConsolidationReport
    from graphmem.language.extraction import Extraction
    from graphmem.patterns.service import PatternsService


class Consolidation(Protocol):
    """The consolidation workflow, bound to a tenant."""

    def apply(self) -> ConsolidationReport:
        """Plan and apply."""
        ...

    def plan(self) -> ConsolidationPlan:
        """Plan only."""
        ...


Query = Callable[[str, Mapping[str, Any]], Rows]
"""Runs a named query of one tenant with its parameters."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What bootstrap puts a memory together from."""

    store: GraphStore
    workspace: Workspace
    messages: MessagesService
    episodes: EpisodesService
    concepts: ConceptsService
    facts: MemoriesService
    procedures: ProceduresService
    patterns: PatternsService
    recall: RecallService
    consolidation: Consolidation
    query: Query


class GraphMemory:
    """The memory of one tenant, as one user sees it. Close it, or use it as a context manager.

    Example::

        with graphmem.open("memory.db", tenant="acme", user="ada") as memory:
            memory.messages.add("I moved to Seoul", speaker="Ada")
            for item in memory.recall("where does Ada live?"):
                print(item.score, item.text, item.explain())
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.messages = parts.messages
        """What was said."""
        self.episodes = parts.episodes
        """Experiences of agents."""
        self.concepts = parts.concepts
        """What things are, and how they relate."""
        self.facts = parts.facts
        """Long-term memories of every kind, with their history."""
        self.procedures = parts.procedures
        """Learned ways of doing something."""
        self.patterns = parts.patterns
        """What recurs across episodes."""
        self._forgetters: dict[str, Callable[[str], None]] = {
            "message": self.messages.forget,
            "episode": self.episodes.forget,
            "concept": self.concepts.forget,
            "procedure": self.procedures.forget,
            "pattern": self.patterns.forget,
            "memory": self.facts.forget,
            **{kind: partial(self.facts.forget, kind=kind) for kind in MEMORY_KINDS},
        }

    @property
    def tenant(self) -> str:
        """Whose memory it is."""
        return self._parts.workspace.graph.tenant

    @property
    def user(self) -> str | None:
        """Who stamps writes and filters reads; None: nobody in particular."""
        return self._parts.workspace.user

    @property
    def store(self) -> GraphStore:
        """The store behind it, for front ends and operators."""
        return self._parts.store

    @property
    def workspace(self) -> Workspace:
        """The tenant's graph with embedder and clock, for front ends and transfers."""
        return self._parts.workspace

    def remember(self, text: str, kind: str = "fact", **fields: Any) -> Memory:
        """Keep a memory in words; see `MemoriesService.remember`."""
        return self.facts.remember(text, kind, **fields)

    def recall(
        self,
        text: str,
        *,
        limit: int = 10,
        kinds: Iterable[str] | None = None,
        as_of: datetime | None = None,
        recipe: RecallRecipe | str | None = None,
    ) -> RecallResult:
        """What is remembered about a text, best first; see `RecallService.recall`."""
        return self._parts.recall.recall(text, limit=limit, kinds=kinds, as_of=as_of, recipe=recipe)

    def context(self, text: str, budget: int = 800) -> str:
        """What is remembered about a text, as a block for a prompt of at most `budget` tokens; "" for nothing."""
        return self.context_block(text, budget).text

    def context_block(self, text: str, budget: int = 800) -> ContextBlock:
        """The block of `context` together with the items in it."""
        return self._parts.recall.context(text, budget=budget)

    def extract(self, text: str, *, chat: bool = False) -> Extraction:
        """The concepts and relations that a text states, and what it does not assert; nothing is stored.

        Args:
            text: Any text, in English, Korean or both.
            chat: Whether it is talk: rules that hold in prose alone are off.

        Raises:
            InvalidInputError: It is no text, or this memory has no analyzer.
        """
        if not isinstance(text, str):
            raise InvalidInputError(f"text is {type(text).__name__}; extract reads str")
        from graphmem.language.relations.extractor import Extractor  # noqa: PLC0415 (loads all rules)

        analyzer = self._parts.workspace.analyzer
        if analyzer is None:
            raise InvalidInputError("this memory has no text analyzer: open it with graphmem.open")
        return Extractor(analyzer).extract(text, "chat" if chat else "prose")

    @overload
    def consolidate(self, *, plan: Literal[False] = False) -> ConsolidationReport: ...
    @overload
    def consolidate(self, *, plan: Literal[True]) -> ConsolidationPlan: ...
    def consolidate(self, *, plan: bool = False) -> ConsolidationReport | ConsolidationPlan:
        """Link experience to concepts; with `plan`, say what would be done and do nothing."""
        return self._parts.consolidation.plan() if plan else self._parts.consolidation.apply()

    def query(self, name: str, **parameters: Any) -> Rows:
        """The rows of a named query, such as `reports/growth`.

        Raises:
            NotFoundError: There is no query of this name.
            InvalidInputError: A parameter is missing, unknown or refused.
        """
        return self._parts.query(name, parameters)

    def forget(self, *, kind: str, id: str) -> None:  # noqa: A002 (the documented name)
        """Remove one item with all its links.

        Args:
            kind: message, episode, concept, procedure, pattern, memory, or a kind of memory.
            id: Its id; of a concept also its name.

        Raises:
            NotFoundError: There is none of this kind, or it is another user's.
            InvalidInputError: The kind is unknown.
        """
        forget = self._forgetters.get(kind)
        if forget is None:
            raise InvalidInputError(f"unknown kind {kind!r}; there are {', '.join(self._forgetters)}")
        forget(id)

    def close(self) -> None:
        """Let go of the store; a driver that the caller gave stays open. Closing twice is fine."""
        self._parts.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<GraphMemory tenant={self.tenant!r} user={self.user!r}>"
