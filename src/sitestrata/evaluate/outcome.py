"""What scoring a task gives: scores, the worst cases to look at, and notes on what could not be judged."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from sitestrata.evaluate.closure import ClosureScores
from sitestrata.evaluate.precision_recall import PrecisionRecall
from sitestrata.evaluate.rand import PartitionScores

__all__ = ["RESULT", "Case", "Outcome", "Score", "closure_scores", "partition_scores", "precision_recall_scores"]

RESULT = "result"  # the name of what is scored, beside the names of baselines


@dataclass(frozen=True, slots=True)
class Score:
    """One figure."""

    task: str
    system: str  # `RESULT` or the name of a baseline
    metric: str
    value: float
    count: int  # things judged
    is_headline: bool = False

    @property
    def name(self) -> str:
        """The name a floor goes by."""
        return f"{self.task}.{self.metric}"


@dataclass(frozen=True, slots=True)
class Case:
    """Something that went wrong, with an address to look at."""

    task: str
    loss: float  # larger is worse; comparable within a task
    what: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that came of one task."""

    scores: tuple[Score, ...] = ()
    cases: tuple[Case, ...] = ()
    notes: tuple[str, ...] = ()
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # confusion, reliability: by title

    def worst(self, count: int) -> list[Case]:
        """Return the worst cases of each task, worst first."""
        chosen: list[Case] = []
        for task in dict.fromkeys(case.task for case in self.cases):
            mine = [case for case in self.cases if case.task == task and case.loss > 0]
            chosen += sorted(mine, key=lambda case: (-case.loss, case.what, case.url or ""))[:count]
        return chosen

    def __add__(self, other: "Outcome") -> "Outcome":
        return Outcome(
            self.scores + other.scores,
            self.cases + other.cases,
            self.notes + other.notes,
            {**self.tables, **other.tables},
        )


def partition_scores(task: str, system: str, scores: PartitionScores) -> tuple[Score, ...]:
    """Turn the scores of a partition into figures; the adjusted Rand index is the headline."""
    figures = asdict(scores)
    count = figures.pop("pages")
    figures.pop("gold_parts")
    ordered = {"adjusted_rand": figures.pop("adjusted_rand"), "parts": figures.pop("found_parts"), **figures}
    return tuple(
        Score(task, system, metric, float(value), count, metric == "adjusted_rand") for metric, value in ordered.items()
    )


def precision_recall_scores(
    task: str, system: str, prefix: str, counts: PrecisionRecall, *, is_headline: bool = False
) -> tuple[Score, ...]:
    """Turn counts into F1, precision and recall; the F1 may be the headline."""
    start = f"{prefix}_" if prefix else ""
    return (
        Score(task, system, f"{start}f1", counts.f1, counts.gold, is_headline),
        Score(task, system, f"{start}precision", counts.precision, counts.found),
        Score(task, system, f"{start}recall", counts.recall, counts.gold),
    )


def closure_scores(
    task: str, system: str, prefix: str, scores: ClosureScores, *, is_headline: bool = False
) -> tuple[Score, ...]:
    """Turn ancestor-descendant counts into figures."""
    start = f"{prefix}_" if prefix else ""
    return (
        Score(task, system, f"{start}f1", scores.f1, scores.gold, is_headline),
        Score(task, system, f"{start}precision_in", scores.precision_in, scores.found_in),
        Score(task, system, f"{start}precision_desc", scores.precision_desc, scores.found_desc),
        Score(task, system, f"{start}precision_all", scores.precision, scores.found),
        Score(task, system, f"{start}recall", scores.recall, scores.gold),
    )


def joined(outcomes: Iterable[Outcome]) -> Outcome:
    """Put the outcomes of several tasks together."""
    return sum(outcomes, start=Outcome())
