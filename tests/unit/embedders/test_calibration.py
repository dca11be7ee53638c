from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embedders.calibration import IDENTITY, SAME_SITUATION, Calibration, fitted
from graphmem.errors import SettingsError

cosines = st.lists(st.floats(-1, 0.99), min_size=1, max_size=30)


def test_between_knots_the_map_is_linear() -> None:
    calibration = Calibration(((0.2, 0.0), (0.6, 0.7), (1.0, 1.0)))
    assert calibration(0.4) == pytest.approx(0.35)
    assert calibration(0.8) == pytest.approx(0.85)


def test_knots_themselves_keep_their_values_and_beyond_them_it_is_flat() -> None:
    calibration = Calibration(((0.2, 0.1), (0.6, 0.7), (0.9, 0.9)))
    assert [calibration(c) for c in (-1, 0.2, 0.6, 0.9, 1)] == pytest.approx([0.1, 0.1, 0.7, 0.9, 0.9])


@pytest.mark.parametrize(
    "knots",
    [
        (),
        ((0.5, 0.5),),
        ((0.5, 0.5), (0.5, 0.6)),
        ((0.5, 0.5), (0.4, 0.6)),
        ((0.1, 0.6), (0.5, 0.5)),
        ((0.1, -0.1), (0.5, 0.5)),
        ((0.1, 0.1), (0.5, 1.5)),
        ((float("nan"), 0.1), (0.5, 1)),
    ],
)
def test_knots_that_do_not_rise_within_the_scale_are_refused(knots: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(SettingsError, match="knots"):
        Calibration(knots)


@given(cosines, cosines, cosines)
def test_a_fitted_map_rises_and_stays_on_the_scale(
    unrelated: list[float], related: list[float], same: list[float]
) -> None:
    calibration = fitted(unrelated, related, same)
    values = [calibration(c / 50) for c in range(-50, 51)]
    assert values == sorted(values)
    assert all(0 <= value <= 1 for value in values)
    assert calibration(1) == 1


def test_a_fitted_map_puts_the_border_between_paraphrases_and_others() -> None:
    calibration = fitted(unrelated=[0.0, 0.1, 0.05], related=[0.3, 0.4, 0.5], same=[0.6, 0.8, 0.9])
    assert calibration(0.6) == pytest.approx(SAME_SITUATION)
    assert calibration(0.5) < SAME_SITUATION
    assert calibration(0.05) == 0


@given(st.floats(-1, 1))
def test_an_unmeasured_model_keeps_its_cosine(cosine: float) -> None:
    assert IDENTITY(cosine) == pytest.approx(max(cosine, 0.0))
