"""Where in its episode a node stands: the relative place among the steps.

A step has the place of its rank among the steps; what is no step takes that of the earliest step that
used, raised, fixed or was about it, and a cause that of its earliest symptom.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.encoding import EncodedGraphs
from graphmem.patterns.tables import MotifTable

Places = NDArray[np.float64]


def node_places(encoded: EncodedGraphs) -> Places:
    """The relative place of every node, 0 for the first step to 1 for the last; NaN where no step leads.

    The single step of an episode stands at 0.
    """
    is_step = _is_action(encoded)[encoded.node_label]
    before = np.concatenate([[0], np.cumsum(is_step)])
    first, last = encoded.node_starts[:-1][encoded.node_episode], encoded.node_starts[1:][encoded.node_episode]
    rank = before[:-1] - before[first]
    others = np.maximum(1, before[last] - before[first] - 1)
    places = np.where(is_step, rank / others, np.nan)
    _pass_on(places, encoded, is_step)
    _pass_on(places, encoded, ~is_step & ~np.isnan(places))
    return places


def median_places(table: MotifTable, places: Places, encoded: EncodedGraphs) -> Places:
    """For each motif the median over its embeddings of the mean place of their nodes.

    Steps decide; in a motif without a step all nodes do.

    Args:
        table: motifs with one embedding an episode, none without any.
        places: of all nodes.
        encoded: the corpus.
    """
    counts = _is_action(encoded)[table.labels]
    counts[~counts.any(axis=1)] = True
    values = places[table.rows]
    known = counts[table.row_motif] & ~np.isnan(values)
    mean = np.where(known, values, 0.0).sum(axis=1) / np.maximum(1, known.sum(axis=1))
    ordered = mean[np.lexsort((mean, table.row_motif))]
    first, last = table.starts[:-1], table.starts[1:] - 1
    median: Places = (ordered[(first + last) // 2] + ordered[(first + last + 1) // 2]) / 2
    return median


def _is_action(encoded: EncodedGraphs) -> NDArray[np.bool_]:
    """Whether a label is of a step."""
    return np.array([kind == "action" for kind, _ in encoded.table.labels], dtype=bool)


def _pass_on(places: Places, encoded: EncodedGraphs, gives: NDArray[np.bool_]) -> None:
    """Give the places of some nodes along their edges to nodes that have none, the earliest first."""
    lacks = np.isnan(places)
    passing = gives[encoded.source] & lacks[encoded.target]
    np.fmin.at(places, encoded.target[passing], places[encoded.source[passing]])
