"""What tests of imports and exports share: a store in a file, records as lines, an export as bytes."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.workspace import Workspace
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.clock import FakeClock
from graphmem.transfer.exporting import export_domain
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import Source, stream_source

DATA = Path(os.environ.get("GRAPHMEM_DATA") or Path(__file__).parents[2] / "shared" / "data")
"""Evaluation data, which is no part of the repository."""


def sqlite_workspace(
    path: Path, tenant: str = "acme", user: str | None = None, embedder: Embedder | None = None
) -> Workspace:
    """One tenant of a store in a file, its clock standing still."""
    store = SqliteStore(path, embedder=None if embedder is None else embedder.spec)
    return Workspace(store.tenant(tenant), user, embedder, FakeClock(), os.urandom)


def lines(*records: dict[str, Any] | str | bytes) -> bytes:
    """Records as a file."""
    return b"".join(line(record) + b"\n" for record in records)


def line(record: dict[str, Any] | str | bytes) -> bytes:
    """One record as a line without its end."""
    match record:
        case bytes():
            return record
        case str():
            return record.encode()
        case _:
            return json.dumps(record, ensure_ascii=False).encode()


def source(data: bytes, name: str = "records.jsonl") -> Source:
    """A file that is not on disk."""
    return stream_source(name, io.BytesIO(data))


def import_data(workspace: Workspace, *files: bytes, **options: Any) -> ImportReport:
    """Import files."""
    sources = [source(data, f"file-{index}") for index, data in enumerate(files)]
    return import_records(workspace, sources, ImportOptions(**options))


def import_lines(workspace: Workspace, *records: dict[str, Any] | str | bytes, **options: Any) -> ImportReport:
    """Import records as one file."""
    return import_data(workspace, lines(*records), **options)


def exported(graph: TenantGraph) -> bytes:
    """The domain export of a tenant."""
    stream = io.BytesIO()
    export_domain(graph, stream)
    return stream.getvalue()


def records_of(data: bytes) -> list[dict[str, Any]]:
    """The records of a file."""
    return [json.loads(text) for text in data.splitlines()]


def exported_records(graph: TenantGraph, kind: str) -> list[dict[str, Any]]:
    """The records of one type in the export of a tenant."""
    return [record for record in records_of(exported(graph)) if record["type"] == kind]


def reasons(report: ImportReport) -> Sequence[tuple[int, str]]:
    """Line and reason of what was refused."""
    return [(refused.line, refused.reason) for refused in report.refused]
