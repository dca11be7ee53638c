"""What becomes of a stored fact that is stated once more, or said to hold no longer: pure.

A fact is one memory with one time in which it holds: stated again after it had ended, it holds from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from graphmem.episodes.found_facts import StatedFact, ended_at
from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.mapping.values import closed_end, content_hash, open_end
from graphmem.graph.records import NodeRecord, Value


def restated(stored: NodeRecord, again: StatedFact) -> NodeRecord | None:
    """A stored fact after a message states it again; None where nothing is new."""
    known, said = stored.properties, again.message.at
    changes: dict[str, Value] = {}
    sources = known.get("sources")
    before = sources if isinstance(sources, list) else []
    if again.message.id not in before:
        changes["sources"] = [*before, again.message.id]
    if _is_later(said, known.get("at")):
        changes["at"] = said
    end = closed_end(known.get("valid_to"))
    if end is not None and said >= end:
        changes["valid_from"] = again.fact.valid_from or said
        changes["valid_to"] = open_end(again.fact.valid_to)
    return _changed(stored, changes)


def ended(stored: NodeRecord, said: StatedFact) -> NodeRecord | None:
    """A stored fact after a message ends it; None where it began, or was stated, after that end."""
    until = ended_at(said)
    begin, at = stored.properties.get("valid_from"), stored.properties.get("at")
    if any(isinstance(moment, datetime) and moment > until for moment in (begin, at)):
        return None
    return _changed(stored, {"valid_to": open_end(until)})


def _changed(stored: NodeRecord, changes: Mapping[str, Value]) -> NodeRecord | None:
    properties = {**stored.properties, **changes}
    if properties == stored.properties:
        return None
    # the hash is that of what it says now: an export of it that is read back is unchanged
    content = content_hash(to_memory(replace(stored, properties=properties)))
    return replace(stored, properties={**properties, "content_hash": content})


def _is_later(moment: datetime, known: Value | None) -> bool:
    return not isinstance(known, datetime) or moment > known
