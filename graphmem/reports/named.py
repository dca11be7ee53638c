"""The named queries for analysts: name, parameters, and the function that answers without Cypher.

Each is also a file in cypher/reports/ of the same name; both give the same rows on the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.errors import InvalidInputError
from graphmem.reports.causes import causes
from graphmem.reports.chains import chains
from graphmem.reports.concepts import concepts
from graphmem.reports.contradictions import contradictions
from graphmem.reports.findings import findings
from graphmem.reports.growth import growth
from graphmem.reports.orphans import orphans
from graphmem.reports.outcomes import outcomes
from graphmem.reports.procedures import procedures
from graphmem.reports.tools import tools

Row = dict[str, Any]


Report = Callable[..., list[Row]]
"""Called with the tenant's graph, the time, and the parameters by name; gives rows in the order of the query."""


@dataclass(frozen=True, slots=True)
class NamedReport:
    """A named query with its parameters."""

    answer: Report
    defaults: Mapping[str, int]
    """Parameter -> default; `tenant` and `now` are never the caller's."""

    def parameters(self, name: str, given: Mapping[str, Any]) -> dict[str, int]:
        """All parameters, the given ones checked.

        Args:
            name: The query's name, for the message.
            given: What the caller passed.

        Raises:
            InvalidInputError: A parameter is unknown or not a positive whole number.
        """
        for parameter, value in given.items():
            if parameter not in self.defaults:
                known = ", ".join(self.defaults) or "none"
                raise InvalidInputError(f"query {name} has no parameter {parameter!r}; it has {known}")
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
                raise InvalidInputError(
                    f"query {name}: {parameter} is {value!r}; give a whole number from 1 to {_MOST}"
                )
        return {**self.defaults, **given}


_MOST = 100_000
"""Rows or days: more is an export, not a report."""

NAMED_REPORTS: dict[str, NamedReport] = {
    "reports/causes": NamedReport(causes, {"limit": 50}),
    "reports/chains": NamedReport(chains, {"depth": 3, "limit": 50}),
    "reports/concepts": NamedReport(concepts, {"limit": 50}),
    "reports/contradictions": NamedReport(contradictions, {"limit": 50}),
    "reports/findings": NamedReport(findings, {"limit": 50}),
    "reports/growth": NamedReport(growth, {"days": 30}),
    "reports/orphans": NamedReport(orphans, {"limit": 50}),
    "reports/outcomes": NamedReport(outcomes, {}),
    "reports/procedures": NamedReport(procedures, {"limit": 50}),
    "reports/tools": NamedReport(tools, {"limit": 50}),
}


def named_report(name: str) -> NamedReport:
    """The report of this name.

    Raises:
        InvalidInputError: There is none.
    """
    found = NAMED_REPORTS.get(name)
    if found is None:
        raise InvalidInputError(f"no query {name!r}; there are {', '.join(NAMED_REPORTS)}")
    return found
