"""A pattern as lines for a reader: pure; escaping is left to the output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.cli.escaping import json_text
from graphmem.cli.values import time_text

if TYPE_CHECKING:
    from graphmem.models.pattern import Interval, Pattern


def pattern_lines(pattern: Pattern) -> Iterator[str]:
    """The pattern: its nodes and edges, its figures, its evidence."""
    yield pattern.title
    yield f"  id: {pattern.id}"
    for place, node in enumerate(pattern.nodes):
        yield f"  [{place}] {node.kind} {node.label}{' (and what is one)' if node.generalised else ''}"
    for start, end, kind in pattern.edges:
        yield f"  [{start}] {kind} [{end}]"
    for name, value in _figures(pattern):
        if value is not None:
            yield f"  {name}: {value}"
    yield f"  evidence: {', '.join(pattern.episodes)}"


def query_text(pattern: Pattern) -> str:
    """Its evidence query as Neo4j's shell runs it, the parameters in a line before it."""
    values = ", ".join(f"{name}: {json_text(value)}" for name, value in pattern.cypher_parameters.items())
    return f":param {{{values}}}\n{pattern.cypher or ''};"


def _figures(pattern: Pattern) -> Iterator[tuple[str, object]]:
    outcomes = ", ".join(f"{count} {name}" for name, count in pattern.outcomes.model_dump().items() if count)
    support = f"at least {pattern.support}" if pattern.support_is_lower_bound else pattern.support
    yield "domain", pattern.domain
    yield "mined in", pattern.scope
    yield "tier", pattern.tier
    yield "episodes", f"{support} of {pattern.tasks} tasks: {outcomes}"
    yield "success rate", _with_interval(pattern.success_rate, pattern.interval)
    yield "baseline", _rounded(pattern.baseline)
    yield "risk difference", _with_interval(pattern.risk_difference, pattern.risk_interval)
    yield "polarity", pattern.polarity
    yield "recommendation", pattern.recommendation
    yield (
        "seen",
        f"{time_text(pattern.first_seen)} to {time_text(pattern.last_seen)}" if pattern.first_seen else None,
    )


def _with_interval(value: float | None, interval: Interval | None) -> str | None:
    if value is None or interval is None:
        return _rounded(value)
    return f"{value:.3f} ({interval[0]:.3f} to {interval[1]:.3f})"


def _rounded(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"
