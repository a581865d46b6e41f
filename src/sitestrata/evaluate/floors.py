"""Scores and floors -> which floors are broken. Quality may not fall unnoticed: see tests/quality/."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sitestrata.errors import UsageError
from sitestrata.evaluate.outcome import RESULT, Score

__all__ = ["LOWER_IS_BETTER", "Broken", "broken_floors", "parse_floor"]

LOWER_IS_BETTER = frozenset({"expected_error", "largest_error", "brier"})


@dataclass(frozen=True, slots=True)
class Broken:
    """A floor that a score does not keep."""

    name: str
    floor: float
    value: float

    def __str__(self) -> str:
        return f"{self.name} is {self.value:.4f}, below the floor of {self.floor:.4f}"


def parse_floor(text: str) -> tuple[str, float]:
    """Read ``sites.adjusted_rand=.95``, or ``sites=.95`` for the headline of a task."""
    name, equals, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        hint = "a number" if equals else "NAME=VALUE"
        raise UsageError(f"--floor {text} is not {hint}; write for example --floor sites.adjusted_rand=.95.") from None


def broken_floors(scores: Sequence[Score], floors: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[Broken]:
    """Return the floors that the result's scores do not keep.

    Raises:
        UsageError: a floor names a figure that was not computed; one that silently checks nothing is worse than none.
    """
    values = {score.name: score for score in scores if score.system == RESULT}
    values |= {score.task: score for score in scores if score.system == RESULT and score.is_headline}
    broken = []
    for name, floor in dict(floors).items():
        score = values.get(name)
        if score is None:
            raise UsageError(f"There is no score {name} to hold to a floor; there are: {', '.join(sorted(values))}.")
        is_lower = score.metric in LOWER_IS_BETTER
        if (score.value > floor) if is_lower else (score.value < floor):
            broken.append(Broken(name, floor, score.value))
    return broken
