"""What every service works with: one tenant's graph, the user, the embedder, the clock and chance.

Holds the one rule about users: a user is a filter for reading and a stamp for writing, never a wall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self, TypeVar

from graphmem.errors import NotFoundError, StoreMissingError
from graphmem.graph.predicates import FactPolicy
from graphmem.graph.records import And, Equals, Filter, Missing, NodeRecord, NodeRef
from graphmem.models.checking import fields_of
from graphmem.models.ids import check_id, uuid7
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.text_analyzer import TextAnalyzer

PERSONAL = frozenset({"Episode", "Message", "Memory", "Procedure"})
"""Labels whose items belong to a user; all others belong to the tenant as a whole."""

ALSO_COMMON = frozenset({"Memory", "Procedure"})
"""Personal labels of which an item without a user concerns everybody."""


class Personal(Protocol):
    """A model of what belongs to a user."""

    @property
    def user_id(self) -> str | None:
        """Whose it is; None: nobody's in particular."""
        ...

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """It with some fields changed."""
        ...


Item = TypeVar("Item", bound=Personal)

Entropy = Callable[[int], bytes]
"""Gives that many random bytes."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """One tenant's graph as one user sees it, with what writing needs."""

    graph: TenantGraph
    user: str | None
    """Stamps what is written, filters what is read; None: no stamp, no filter."""
    embedder: Embedder | None
    """None: nothing is embedded, and recall is lexical."""
    clock: Clock
    entropy: Entropy
    language_model: LanguageModel | None = None
    """None: rules and templates do what it would do."""
    analyzer: TextAnalyzer | None = None
    """Cuts texts into sentences for extraction; None: nothing is extracted."""
    facts: FactPolicy = field(default_factory=FactPolicy)
    """How statements about the same subject are weighed against each other."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return self.clock()

    def new_id(self, at: datetime) -> str:
        """A time-ordered id for what has no natural one."""
        return uuid7(at, self.entropy(10))

    def stamped(self, item: Item) -> Item:
        """An item of a caller's as this user's, where it names nobody."""
        return item if self.user is None or item.user_id else item.model_copy(update={"user_id": self.user})

    def fields_of(self, given: object, name: str) -> dict[str, Any]:
        """What a caller gave in place of a model of this name: its fields as this user's, without those of None.

        Raises:
            InvalidInputError: It is no mapping.
        """
        told = fields_of(given, name)
        return {"user_id": self.user, **{field: value for field, value in told.items() if value is not None}}

    def sees(self, record: NodeRecord) -> bool:
        """Whether this user may read a record."""
        if self.user is None or record.label not in PERSONAL:
            return True
        owner = record.properties.get("user_id")
        return owner == self.user or (owner is None and record.label in ALSO_COMMON)

    def known(self, refs: Iterable[NodeRef]) -> dict[NodeRef, NodeRecord]:
        """The nodes that are stored, before a write: a store that is not there yet holds none."""
        try:
            return self.graph.get(refs)
        except StoreMissingError:
            return {}

    def fetch(self, label: str, node_id: str, kind: str) -> NodeRecord:
        """A node by its id.

        Raises:
            InvalidInputError: The id is not one.
            NotFoundError: There is none, or it is another user's.
        """
        ref = NodeRef(label, check_id(node_id))
        record = self.graph.get([ref]).get(ref)
        if record is None or not self.sees(record):
            raise NotFoundError(kind, node_id)
        return record

    def filters(self, label: str, *conditions: Filter) -> tuple[Filter | None, ...]:
        """Filters of which a visible node matches exactly one: the port has no "or".

        Args:
            label: The label that is read.
            conditions: What must hold as well.
        """
        if self.user is None or label not in PERSONAL:
            return (And(conditions) if conditions else None,)
        mine = And((Equals("user_id", self.user), *conditions))
        return (mine, And((Missing("user_id"), *conditions))) if label in ALSO_COMMON else (mine,)

    def forget(self, label: str, node_id: str, kind: str) -> None:
        """Remove a node with all it owns and all its edges.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        record = self.fetch(label, node_id, kind)
        with self.graph.transaction() as transaction:
            transaction.remove_nodes([record.ref])
