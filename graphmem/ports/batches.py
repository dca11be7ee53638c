"""Cuts a stream of records into batches, and keeps what is stored already out of the costly steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from graphmem.errors import ConflictError
from graphmem.graph.records import PLACEHOLDER, NodeRecord, NodeRef, Saved
from graphmem.ports.graph_store import Transaction
from graphmem.ports.workspace import Workspace

BATCH_SIZE = 500
"""Records of a transaction: larger ones gain nothing on Neo4j."""

BATCH_CHARACTERS = 4 << 20
"""Characters of a batch: bounds the memory of a transaction whatever a record holds."""

Item = TypeVar("Item")


def batches(
    items: Iterable[Item],
    *,
    key: Callable[[Item], str],
    weight: Callable[[Item], int],
    size: int = BATCH_SIZE,
) -> Iterator[list[Item]]:
    """Lists of at most `size` items and, from the second item on, at most `BATCH_CHARACTERS`.

    Args:
        items: A stream; it is read only as far as needed.
        key: What is distinct within a batch: an item whose key came before begins the next one.
        weight: Characters of an item, roughly.
        size: Most items of a batch, at least 1.
    """
    batch: dict[str, Item] = {}
    characters = 0
    for item in items:
        name, added = key(item), weight(item)
        if batch and (len(batch) >= size or characters + added > BATCH_CHARACTERS or name in batch):
            yield list(batch.values())
            batch, characters = {}, 0
        batch[name] = item
        characters += added
    if batch:
        yield list(batch.values())


def to_write(workspace: Workspace, records: Sequence[NodeRecord], *, replace: bool) -> frozenset[NodeRef]:
    """Which of the records a save would write: only these need a vector.

    Args:
        workspace: Where to look.
        records: Nodes with distinct refs.
        replace: Whether changed content replaces what is stored.

    Raises:
        ConflictError: With replace, another user's item would be replaced.
    """
    stored = workspace.known([record.ref for record in records])
    return waiting_to_write(workspace, records, stored, replace=replace)


def waiting_to_write(
    workspace: Workspace, records: Sequence[NodeRecord], stored: Mapping[NodeRef, NodeRecord], *, replace: bool
) -> frozenset[NodeRef]:
    """As `to_write`, where what is stored was read already."""
    waiting = set()
    for record in records:
        known = stored.get(record.ref)
        if known is None or known.content_hash == PLACEHOLDER:
            waiting.add(record.ref)
        elif replace and known.content_hash != record.content_hash:
            if not workspace.sees(known):
                raise ConflictError(f"{record.label} {record.id!r} belongs to another user: choose another id")
            waiting.add(record.ref)
    return frozenset(waiting)


def together(parts: Iterable[Saved]) -> Saved:
    """What several saves did."""
    found = list(parts)
    return Saved(
        tuple(ref for part in found for ref in part.added),
        tuple(ref for part in found for ref in part.changed),
        tuple(ref for part in found for ref in part.unchanged),
    )


def drop_given_links(
    transaction: Transaction, refs: Sequence[NodeRef], leaving: Sequence[str], reaching: Sequence[str] = ()
) -> None:
    """Remove the edges that the earlier content of replaced nodes gave; what was found out stays.

    Args:
        transaction: Where the nodes were replaced.
        refs: The replaced nodes.
        leaving: Types of edges that start at them.
        reaching: Types of edges that end at them.
    """
    if not refs:
        return
    edges = transaction.edges(refs, leaving, "out")
    if reaching:
        edges += transaction.edges(refs, reaching, "in")
    transaction.remove_edges([edge for edge in edges if edge.properties.get("source", "given") == "given"])


def refuse_changed(saved: Saved, kind: str) -> None:
    """Refuse a single write whose id holds other content.

    Raises:
        ConflictError: It does.
    """
    if saved.changed:
        raise ConflictError(
            f"{kind} {saved.changed[0].id!r} is stored with other content: choose another id, "
            "or pass replace=True to replace it"
        )
