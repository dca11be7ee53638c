"""Learned ways of doing something, with how often they worked."""

from __future__ import annotations

from pydantic import Field

from graphmem.models.fields import Count, Frozen, JsonObject, Name, Text
from graphmem.models.ids import Id


class Procedure(Frozen):
    """Steps that reach a goal, with counts of their use."""

    id: Id = Field(description="Ours or the caller's own, unique among the tenant's procedures.")
    name: Name = Field(description="What it does, in short.")
    steps: tuple[Name, ...] = Field(description="The actions in order.")
    when: Text | None = Field(None, description="When it applies.")
    successes: Count = Field(0, description="Uses that reached the goal.")
    partials: Count = Field(0, description="Uses that reached it in part.")
    failures: Count = Field(0, description="Uses that failed.")
    sources: tuple[Id, ...] = Field((), description="Ids of the episodes it was learned from.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")

    @property
    def success_rate(self) -> float | None:
        """Successes as a share of all uses, 0..1; None when it was never used."""
        uses = self.successes + self.partials + self.failures
        return self.successes / uses if uses else None

    @property
    def confidence(self) -> float:
        """Mean of the beta distribution of its success, begun at an even chance: (successes + 1) / (uses + 2)."""
        return (self.successes + 1) / (self.successes + self.partials + self.failures + 2)
