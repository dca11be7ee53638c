"""Two variants of an agent held against each other: how they ended, and which patterns tell them apart.

Differences are those of the second variant less the first. Figures that nothing tells are None.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphmem.models.fields import Count, Frozen
from graphmem.models.pattern import Interval, OutcomeCounts, Tier


class VariantSide(Frozen):
    """The episodes of one variant."""

    variant: str = Field(description="Agent version, model or prompt; a flat map as canonical JSON.")
    episodes: Count = Field(description="Closed episodes.")
    tasks: Count = Field(description="Distinct independence units among them.")
    outcomes: OutcomeCounts = Field(description="How they ended.")
    success_rate: float | None = Field(None, description="Successes among known outcomes, 0..1.")
    interval: Interval | None = Field(None, description="95 % interval of success_rate.")


class ComparedWithin(Frozen):
    """Within what two variants were compared."""

    by: Literal["task", "domain", "task and domain"] = Field(description="The kind of strata that hold both.")
    tasks: Count = Field(description="Tasks that both ran.")
    domains: Count = Field(description="Domains in which both ran, each other tasks.")
    episodes: Count = Field(description="Episodes in these; the others say nothing.")


class SuccessDifference(Frozen):
    """The difference of success between two variants."""

    within: ComparedWithin | None = Field(None, description="None: no task and no domain holds both.")
    difference: float | None = Field(None, description="Second less first, stratified, -1..1.")
    interval: Interval | None = Field(None, description="95 % interval of it.")
    p: float | None = Field(None, description="Chance of such a difference among equals, two-sided, 0..1.")


class FrequencyChange(Frozen):
    """How much more often a pattern occurs in the second variant."""

    first: Count = Field(description="Episodes of the first variant with it.")
    second: Count = Field(description="Episodes of the second variant with it.")
    difference: float | None = Field(None, description="Of the shares, stratified, -1..1.")
    interval: Interval | None = Field(None, description="95 % interval of it.")
    p: float = Field(description="Adjusted for all patterns and both questions, 0..1.")


class EffectChange(Frozen):
    """How much more a pattern goes with success in the second variant."""

    first: float = Field(description="Stratified difference of success in the first variant, -1..1.")
    second: float = Field(description="The same in the second variant.")
    difference: float = Field(description="Second less first, -2..2.")
    interval: Interval = Field(description="95 % interval of it.")
    p: float = Field(description="Adjusted for all patterns and both questions, 0..1.")


class PatternChange(Frozen):
    """What two variants do with one pattern."""

    pattern: str = Field(description="Its id.")
    title: str = Field(description="Its title.")
    tier: Tier = Field(description="How far it was tested, over all variants.")
    frequency: FrequencyChange = Field(description="How often it occurs.")
    effect: EffectChange | None = Field(
        None, description="How it goes with success; None: too few episodes with or without it, or one outcome."
    )
    changed: bool = Field(description="Whether frequency or effect differ at the level of the comparison.")


class VariantComparison(Frozen):
    """Two variants held against each other."""

    first: VariantSide = Field(description="The variant that was named first.")
    second: VariantSide = Field(description="The other one.")
    success: SuccessDifference = Field(description="Second less first.")
    patterns: tuple[PatternChange, ...] = Field(description="Tested patterns of either, the surest change first.")
    significance: float = Field(description="Level at which a pattern has changed, over the whole family.")
    permutations: Count = Field(description="How often the labels of the variants were permuted.")
