"""Cuts what was read into the batches of one transaction each, never through an episode. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphmem.graph.records import EdgeRecord, NodeRecord
from graphmem.graph.schema import NODE_TYPES
from graphmem.transfer.policy import ImportPolicy
from graphmem.transfer.reading import Read

_TREE_LABELS = frozenset({"Episode"} | {label for label, declared in NODE_TYPES.items() if declared.owner})


def batches(reads: Iterable[Read], policy: ImportPolicy, *, most: int | None = None) -> Iterator[list[Read]]:
    """Lists of consecutive records.

    Args:
        reads: A stream; it is read only as far as needed.
        policy: How many records and bytes a batch holds at most. One record more than that is a batch of
            its own, and the stored nodes and edges of one episode stay together.
        most: Records of a batch at most; None: as the policy has it for records of files.
    """
    most = policy.batch_records if most is None else most
    batch: list[Read] = []
    size = 0
    episode: str | None = None
    for read in reads:
        owner = tree_of(read)
        full = len(batch) >= most or size + read.size > policy.batch_bytes
        if batch and full and (owner is None or owner != episode):
            yield batch
            batch, size = [], 0
        batch.append(read)
        size += read.size
        episode = owner
    if batch:
        yield batch


def tree_of(read: Read) -> str | None:
    """Id of the episode whose stored tree a node or edge belongs to; None for everything else."""
    item = None if read.parsed is None else read.parsed.item
    match item:
        case NodeRecord():
            return tree_id(item.label, item.id)
        case EdgeRecord():
            return tree_id(item.source.label, item.source.id)
        case _:
            return None


def tree_id(label: str, node_id: str) -> str | None:
    """Id of the episode that a stored node is or belongs to: ids of its parts begin with it and a slash."""
    return node_id.partition("/")[0] if label in _TREE_LABELS else None
