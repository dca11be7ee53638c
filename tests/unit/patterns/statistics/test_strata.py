"""Who is compared with whom: tasks where they repeat, else domains; variants and lengths apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.statistics.strata import FAILURE, PARTIAL, SUCCESS, OutcomePanel, outcome_panel
from made_motifs import run
from outcome_panels import panels


def together(panel: OutcomePanel) -> list[list[int]]:
    """Places of the episodes that share a stratum."""
    return sorted(np.flatnonzero(panel.stratum == one).tolist() for one in np.unique(panel.stratum).tolist())


def several(*fields: dict[str, Any]) -> list[EpisodeGraph]:
    return [run(number, **{"outcome": "success", **one}) for number, one in enumerate(fields)]


def test_a_task_that_repeats_is_a_stratum_and_one_that_does_not_is_in_its_domain() -> None:
    panel = outcome_panel(
        several(
            {"unit": "task:환불", "domain": "쇼핑몰"},
            {"unit": "task:환불", "domain": "쇼핑몰"},
            {"unit": "task:one", "domain": "쇼핑몰"},
            {"unit": "", "domain": "쇼핑몰"},
            {"unit": "task:two", "domain": "ops"},
            {"unit": ""},
        )
    )
    assert together(panel) == [[0, 1], [2, 3], [4], [5]]
    assert panel.by_task[panel.stratum].tolist() == [True, True, False, False, False, False]
    assert len(set(panel.unit.tolist())) == 5


def test_without_task_strata_domains_alone_are_compared() -> None:
    graphs = several({"unit": "task:a"}, {"unit": "task:a"}, {"unit": "task:b", "domain": "ops"})
    panel = outcome_panel(graphs, by_task=False)
    assert together(panel) == [[0, 1], [2]]
    assert not panel.by_task.any()


def test_a_trial_of_another_variant_does_not_make_a_task_repeat() -> None:
    graphs = several(
        {"unit": "task:a", "variant": "new"},
        {"unit": "task:a", "variant": "old"},
        {"unit": "task:a", "variant": "old"},
        {"unit": "", "variant": "new"},
    )
    panel = outcome_panel(graphs)
    assert together(panel) == [[0, 3], [1, 2]]
    assert panel.by_task[panel.stratum].tolist() == [False, True, True, False]


def test_unknown_outcomes_are_in_no_stratum_and_make_no_task_repeat() -> None:
    graphs = several(
        {"unit": "task:a", "outcome": "partial"},
        {"unit": "task:a", "outcome": "unknown"},
        {"unit": "task:a", "outcome": None},
        {"outcome": "failure"},
    )
    panel = outcome_panel(graphs)
    assert panel.episodes.tolist() == [0, 3]
    assert panel.outcome.tolist() == [PARTIAL, FAILURE]
    assert not panel.by_task.any()


def test_nobody_known_is_an_empty_panel() -> None:
    panel = outcome_panel(several({"outcome": None}))
    assert len(panel) == len(panel.within_length()) == 0


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2)), min_size=1, max_size=60))
def test_among_like_length_means_in_one_quartile_of_one_stratum(episodes: list[tuple[int, int]]) -> None:
    steps, strata = [one for one, _ in episodes], [stratum for _, stratum in episodes]
    panel = panels([SUCCESS] * len(steps), strata, by_task=[True, False, True], steps=steps)
    split = panel.within_length()
    lower, middle, upper = np.quantile(steps, [0.25, 0.5, 0.75])
    quartile = [int(one > lower) + int(one > middle) + int(one > upper) for one in steps]
    expected: dict[tuple[int, int], list[int]] = {}
    for place, key in enumerate(zip(strata, quartile, strict=True)):
        expected.setdefault(key, []).append(place)
    assert together(split) == sorted(expected.values())
    assert split.by_task[split.stratum].tolist() == panel.by_task[panel.stratum].tolist()


def test_equal_lengths_split_nothing() -> None:
    panel = panels([SUCCESS, FAILURE] * 4, [0] * 8, steps=[7] * 8)
    assert together(panel.within_length()) == [list(range(8))]
