"""Planted motifs are claimed in the direction they have; where outcomes depend on nothing, nothing is."""

from __future__ import annotations

import random

import pytest

import outcome_corpus as changes
from graphmem.patterns.advice import LATE_FROM
from graphmem.patterns.canonical import canonical_code
from graphmem.patterns.contrasts import nearest_contrast
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.graphs import EpisodeGraph
from graphmem.patterns.motifs import Motif
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.records import title_of
from graphmem.patterns.statistics.judging import Judgement, judge
from motif_corpus import PLANTED, TAXONOMY, corpus


def judged(graphs: list[EpisodeGraph]) -> tuple[tuple[Motif, ...], Judgement]:
    motifs = discover_motifs(graphs, TAXONOMY).motifs
    return motifs, judge(motifs, graphs, MiningPolicy())


@pytest.fixture(scope="module")
def planted() -> tuple[tuple[Motif, ...], Judgement]:
    return judged(changes.outcomes_corpus(1_000, 1))


def test_planted_motifs_are_claimed_in_their_direction(planted: tuple[tuple[Motif, ...], Judgement]) -> None:
    motifs, judgement = planted
    by_code = {motif.code: verdict for motif, verdict in zip(motifs, judgement.verdicts, strict=True)}
    claimed = {}
    for name, one in PLANTED.items():
        verdict = by_code[canonical_code(one.nodes, one.edges)]
        assert verdict.tier in ("recurrent", "significant"), f"{name} is no more than its parts"
        if verdict.polarity is not None:
            claimed[name] = verdict.polarity == ("positive" if one.success > 0.5 else "negative")
    assert len(claimed) >= 3
    assert all(claimed.values())


def test_the_hand_over_of_failures_is_claimed_and_late(planted: tuple[tuple[Motif, ...], Judgement]) -> None:
    motifs, judgement = planted
    (ending,) = [
        (motif, verdict)
        for motif, verdict in zip(motifs, judgement.verdicts, strict=True)
        if {node.key for node in motif.nodes} == {"sum up", "hand over"}
    ]
    assert ending[1].polarity == "negative"
    assert ending[0].position >= LATE_FROM


def test_planted_failures_have_the_planted_answer_as_their_contrast(
    planted: tuple[tuple[Motif, ...], Judgement],
) -> None:
    motifs, judgement = planted
    code = canonical_code(PLANTED["equal labels"].nodes, PLANTED["equal labels"].edges)
    (number,) = [place for place, motif in enumerate(motifs) if motif.code == code]
    assert judgement.verdicts[number].polarity == "negative"
    contrast = nearest_contrast(number, motifs, judgement, [title_of(motif) for motif in motifs])
    assert contrast is not None
    assert "back off" in contrast.title
    assert contrast.interval is not None
    assert contrast.interval[0] > 0


@pytest.mark.parametrize("change", [changes.at_random, changes.imbalanced, changes.repeated_tasks, changes.bursty])
def test_where_outcomes_depend_on_nothing_nothing_is_claimed(change: changes.Change) -> None:
    graphs = change(changes.own_tasks(corpus(600, 5)), random.Random(5))
    _, judgement = judged(graphs)
    assert [one for one in judgement.verdicts if one.polarity is not None] == []


def test_what_goes_with_length_alone_is_not_claimed_at_like_length() -> None:
    graphs = changes.length_fails(changes.own_tasks(corpus(1_000, 2)), random.Random(2))
    _, judgement = judged(graphs)
    tested = [one for one in judgement.verdicts if one.length_adjusted is not None]
    assert tested
    assert all(one.length_adjusted.p > 0.05 for one in tested if one.length_adjusted)
