"""Writes what is stored of a topic when more is said of it, or less: reads, works it out, writes.

What is worked out is a function of all that was said, so whoever comes later brings the same about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import ConflictError, StoreMissingError
from graphmem.graph.records import And, EdgeRecord, Equals, Filter, In, Missing, NodeRecord, NodeRef, Value
from graphmem.graph.settling import Settled, settled
from graphmem.graph.texts import embedding_text
from graphmem.graph.timeline import Claim
from graphmem.graph.topics import Topic, topic_of
from graphmem.ports.embedding import with_vectors
from graphmem.ports.graph_store import Transaction
from graphmem.ports.listing import read_all
from graphmem.ports.segmenting import retried
from graphmem.ports.workspace import Workspace

_EDGES = ("SUPERSEDES", "ASSERTED_IN", "DERIVED_FROM")


@dataclass(frozen=True, slots=True)
class Settlement:
    """What is to be written so that some topics hold all that was said of them."""

    now: datetime
    before: Mapping[NodeRef, NodeRecord]
    """The memories that it was worked out from, as they are stored."""
    added: tuple[NodeRecord, ...]
    changed: tuple[NodeRecord, ...]
    removed: tuple[NodeRef, ...]
    topics: tuple[Settled, ...]

    @property
    def is_empty(self) -> bool:
        """Whether everything is as it should be."""
        return not (self.added or self.changed or self.removed)

    def stands_for(self, name: str) -> str:
        """Id of the memory that says what this one says: another one's when it only repeats it."""
        doubled = {older: newer for one in self.topics for newer, older in one.doubles}
        return doubled.get(name, name)

    def write(self, transaction: Transaction) -> None:
        """Write it.

        Raises:
            ConflictError: Somebody else changed one of the memories meanwhile; work it out again.
        """
        if self.is_empty:
            return
        self._check(transaction)
        if self.removed:
            transaction.remove_nodes(self.removed)
        if self.added:
            transaction.save_nodes(self.added)
        replaced = [one for one in self.changed if one.content_hash != self.before[one.ref].content_hash]
        if replaced:
            transaction.save_nodes(replaced)
        changes = [(one.id, differences(self.before[one.ref], one)) for one in self.changed]
        transaction.set_properties("Memory", [change for change in changes if change[1]])
        self._write_edges(transaction)

    def _check(self, transaction: Transaction) -> None:
        refs = [one.ref for one in (*self.added, *self.changed)]
        found = transaction.get([*refs, *self.removed])
        expected = {ref: self.before[ref].properties for ref in found if ref in self.before}
        if {ref: one.properties for ref, one in found.items()} != expected:
            raise ConflictError("somebody else stated the same fact at once: try again")

    def _write_edges(self, transaction: Transaction) -> None:
        touched = {one.ref for one in (*self.added, *self.changed)}
        touched |= {NodeRef("Memory", newer) for one in self.topics for newer, _ in one.superseding}
        stored = {record.ref for one in self.topics for record in one.memories}
        edges = [edge for one in self.topics for edge in _edges(one, touched, self.now)]
        there = transaction.get({edge.target for edge in edges})
        wanted = {(edge.type, edge.source, edge.target): edge for edge in edges if edge.target in there}
        kept = transaction.edges(sorted(touched & stored), _EDGES, "out")
        known = {(edge.type, edge.source, edge.target): edge for edge in kept}
        transaction.remove_edges([edge for key, edge in known.items() if key not in wanted])
        transaction.save_edges([edge for key, edge in wanted.items() if key not in known])


def settle(
    workspace: Workspace,
    now: datetime,
    *,
    said: Mapping[Topic, Sequence[Claim]] | None = None,
    given: Sequence[NodeRecord] = (),
    topics: Iterable[Topic] = (),
    withdrawn: Collection[str] = (),
    removed: Collection[str] = (),
) -> Settlement:
    """Work out what is to be written; vectors are made here, nothing is written.

    Args:
        workspace: Where it is stored.
        now: Becomes created_at and superseded_at.
        said: Claims that are new.
        given: Memories as they are about to be stored, new or in place of what is.
        topics: Topics to look at besides.
        withdrawn: Messages and episodes whose stored claims no longer count.
        removed: Ids of memories that go, with all that they claim.

    Raises:
        ModelError: The embedder failed.
    """
    claims = said or {}
    policy = workspace.facts
    offered = {record.id: record for record in given if topic_of(record, policy) is not None}
    own = {name: topic_of(record, policy) for name, record in offered.items()}
    wanted = dict.fromkeys((*claims, *topics, *(topic for topic in own.values() if topic is not None)))
    stored = read_topics(workspace, wanted)
    before = {record.ref: record for records in stored.values() for record in records}
    found: list[Settled] = []
    for topic in wanted:
        kept = [one for one in stored.get(topic, ()) if one.id not in removed and one.id not in offered]
        kept += [record for name, record in offered.items() if own[name] == topic]
        found.append(
            settled(topic, kept, claims.get(topic, ()), policy, now, withdrawn=withdrawn, removed=removed)
        )
    before |= workspace.known([record.ref for record in offered.values() if record.ref not in before])
    return _settlement(workspace, before, found, now)


def without_source(workspace: Workspace, source: NodeRef) -> Settlement:
    """Work out what is to be written when a message or an episode says nothing any more."""
    return settle(workspace, workspace.now(), topics=topics_from(workspace, [source]), withdrawn=[source.id])


