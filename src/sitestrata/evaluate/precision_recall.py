"""Counts of right, found and true things -> precision, recall and F1: the form in which most scores are told.

Paper: OntoMiner 7.1
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

__all__ = ["PrecisionRecall", "compare_sets", "f1", "total"]


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """How many things were found, how many there are, and how many were found rightly.

    Nothing found where there is nothing is perfect; nothing found where there is something has precision 0.
    """

    right: int
    found: int
    gold: int

    @property
    def precision(self) -> float:
        """Share of what was found that is right."""
        return self.right / self.found if self.found else float(self.gold == 0)

    @property
    def recall(self) -> float:
        """Share of what is there that was found."""
        return self.right / self.gold if self.gold else float(self.found == 0)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.found + self.gold
        return 2 * self.right / both if both else 1.0

    def __add__(self, other: "PrecisionRecall") -> "PrecisionRecall":
        return PrecisionRecall(self.right + other.right, self.found + other.found, self.gold + other.gold)


def compare_sets(found: Collection[object], gold: Collection[object]) -> PrecisionRecall:
    """Compare two collections as sets: site precision and recall of one page set, menu items, pairs of a closure."""
    found_set, gold_set = set(found), set(gold)
    return PrecisionRecall(len(found_set & gold_set), len(found_set), len(gold_set))


def total(parts: Iterable[PrecisionRecall]) -> PrecisionRecall:
    """Add counts up over pages, menus or tables: the micro average."""
    return sum(parts, start=PrecisionRecall(0, 0, 0))


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of two shares; 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
