"""Keeps what a run knew for the next one, and tells the next one what is new since.

What is known stands on one ConsolidationRun. It is taken away before a run writes anything and put back when the
run has come to its end: a run that was stopped, or in which somebody removed something, leaves nothing behind, and
the next one reads everything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from graphmem.consolidation.news import IS_A, REMOVED, News, new_episodes
from graphmem.consolidation.phases import Changes, Phase, Run
from graphmem.consolidation.text_readings import VERSION as TEXTS
from graphmem.consolidation.told import RULES as INSTRUCTIONS
from graphmem.graph.mapping.notes import AGAIN, CONCEPT, KNOWN, RATES
from graphmem.graph.mapping.run import run_record
from graphmem.graph.mapping.values import HASH_LENGTH
from graphmem.graph.records import NodeRecord, NodeRef, Value
from graphmem.models.fields import canonical_json
from graphmem.models.runs import ConsolidationRun
from graphmem.ports.graph_store import TenantGraph, Transaction
from graphmem.ports.identity import concepts_by_key
from graphmem.ports.noted_graph import RUN, is_noted, knowing_runs, without_notes

VERSION = 1
"""Raised when what an older version knew is no longer enough."""

_OPEN = "open"
_UNDER = "under"


class Ledger:
    """Of one run.

    Args:
        run: What it is given; its graph as everybody writes to it.
        phases: What it learns; what others knew says nothing to them.
        run_id: Id of its record.
    """

    def __init__(self, run: Run, phases: Sequence[Phase], run_id: str) -> None:
        self._noted = is_noted(run.graph)
        self._graph = without_notes(run.graph)
        self._run = run
        self._under = fingerprint(run, phases)
        self._holder, self._found = since(run, phases)
        self._id = run_id
        self._opened = False
        self._sound = self._noted
        self._known: dict[str, Any] = {}
        self._made: set[str] = set()
        self.news: News | None = self._begin() if self._noted else None
        """What is new; None: everything is read."""

    def open(self) -> None:
        """Take away what is known, once, before anything is written."""
        if self._opened or not self._noted:
            return
        self._opened = True
        with self._graph.transaction() as tx:
            if self._holder is None:
                self._holder = self._record(None, {})
                tx.save_nodes([self._holder])
                tx.set_properties(RUN, [(self._id, {KNOWN: self._mark})])
                return
            stored = tx.get([self._holder.ref]).get(self._holder.ref)
            self._sound &= stored is not None and _same(stored, self._holder, KNOWN)
            told: dict[str, Value | None] = {KNOWN: self._mark}
            if AGAIN in self._holder.properties:
                # what was noted since they were read would be lost with them
                self._sound &= stored is not None and _same(stored, self._holder, AGAIN)
                told[AGAIN] = None
            tx.set_properties(RUN, [(self._holder.id, told)])

    def learn(self, known: Mapping[str, Any] | None) -> None:
        """Keep what a phase leaves for the next run; None: it left too much undone."""
        if known is None:
            self._sound = False
        else:
            self._known |= known

    def note(self, changes: Changes) -> None:
        """See what is about to be written."""
        self.open()
        self._made |= {str(node.properties["key"]) for node in changes.nodes if node.label == "Concept"}
        if changes.aliases:
            # names mean other concepts from now on
            self._sound = False
        if self.news is not None:
            self.news = after(self.news, changes)

    def close(self, ended: datetime, counts: Mapping[str, int], *, worked: bool) -> str | None:
        """Write the run's record where it did something, and what is known from now on.

        Returns:
            Id of the record.
        """
        if not self._opened:
            return self._write(ended, counts) if worked else None
        known = self._known_now()
        with self._graph.transaction() as tx:
            return self._settle(tx, ended, counts, known if self._sound else None, worked=worked)

    @property
    def _mark(self) -> str:
        return canonical_json({_OPEN: self._id})

    def _begin(self) -> News | None:
        news = self._found
        if self._holder is None:
            if any(self._graph.scan(label, limit=1).records for label in ("Episode", "Message")):
                self.open()
        elif news is None or AGAIN in self._holder.properties:
            # before anything is read, so that what is noted from now on is kept
            self.open()
        return news

    def _known_now(self) -> dict[str, Any] | None:
        made = concepts_by_key(self._graph, self._made) if self._made else {}
        older = (
            len(found) > 1 and any(node.properties["created_at"] != self._run.now for node in found)
            for found in made.values()
        )
        if any(older) or (self.news is None and new_episodes(self._graph)):
            return None
        before = {} if self.news is None else self.news.known
        return {**before, **self._known, _UNDER: self._under}

    def _settle(
        self,
        tx: Transaction,
        ended: datetime,
        counts: Mapping[str, int],
        known: Mapping[str, Any] | None,
        *,
        worked: bool,
    ) -> str | None:
        assert self._holder is not None  # noqa: S101 (it was opened)
        holder = self._holder.ref
        stored = tx.get([holder]).get(holder)
        untouched = stored is not None and stored.properties.get(KNOWN) == self._mark
        told: dict[str, Value | None] = {KNOWN: None, AGAIN: None}
        if untouched and known is not None and stored is not None:
            told = {KNOWN: canonical_json(known), AGAIN: stored.properties.get(AGAIN)}
        if not worked:
            if stored is not None and "ended_at" not in stored.properties and holder.id == self._id:
                tx.remove_nodes([holder])
            else:
                tx.set_properties(RUN, [(holder.id, told)])
            return None
        own = NodeRef(RUN, holder.id if "ended_at" not in self._holder.properties else self._id)
        tx.save_nodes([self._record(ended, counts, own.id)])
        if own != holder:
            tx.set_properties(RUN, [(holder.id, {KNOWN: None, AGAIN: None})])
        tx.set_properties(RUN, [(own.id, told)])
        return own.id

    def _write(self, ended: datetime, counts: Mapping[str, int]) -> str:
        with self._graph.transaction() as tx:
            tx.save_nodes([self._record(ended, counts)])
        return self._id

    def _record(self, ended: datetime | None, counts: Mapping[str, int], run_id: str | None = None) -> NodeRecord:
        record = ConsolidationRun(
            id=run_id or self._id,
            started_at=self._run.now,
            ended_at=ended,
            policy=self._run.policy.model_dump(),
            counts=dict(counts),
        )
        return run_record(record, ended or self._run.now)


class Since(NamedTuple):
    """What a run begins with."""

    holder: NodeRecord | None
    """The record that holds what is known, or is to hold it."""
    news: News | None
    """None: everything is to be read."""


def since(run: Run, phases: Sequence[Phase]) -> Since:
    """What is new since the last run of these phases."""
    graph = without_notes(run.graph)
    holders = knowing_runs(graph)
    if len(holders) != 1:
        newest = graph.scan(RUN, order="-started_at", limit=1).records
        return Since(holders[0] if holders else newest[0] if newest else None, None)
    (holder,) = holders
    known, said = _read(holder), holder.properties.get(AGAIN)
    notes = said if isinstance(said, list) else []
    if not is_noted(run.graph) or known.get(_UNDER) != fingerprint(run, phases) or _are_homonyms(graph, notes):
        return Since(holder, None)
    return Since(holder, News(new_episodes(graph), RATES in notes, known))


def after(news: News, changes: Changes) -> News:
    """What is new for the phases behind one that writes this."""
    kinds = {node.label for node in (*changes.nodes, *changes.replaced)}
    kinds |= {edge.type for edge in changes.edges}
    kinds |= {f"{REMOVED}{edge.type}" for edge in changes.remove_edges}
    kinds |= {f"{REMOVED}{ref.label}" for ref in changes.remove_nodes}
    ends = {end for edge in (*changes.edges, *changes.remove_edges) if edge.type == IS_A for end in edge[1:3]}
    return replace(news, written=news.written | kinds, moved=news.moved | ends)


def fingerprint(run: Run, phases: Sequence[Phase]) -> str:
    """Changes with what learns, with the policy, and with what reads and compares."""
    spec = None if run.embedder is None else [run.embedder.spec.name, run.embedder.spec.dimension]
    reader = None if run.reader is None else run.reader.fingerprint
    learning = [type(phase).__name__ for phase in phases]
    said = [VERSION, TEXTS, INSTRUCTIONS, learning, run.policy.model_dump(), reader, spec]
    return sha256(canonical_json(said).encode()).hexdigest()[:HASH_LENGTH]


def _read(run: NodeRecord) -> dict[str, Any]:
    try:
        known = json.loads(str(run.properties[KNOWN]))
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _same(one: NodeRecord, other: NodeRecord, name: str) -> bool:
    return one.properties.get(name) == other.properties.get(name)


def _are_homonyms(graph: TenantGraph, notes: Sequence[str]) -> bool:
    """Whether a new concept has a name that meant another one."""
    keys = {note.removeprefix(CONCEPT) for note in notes if note.startswith(CONCEPT)}
    return any(len(found) > 1 for found in concepts_by_key(graph, keys).values()) if keys else False
