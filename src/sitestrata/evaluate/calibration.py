"""Stated confidence and whether it was right -> reliability table and expected calibration error.

A confidence of .8 claims that four in five such answers are right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bin", "Calibration", "score_calibration"]

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about equal confidence."""

    low: float
    high: float
    count: int
    confidence: float  # mean stated
    accuracy: float  # share that was right


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far stated confidence and observed accuracy lie apart."""

    count: int
    expected_error: float  # mean over answers of |confidence - accuracy| of their bin (ECE)
    largest_error: float  # of the worst bin that holds at least one answer in a hundred
    brier: float  # mean squared difference of confidence and outcome
    accuracy: float
    bins: tuple[Bin, ...]


def score_calibration(confidence: NDArray[np.float64], is_right: NDArray[np.bool_], *, bins: int = BINS) -> Calibration:
    """Compare confidences with outcomes in bins of equal width; 1.0 falls into the last bin."""
    if len(confidence) != len(is_right):
        raise ValueError(f"{len(confidence)} confidences for {len(is_right)} outcomes")
    count = len(confidence)
    if count == 0:
        return Calibration(0, 0.0, 0.0, 0.0, 0.0, ())
    if confidence.min() < 0 or confidence.max() > 1:
        raise ValueError("a confidence lies between 0 and 1")
    place = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    sizes = np.bincount(place, minlength=bins)
    stated = np.bincount(place, weights=confidence, minlength=bins)
    right = np.bincount(place, weights=is_right.astype(np.float64), minlength=bins)
    rows = tuple(
        Bin(i / bins, (i + 1) / bins, int(sizes[i]), float(stated[i] / sizes[i]), float(right[i] / sizes[i]))
        for i in range(bins)
        if sizes[i]
    )
    gaps = [(row.count, abs(row.confidence - row.accuracy)) for row in rows]
    return Calibration(
        count=count,
        expected_error=sum(size * gap for size, gap in gaps) / count,
        largest_error=max((gap for size, gap in gaps if size * 100 >= count), default=0.0),
        brier=float(np.mean((confidence - is_right) ** 2)),
        accuracy=float(np.mean(is_right)),
        bins=rows,
    )
