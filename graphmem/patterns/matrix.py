"""Which episode holds which pattern, beside outcomes and strata: for analyses of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from graphmem.models.pattern import Pattern
from graphmem.patterns.frames import matrix_frame
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.occurrences import find_occurrences
from graphmem.patterns.statistics.strata import outcome_panel

if TYPE_CHECKING:
    import pandas as pd

TASK = "task:"
"""How the unit of an episode begins that names its task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternMatrix:
    """Episodes by patterns; every tuple but `patterns` and `titles` has an entry an episode."""

    episodes: tuple[str, ...]
    """Ids of the closed episodes, sorted."""
    outcome: tuple[str, ...]
    """success, partial, failure or unknown."""
    stratum: tuple[str | None, ...]
    """Within what its outcome is compared: its task where that repeats, else its domain; variants apart.
    None where the outcome is unknown."""
    domain: tuple[str | None, ...]
    task: tuple[str | None, ...]
    variant: tuple[str | None, ...]
    user: tuple[str | None, ...]
    patterns: tuple[str, ...]
    """Ids of the patterns: the columns."""
    titles: tuple[str, ...]
    """Of the patterns."""
    holds: csr_array = field(repr=False, compare=False)
    """Episodes x patterns, sparse and boolean: whether the pattern occurs in the episode."""

    def to_frame(self) -> pd.DataFrame:
        """A row an episode: its id, outcome, stratum, domain, task, variant and user, then a column a pattern id.

        Raises:
            GraphMemError: pandas is not installed.
        """
        return matrix_frame(self)


def pattern_matrix(
    patterns: Sequence[Pattern], graphs: Sequence[EpisodeGraph], taxonomy: Taxonomy, *, by_task: bool
) -> PatternMatrix:
    """Look up which episode holds which pattern, as things are now.

    Args:
        patterns: The columns.
        graphs: The closed episodes.
        taxonomy: is_a among keys.
        by_task: Whether a task that repeats is a stratum.
    """
    rows = sorted(graphs, key=lambda graph: graph.episode)
    held = find_occurrences(patterns, rows, taxonomy)
    column = np.repeat(np.arange(len(held)), [len(places) for places in held])
    row = np.concatenate([np.empty(0, np.int64), *held])
    return PatternMatrix(
        episodes=tuple(graph.episode for graph in rows),
        outcome=tuple(graph.outcome or "unknown" for graph in rows),
        stratum=_strata(rows, by_task=by_task),
        domain=tuple(graph.domain for graph in rows),
        task=tuple(task_of(graph) for graph in rows),
        variant=tuple(graph.variant for graph in rows),
        user=tuple(graph.user_id for graph in rows),
        patterns=tuple(pattern.id for pattern in patterns),
        titles=tuple(pattern.title for pattern in patterns),
        holds=csr_array((np.ones(len(row), bool), (row, column)), shape=(len(rows), len(held))),
    )


def task_of(graph: EpisodeGraph) -> str | None:
    """The task an episode is a run of."""
    return graph.unit.removeprefix(TASK) if graph.unit.startswith(TASK) else None


def _strata(graphs: Sequence[EpisodeGraph], *, by_task: bool) -> tuple[str | None, ...]:
    panel = outcome_panel(graphs, by_task=by_task)
    names: list[str | None] = [None] * len(graphs)
    for place, stratum in zip(panel.episodes.tolist(), panel.stratum.tolist(), strict=True):
        graph = graphs[place]
        name = graph.unit if panel.by_task[stratum] else f"domain:{graph.domain or ''}"
        names[place] = name if graph.variant is None else f"{name} variant:{graph.variant}"
    return tuple(names)
