"""What a phase of consolidation is: it reads, plans as a value, and the workflow applies what it planned.

A phase is a module with a function that plans. It writes nothing itself: its plan says what every
transaction is to write, so that a plan can be shown, and a run that was stopped goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Protocol, TypeVar

from graphmem.consolidation.news import News
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.language.extraction import Extraction, Genre
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.language_model import LanguageModel

Item = TypeVar("Item")


class TextReader(Protocol):
    """Finds concepts and relations in texts; the same text always gives the same."""

    @property
    def fingerprint(self) -> str:
        """Changes with what it would find: its analyzer, its rules, its version."""
        ...

    def extract_many(self, texts: Iterable[str], genre: Genre) -> Iterator[Extraction]:
        """What each text states, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Planned:
    """What earlier phases of a plan would write: a plan says what a run would do, though none of it is stored."""

    concepts: Mapping[str, Sequence[NodeRecord]] = field(default_factory=dict)
    """New concepts by key."""
    edges: frozenset[tuple[str, NodeRef, NodeRef]] = frozenset()
    """Type and ends of the edges."""
    removed: frozenset[tuple[str, NodeRef, NodeRef]] = frozenset()
    """Type and ends of the edges that would go."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a phase is given."""

    graph: TenantGraph
    """The tenant."""
    policy: ConsolidationPolicy
    now: datetime
    """Becomes created_at of what is written."""
    embedder: Embedder | None = None
    """Whose vectors the store holds; None: what needs likeness is left out."""
    reader: TextReader | None = None
    """Reads texts; None: none is read."""
    model: LanguageModel | None = None
    """Reads them instead of that, as far as the policy's calls go; None: it never does."""
    planned: Planned = field(default_factory=Planned)
    """Empty where every phase is applied before the next one plans."""
    news: News | None = None
    """What to read; None: everything."""


@dataclass(frozen=True, slots=True)
class AliasChange:
    """Another name of a concept that texts give, or no longer give."""

    claim: str
    """Id of the claim that says so."""
    concept: NodeRef
    name: str
    adopt: bool
    """Whether it becomes an alias, else it is none any more."""
    ids: tuple[str, ...] = ()
    """Ids of the texts."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What one transaction writes, in this order; each part may be empty."""

    nodes: Sequence[NodeRecord] = ()
    """Created where they are absent, with vectors; what is stored stays."""
    replaced: Sequence[NodeRecord] = ()
    """Created, or written over what is stored under their ids, with vectors."""
    remove_edges: Sequence[EdgeRecord] = ()
    edges: Sequence[EdgeRecord] = ()
    """Written over stored ones."""
    properties: Mapping[str, Sequence[tuple[str, Mapping[str, Value | None]]]] | None = None
    """Label -> (id, properties to set, None to remove): marks and other bookkeeping."""
    remove_nodes: Sequence[NodeRef] = ()
    aliases: Sequence[AliasChange] = ()
    """Written afterwards, in transactions of their own: a concept of the same name is merged."""
    items: int = 0
    """How many items (episodes, messages, relations) are done with it; told as progress."""


class PhasePlan(Protocol):
    """What a phase would do; false when there is nothing to do."""

    def __bool__(self) -> bool: ...

    def counts(self) -> Mapping[str, int]:
        """What it amounts to, in the words of the report; counts of one name are added up over phases."""
        ...

    def to_dict(self) -> Mapping[str, Sequence[Any]]:
        """What it would write, as lists of JSON by name; lists of one name are joined over phases."""
        ...

    def batches(self) -> Iterator[Changes]:
        """What to write, one transaction each; each may be repeated without harm."""
        ...


class Phase(Protocol):
    """One kind of learning."""

    def plan(self, run: Run) -> PhasePlan:
        """Everything there is to do now, without doing it."""
        ...

    def rounds(self, run: Run) -> Iterator[PhasePlan]:
        """The same in parts, each applied before the next one is asked for.

        A phase that reads little yields its one plan; one that reads a lot keeps its memory flat so, and a run
        that was stopped loses one round.
        """
        ...


def in_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of `size`, the last one shorter; never an empty one."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
