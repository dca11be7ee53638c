"""Step 5b of mining: how many of the closed motifs are kept, and what is said of the others.

Three episodes that share 500 tools hold 125,000 closed motifs, all with the same outcomes. Neither outcomes nor
tests decide what is set aside, so those that are kept are a fair family for both. The choice depends on the
motifs alone, so it is the same for any number of partitions.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphmem.patterns.encoding import Ints
from graphmem.patterns.lattice import Flags
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.tables import MotifTable


@dataclass(frozen=True, slots=True)
class SetAside:
    """Closed motifs with enough support that a run did not keep."""

    alike: int = 0
    """Beyond `max_alike` in the very same episodes: what is kept of these has the same outcomes."""
    beyond: int = 0
    """Beyond `max_motifs`, those of least support."""


class _Closed(NamedTuple):
    """A closed motif, by what decides whether it is kept."""

    number: int
    support: int
    size: int
    edges: int
    code: bytes
    episodes: bytes
    """A digest of which episodes hold it."""


def limit_motifs(
    tables: Sequence[MotifTable],
    closed: Flags,
    *,
    codes: Sequence[bytes],
    node_episode: Ints,
    policy: MiningPolicy,
) -> tuple[Flags, SetAside]:
    """Choose the motifs to keep: the largest in the same episodes, then those of most support.

    Args:
        tables: All frequent motifs, one embedding an episode.
        closed: Which of them are closed, numbered through all tables.
        codes: Of all motifs.
        node_episode: The episode of each node.
        policy: How many.

    Returns:
        Which motifs are kept, and how many of the closed ones are not.
    """
    motifs = _closed_motifs(tables, closed, codes, node_episode)
    by_episodes: dict[bytes, list[_Closed]] = defaultdict(list)
    for motif in motifs:
        by_episodes[motif.episodes].append(motif)
    unlike = [
        motif
        for alike in by_episodes.values()
        for motif in sorted(alike, key=lambda one: (-one.size, -one.edges, one.code))[: policy.max_alike]
    ]
    unlike.sort(key=lambda one: (-one.support, -one.size, -one.edges, one.code))
    kept = np.zeros(len(closed), dtype=bool)
    kept[[motif.number for motif in unlike[: policy.max_motifs]]] = True
    return kept, SetAside(len(motifs) - len(unlike), max(0, len(unlike) - policy.max_motifs))


def _closed_motifs(
    tables: Sequence[MotifTable], closed: Flags, codes: Sequence[bytes], node_episode: Ints
) -> list[_Closed]:
    found, first = [], 0
    for table in tables:
        edges = np.bitwise_count(table.adjacency).sum(axis=(1, 2))
        episodes = node_episode[table.rows[:, 0]]
        for motif in np.flatnonzero(closed[first : first + len(table)]).tolist():
            held = episodes[table.starts[motif] : table.starts[motif + 1]]
            digest = hashlib.blake2b(held.tobytes(), digest_size=16).digest()
            number = first + motif
            found.append(_Closed(number, len(held), table.size, int(edges[motif]), codes[number], digest))
        first += len(table)
    return found