def topics_from(workspace: Workspace, sources: Sequence[NodeRef]) -> list[Topic]:
    """The topics of which messages or episodes say something."""
    edges = workspace.graph.edges(sources, ["ASSERTED_IN"], "in") if sources else []
    memories = dict.fromkeys(edge.source for edge in edges if edge.source.label == "Memory")
    stored = workspace.graph.get(memories).values() if memories else []
    topics = (topic_of(record, workspace.facts) for record in stored)
    return list(dict.fromkeys(topic for topic in topics if topic is not None))


def write_settled(
    workspace: Workspace,
    now: datetime,
    topics: Iterable[Topic],
    said: Mapping[Topic, Sequence[Claim]] | None = None,
) -> None:
    """Bring stored topics to what was said of them, where others wrote at once or wrote without settling.

    Args:
        workspace: Where they are stored.
        now: Becomes created_at and superseded_at.
        topics: What to look at.
        said: Claims of these topics that may not be stored yet.
    """
    wanted = list(dict.fromkeys(topics))

    def write(_: bool) -> None:
        settlement = settle(workspace, now, topics=wanted, said=said)
        if not settlement.is_empty:
            with workspace.graph.transaction() as transaction:
                settlement.write(transaction)

    if wanted:
        retried(workspace, write)


def read_topics(workspace: Workspace, topics: Iterable[Topic]) -> dict[Topic, list[NodeRecord]]:
    """All that is stored of some topics, whoever asks."""
    wanted = set(topics)
    found: defaultdict[Topic, list[NodeRecord]] = defaultdict(list)
    for kind, user in sorted({(one.kind, one.user_id) for one in wanted}, key=repr):
        mine = [one for one in wanted if (one.kind, one.user_id) == (kind, user)]
        for record in _read(workspace, kind, user, mine):
            topic = topic_of(record, workspace.facts)
            if topic in wanted:
                found[topic].append(record)
    return dict(found)


def _read(workspace: Workspace, kind: str, user: str | None, topics: Sequence[Topic]) -> Iterator[NodeRecord]:
    owner: Filter = Missing("user_id") if user is None else Equals("user_id", user)
    subjects = tuple(sorted({one.subject_key for one in topics}))
    predicates = tuple(sorted({one.predicate_key for one in topics}))
    keys = (_one_of("subject_key", subjects), _one_of("predicate_key", predicates))
    where = And((Equals("kind", kind), owner, *keys))
    try:
        yield from read_all(workspace.graph, "Memory", [where])
    except StoreMissingError:
        return


def _one_of(name: str, values: tuple[str, ...]) -> Filter:
    return Equals(name, values[0]) if len(values) == 1 else In(name, values)


def _settlement(
    workspace: Workspace, before: Mapping[NodeRef, NodeRecord], found: Sequence[Settled], now: datetime
) -> Settlement:
    wanted = {record.ref: record for one in found for record in one.memories}
    fresh = [record for ref, record in wanted.items() if ref not in before]
    changed = [record for ref, record in wanted.items() if ref in before and _is_changed(before[ref], record)]
    told_anew = [record for record in changed if _words(record) != _words(before[record.ref])]
    if workspace.embedder is None:
        # the vector of other words must not stay: these are written as new ones
        fresh, changed = [*fresh, *told_anew], [record for record in changed if record not in told_anew]
    vectors = {one.ref: one for one in with_vectors([*fresh, *told_anew], workspace.embedder)}
    return Settlement(
        now,
        before,
        tuple(vectors[record.ref] for record in fresh),
        tuple(vectors.get(record.ref, record) for record in changed),
        tuple(ref for ref in before if ref not in wanted or ref in {record.ref for record in fresh}),
        tuple(found),
    )


def _is_changed(before: NodeRecord, record: NodeRecord) -> bool:
    return before.properties != record.properties


def _words(record: NodeRecord) -> str:
    return embedding_text(record.label, record.properties)


def differences(before: NodeRecord, after: NodeRecord) -> dict[str, object]:
    """Bookkeeping that differs, as `Transaction.set_properties` takes it."""
    names = (before.properties.keys() | after.properties.keys()) - {"content_hash", "created_at"}
    pairs = {name: (before.properties.get(name), after.properties.get(name)) for name in sorted(names)}
    return {name: new for name, (old, new) in pairs.items() if old != new}


def _edges(one: Settled, touched: Collection[NodeRef], now: datetime) -> Iterator[EdgeRecord]:
    """All edges that the touched memories of a topic should have."""
    for record in one.memories:
        if record.ref not in touched:
            continue
        own: dict[str, Value] = {"created_at": now}
        if "user_id" in record.properties:
            own["user_id"] = record.properties["user_id"]
        found_in = [NodeRef("Episode", name) for name in one.found_in.get(record.id, ())]
        sources = [NodeRef(label, name) for name in one.asserted_in[record.id] for label in ("Message", "Episode")]
        older = [NodeRef("Memory", name) for newer, name in one.superseding if newer == record.id]
        if "supersedes" in record.properties:
            older.append(NodeRef("Memory", str(record.properties["supersedes"])))
        wanted = {"SUPERSEDES": older, "ASSERTED_IN": [*sources, *found_in], "DERIVED_FROM": found_in}
        for name, targets in wanted.items():
            yield from (EdgeRecord(name, record.ref, target, own) for target in dict.fromkeys(targets))
