"""What mining finds: motifs with their evidence, and the result of a run.

Leaves out outcomes and tiers: a motif says what recurs, where, and how far beyond its parts, not what for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphmem.models.pattern import NodeKind
from graphmem.patterns.graphs import GraphEdge
from graphmem.patterns.limits import SetAside


class MotifNode(NamedTuple):
    """A node of a motif: every node of an episode matches it whose key is, or is a kind of, its key."""

    kind: NodeKind
    key: str
    name: str
    """The name as first given in the earliest episode, or the name of the concept."""
    generalised: bool
    """Whether other keys of the mined episodes are kinds of this one."""


class Structure(NamedTuple):
    """How far the support of a motif exceeds what its parts explain."""

    p: float
    """Chance of such a support, 0..1."""
    lift: float
    """Observed / expected support."""
    source: str | None
    """Id of the sub-motif in nearly the same episodes whose figures these are; None: its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motif:
    """A connected, directed graph of 2-6 nodes and the episodes it occurs in."""

    id: str
    """SHA-256 in hex of `code`: the same in every run, on every machine."""
    code: str
    """The canonical code: equal for isomorphic motifs, different for all others."""
    scope: str | None
    """Name of what mining was limited to (part of the code), None when it was not."""
    domain: str | None
    """The domain that all its episodes share, None when they are of several or of none."""
    nodes: tuple[MotifNode, ...]
    edges: tuple[GraphEdge, ...]
    """Edges between places in `nodes`, sorted."""
    episodes: tuple[str, ...]
    """Ids of the episodes with an occurrence, sorted."""
    occurrences: NDArray[np.int32] = field(compare=False, repr=False)
    """One example an episode, in the order of `episodes`: row i, column j is the place within the
    episode graph's nodes of the node that plays the role of `nodes[j]`. Read-only."""
    position: float
    """Median over the episodes of the example's mean relative place among the steps: 0 first, 1 last."""
    structure: Structure
    generalizes: tuple[str, ...]
    """Ids of the kept motifs of which it is a generalisation, the nearest ones, sorted."""
    is_lower_bound: bool
    """Whether a cap was hit and the exact matcher could not decide every episode: support is at least this."""

    @property
    def support(self) -> int:
        """Number of episodes with an occurrence."""
        return len(self.episodes)

    def occurrence(self, episode: str) -> dict[int, int]:
        """The example of one episode: place in `nodes` -> place in the episode graph's nodes.

        Raises:
            ValueError: the episode is none of the motif's.
        """
        row = self.occurrences[self.episodes.index(episode)]
        return dict(enumerate(row.tolist()))


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningResult:
    """What one run found, and what it left open."""

    motifs: tuple[Motif, ...]
    """Closed and not over-general, ordered by falling support, falling number of nodes, id."""
    episodes: int
    """Episodes in scope, those with an empty graph included."""
    min_support: int
    frequent: int
    """Motifs with enough support before reduction to the closed ones."""
    policy_hash: str
    set_aside: SetAside
    """Closed motifs that were not kept."""
    capped: tuple[str, ...]
    """Ids of episodes with more embeddings of a motif than the policy keeps, sorted. A motif that
    reaches the support only through embeddings beyond the cap may be missing."""
    complete_nodes: int
    """Motifs of up to this many nodes were searched to the end."""
    incomplete: str | None
    """What was not searched and why, in a sentence for people; None when all was."""
