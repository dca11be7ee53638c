"""Compares two variants of an agent: how they ended, and which tested patterns tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.episode import variant_text
from graphmem.graph.records import In
from graphmem.models.comparison import EffectChange, FrequencyChange, PatternChange, VariantComparison, VariantSide
from graphmem.models.pattern import OutcomeCounts, Pattern
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.occurrences import find_occurrences
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.reading import read_corpus
from graphmem.patterns.scope import MiningScope
from graphmem.patterns.statistics.comparison import effect_changes, frequency_changes, success_difference
from graphmem.patterns.statistics.effects import success_rate
from graphmem.patterns.statistics.rounding import rounded, rounded_interval
from graphmem.patterns.statistics.strata import outcome_panel
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace

FEWEST_EPISODES = 3
"""Closed episodes of a variant below which there is nothing to compare."""

_NAMED = 20
"""Variants that an error names at most."""

Variant = str | Mapping[str, Any]


def compare_variants(
    workspace: Workspace, first: Variant, second: Variant, patterns: Sequence[Pattern], policy: MiningPolicy
) -> VariantComparison:
    """Hold the second variant against the first, over the closed episodes this user sees.

    Args:
        workspace: The tenant.
        first: A variant, a name or a flat map.
        second: Another one.
        patterns: Whose frequency and effect are compared.
        policy: Level, permutations, seed and whether tasks are strata of effects.

    Raises:
        InvalidInputError: A variant has fewer than 3 closed episodes, or both are the same.
    """
    names = tuple(str(variant_text(dict(one) if isinstance(one, Mapping) else one)) for one in (first, second))
    if names[0] == names[1]:
        raise InvalidInputError(f"variant {names[0]!r} is compared with itself; name two variants")
    (mine,) = workspace.filters("Episode", In("variant", names))
    corpus = read_corpus(workspace.graph, where=mine)
    graphs = sorted((mined.graph for mined in corpus.episodes), key=lambda graph: graph.episode)
    _refuse_few(workspace, names, Counter(str(graph.variant) for graph in graphs))
    held = find_occurrences(patterns, graphs, corpus.taxonomy)
    seen = [number for number, places in enumerate(held) if len(places)]
    chance = {"permutations": policy.permutations, "seed": policy.seed}
    frequency = frequency_changes(graphs, [held[number] for number in seen], names[1], **chance)
    effect = effect_changes(graphs, [held[number] for number in seen], names[1], by_task=policy.task_strata)
    changes = [
        _change(patterns[number], often, ends, policy)
        for number, often, ends in zip(seen, frequency, effect, strict=True)
    ]
    return VariantComparison(
        first=_side(graphs, names[0]),
        second=_side(graphs, names[1]),
        success=success_difference(graphs, names[1], **chance),
        patterns=tuple(sorted(changes, key=_surest)),
        significance=policy.significance,
        permutations=policy.permutations,
    )


def _refuse_few(workspace: Workspace, names: Sequence[str], counts: Mapping[str, int]) -> None:
    few = [name for name in names if counts.get(name, 0) < FEWEST_EPISODES]
    if not few:
        return
    (closed,) = workspace.filters("Episode", MiningScope().where())
    known = Counter(
        str(node.properties["variant"])
        for node in every_node(workspace.graph, "Episode", closed)
        if "variant" in node.properties
    )
    told = [f"{name!r} ({known[name]})" for name in sorted(known, key=lambda name: (-known[name], name))]
    more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    said = " and ".join(f"variant {name!r} has {counts.get(name, 0)} closed episodes" for name in few)
    raise InvalidInputError(
        f"{said}; a comparison needs {FEWEST_EPISODES} of each. Variants with their closed episodes: "
        f"{', '.join(told[:_NAMED]) or 'none'}{more}"
    )


def _side(graphs: Sequence[EpisodeGraph], variant: str) -> VariantSide:
    own = [graph for graph in graphs if graph.variant == variant]
    ends = Counter(graph.outcome or "unknown" for graph in own)
    panel = outcome_panel(own)
    rate, interval = success_rate(panel, np.arange(len(panel))) if len(panel) else (None, None)
    return VariantSide(
        variant=variant,
        episodes=len(own),
        tasks=len({graph.unit or graph.episode for graph in own}),
        outcomes=OutcomeCounts(**ends),
        success_rate=None if rate is None else rounded(rate),
        interval=None if interval is None else rounded_interval(interval),
    )


def _change(
    pattern: Pattern, often: FrequencyChange, ends: EffectChange | None, policy: MiningPolicy
) -> PatternChange:
    smallest = min(often.p, ends.p if ends else 1.0)
    return PatternChange(
        pattern=pattern.id,
        title=pattern.title,
        tier=pattern.tier,
        frequency=often,
        effect=ends,
        changed=smallest <= policy.significance,
    )


def _surest(change: PatternChange) -> tuple[float, float, str]:
    effect = change.effect
    return (
        min(change.frequency.p, effect.p if effect else 1.0),
        -abs(change.frequency.difference or 0),
        change.pattern,
    )
