"""`memory.procedures`: add, read and forget learned ways of doing something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace as with_changes
from typing import Any

from graphmem.graph.keys import label_key
from graphmem.graph.mapping.procedure import procedure_edges, procedure_record, to_procedure
from graphmem.graph.records import Cursor, Missing, NodeRef, Saved
from graphmem.models.checking import model_or_fields, refusals
from graphmem.models.procedure import Procedure
from graphmem.ports.batches import drop_given_links, refuse_changed, to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.listing import Listing, equals, listing, read_page
from graphmem.ports.workspace import Workspace
from graphmem.procedures.versions import check_superseded, versions


class ProceduresService:
    """The procedures of one tenant, as one user sees them.

    A user sees his own procedures and those of nobody in particular.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add(self, procedure: Procedure | Mapping[str, Any], *, replace: bool = False) -> Saved:
        """Keep a procedure, linked to those of its sources that are stored and to the version that it replaces.

        Args:
            procedure: What to keep, or a mapping of its fields; the same id and content twice changes nothing.
            replace: Whether it replaces a stored procedure of this id.

        Raises:
            InvalidInputError: A value is refused.
            ConflictError: The id is stored with other content, or it supersedes itself.
            NotFoundError: The procedure that it supersedes is not stored.
        """
        workspace = self._workspace
        now = workspace.now()
        procedure = model_or_fields(Procedure, procedure)
        older = check_superseded(workspace, procedure)
        with refusals():
            record = procedure_record(procedure, now)
        if record.ref in to_write(workspace, [record], replace=replace):
            record = with_changes(record, vector=with_vectors([record], workspace.embedder)[0].vector)
        sources = workspace.known(_source_refs(procedure))
        with workspace.graph.transaction() as transaction:
            saved = transaction.save_nodes([record], replace=replace)
            if not saved.unchanged and (replace or not saved.changed):
                drop_given_links(transaction, saved.changed, ["DERIVED_FROM", "SUPERSEDES"])
                transaction.save_edges(procedure_edges(record, sources))
                retired = [] if older is None else [older.id]
                if transaction.edges([record.ref], ["SUPERSEDES"], "in"):
                    retired.append(record.id)
                transaction.set_properties("Procedure", [(name, {"superseded_at": now}) for name in retired])
        if not replace:
            refuse_changed(saved, "procedure")
        return saved

    def get(self, id: str) -> Procedure:  # noqa: A002 (the documented name)
        """The procedure with this id.

        Raises:
            NotFoundError: There is none.
        """
        return to_procedure(self._workspace.fetch("Procedure", id, "procedure"))

    def history(self, id: str) -> tuple[Procedure, ...]:  # noqa: A002 (the documented name)
        """All versions of a procedure, the newest first.

        Args:
            id: Id of any of them.

        Raises:
            NotFoundError: There is none.
        """
        record = self._workspace.fetch("Procedure", id, "procedure")
        return tuple(map(to_procedure, versions(self._workspace, record)))

    def list(
        self,
        *,
        name: str | None = None,
        superseded: bool = False,
        order: str = "id",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Procedure]:
        """A page of procedures.

        Args:
            name: Only those of this name, however it is spelled (case, plural).
            superseded: Whether versions that newer ones replaced are listed too.
            order: id, key or created_at; `-` before it for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        # a name without a key matches no procedure: none has the empty key
        conditions = [*equals(key=None if name is None else label_key(name) or "")]
        if not superseded:
            conditions.append(Missing("superseded_at"))
        filters = self._workspace.filters("Procedure", *conditions)
        page = read_page(self._workspace.graph, "Procedure", filters, order=order, after=after, limit=limit)
        return listing(page, to_procedure)

    def forget(self, id: str) -> None:  # noqa: A002 (the documented name)
        """Remove a procedure with all its links; what it superseded stays superseded.

        Raises:
            NotFoundError: There is none.
        """
        self._workspace.forget("Procedure", id, "procedure")


def _source_refs(procedure: Procedure) -> Iterator[NodeRef]:
    for source in dict.fromkeys(procedure.sources):
        yield NodeRef("Episode", source)
        yield NodeRef("Message", source)
