"""Procedures learned from patterns: what went with success, in steps that follow one another.

A pattern that recommends something positive becomes a procedure. While it recurs its counts are brought up to
date by every run, also once it claims nothing any more: failures of those who follow it lower its confidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from graphmem.graph.mapping.procedure import procedure_record
from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.fields import canonical_json
from graphmem.models.pattern import Pattern
from graphmem.models.procedure import Procedure
from graphmem.patterns.advice import advises
from graphmem.patterns.titles import shown_name, step_chains
from graphmem.ports.batches import to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.reading import pages
from graphmem.ports.workspace import Workspace

FEWEST_STEPS = 2
NEWEST_SOURCES = 50
"""Episodes that a procedure names; the pattern has all of them."""

LONGEST_NAME = 512
_LEARNED = "learned-"
"""What the ids of procedures begin with that mining keeps."""
_SITUATION = ("symptom", "cause", "concept")
_AT_ONCE = 500


def learn_procedures(workspace: Workspace, patterns: Iterable[Pattern], began: Mapping[str, float]) -> int:
    """Keep the procedures that patterns teach, linked to them and to their source episodes.

    Args:
        workspace: The tenant.
        patterns: All patterns of a run.
        began: Episode -> when it began, as a timestamp; for the newest sources.

    Returns:
        How many procedures were added or changed.
    """
    lessons = _by_procedure(patterns)
    names = list(lessons)
    changed = 0
    for start in range(0, len(names), _AT_ONCE):
        batch = names[start : start + _AT_ONCE]
        known = workspace.known([NodeRef("Procedure", name) for name in batch])
        due = [
            lessons[name]
            for name in batch
            if NodeRef("Procedure", name) in known or any(advises(pattern) for pattern in lessons[name])
        ]
        changed += _keep(workspace, due, began)
    _drop_unfounded(workspace, lessons.keys())
    return changed


def _drop_unfounded(workspace: Workspace, taught: Collection[str]) -> None:
    """Remove learned procedures whose pattern is gone: nothing would keep their counts true."""
    graph = workspace.graph
    for page in pages(graph, "Procedure", limit=_AT_ONCE):
        learned = [node for node in page if node.id.startswith(_LEARNED) and node.id not in taught]
        patterns = {node.ref: _pattern_of(node) for node in learned}
        stored = graph.get(set(patterns.values()))
        gone = [ref for ref, pattern in patterns.items() if pattern not in stored]
        if gone:
            with graph.transaction() as tx:
                tx.remove_nodes(gone)


def _pattern_of(node: NodeRecord) -> NodeRef:
    return NodeRef("Pattern", str(read_json(node.properties, "extra").get("pattern")))


def _by_procedure(patterns: Iterable[Pattern]) -> dict[str, list[Pattern]]:
    """The patterns that teach the same steps in the same situation: those that advise first, then the broadest."""
    lessons: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        if len(procedure_steps(pattern)) >= FEWEST_STEPS:
            lessons.setdefault(procedure_id(pattern), []).append(pattern)
    for taught in lessons.values():
        taught.sort(key=lambda pattern: (not advises(pattern), -pattern.support, pattern.id))
    return lessons


def _keep(workspace: Workspace, lessons: Sequence[Sequence[Pattern]], began: Mapping[str, float]) -> int:
    now = workspace.now()
    records = [procedure_record(to_procedure(taught[0], began), now) for taught in lessons]
    waiting = to_write(workspace, records, replace=True)
    due = [place for place, record in enumerate(records) if record.ref in waiting]
    if not due:
        return 0
    filled = with_vectors([records[place] for place in due], workspace.embedder)
    edges = [edge for place in due for edge in _links(records[place], lessons[place], now)]
    with workspace.graph.transaction() as tx:
        saved = tx.save_nodes(filled, replace=True)
        tx.remove_edges(tx.edges(saved.changed, ["DERIVED_FROM"], "out"))
        tx.save_edges(edges)
    return len(due)


def _links(record: NodeRecord, taught: Sequence[Pattern], now: datetime) -> list[EdgeRecord]:
    own: dict[str, Value] = {"created_at": now}
    sources = [str(source) for source in record.properties.get("sources", ())]  # type: ignore[union-attr]
    return [
        *(EdgeRecord("RECOMMENDS", NodeRef("Pattern", one.id), record.ref, own) for one in taught if advises(one)),
        *(EdgeRecord("DERIVED_FROM", record.ref, NodeRef("Episode", source), own) for source in sources),
    ]


def procedure_id(pattern: Pattern) -> str:
    """The id of the procedure that a pattern teaches: the same in every run and store."""
    steps = [pattern.nodes[place].key for place in procedure_steps(pattern)]
    situation = sorted([node.kind, node.key] for node in pattern.nodes if node.kind in _SITUATION)
    said = canonical_json([pattern.scope, steps, situation])
    return f"{_LEARNED}{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()}"


def procedure_steps(pattern: Pattern) -> list[int]:
    """Places of the nodes that follow one another in a positive pattern; empty where the order branches."""
    if "negative" in (pattern.polarity, pattern.replication and pattern.replication.direction):
        return []
    follows = [(source, target) for source, target, kind in pattern.edges if kind == "NEXT"]
    chains = step_chains(follows)
    if len(chains) != 1 or len(set(chains[0])) != len(chains[0]):
        return []
    return chains[0]


def to_procedure(pattern: Pattern, began: Mapping[str, float]) -> Procedure:
    """The procedure of a pattern with steps in order.

    Args:
        pattern: With two or more steps in NEXT order.
        began: Episode -> when it began, as a timestamp.
    """
    nodes = [pattern.nodes[place] for place in procedure_steps(pattern)]
    situation = [node.label for node in pattern.nodes if node.kind in _SITUATION]
    outcomes = pattern.outcomes
    newest = sorted(pattern.episodes, key=lambda one: (-began.get(one, 0.0), one))[:NEWEST_SOURCES]
    return Procedure(
        id=procedure_id(pattern),
        name=_shortened(" → ".join(shown_name(node) for node in nodes)),
        steps=tuple(_shortened(shown_name(node)) for node in nodes),
        when=", ".join(dict.fromkeys(situation)) or None,
        successes=outcomes.success,
        partials=outcomes.partial,
        failures=outcomes.failure,
        sources=tuple(sorted(newest)),
        origin="mined",
        extra={"pattern": pattern.id},
    )


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
