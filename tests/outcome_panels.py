"""Panels of outcomes for the tests of statistics, made from plain lists and from fourfold tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.statistics.strata import FAILURE, SUCCESS, OutcomePanel

Table = tuple[int, int, int, int]
"""Successes with, others with, successes without, others without."""


def panels(
    outcomes: Sequence[int],
    strata: Sequence[int],
    *,
    units: Sequence[int] | None = None,
    by_task: Sequence[bool] | None = None,
    steps: Sequence[int] | None = None,
) -> OutcomePanel:
    """A panel; each episode is its own unit and has one step unless said otherwise."""
    size = len(outcomes)
    kinds = max(strata, default=-1) + 1
    return OutcomePanel(
        episodes=np.arange(size),
        outcome=np.array(outcomes, np.int64),
        unit=np.array(range(size) if units is None else units, np.int64),
        stratum=np.array(strata, np.int64),
        by_task=np.array([False] * kinds if by_task is None else by_task, bool),
        steps=np.array([1] * size if steps is None else steps, np.int64),
    )


def tables_panel(
    tables: Sequence[Table], *, by_task: Sequence[bool] | None = None
) -> tuple[OutcomePanel, NDArray[np.int64]]:
    """The panel of one table a stratum, and the places with the motif; a stratum is one unit."""
    outcomes: list[int] = []
    strata: list[int] = []
    held: list[int] = []
    for stratum, counts in enumerate(tables):
        for cell, count in enumerate(counts):
            for _ in range(count):
                if cell < 2:
                    held.append(len(outcomes))
                outcomes.append(SUCCESS if cell % 2 == 0 else FAILURE)
                strata.append(stratum)
    kinds = by_task if by_task is not None else [True] * len(tables)
    return panels(outcomes, strata, units=strata, by_task=kinds), np.array(held, np.int64)
