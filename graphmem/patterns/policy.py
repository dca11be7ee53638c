"""The policy of a mining run: what counts as a pattern and how much work finding it may take.

Holds the levels of the tests as well, which decide what a found pattern is worth.
"""

from __future__ import annotations

import hashlib
import math
from typing import Literal

from pydantic import Field

from graphmem.models.fields import Frozen, UtcDatetime, canonical_json
from graphmem.patterns.scope import MiningScope

FLOOR = 3
"""Fewest episodes of a pattern: two alike may be chance, and a domain of two has no patterns."""

SMALL_CORPUS = 3_000
"""Episodes up to which the floor alone holds; above, support grows with the corpus."""


class MiningPolicy(Frozen):
    """Bounds of one mining run."""

    max_nodes: int = Field(5, ge=2, le=6, description="Nodes of the largest motif, 2-6.")
    max_generalised: int = Field(
        2, ge=0, le=6, description="Nodes of a motif that may be is_a ancestors of what occurred, 0-6."
    )
    min_support: int | None = Field(
        None,
        ge=1,
        description="Fewest episodes of a motif; None: 3, above 3,000 episodes 0.1 % of them. "
        "1 and 2 serve the counting of single episodes and partitions.",
    )
    max_ancestor_share: float = Field(
        0.5,
        gt=0.0,
        le=1.0,
        description="An is_a ancestor that covers a larger share of the episodes and of the nodes of its kind is "
        "no label, 0-1: it says nothing. One that occurs itself in enough episodes stays.",
    )
    max_embeddings: int = Field(
        64,
        ge=8,
        le=100_000,
        description="Embeddings of one motif kept within one episode; loops have millions of them.",
    )
    max_candidates: int = Field(
        2_000_000,
        ge=1_000,
        description="Extensions looked at within one episode and one size; an episode with more (hundreds of "
        "tools, thousands of steps) is set aside: counted by the exact matcher, no source of motifs.",
    )
    max_frequent: int = Field(
        250_000,
        ge=1,
        description="Frequent motifs after which the search ends with the sizes that are complete.",
    )
    max_alike: int = Field(
        1_000,
        ge=1,
        description="Closed motifs kept of those in the very same episodes, the largest first; others have the "
        "same outcomes, and are counted in the report.",
    )
    max_motifs: int = Field(
        50_000,
        ge=1,
        description="Closed motifs kept, those of most support first; the others are counted in the report.",
    )
    max_matching_steps: int = Field(
        20_000,
        ge=0,
        description="Tries of the exact matcher within one episode when a cap was hit; after that the support is "
        "a lower bound. 0: no recount.",
    )
    time_budget_seconds: float | None = Field(
        None,
        gt=0.0,
        allow_inf_nan=False,
        description="Seconds after which the search ends with what is complete; None: no limit.",
    )
    domain: str | None = Field(
        None, min_length=1, description="Mine the episodes of this domain alone; None: all, the domain in no id."
    )
    task: str | None = Field(
        None,
        min_length=1,
        description="Mine the runs of this task alone; None: all. They are one witness: nothing is claimed.",
    )
    since: UtcDatetime | None = Field(
        None, description="Mine episodes begun at or after this time; None: no bound."
    )
    until: UtcDatetime | None = Field(
        None, description="Mine episodes begun at or before this time; None: no bound."
    )
    partitions: int | None = Field(
        None,
        ge=1,
        le=1_024,
        description="Parts that the episodes are searched in, with the same result for any number; more need less "
        "memory and can work side by side. None: one, or one a worker.",
    )
    partition_by: Literal["count", "domain"] = Field(
        "count", description="count: parts of about the same size; domain: no domain is spread over several."
    )

    numbered_names: bool = Field(
        False,
        description="Whether names that differ in numbers alone are also mined as one: retry_17 as retry_№.",
    )
    significance: float = Field(
        0.05, gt=0.0, lt=1.0, description="Level of the tests of structure (false discoveries) and outcome, 0-1."
    )
    min_lift: float = Field(
        2.0,
        ge=1.0,
        allow_inf_nan=False,
        description="Observed / expected support below which nothing is claimed.",
    )
    min_tasks: int = Field(3, ge=1, description="Fewest independent tasks of a pattern that claims anything.")
    permutations: int = Field(
        1_000, ge=99, le=1_000_000, description="Permutations of the outcomes; the smallest p is 1 / (1 + this)."
    )
    seed: int = Field(0, ge=0, description="Of the permutations: the same seed gives the same figures.")
    task_strata: bool = Field(
        True, description="Compare outcomes within tasks where they repeat; False: within domains alone."
    )

    @property
    def scope(self) -> MiningScope:
        """Which closed episodes the run reads."""
        return MiningScope(domain=self.domain, task=self.task, since=self.since, until=self.until)

    def support_threshold(self, episodes: int) -> int:
        """Fewest episodes of a motif among `episodes` of them."""
        if self.min_support is not None:
            return self.min_support
        return FLOOR if episodes <= SMALL_CORPUS else max(FLOOR, math.ceil(episodes / 1_000))

    def fingerprint(self) -> str:
        """SHA-256 in hex of all that shapes a complete result; the time budget and partitions do not."""
        shaping = self.model_dump(mode="json", exclude={"time_budget_seconds", "partitions", "partition_by"})
        return hashlib.sha256(canonical_json(shaping).encode()).hexdigest()
