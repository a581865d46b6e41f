"""The weights of the features of lines and tables, and how they make log odds.

Fitted by logistic regression with ridge penalty and with the sign of each weight fixed beforehand to what the feature
means, so that no accident of the fitted tables turns evidence around (``bench/fit_tables.py``, which also writes this
file's figures).
"""

from collections.abc import Sequence
from operator import mul

import numpy as np
import numpy.typing as npt

__all__ = ["LEFT", "TABLE", "TOP", "log_odds"]

Floats = npt.NDArray[np.float64]


def log_odds(weights: Sequence[float], features: Floats) -> float:
    """Return the sum of weighted features and of the constant, which is the last weight."""
    odds: float = sum(map(mul, weights, features.tolist())) + weights[-1]
    return odds


TOP: tuple[float, ...] = (
    0.74,  # marked
    1.88,  # marked more
    2.79,  # scoped
    2.15,  # in head
    0.23,  # bold more
    2.06,  # linked less
    4.83,  # words over values
    -1.02,  # like below
    2.64,  # unlike below
    -1.83,  # number itself
    0.00,  # colon
    1.85,  # shorter
    0.00,  # longer
    -0.46,  # repeated below
    -0.55,  # distinct
    -0.05,  # empty
    1.58,  # corner empty
    -0.32,  # few below
    -1.48,  # varied below
    0.61,  # brief
    -3.33,  # second
    0.85,  # under groups
    0.09,  # from above
    -0.44,  # constant
)
LEFT: tuple[float, ...] = (
    1.43,  # marked
    1.15,  # marked more
    2.81,  # scoped
    0.00,  # in head
    0.93,  # bold more
    0.20,  # linked less
    1.60,  # words over values
    0.00,  # like below
    0.75,  # unlike below
    -2.03,  # number itself
    3.04,  # colon
    0.71,  # shorter
    -0.11,  # longer
    0.00,  # repeated below
    0.51,  # distinct
    -2.15,  # empty
    0.00,  # corner empty
    0.27,  # few below
    -1.16,  # varied below
    1.31,  # brief
    -2.24,  # second
    1.90,  # under groups
    0.00,  # from above
    -2.34,  # has header rows
    3.00,  # has no name
    0.47,  # groups rows
    -2.10,  # unmarked
    1.95,  # under corner
    -1.26,  # constant
)
TABLE: tuple[float, ...] = (
    2.50,  # columns
    2.50,  # uniform
    4.50,  # filled
    3.50,  # values
    1.50,  # alike down
    1.50,  # brief
    -4.00,  # linked
    -2.50,  # links in a cell
    -3.50,  # controls
    -2.00,  # blocks
    -1.50,  # holds table
    -3.00,  # full rows
    -8.50,  # constant
)
