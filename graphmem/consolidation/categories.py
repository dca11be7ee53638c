"""Decides which argument values are categories rather than identifiers or free text: pure.

A value counts when it is a boolean, or short text without digits and "@", that recurs over several
tasks while its argument takes few values altogether. Identifiers, e-mail addresses, numbers, dates and
free text fail one of these. The concept of a category is named `argument=value`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.models.fields import MAX_NAME_LENGTH

_Counted = tuple[Sequence[str], Mapping[str, Sequence[str]]]
"""Of an argument: its values, and the tasks of each category."""

ARGUMENT = "argument"
"""Kind of the concepts made here."""


def category_name(argument: str, value: Any) -> str:
    """The concept's name for an argument and its value: `cabin=economy`, `insured=true`."""
    return f"{argument.strip()}={str(value).lower() if isinstance(value, bool) else value.strip()}"


@dataclass(slots=True)
class _Argument:
    """What is known of one argument while counting."""

    values: set[str] = field(default_factory=set)
    """Distinct values, categorical or not, as digests; at most one more than the policy allows."""
    tasks: dict[str, set[str]] = field(default_factory=dict)
    """Concept name -> tasks that used it, as digests; at most as many as decide."""


class CategoryCounts:
    """Counts argument values over tasks; memory is bounded by the policy, not by the number of runs.

    Args:
        policy: The bounds.
        known: From `state`, under the same policy: counting goes on from there.
    """

    def __init__(
        self,
        policy: ConsolidationPolicy,
        known: Mapping[str, _Counted] = MappingProxyType({}),
    ) -> None:
        self._policy = policy
        self._arguments = {
            name: _Argument(set(values), {value: set(used) for value, used in tasks.items()})
            for name, (values, tasks) in known.items()
        }

    def add(self, task: str, arguments: Mapping[str, Any]) -> None:
        """Count the arguments of one step.

        Args:
            task: Independence unit of the step's episode.
            arguments: What the step's action was called with.
        """
        for name, value in arguments.items():
            known = self._arguments.setdefault(name, _Argument())
            if len(known.values) > self._policy.argument_max_values:
                continue
            known.values.add(_digest(repr(value)))
            if is_category(name, value, self._policy):
                tasks = known.tasks.setdefault(category_name(name, value), set())
                if len(tasks) < self._policy.argument_min_tasks:
                    tasks.add(_digest(task))

    def state(self) -> dict[str, Any]:
        """All that was counted, as JSON."""
        return {
            name: [sorted(argument.values), {value: sorted(used) for value, used in argument.tasks.items()}]
            for name, argument in self._arguments.items()
        }

    def categories(self) -> frozenset[str]:
        """Names of the concepts that the counts support."""
        return frozenset(
            name
            for argument in self._arguments.values()
            if len(argument.values) <= self._policy.argument_max_values
            for name, tasks in argument.tasks.items()
            if len(tasks) >= self._policy.argument_min_tasks
        )


def _digest(text: str) -> str:
    """Tells texts apart, however long they are."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_category(argument: str, value: Any, policy: ConsolidationPolicy) -> bool:
    """Whether a value has the form of a category, whatever its frequency."""
    if not argument.strip() or len(argument) > MAX_NAME_LENGTH - policy.argument_max_length - 1:
        return False
    if isinstance(value, bool):
        return True
    if not isinstance(value, str) or not value.strip() or len(value) > policy.argument_max_length:
        return False
    return "@" not in value and "\n" not in value and not any(character.isdigit() for character in value)


def categories_of(
    arguments: Mapping[str, Any], categories: frozenset[str], policy: ConsolidationPolicy
) -> list[str]:
    """Names of the categories that a step's arguments fall into, sorted."""
    return sorted(
        name
        for argument, value in arguments.items()
        if is_category(argument, value, policy) and (name := category_name(argument, value)) in categories
    )


def count_categories(
    steps: Iterable[tuple[str, Mapping[str, Any]]], policy: ConsolidationPolicy
) -> frozenset[str]:
    """Categories among (task, arguments) of many steps."""
    counts = CategoryCounts(policy)
    for task, arguments in steps:
        counts.add(task, arguments)
    return counts.categories()
