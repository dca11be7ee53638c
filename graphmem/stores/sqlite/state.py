"""What one write transaction of a tenant knows and counts: its keys, and numbers that rise at its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphmem.graph.records import NodeRef
from graphmem.stores.sqlite.session import Session, as_list


@dataclass(frozen=True, slots=True)
class TenantRow:
    """A tenant as the file knows it."""

    key: int
    version: int


def find_tenant(session: Session, name: str) -> TenantRow | None:
    """The tenant's row; None when it never wrote or was erased."""
    row = session.row("tenant.find", "SELECT key, version FROM tenant WHERE name = ?", (name,))
    return TenantRow(*row) if row else None


@dataclass(slots=True)
class Held:
    """By how much a label's counts change."""

    nodes: int = 0
    documents: int = 0
    words: int = 0


@dataclass(slots=True)
class WriteState:
    """The part of a transaction that its statements share."""

    session: Session
    tenant: int
    keys: dict[NodeRef, int] = field(default_factory=dict)
    """Nodes looked up or written so far."""
    held: dict[str, Held] = field(default_factory=lambda: defaultdict(Held))
    counters: dict[str, int] = field(default_factory=dict)
    generation: int = 1
    dimension: int | None = None
    """Length of the vectors that may be written; None when the store was opened without an embedder."""
    has_vectors: bool = False
    """Whether vectors of the generation in use were written."""
    changed: bool = False

    def next_numbers(self, counter: str, count: int) -> range:
        """As many numbers as asked for, never given before."""
        first = self.counters[counter] + 1
        self.counters[counter] += count
        return range(first, first + count)

    def find_keys(self, refs: Iterable[NodeRef]) -> dict[NodeRef, int]:
        """Keys of the nodes that exist."""
        wanted = list(dict.fromkeys(refs))
        missing = [ref for ref in wanted if ref not in self.keys]
        if missing:
            self.keys.update(find_keys(self.session, self.tenant, missing))
        return {ref: self.keys[ref] for ref in wanted if ref in self.keys}


def find_keys(session: Session, tenant: int, refs: Iterable[NodeRef]) -> dict[NodeRef, int]:
    """Keys of the nodes that exist, read from the file."""
    by_label: dict[str, list[str]] = defaultdict(list)
    for ref in refs:
        by_label[ref.label].append(ref.id)
    found: dict[NodeRef, int] = {}
    for label, ids in by_label.items():
        code = session.codes.labels.get(label)
        rows = session.rows(
            "nodes.keys",
            "SELECT id, key FROM node WHERE tenant = ? AND label = ? AND id IN (SELECT value FROM json_each(?))",
            (tenant, code, as_list(ids)),
        )
        found.update((NodeRef(label, node_id), key) for node_id, key in rows)
    return found


def begin_writes(session: Session, name: str) -> WriteState:
    """The state of a transaction that begins; the tenant's row is made when there is none."""
    session.run(
        "tenant.create", "INSERT INTO tenant (name, version) VALUES (?, 0) ON CONFLICT (name) DO NOTHING", (name,)
    )
    tenant = find_tenant(session, name)
    assert tenant is not None  # noqa: S101 (written by the statement above)
    state = WriteState(session, tenant.key)
    state.counters = dict(session.rows("counters.read", "SELECT name, value FROM counter"))
    state.generation = state.counters["generation"]
    return state


def end_writes(state: WriteState) -> None:
    """Write the numbers that rose; the tenant's version is the file's count of writes."""
    if not state.changed:
        return
    session = state.session
    (version,) = state.next_numbers("write", 1)
    state.counters["stale"] = 1
    session.run("tenant.version", "UPDATE tenant SET version = ? WHERE key = ?", (version, state.tenant))
    session.run_many(
        "counters.write",
        "UPDATE counter SET value = ? WHERE name = ?",
        [(value, name) for name, value in state.counters.items()],
    )
    session.run_many(
        "holding.write",
        "INSERT INTO holding (tenant, label, nodes, documents, words) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (tenant, label) DO UPDATE SET nodes = nodes + excluded.nodes,"
        " documents = documents + excluded.documents, words = words + excluded.words",
        [
            (state.tenant, session.codes.labels[label], held.nodes, held.documents, held.words)
            for label, held in state.held.items()
        ],
    )
