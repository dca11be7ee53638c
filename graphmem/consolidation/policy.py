"""What consolidation may decide, with the one default of each bound."""

from __future__ import annotations

from pydantic import Field

from graphmem.models.fields import Frozen


class ConsolidationPolicy(Frozen):
    """Bounds of a consolidation run."""

    argument_max_length: int = Field(
        32, ge=1, le=256, description="Characters of an argument value that may become a concept."
    )
    argument_min_tasks: int = Field(
        3, ge=1, le=1000, description="Distinct tasks in which a value recurs before it becomes a concept."
    )
    argument_max_values: int = Field(
        20, ge=1, le=1000, description="Values of an argument above which it is free text or an identifier."
    )
    batch_episodes: int = Field(200, ge=1, le=5000, description="Episodes linked in one transaction.")
    max_items: int | None = Field(
        None, ge=1, description="Episodes linked in one run at most; None: all. The next run goes on."
    )
