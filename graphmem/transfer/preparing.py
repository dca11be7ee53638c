"""What a second process does with the records of a JSON Lines file: reads them and plans new episodes. Pure.

Chunks of records go in and answers come out, as plain values that `pickle` carries; both sides of the crossing
are here, so that the first process can do the same work itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.episodes.derivation import as_given
from graphmem.models.episode import Episode
from graphmem.transfer.decoding import decode_object
from graphmem.transfer.deferred import DeferredEpisode
from graphmem.transfer.faults import reason_of
from graphmem.transfer.items import Parsed
from graphmem.transfer.jsonl import parse_record
from graphmem.transfer.packing import PackedNode, PackedPlan, SharedNodes, UnpackedShared, pack, unpack
from graphmem.transfer.planning import identity, plan


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is the same for all records of an import."""

    user: str | None
    """Whose a record is that names nobody."""
    recorded_at: datetime
    """Becomes created_at."""


PackedEpisode = tuple[str, str, tuple[str, ...], PackedPlan | None]
"""Id, content hash, unknown fields, and the plan where one was made."""

Answer = Parsed | str | PackedEpisode
"""A record as it was read, why it was refused, or an episode."""

Chunk = tuple[bool, tuple[bytes, ...]]
"""Whether new episodes are to be planned, and records."""

Answers = tuple[tuple[PackedNode, ...], tuple[Answer, ...]]
"""Shared nodes of the planned episodes, and an answer for each record."""


def prepare(chunk: Chunk, circumstances: Circumstances) -> Answers:
    """Read the records of a chunk."""
    is_new, records = chunk
    shared = SharedNodes()
    answers = tuple(_answer(record, circumstances, shared, is_new=is_new) for record in records)
    return shared.packed, answers


def _answer(record: bytes, circumstances: Circumstances, shared: SharedNodes, *, is_new: bool) -> Answer:
    try:
        parsed = parse_record(decode_object(record), circumstances.user)
    except (ValueError, RecursionError) as fault:
        return reason_of(fault)
    if not isinstance(parsed.item, Episode):
        return parsed
    episode = as_given(parsed.item)
    try:
        ref, content = identity(episode)
        made = plan(episode, content, circumstances.recorded_at, (), None) if is_new else None
    except ValueError:
        return parsed  # told when its turn comes
    return ref.id, content, parsed.unknown, None if made is None else pack(made, shared)


def understood(chunk: Chunk, answers: Answers, circumstances: Circumstances) -> Iterator[Parsed | str]:
    """What each record of a chunk is, or why it was refused.

    Args:
        chunk: What was asked.
        answers: What `prepare` made of it, here or in the other process.
        circumstances: The same as it had.
    """
    shared = UnpackedShared(answers[0])
    for record, answer in zip(chunk[1], answers[1], strict=True):
        if isinstance(answer, tuple):
            node_id, content, unknown, packed = answer
            made = None if packed is None else unpack(packed, shared)
            yield Parsed(DeferredEpisode(record, circumstances.user, node_id, content, made), unknown)
        else:
            yield answer


def read_whole(deferred: DeferredEpisode) -> Episode:
    """The episode itself, without what the rules would write."""
    item = parse_record(decode_object(deferred.record), deferred.user).item
    assert isinstance(item, Episode)  # noqa: S101 (it was one before)
    return as_given(item)
