"""Within what outcomes are compared: tasks where they repeat, else domains; variants apart.

Four trials of one task are not four witnesses, and hard tasks would mark whatever happens in them: so
outcomes are only compared, and only permuted, among episodes of one stratum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.graphs import EpisodeGraph

Longs = NDArray[np.int64]
Value = TypeVar("Value", bound=Hashable)

SUCCESS, PARTIAL, FAILURE = 0, 1, 2
KNOWN: Final = {"success": SUCCESS, "partial": PARTIAL, "failure": FAILURE}


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomePanel:
    """The episodes with a known outcome, in the order of their ids."""

    episodes: Longs
    """Place of each among all episodes of the run."""
    outcome: Longs
    """SUCCESS, PARTIAL or FAILURE."""
    unit: Longs
    """Number of the unit that makes witnesses independent."""
    stratum: Longs
    """Number of the stratum."""
    by_task: NDArray[np.bool_]
    """Of each stratum: whether it is a task; else a domain."""
    steps: Longs
    """Number of steps."""

    def __len__(self) -> int:
        return len(self.episodes)

    def within_length(self) -> OutcomePanel:
        """The panel with strata split by quartile of the number of steps, among all its episodes."""
        bounds = np.unique(np.quantile(self.steps, [0.25, 0.5, 0.75])) if len(self) else np.empty(0)
        quartile = np.searchsorted(bounds, self.steps, side="left")
        pairs, numbers = np.unique(self.stratum * 4 + quartile, return_inverse=True)
        return OutcomePanel(
            episodes=self.episodes,
            outcome=self.outcome,
            unit=self.unit,
            stratum=numbers.astype(np.int64),
            by_task=self.by_task[pairs // 4],
            steps=self.steps,
        )

    def only(self, wanted: NDArray[np.bool_]) -> OutcomePanel:
        """Some of its episodes, strata and units numbered as before."""
        return OutcomePanel(
            episodes=self.episodes[wanted],
            outcome=self.outcome[wanted],
            unit=self.unit[wanted],
            stratum=self.stratum[wanted],
            by_task=self.by_task,
            steps=self.steps[wanted],
        )


def outcome_panel(graphs: Sequence[EpisodeGraph], *, by_task: bool = True) -> OutcomePanel:
    """Put the episodes with a known outcome into strata.

    Args:
        graphs: All episodes of the run, in the order of their ids.
        by_task: Whether a task that repeats is a stratum; False compares within domains alone.
    """
    known = [(place, graph) for place, graph in enumerate(graphs) if graph.outcome in KNOWN]
    units = [graph.unit or f"episode:{graph.episode}" for _, graph in known]
    trials = Counter((unit, graph.variant) for unit, (_, graph) in zip(units, known, strict=True))
    strata: list[tuple[bool, Hashable, Hashable]] = []
    for unit, (_, graph) in zip(units, known, strict=True):
        repeats = by_task and trials[unit, graph.variant] > 1
        strata.append((repeats, unit if repeats else graph.domain, graph.variant))
    stratum, kinds = numbered(strata)
    unit_number, _ = numbered(units)
    return OutcomePanel(
        episodes=np.array([place for place, _ in known], np.int64),
        outcome=np.array([KNOWN[str(graph.outcome)] for _, graph in known], np.int64),
        unit=unit_number,
        stratum=stratum,
        by_task=np.array([bool(kind[0]) for kind in kinds], bool),
        steps=np.array([graph.steps for _, graph in known], np.int64),
    )


def numbered(values: Sequence[Value]) -> tuple[Longs, list[Value]]:
    """Numbers in the order of first appearance, and the distinct values."""
    numbers: dict[Value, int] = {}
    column = np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int64)
    return column, list(numbers)
