"""Whether later episodes, which played no part in a discovery, say the same: pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from graphmem.models.pattern import Polarity, Replication
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.statistics.rounding import rounded
from graphmem.patterns.statistics.strata import FAILURE, SUCCESS, OutcomePanel, outcome_panel

FEWEST_LATER = 5
"""Later episodes with the pattern and a known outcome that a replication needs."""

LEVEL = 0.05
"""One-sided level at which later episodes say the same."""


def replicated(found: Replication) -> bool:
    """Whether the direction of the discovery holds in later episodes."""
    return found.episodes >= FEWEST_LATER and found.p is not None and found.p <= LEVEL


def look_again(
    discovery: Replication, episodes: Sequence[str], graphs: Sequence[EpisodeGraph], policy: MiningPolicy
) -> Replication:
    """What the episodes stored after a discovery say of it.

    Args:
        discovery: When the pattern was discovered, and in which direction.
        episodes: Ids of all its episodes now.
        graphs: All episodes in scope.
        policy: Whether tasks are strata.
    """
    later = sorted(
        (one for one in graphs if one.recorded_at is not None and one.recorded_at > discovery.since),
        key=lambda one: one.episode,
    )
    panel, wanted = outcome_panel(later, by_task=policy.task_strata), set(episodes)
    held = np.array([later[place].episode in wanted for place in panel.episodes.tolist()], bool)
    return Replication(
        since=discovery.since,
        direction=discovery.direction,
        episodes=int(held.sum()),
        successes=int(np.sum(panel.outcome[held] == SUCCESS)),
        p=rounded(one_sided_p(panel, held, discovery.direction)) if held.any() else None,
    )


def one_sided_p(panel: OutcomePanel, held: NDArray[np.bool_], direction: Polarity) -> float:
    """Chance of at least so many successes (failures, for negative) with the pattern, margins of strata fixed.

    The exact conditional test of several 2 x 2 tables (Gart 1970): the distribution of the sum of
    hypergeometric counts, one a stratum.

    Args:
        panel: Episodes with a known outcome.
        held: Which of them hold the pattern.
        direction: positive counts successes, negative failures.
    """
    having = panel.outcome == (SUCCESS if direction == "positive" else FAILURE)
    distribution = np.ones(1)
    for stratum in np.unique(panel.stratum[held]).tolist():
        inside = panel.stratum == stratum
        size, won, drawn = int(inside.sum()), int(having[inside].sum()), int(held[inside].sum())
        distribution = np.convolve(distribution, _hypergeometric(size, won, drawn))
    return float(min(1.0, distribution[int(np.sum(having & held)) :].sum()))


def _hypergeometric(size: int, won: int, drawn: int) -> NDArray[np.float64]:
    """Chance of 0, 1 ... `drawn` successes among those drawn from `size` episodes of which `won` succeeded."""
    counts = np.arange(drawn + 1)
    possible = (counts <= won) & (drawn - counts <= size - won)
    held = counts[possible]
    chances = np.zeros(drawn + 1)
    logarithms = _log_choices(won, held) + _log_choices(size - won, drawn - held) - _log_choices(size, drawn)
    chances[possible] = np.exp(logarithms)
    return chances


def _log_choices(of: int, chosen: NDArray[np.int64] | int) -> NDArray[np.float64]:
    return np.asarray(gammaln(of + 1) - gammaln(np.add(chosen, 1)) - gammaln(np.subtract(of + 1, chosen)))
