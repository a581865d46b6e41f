"""Confidence is compared with what came true."""

import numpy as np
import pytest

from sitestrata.evaluate.calibration import score_calibration


def test_four_in_five_right_at_point_eight_is_perfectly_calibrated() -> None:
    result = score_calibration(np.full(10, 0.8), np.array([True] * 8 + [False] * 2))

    assert 0 == pytest.approx(result.expected_error)
    assert [(0.8, 10)] == [(bin_.accuracy, bin_.count) for bin_ in result.bins]


def test_error_weighs_bins_by_their_size() -> None:
    """Thirty answers at .95 all right (off by .05), ten at .5 all wrong (off by .5)."""
    confidence = np.array([0.95] * 30 + [0.5] * 10)
    right = np.array([True] * 30 + [False] * 10)

    result = score_calibration(confidence, right)

    assert (30 * 0.05 + 10 * 0.5) / 40 == pytest.approx(result.expected_error)
    assert 0.5 == pytest.approx(result.largest_error)
    assert (30 * 0.05**2 + 10 * 0.25) / 40 == pytest.approx(result.brier)


def test_confidence_one_belongs_to_the_last_bin_and_nothing_is_fine() -> None:
    assert 1.0 == score_calibration(np.array([1.0]), np.array([True])).bins[0].high
    assert 0 == score_calibration(np.zeros(0), np.zeros(0, dtype=bool)).count


def test_a_confidence_above_one_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        score_calibration(np.array([1.2]), np.array([True]))
