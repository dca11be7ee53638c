"""Motifs and episodes written by hand, for the tests of what is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from graphmem.models.pattern import EdgeType, NodeKind
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge
from graphmem.patterns.motifs import Motif, MotifNode, Structure


def motif(
    name: str,
    episodes: Iterable[EpisodeGraph],
    *,
    nodes: Sequence[tuple[NodeKind, str]] = (("action", "a"), ("action", "b")),
    edges: Sequence[tuple[int, int, EdgeType]] = ((0, 1, "NEXT"),),
    p: float = 1e-6,
    lift: float = 9.0,
    position: float = 0.4,
) -> Motif:
    """A motif of these episodes; its structure is far beyond chance unless said otherwise."""
    ids = tuple(sorted(one.episode for one in episodes))
    return Motif(
        id=name,
        code=name,
        scope=None,
        domain=None,
        nodes=tuple(MotifNode(kind, key, key, False) for kind, key in nodes),
        edges=tuple(GraphEdge(*edge) for edge in edges),
        episodes=ids,
        occurrences=np.zeros((len(ids), len(nodes)), np.int32),
        position=position,
        structure=Structure(p, lift, None),
        generalizes=(),
        is_lower_bound=False,
    )


def run(number: int, outcome: str | None, **fields: Any) -> EpisodeGraph:
    """An episode of which only the attributes count."""
    return EpisodeGraph(episode=f"e{number:04}", outcome=outcome, **{"steps": 5, **fields})


def runs(*groups: tuple[int, str | None], **fields: Any) -> list[EpisodeGraph]:
    """Episodes by number and outcome, in a row."""
    outcomes = [outcome for count, outcome in groups for _ in range(count)]
    return [run(number, outcome, **fields) for number, outcome in enumerate(outcomes)]
