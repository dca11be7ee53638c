"""`memory.procedures`: add, read and forget learned ways of doing something."""

from __future__ import annotations

from dataclasses import replace as with_changes

from graphmem.graph.keys import label_key
from graphmem.graph.mapping.procedure import procedure_record, to_procedure
from graphmem.graph.records import Cursor, EdgeRecord, NodeRef, Saved
from graphmem.models.checking import refusals
from graphmem.models.procedure import Procedure
from graphmem.ports.batches import drop_given_links, refuse_changed, to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.listing import Listing, equals, listing, read_page
from graphmem.ports.workspace import Workspace


class ProceduresService:
    """The procedures of one tenant."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add(self, procedure: Procedure, *, replace: bool = False) -> Saved:
        """Keep a procedure, linked to those of its source episodes that are stored.

        Args:
            procedure: What to keep; the same id and content twice changes nothing.
            replace: Whether it replaces a stored procedure of this id.

        Raises:
            ConflictError: The id is stored with other content.
        """
        workspace = self._workspace
        now = workspace.now()
        with refusals():
            record = procedure_record(procedure, now)
        if record.ref in to_write(workspace, [record], replace=replace):
            record = with_changes(record, vector=with_vectors([record], workspace.embedder)[0].vector)
        sources = workspace.known(NodeRef("Episode", source) for source in dict.fromkeys(procedure.sources))
        with workspace.graph.transaction() as transaction:
            saved = transaction.save_nodes([record], replace=replace)
            if not saved.unchanged and (replace or not saved.changed):
                drop_given_links(transaction, saved.changed, ["DERIVED_FROM"])
                transaction.save_edges(
                    [EdgeRecord("DERIVED_FROM", record.ref, source, {"created_at": now}) for source in sources]
                )
        if not replace:
            refuse_changed(saved, "procedure")
        return saved

    def get(self, id: str) -> Procedure:  # noqa: A002 (the documented name)
        """The procedure with this id.

        Raises:
            NotFoundError: There is none.
        """
        return to_procedure(self._workspace.fetch("Procedure", id, "procedure"))

    def list(
        self, *, name: str | None = None, order: str = "id", after: Cursor | None = None, limit: int = 100
    ) -> Listing[Procedure]:
        """A page of procedures.

        Args:
            name: Only those of this name, however it is spelled (case, plural).
            order: id, key or created_at; `-` before it for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        # a name without a key matches no procedure: none has the empty key
        conditions = equals(key=None if name is None else label_key(name) or "")
        filters = self._workspace.filters("Procedure", *conditions)
        page = read_page(self._workspace.graph, "Procedure", filters, order=order, after=after, limit=limit)
        return listing(page, to_procedure)

    def forget(self, id: str) -> None:  # noqa: A002 (the documented name)
        """Remove a procedure with all its links.

        Raises:
            NotFoundError: There is none.
        """
        self._workspace.forget("Procedure", id, "procedure")
