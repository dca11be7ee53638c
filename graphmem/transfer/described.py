"""Writes episodes, messages, sessions, concepts, memories and procedures of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.episodes.conversations import is_conversation
from graphmem.graph.mapping.message import says_the_same
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Saved
from graphmem.models.episode import Episode
from graphmem.models.message import Message
from graphmem.ports.graph_store import Transaction
from graphmem.ports.segmenting import Segments, is_free, retried
from graphmem.transfer.deferred import DeferredEpisode
from graphmem.transfer.faults import reason_of
from graphmem.transfer.later_outcomes import exported_hash
from graphmem.transfer.planning import OWN_EDGES, Described, Plan, named_refs, plan
from graphmem.transfer.preparing import read_whole
from graphmem.transfer.reading import Read
from graphmem.transfer.tally import Tally
from graphmem.transfer.target import Target
from graphmem.transfer.waiting import Waiting

_ORDER = {"Episode": 1, "Message": 2, "Memory": 3, "Procedure": 3}
"""What is pointed to comes before what points to it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record with the node that it is."""

    read: Read
    item: Described | DeferredEpisode
    ref: NodeRef
    content: str
    """Hash of what it says."""


class DescribedWriter:
    """Writes what has an identity of its own."""

    def __init__(self, target: Target, tally: Tally, waiting: Waiting, segments: Segments) -> None:
        self._target = target
        self._tally = tally
        self._waiting = waiting
        self._segments = segments
        self._was_new: bool | None = None
        """Whether the batch before was new for the most part; None before the first one."""
        self.touched: dict[str, None] = {}
        """Episodes that messages of the files were put into, now or by an import before."""

    def expects_new(self) -> bool:
        """Whether the next records are likely not stored yet, so that it is worth while to plan what to write."""
        if self._was_new is None:
            self._was_new = not self._target.holds("Episode")
        return self._was_new

    def write(self, entries: Sequence[Entry], *, last: bool) -> None:
        """Write a batch in one transaction.

        Args:
            entries: Records with distinct nodes.
            last: Whether what they name and is not stored will not come any more.
        """
        plans, replaced = self._plans(entries, last=last)
        if entries:
            self._was_new = 2 * (len(plans) - len(replaced)) > len(entries)
        if not plans:
            return
        roots = {entry.ref for entry, _ in plans}
        # plans that were made together share these nodes: each is looked at once
        named = {id(node): node for _, made in plans for node in made.shared}.values()
        shared = self._target.new_shared(node for node in named if node.ref not in roots)
        complete = _embedded(self._target, [made for _, made in plans])
        if self._target.dry_run:
            for entry, _ in plans:
                self._tally.count("changed" if entry.ref in replaced else "added")
            return
        saved = retried(
            self._target.workspace,
            lambda careful: self._write(plans, shared, complete, replaced, careful=careful),
        )
        self._target.remember([*shared, *named])
        self._tally.saved(saved, update=self._target.update)

    def _write(
        self,
        plans: Sequence[tuple[Entry, Plan]],
        shared: Sequence[NodeRecord],
        complete: Sequence[Plan],
        replaced: dict[NodeRef, NodeRecord],
        *,
        careful: bool,
    ) -> list[Saved]:
        """Write what was planned, and the episodes of messages that name none."""
        said = [entry.item for entry, _ in plans if isinstance(entry.item, Message)]
        if careful:
            stored = self._target.stored(NodeRef("Message", message.id) for message in said)
            said = [one for one in said if NodeRef("Message", one.id) not in stored.keys() - replaced.keys()]
        earlier = {ref.id: record for ref, record in replaced.items() if ref.label == "Message"}
        placement = self._segments.place(said, earlier, self._target.recorded_at, careful=careful)
        placed = [
            replace(made, root=placement.placed(made.root)) if made.tree is None else made for made in complete
        ]
        with self._target.graph.transaction() as transaction:
            saved = self._save(transaction, shared, placed, replaced)
            placement.write(transaction, [ref for part in saved for ref in part.added])
        self.touched.update(dict.fromkeys(placement.episodes.values()), **dict.fromkeys(placement.ended))
        return saved

    def _plans(
        self, entries: Sequence[Entry], *, last: bool
    ) -> tuple[list[tuple[Entry, Plan]], dict[NodeRef, NodeRecord]]:
        """What is to be written, and what it replaces; the rest is counted, put off or refused here."""
        stored = self._target.stored(entry.ref for entry in entries)
        known_items = [entry.item for entry in entries if not isinstance(entry.item, DeferredEpisode)]
        present = self._target.will_exist({ref for item in known_items for ref in named_refs(item)})
        present -= self._foreign(entries)
        plans: list[tuple[Entry, Plan]] = []
        replaced: dict[NodeRef, NodeRecord] = {}
        for entry in sorted(entries, key=lambda entry: _ORDER.get(entry.ref.label, 0)):
            known = stored.get(entry.ref)
            described = known if known is not None and known.content_hash != PLACEHOLDER else None
            if described is not None and not self._is_replaced(entry, described):
                continue
            if not self._has_episode(entry, present, last=last):
                continue
            try:
                made = self._plan(entry, present, described)
            except ValueError as fault:
                self._tally.refuse(entry.read, reason_of(fault))
                continue
            if described is not None:
                replaced[entry.ref] = described
            plans.append((entry, made))
            present.add(entry.ref)
        return plans, replaced

    def _plan(self, entry: Entry, present: set[NodeRef], stored: NodeRecord | None) -> Plan:
        """What to write for a record, as it was planned before where that still holds."""
        item = entry.item
        if isinstance(item, DeferredEpisode):
            if stored is None and item.plan is not None:
                return item.plan
            item = read_whole(item)
        return plan(item, entry.content, self._target.recorded_at, present, stored)

    def _is_replaced(self, entry: Entry, stored: NodeRecord) -> bool:
        """Whether a record takes the place of what is stored; when not, it is counted or refused."""
        if self._is_same(entry, stored):
            self._tally.count("unchanged")
            return False
        if not self._target.update:
            self._tally.count("changed")
            return False
        owner = stored.properties.get("user_id")
        item = read_whole(entry.item) if isinstance(entry.item, DeferredEpisode) else entry.item
        if owner is not None and owner != getattr(item, "user_id", None):
            self._tally.refuse(entry.read, "the id is stored for another user")
            return False
        return True

    def _is_same(self, entry: Entry, stored: NodeRecord) -> bool:
        """Whether a record says what is stored, the episode aside that a message was put into."""
        if isinstance(entry.item, Message):
            episode = stored.properties.get("episode")
            if is_free(entry.item) and isinstance(episode, str):
                self.touched[episode] = None
            return says_the_same(entry.item, entry.content, stored)
        if isinstance(entry.item, Episode | DeferredEpisode) and is_conversation(stored.properties):
            return entry.content in (stored.content_hash, exported_hash(stored))
        return entry.content == stored.content_hash

    def _foreign(self, entries: Sequence[Entry]) -> set[NodeRef]:
        """The episodes that messages name although they are another user's."""
        named = {
            NodeRef("Episode", one.item.episode)
            for one in entries
            if isinstance(one.item, Message) and one.item.episode
        }
        return {root.ref for root in self._target.stored(named).values() if self._target.is_foreign(root)}

    def _has_episode(self, entry: Entry, present: set[NodeRef], *, last: bool) -> bool:
        """Whether a message's episode is there; when not, the message waits or is refused."""
        item = entry.item
        if not isinstance(item, Message) or item.episode is None or NodeRef("Episode", item.episode) in present:
            return True
        if last:
            self._tally.refuse(entry.read, f"episode {item.episode!r} is neither in the files nor stored")
        else:
            self._waiting.add(entry.read, item)
        return False

    def _save(
        self,
        transaction: Transaction,
        shared: Sequence[NodeRecord],
        plans: Sequence[Plan],
        replaced: dict[NodeRef, NodeRecord],
    ) -> list[Saved]:
        update = self._target.update
        nodes = [made.root for made in plans if made.tree is None]
        # first what has aliases: a mention by one of them needs no concept of its own
        concepts = [node for node in nodes if node.label == "Concept"]
        described = [transaction.save_nodes(concepts, replace=update)] if concepts else []
        if shared:
            transaction.save_nodes(shared, replace=False)
        nodes = [node for node in nodes if node.label != "Concept"]
        trees = [made.tree for made in plans if made.tree is not None]
        edges = [edge for made in plans for edge in made.edges]
        saved = [*described, *([transaction.save_nodes(nodes, replace=update)] if nodes else [])]
        if trees:
            saved.append(transaction.save_trees(trees, replace=update))
        if replaced:
            transaction.remove_edges(_gone(transaction, replaced, edges))
        if edges:
            transaction.save_edges(edges)
        return saved


def _embedded(target: Target, plans: Sequence[Plan]) -> list[Plan]:
    roots = target.embedded([made.root for made in plans])
    return [
        made
        if root is made.root
        else replace(made, root=root, tree=None if made.tree is None else replace(made.tree, root=root))
        for made, root in zip(plans, roots, strict=True)
    ]


def _gone(transaction: Transaction, replaced: Iterable[NodeRef], edges: Sequence[EdgeRecord]) -> list[EdgeRecord]:
    """Edges that the records which are replaced said, and the new ones do not say."""
    kept = {(edge.type, edge.source, edge.target) for edge in edges}
    gone = []
    for label, types in OWN_EDGES.items():
        refs = [ref for ref in replaced if ref.label == label]
        found = transaction.edges(refs, types, "out") if refs else []
        gone += [edge for edge in found if (edge.type, edge.source, edge.target) not in kept]
    return gone
