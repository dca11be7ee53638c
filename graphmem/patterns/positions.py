"""Where in its episode a node stands: the relative place among the steps.

A step has the place of its rank among the steps; what is no step takes that of the earliest step that
used, raised, fixed or was about it, and a cause that of its earliest symptom.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.encoding import EncodedGraphs

Places = NDArray[np.float64]


def node_places(encoded: EncodedGraphs) -> Places:
    """The relative place of every node, 0 for the first step to 1 for the last; NaN where no step leads.

    The single step of an episode stands at 0.
    """
    is_step = _is_step(encoded)
    before = np.concatenate([[0], np.cumsum(is_step)])
    first, last = encoded.node_starts[:-1][encoded.node_episode], encoded.node_starts[1:][encoded.node_episode]
    rank = before[:-1] - before[first]
    others = np.maximum(1, before[last] - before[first] - 1)
    places = np.where(is_step, rank / others, np.nan)
    _pass_on(places, encoded, is_step)
    _pass_on(places, encoded, ~is_step & ~np.isnan(places))
    return places


def occurrence_places(places: Places, rows: NDArray[np.int32], is_step: Sequence[bool]) -> Places:
    """The mean place of the steps of each occurrence, of its other nodes where it has no step.

    Args:
        places: of all nodes.
        rows: occurrences of one motif, the nodes that play its roles.
        is_step: for each role, whether it is a step's.
    """
    chosen = places[rows[:, np.array(is_step)] if any(is_step) else rows]
    known = ~np.isnan(chosen)
    mean: Places = np.where(known, chosen, 0.0).sum(axis=1) / np.maximum(1, known.sum(axis=1))
    return mean


def _is_step(encoded: EncodedGraphs) -> NDArray[np.bool_]:
    kinds = np.array([kind == "action" for kind, _ in encoded.table.labels], dtype=bool)
    return kinds[encoded.node_label] if len(kinds) else np.zeros(0, dtype=bool)


def _pass_on(places: Places, encoded: EncodedGraphs, gives: NDArray[np.bool_]) -> None:
    """Give the places of some nodes along their edges to nodes that have none, the earliest first."""
    lacks = np.isnan(places)
    passing = gives[encoded.source] & lacks[encoded.target]
    np.fmin.at(places, encoded.target[passing], places[encoded.source[passing]])
