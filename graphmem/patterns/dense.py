"""Episodes too dense to grow in: set aside, so that they neither exhaust memory nor stop the others.

Three episodes with five hundred tools share billions of motifs, true and useless. Such an episode takes
no part in growing from the size at which it becomes too much; it is marked as capped for every motif,
so the exact matcher still counts it for what is found elsewhere.
"""

from __future__ import annotations

import numpy as np

from graphmem.patterns.encoding import Ints
from graphmem.patterns.tables import Longs, MotifTable, support_of


def set_dense_aside(
    trees: MotifTable, candidates: Longs, node_episode: Ints, *, limit: int, min_support: int
) -> MotifTable:
    """Drop the embeddings of episodes with more than `limit` candidates, and motifs that become rare.

    Args:
        trees: the motifs to grow.
        candidates: of each embedding, how many extensions would be looked at.
        node_episode: the episode of each node.
        limit: candidates of one episode.
        min_support: fewest episodes of a motif.
    """
    episode = node_episode[trees.rows[:, 0]]
    dense = np.flatnonzero(np.bincount(episode, weights=candidates) > limit)
    if not len(dense):
        return trees
    lost = frozenset(dense.tolist())
    stays = ~np.isin(episode, dense)
    rest = MotifTable(
        labels=trees.labels,
        adjacency=trees.adjacency,
        starts=np.concatenate([[0], np.cumsum(stays)])[trees.starts],
        rows=trees.rows[stays],
        capped={motif: trees.capped.get(motif, frozenset()) | lost for motif in range(len(trees))},
    )
    return rest.choose(support_of(rest, node_episode) >= min_support)
