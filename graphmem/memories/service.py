"""`memory.facts`: remember, correct, read and forget memories of every kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInputError, NotFoundError
from graphmem.graph.keys import label_key
from graphmem.graph.mapping.assertions import is_statement
from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.predicates import predicate_key
from graphmem.graph.records import And, Cursor, Filter, NodeRecord, Saved
from graphmem.graph.validity import holding, only_repeats, standing
from graphmem.memories.contradictions import Contradiction, find_contradictions
from graphmem.memories.forgetting import forget_memory
from graphmem.memories.writing import write_memory
from graphmem.models.checking import checked_by
from graphmem.models.memories import MEMORY, MEMORY_KINDS, Memory, MemoryContent
from graphmem.ports.batches import refuse_changed, together
from graphmem.ports.listing import Listing, equals, listing, moment, read_all, read_page
from graphmem.ports.workspace import Workspace


class MemoriesService:
    """The long-term memories of one tenant, as one user sees them.

    A user sees his own memories and those of nobody in particular.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def remember(self, text: str, kind: str = "fact", **fields: Any) -> Memory:
        """Keep a memory in words.

        Args:
            text: The memory.
            kind: fact, preference, lesson, correction, validation, domain or working.
            **fields: Other fields of the kind's model (graphmem.Fact, graphmem.Lesson, ...): id, why,
                confidence, at, supersedes, about, sources; for facts and preferences also subject,
                predicate, object, valid_from, valid_to. `at` is this moment when left out.

        Returns:
            The memory as it was kept, with its id; a statement without an id that only repeats what is known
            makes that surer, and what is known is returned.

        Raises:
            InvalidInputError: A value or a field is refused.
            NotFoundError: The memory that it supersedes is not stored.
            ConflictError: The id is stored with other content.
        """
        now = self._workspace.now()
        memory = self._read({"text": text, "kind": kind, **fields}, now)
        saved, name = write_memory(
            self._workspace, memory, now, replace=False, is_anonymous=fields.get("id") is None
        )
        if name == memory.id:
            refuse_changed(saved, "memory")
        return self.get(name) if is_statement(memory) else memory

    def add(self, memory: Memory, *, replace: bool = False) -> Saved:
        """Keep a memory that is a value already; the same id and content twice changes nothing.

        Args:
            memory: What to keep.
            replace: Whether it replaces a stored memory of this id.

        Raises:
            NotFoundError: The memory that it supersedes is not stored.
            ConflictError: The id is stored with other content.
        """
        saved = self.add_many([memory], replace=replace)
        if not replace:
            refuse_changed(saved, "memory")
        return saved

    def add_many(self, memories: Iterable[Memory | Mapping[str, Any]], *, replace: bool = False) -> Saved:
        """Keep memories in order, each in its own transaction: a later one may supersede an earlier one.

        Args:
            memories: Memories, or mappings of their fields.
            replace: Whether changed content replaces what is stored.
        """
        now = self._workspace.now()
        return together(
            write_memory(self._workspace, self._read(memory, now), now, replace=replace)[0] for memory in memories
        )

    def get(self, id: str) -> Memory:  # noqa: A002 (the documented name)
        """The memory with this id, superseded or not.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        return to_memory(self._workspace.fetch("Memory", id, "memory"))

    def list(
        self,
        *,
        kind: str | None = None,
        subject: str | None = None,
        predicate: str | None = None,
        superseded: bool = False,
        order: str = "-created_at",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Memory]:
        """A page of memories, the newest first.

        Args:
            kind: Only of this kind.
            subject: Only about this subject, however it is spelled.
            predicate: Only of this predicate.
            superseded: Whether those that were superseded are listed too.
            order: created_at, at, valid_from, kind, id or another filterable property; `-` before it
                for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        conditions = list(self._statement(subject, predicate))
        if kind is not None:
            conditions += equals(kind=_checked_kind(kind))
        if not superseded:
            conditions.append(standing())
        filters = self._workspace.filters("Memory", *conditions)
        page = read_page(self._workspace.graph, "Memory", filters, order=order, after=after, limit=limit)
        return listing(page, to_memory)

    def history(self, subject: str, predicate: str | None = None) -> tuple[Memory, ...]:
        """All that was ever held of a subject, superseded or not, in the order in which it began to hold.

        Args:
            subject: Who or what, however it is spelled.
            predicate: Only of this relation.

        Returns:
            Statements by valid_from, else by when they were said, else by when they were recorded.
        """
        filters = self._workspace.filters("Memory", *self._statement(subject, predicate))
        records = sorted(read_all(self._workspace.graph, "Memory", filters), key=_began)
        return tuple(to_memory(record) for record in records if not only_repeats(record, records))

    def as_of(
        self, at: datetime, *, subject: str | None = None, predicate: str | None = None
    ) -> tuple[Memory, ...]:
        """What held at a moment, superseded later or not.

        Args:
            at: The moment, aware.
            subject: Only about this subject.
            predicate: Only of this predicate.

        Returns:
            Memories by id.

        Raises:
            InvalidInputError: The time has no offset.
        """
        then = moment(at, "at")
        if then is None:
            raise InvalidInputError("at: as_of needs a time")
        statement = self._statement(subject, predicate)
        filters = [
            where for held in holding(then) for where in self._workspace.filters("Memory", And((held, *statement)))
        ]
        return tuple(map(to_memory, read_all(self._workspace.graph, "Memory", filters)))

    def contradictions(
        self, *, subject: str | None = None, predicate: str | None = None
    ) -> tuple[Contradiction, ...]:
        """Facts that exclude each other and that no time puts in order: nobody chose between them.

        Args:
            subject: Only about this subject.
            predicate: Only of this predicate.

        Returns:
            By subject and predicate; those of the user before those of nobody in particular.
        """
        return tuple(find_contradictions(self._workspace, self._statement(subject, predicate)))

    def forget(self, id: str, *, kind: str | None = None) -> None:  # noqa: A002 (the documented name)
        """Remove a memory with all its links, and what only says the same.

        What it was said to supersede stays superseded. What it ended by holding an object of a predicate that
        holds one at a time goes on as if it had never been said.

        Args:
            id: Its id.
            kind: The kind it must be of; None: any.

        Raises:
            NotFoundError: There is none of this kind, or it is another user's.
        """
        record = self._workspace.fetch("Memory", id, kind or "memory")
        if kind is not None and record.properties["kind"] != _checked_kind(kind):
            raise NotFoundError(kind, id)
        forget_memory(self._workspace, record)

    def successor(self, id: str) -> Memory | None:  # noqa: A002 (the documented name)
        """The memory that superseded this one; None while it stands.

        Raises:
            NotFoundError: There is no memory with this id.
        """
        record = self._workspace.fetch("Memory", id, "memory")
        newer = [edge.source for edge in self._workspace.graph.edges([record.ref], ["SUPERSEDES"], "in")]
        found = [node for node in self._workspace.graph.get(newer).values() if self._workspace.sees(node)]
        return to_memory(found[-1]) if found else None

    def _statement(self, subject: str | None, predicate: str | None) -> tuple[Filter, ...]:
        relation = None if predicate is None else predicate_key(predicate) or ""
        return equals(subject_key=_key(subject), predicate_key=relation)

    def _read(self, given: Memory | Mapping[str, Any], now: datetime) -> Memory:
        if isinstance(given, MemoryContent):
            return self._workspace.stamped(given)
        fields = self._workspace.fields_of(given, "Memory")
        fields.setdefault("kind", "fact")
        fields.setdefault("at", now)
        _checked_kind(fields["kind"])
        if "id" not in fields:
            fields["id"] = self._workspace.new_id(now)
        return checked_by(MEMORY, fields, "memory")


def _key(name: str | None) -> str | None:
    # a name without a key is nobody's: none has the empty key
    return None if name is None else label_key(name) or ""


def _checked_kind(kind: object) -> str:
    if kind not in MEMORY_KINDS:
        raise InvalidInputError(f"kind {kind!r} is not one of {', '.join(MEMORY_KINDS)}")
    return str(kind)


def _began(record: NodeRecord) -> tuple[Any, Any, str]:
    properties = record.properties
    recorded = properties["created_at"]
    return properties.get("valid_from") or properties.get("at") or recorded, recorded, record.id
