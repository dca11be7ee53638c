"""Exports one tenant: what was given, as domain records, or everything, as it is stored.

Both stream page by page. A domain export leaves out what is derived (patterns, runs, vectors, concepts that
were only mentioned): importing it elsewhere makes that anew, and exporting again gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from graphmem.graph.records import Equals
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import TenantGraph
from graphmem.transfer.domain import domain_records
from graphmem.transfer.files import replaced_file
from graphmem.transfer.snapshot import snapshot
from graphmem.transfer.stored import edge_line, node_line
from graphmem.transfer.writing import HEADER, to_line

LEFT_OUT = "patterns, runs and vectors are rebuilt by consolidate and patterns mine; export --full keeps them"
"""What a domain export should tell its user."""

Progress = Callable[[int], None]
"""Called now and then with the number of records written since."""


def export_domain(
    graph: TenantGraph, stream: BinaryIO, *, user: str | None = None, progress: Progress | None = None
) -> dict[str, int]:
    """Write what was given to a tenant as JSON Lines.

    Args:
        graph: The tenant.
        stream: Opened for writing bytes.
        user: Only what is his: concepts and relations, which are nobody's, are left out then.
        progress: Told how far it is.

    Returns:
        Records written by type.
    """
    written: Counter[str] = Counter()
    stream.write(to_line(HEADER))
    for records in domain_records(graph, None if user is None else Equals("user_id", user)):
        for record in records:
            stream.write(to_line(record))
            written[record["type"]] += 1
        if progress is not None:
            progress(len(records))
    return dict(written)


def export_full(
    graph: TenantGraph, stream: BinaryIO, embedder: EmbedderSpec | None, *, progress: Progress | None = None
) -> dict[str, int]:
    """Write all nodes and edges of a tenant as they are stored, vectors included.

    Args:
        graph: The tenant.
        stream: Opened for writing bytes.
        embedder: Whose vectors the store holds, from `GraphStore.info()`.
        progress: Told how far it is.

    Returns:
        Records written by type.
    """
    stream.write(to_line(HEADER if embedder is None else HEADER | {"embedder": asdict(embedder)}))
    written: Counter[str] = Counter()
    for part in snapshot(graph):
        records = [node_line(node) for node in part.nodes]
        for tree in part.trees:
            records += [node_line(node) for node in (tree.root, *tree.nodes)]
            records += [edge_line(edge) for edge in tree.edges]
        records += [edge_line(edge) for edge in part.edges]
        stream.writelines(map(to_line, records))
        written.update(record["type"] for record in records)
        if progress is not None:
            progress(len(records))
    return dict(written)


def export_file(path: str | Path, write: Callable[[BinaryIO], dict[str, int]]) -> dict[str, int]:
    """Write an export to a file, which appears when it is complete.

    Args:
        path: Where to write; a file there is replaced.
        write: `export_domain` or `export_full`, bound to all but its stream.

    Returns:
        Records written by type.

    Raises:
        TransferError: The file cannot be written.
    """
    with replaced_file(path) as stream:
        return write(stream)
