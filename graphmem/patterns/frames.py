"""Patterns as pandas tables for notebooks; pandas is imported nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphMemError
from graphmem.models.pattern import Pattern

if TYPE_CHECKING:
    import pandas as pd

    from graphmem.patterns.matrix import PatternMatrix

_SAME = (
    *("id", "title", "domain", "scope", "tier", "polarity", "support", "tasks", "users", "success_rate"),
    *("baseline", "risk_difference", "structure_lift", "q_structure", "p_outcome_adjusted", "visible_difference"),
    *("position", "late", "single_user", "hindsight", "recommendation", "first_seen", "last_seen"),
)
"""Fields that are columns as they are."""

COLUMNS = (
    *("id", "title", "domain", "scope", "tier", "polarity", "support", "tasks", "users"),
    *("success", "partial", "failure", "unknown", "success_rate", "interval_low", "interval_high", "baseline"),
    *("risk_difference", "risk_low", "risk_high", "compared_by", "informative", "p_outcome_adjusted"),
    *("visible_difference", "structure_lift", "q_structure", "position", "late", "single_user", "hindsight"),
    *("nodes", "edges", "recommendation", "first_seen", "last_seen"),
)
"""Columns of the table of patterns."""

EPISODE_COLUMNS = ("episode", "outcome", "stratum", "domain", "task", "variant", "user")
"""Columns of the matrix before those of the patterns."""


def patterns_frame(patterns: Iterable[Pattern]) -> pd.DataFrame:
    """Patterns as a table, a row each.

    Raises:
        GraphMemError: pandas is not installed.
    """
    frame: pd.DataFrame = _pandas().DataFrame([_row(pattern) for pattern in patterns], columns=list(COLUMNS))
    return frame


def matrix_frame(matrix: PatternMatrix) -> pd.DataFrame:
    """A matrix as a table: a row an episode, a column of truth values a pattern id.

    Raises:
        GraphMemError: pandas is not installed.
    """
    pandas = _pandas()
    columns = (matrix.episodes, *(getattr(matrix, name) for name in EPISODE_COLUMNS[1:]))
    told = pandas.DataFrame(dict(zip(EPISODE_COLUMNS, map(list, columns), strict=True)), columns=EPISODE_COLUMNS)
    held = pandas.DataFrame(matrix.holds.toarray(), columns=list(matrix.patterns), index=told.index)
    frame: pd.DataFrame = pandas.concat([told, held], axis=1)
    return frame


def _row(pattern: Pattern) -> dict[str, Any]:
    low, high = pattern.interval or (None, None)
    risk_low, risk_high = pattern.risk_interval or (None, None)
    return {
        **{name: getattr(pattern, name) for name in _SAME},
        **pattern.outcomes.model_dump(),
        "interval_low": low,
        "interval_high": high,
        "risk_low": risk_low,
        "risk_high": risk_high,
        "compared_by": pattern.strata.by if pattern.strata else None,
        "informative": pattern.strata.informative if pattern.strata else None,
        "nodes": [node.label for node in pattern.nodes],
        "edges": list(pattern.edges),
    }


def _pandas() -> ModuleType:
    try:
        import pandas as pd  # noqa: PLC0415 (an extra)
    except ImportError as fault:
        raise GraphMemError("to_frame needs pandas: pip install 'graphmem[frames]'") from fault
    return pd
