"""A mined motif with its evidence and, once computed, its statistics.

The fields are those of the JSON record that the command line prints; figures that no test has
computed yet are None.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphmem.models.fields import Count, Frozen, JsonObject, UtcDatetime

Tier = Literal["replicated", "significant", "recurrent", "candidate"]
TESTED_TIERS: tuple[Tier, ...] = ("replicated", "significant", "recurrent")
"""Tiers that are shown: a candidate is kept, and shown only while nothing has been tested."""

CLAIMING_TIERS: tuple[Tier, ...] = ("replicated", "significant")
"""Tiers that claim an outcome, the surer first."""

NodeKind = Literal["action", "tool", "concept", "symptom", "cause"]
EdgeType = Literal["NEXT", "USED", "ABOUT", "RAISED", "CAUSED_BY", "FIXED"]
Interval = tuple[float, float]
Polarity = Literal["positive", "negative"]


class PatternNode(Frozen):
    """A node of a motif."""

    label: str = Field(description="The name as first given, never the folded key; may be an is_a ancestor.")
    kind: NodeKind = Field(description="action, tool, concept, symptom or cause.")
    key: str = Field(description="The folded key that was matched.")
    generalised: bool = Field(False, description="Whether the label is an is_a ancestor of what occurred.")


class OutcomeCounts(Frozen):
    """Episodes by how they ended."""

    success: Count = Field(0, description="Episodes.")
    partial: Count = Field(0, description="Episodes.")
    failure: Count = Field(0, description="Episodes.")
    unknown: Count = Field(0, description="Episodes.")


class Strata(Frozen):
    """Within what an outcome was compared."""

    by: Literal["task", "domain"] = Field(description="The kind of stratum.")
    informative: Count = Field(description="Strata that hold both outcomes and both with and without.")


class LengthAdjusted(Frozen):
    """The association among episodes of like length: quartiles of the step count within the strata."""

    risk_difference: float | None = Field(description="Stratified difference of success, -1..1.")
    interval: Interval | None = Field(description="95 % interval of it.")
    p: float = Field(description="Adjusted p, over the same family, 0..1.")


class Replication(Frozen):
    """What later episodes say of a pattern, those that played no part in its discovery."""

    since: UtcDatetime = Field(description="When the run began that first found it significant.")
    direction: Polarity = Field(description="The direction it had then.")
    episodes: Count = Field(0, description="Later episodes with the pattern and a known outcome.")
    successes: Count = Field(0, description="Those of them that succeeded.")
    p: float | None = Field(None, description="One-sided p of the same direction among later episodes, 0..1.")


class Contrast(Frozen):
    """The nearest pattern that goes with success in the same situation."""

    pattern: str = Field(description="Its id.")
    title: str = Field(description="Its title.")
    risk_difference: float | None = Field(None, description="Of it against this one; None: not tested.")
    interval: Interval | None = Field(None, description="95 % interval of that difference.")


class Pattern(Frozen):
    """A motif that recurs across episodes."""

    id: str = Field(description="SHA-256 of the canonical code: the same in every run and store.")
    title: str = Field(description="The motif in one line.")
    domain: str | None = Field(None, description="The domain all its episodes share; None: several.")
    scope: str | None = Field(
        None,
        description="What mining was limited to: a domain, or JSON of domain, task, since, until; None: nothing.",
    )
    nodes: tuple[PatternNode, ...] = Field(description="2-6 nodes.")
    edges: tuple[tuple[int, int, EdgeType], ...] = Field(description="(from, to, type), indices into nodes.")
    support: Count = Field(description="Distinct episodes with an occurrence.")
    support_is_lower_bound: bool = Field(False, description="Whether a cap on occurrences was hit.")
    tasks: Count = Field(description="Distinct independence units among them.")
    users: Count = Field(description="Distinct users among them.")
    outcomes: OutcomeCounts = Field(description="How these episodes ended.")
    success_rate: float | None = Field(None, description="Successes among known outcomes, 0..1.")
    interval: Interval | None = Field(None, description="95 % interval of success_rate.")
    baseline: float | None = Field(None, description="Success rate of the same strata, 0..1.")
    risk_difference: float | None = Field(None, description="Stratified difference of success, -1..1.")
    risk_interval: Interval | None = Field(None, description="95 % interval of risk_difference.")
    strata: Strata | None = Field(None, description="Within what it was compared.")
    structure_lift: float | None = Field(None, description="Observed / expected support.")
    p_structure: float | None = Field(None, description="Chance of such a support, 0..1.")
    q_structure: float | None = Field(None, description="Adjusted p of structure.")
    structure_source: str | None = Field(
        None,
        description="Id of the sub-pattern, in nearly the same episodes, whose structure it is; None: its own.",
    )
    p_outcome_adjusted: float | None = Field(None, description="Adjusted p of outcome.")
    length_adjusted: LengthAdjusted | None = Field(None, description="Among episodes of like length.")
    visible_difference: float | None = Field(
        None,
        description="Smallest difference of success that would have been significant; None: none could.",
    )
    replication: Replication | None = Field(None, description="What later episodes say; None: never significant.")
    contrast: Contrast | None = Field(None, description="What went with success instead; for negative patterns.")
    single_user: bool = Field(False, description="Whether 90 % of its episodes whose user is known are of one.")
    hindsight: bool = Field(False, description="Whether it holds a FIXED edge, which is recorded with hindsight.")
    tier: Tier = Field("candidate", description="How far it has been tested.")
    polarity: Polarity | None = Field(None, description="None: no claim.")
    position: float | None = Field(None, description="Median relative place in the episode, 0..1.")
    late: bool | None = Field(None, description="Whether the median place is in the last fifth.")
    recommendation: str | None = Field(None, description="What to try or avoid.")
    episodes: tuple[str, ...] = Field(description="Ids of all supporting episodes, sorted.")
    generalizes: tuple[str, ...] = Field((), description="Ids of patterns that it generalises.")
    first_seen: UtcDatetime | None = Field(None, description="Begin of the earliest supporting episode.")
    last_seen: UtcDatetime | None = Field(None, description="Begin of the latest supporting episode.")
    cypher: str | None = Field(None, description="The query that returns exactly its episode ids.")
    cypher_parameters: JsonObject = Field(default_factory=dict, description="Parameters of that query.")
    run: str | None = Field(None, description="Id of the mining run that wrote it.")
