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
    similar_least: float = Field(
        0.7, ge=0, le=1, description="Least similarity of episodes that are linked as similar, 0..1."
    )
    similar_most: int = Field(
        5, ge=0, le=100, description="Similar episodes that are searched for and linked for each one; 0: none."
    )
    followed_gap_minutes: float = Field(
        60.0,
        gt=0,
        le=525_600,
        description="Minutes after which a user's next episode follows no more on the last.",
    )
    claim_min_mentions: int = Field(
        2, ge=1, le=1000, description="Independent mentions of a relation in texts before it is one."
    )
    claim_min_confidence: float = Field(
        0.6, ge=0, le=1, description="Least confidence, from evidence for and against, of a relation from texts."
    )
    merge_told_names: bool = Field(
        True,
        description="Whether a concept is merged when texts introduce its name as another one's, often enough;"
        " nothing else ever is.",
    )
    late_mention_texts: int = Field(
        100,
        ge=0,
        le=10_000,
        description="Earlier texts that are searched for mentions of a concept that is new; 0: none.",
    )
    batch_texts: int = Field(500, ge=1, le=5000, description="Texts (messages, episodes) read in one transaction.")
    max_model_calls: int = Field(
        0,
        ge=0,
        description="Calls to the language model by which one run reads texts, at most; 0: rules alone read.",
    )
    told_users: int = Field(
        2, ge=2, le=1000, description="Users who must give the same instruction before it is everybody's."
    )
    repeated_least_successes: int = Field(
        3, ge=2, le=1000, description="Successful episodes in which steps recur before they become a procedure."
    )
    repeated_least_tasks: int = Field(2, ge=1, le=1000, description="Distinct tasks among these.")
    repeated_most_steps: int = Field(6, ge=2, le=20, description="Steps of such a procedure at most.")
    repeated_most_episodes: int = Field(
        500,
        ge=0,
        description="Closed episodes up to which untested sequences are learned; above, mining tests; 0: never.",
    )
    batch_episodes: int = Field(200, ge=1, le=5000, description="Episodes linked in one transaction.")
    max_items: int | None = Field(
        None,
        ge=1,
        description="Episodes linked, and texts read, in one run at most; None: all. The next run goes on.",
    )
