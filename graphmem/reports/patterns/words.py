"""What the pattern report says in each language: the shape of the tables, and which there are.

A text with braces is a template of `str.format`; what goes into one is a figure, a word of the same table,
or stored text that its form has escaped already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from graphmem.models.pattern import NodeKind, Tier
from graphmem.ports.prompt_text import Language
from graphmem.reports.patterns.values import Claim


class Noun(NamedTuple):
    """A count with its noun."""

    one: str
    many: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How shares and differences are written."""

    percent_range: str
    points: str
    points_range: str
    size: str
    """A difference without its sign."""
    at_least: str
    rate: str
    no_outcomes: str
    ending: str
    none: str
    and_more: str
    times_look: str
    p_adjusted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactWords:
    """Names and sentence parts of what is known of a pattern."""

    seen_in: str
    success: str
    success_said: str
    difference: str
    sure: str
    visible: str
    like_length: str
    later: str
    compared_against: str
    interval: str
    not_compared: str
    within_task: str
    within_domain: str
    not_comparable: str
    adjusted: str
    none_yet: str
    later_said: str
    replicated: str
    not_replicated: str
    one_sided: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CautionWords:
    """What a reader must keep in mind: sentences, and marks of a word or two."""

    late: str
    hindsight: str
    single_user: str
    length: str
    lower_bound: str
    late_mark: str
    hindsight_mark: str
    single_user_mark: str
    lower_bound_mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeWords:
    """What is said of the report as a whole."""

    title: str
    nothing_mined: str
    nothing_found: str
    how_to_try: str
    headline_claims: str
    headline_family: str
    headline_candidates: str
    no_failures: str
    covers: str
    only_late: str
    candidates_only: str
    several_domains: str
    hidden: str
    stale: str
    incomplete: str
    capped: str
    set_aside: str
    min_users: str
    left_out: str
    folded: str
    mined: str
    episodes: str
    limited: str
    limits: Mapping[str, str]
    tested: str
    tested_said: str
    permutations: str
    permutations_said: str
    policy: str
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """Headings, columns and names of parts."""

    uncovered: str
    the_rest: str
    more_uncovered: str
    go_on: str
    origin: str
    overview: tuple[str, ...]
    """Columns of the table of what claims an outcome, in text."""
    claimed: tuple[str, ...]
    """The same in Markdown."""
    brief: tuple[str, ...]
    """Columns of what claims none, in Markdown."""
    page_overview: tuple[str, ...]
    page_brief: tuple[str, ...]
    counted: str
    note: str
    caution: str
    recommendation: str
    evidence: str
    evidence_of: str
    example: str
    examples: str
    examples_with_texts: str
    glance: str
    caption: str
    key: str
    key_interval: str
    key_baseline: str
    key_general: str
    none_covers: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureWords:
    """What pictures say, to the eye and to who hears them."""

    motif: str
    kinds: Mapping[NodeKind, str]
    generalised: str
    outcomes: str
    success: str
    interval: str
    baseline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything the report says in one language."""

    language: Language
    claim_titles: Mapping[Claim, str]
    claim_about: Mapping[Claim, str]
    claims: Mapping[Claim, str]
    tiers: Mapping[Tier, str]
    endings: Mapping[str, str]
    """Outcomes of episodes."""
    episode: Noun
    closed_episode: Noun
    task: Noun
    user: Noun
    pattern: Noun
    failure: Noun
    figures: Figures
    facts: FactWords
    cautions: CautionWords
    whole: WholeWords
    headings: Headings
    picture: PictureWords
