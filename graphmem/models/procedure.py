"""Learned ways of doing something, with how often they worked."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphmem.models.fields import Count, Frozen, JsonObject, Name, Text
from graphmem.models.ids import Id
from graphmem.models.pattern import Interval
from graphmem.models.proportions import wilson_interval

ProcedureOrigin = Literal["given", "mined", "told", "repeated"]
"""Where steps come from: the caller, a tested pattern, somebody's instruction, or runs that repeated them."""


class Procedure(Frozen):
    """Steps that reach a goal, with counts of their use."""

    id: Id = Field(description="Ours or the caller's own, unique among the tenant's procedures.")
    name: Name = Field(description="What it does, in short.")
    steps: tuple[Name, ...] = Field(description="The actions in order.")
    when: Text | None = Field(None, description="When it applies.")
    successes: Count = Field(0, description="Uses that reached the goal.")
    partials: Count = Field(0, description="Uses that reached it in part.")
    failures: Count = Field(0, description="Uses that failed.")
    sources: tuple[Id, ...] = Field((), description="Ids of the episodes or messages it was learned from.")
    user_id: Id | None = Field(None, description="Whose it is alone; None: everybody's.")
    origin: ProcedureOrigin = Field("given", description="given, mined, told or repeated.")
    supersedes: Id | None = Field(None, description="Id of the version that this one replaced.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")

    @property
    def uses(self) -> int:
        """How often it was used, as far as known."""
        return self.successes + self.partials + self.failures

    @property
    def success_rate(self) -> float | None:
        """Successes as a share of all uses, 0..1; None when it was never used."""
        return self.successes / self.uses if self.uses else None

    @property
    def success_interval(self) -> Interval | None:
        """95 % interval of the success rate (Wilson); None when it was never used.

        It takes uses as independent: those of one task or user say less than it admits.
        """
        rate = self.success_rate
        return None if rate is None else wilson_interval(rate, self.uses)

    @property
    def confidence(self) -> float:
        """Mean of the beta distribution of its success, begun at an even chance: (successes + 1) / (uses + 2)."""
        return (self.successes + 1) / (self.uses + 2)
