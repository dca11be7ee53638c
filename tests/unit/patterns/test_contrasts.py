"""The contrast of a pattern that goes with failure: the nearest one that goes with success."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from graphmem.models.pattern import Contrast, OutcomeCounts
from graphmem.patterns.contrasts import nearest_contrast
from graphmem.patterns.motifs import Motif
from graphmem.patterns.statistics.judging import Judgement, Verdict
from made_motifs import motif, run
from outcome_panels import tables_panel

PANEL, HELD = tables_panel([(6, 0, 0, 6), (3, 1, 1, 3)], by_task=[True, True])
REST = np.setdiff1d(np.arange(len(PANEL)), HELD)


def verdict(**fields: Any) -> Verdict:
    given: dict[str, Any] = {"tasks": 5, "users": 1, "single_user": False, "q_structure": 0.01, **fields}
    return Verdict(outcomes=OutcomeCounts(), **given)


BAD = verdict(tier="significant", polarity="negative", risk_difference=-0.5)
GOOD = verdict(tier="significant", polarity="positive", risk_difference=0.4)
TWICE = [("action", "retry"), ("symptom", "quota"), ("concept", "order")]


def made(name: str, *nodes: Any, support: int = 5, position: float = 0.5) -> Motif:
    return motif(
        name, [run(number, "success") for number in range(support)], nodes=nodes, edges=(), position=position
    )


def contrast(
    others: Sequence[tuple[Motif, Verdict]],
    held: Sequence[Any] | None = None,
    own: Motif | None = None,
) -> Contrast | None:
    motifs = [own or made("bad", *TWICE), *(one for one, _ in others)]
    places = held or [REST, *(HELD for _ in others)]
    judgement = Judgement((BAD, *(one for _, one in others)), len(motifs), PANEL, tuple(places))
    return nearest_contrast(0, motifs, judgement, [one.id for one in motifs])


def test_the_largest_shared_situation_decides_before_the_difference() -> None:
    near = made("near", ("action", "wait"), ("symptom", "quota"), ("concept", "order"))
    far = made("far", ("action", "ask"), ("symptom", "quota"))
    found = contrast([(far, verdict(tier="significant", polarity="positive", risk_difference=0.9)), (near, GOOD)])
    assert found is not None
    assert (found.pattern, found.title) == ("near", "near")


def test_among_equals_what_claims_success_comes_before_what_does_not() -> None:
    claims = made("claims", ("action", "wait"), ("symptom", "quota"))
    recurs = made("recurs", ("action", "ask"), ("symptom", "quota"))
    found = contrast([(recurs, verdict(tier="recurrent", risk_difference=0.9)), (claims, GOOD)])
    assert found is not None
    assert found.pattern == "claims"


def test_the_difference_is_that_within_shared_strata() -> None:
    found = contrast([(made("good", ("action", "wait"), ("symptom", "quota")), GOOD)])
    assert found is not None
    # 6 of 6 against 0 of 6, and 3 of 4 against 1 of 4: weights 3 and 2
    assert found.risk_difference == pytest.approx((3 * 1 + 2 * 0.5) / 5)
    assert found.interval is not None
    assert 0 < found.interval[0] < 0.8 < found.interval[1] <= 1


def test_episodes_with_both_are_left_out() -> None:
    good = made("good", ("action", "wait"), ("symptom", "quota"))
    worse, better = np.union1d(REST, HELD[:1]), np.union1d(HELD, REST[:1])
    found = contrast([(good, GOOD)], [worse, better])
    assert found is not None
    assert found.risk_difference == pytest.approx((2.5 * 1 + 2 * 0.5) / 4.5, abs=1e-6)


def test_without_shared_strata_nothing_was_tested() -> None:
    panel, _ = tables_panel([(3, 3, 0, 0), (0, 0, 3, 3)])
    good = made("good", ("action", "wait"), ("symptom", "quota"))
    judgement = Judgement((BAD, GOOD), 2, panel, (np.arange(6), np.arange(6, 12)))
    found = nearest_contrast(0, [made("bad", *TWICE), good], judgement, ["bad", "good"])
    assert found == Contrast(pattern="good", title="good", risk_difference=None, interval=None)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (made("o", ("action", "wait"), ("symptom", "느림")), GOOD),
        (made("o", ("action", "retry"), ("symptom", "quota")), GOOD),
        (made("o", ("symptom", "quota"), ("cause", "limit")), GOOD),
        (made("o", ("action", "wait"), ("symptom", "quota")), BAD),
        (made("o", ("action", "wait"), ("symptom", "quota")), verdict(tier="candidate", risk_difference=0.5)),
        (made("o", ("action", "wait"), ("symptom", "quota")), verdict(tier="recurrent", risk_difference=-0.1)),
        (made("o", ("action", "wait"), ("symptom", "quota"), position=0.9), GOOD),
        (made("o", ("action", "wait"), ("symptom", "quota")), verdict(
            tier="significant", polarity="positive", risk_difference=0.4, single_user=True
        )),
    ],
    ids=["nothing shared", "same steps", "no step", "fails too", "untested", "worse", "late", "one user"],
)  # fmt: skip
def test_what_is_no_contrast(other: Motif, said: Verdict) -> None:
    assert contrast([(other, said)]) is None


def test_steps_and_tools_are_shared_where_no_situation_is_named() -> None:
    own = made("bad", ("action", "retry"), ("tool", "sh"))
    found = contrast([(made("good", ("action", "wait"), ("tool", "sh")), GOOD)], own=own)
    assert found is not None
    assert found.pattern == "good"
