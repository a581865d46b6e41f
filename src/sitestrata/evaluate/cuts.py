"""Cuts between the leaves of a page -> precision and recall of segment borders, within a window.

A cut is the number of the first leaf behind it. The paper counts a border as found if one lies within five leaves on
either side; on real pages cutting blindly every eight leaves then does as well as its method, so the headline window is
one leaf and blind cuts are always scored beside.

Paper: OntoMiner 7.2
"""

from collections.abc import Sequence

from sitestrata.evaluate.precision_recall import PrecisionRecall

__all__ = ["BLIND_STEP", "HEADLINE_WINDOW", "PAPER_WINDOW", "blind_cuts", "score_cuts"]

PAPER_WINDOW = 5  # OntoMiner 7.2: "a window of five units on both sides"
HEADLINE_WINDOW = 1
BLIND_STEP = 8  # leaves; the best blind step of the trials


def score_cuts(found: Sequence[int], gold: Sequence[int], *, window: int = HEADLINE_WINDOW) -> PrecisionRecall:
    """Match found cuts with gold's, one to one, within a window.

    Both in ascending order, the first cut that can still be matched is matched with the first it can reach: on a line
    this greedy matching is a largest one.
    """
    found_cuts, gold_cuts = sorted(set(found)), sorted(set(gold))
    right = i = j = 0
    while i < len(found_cuts) and j < len(gold_cuts):
        if abs(found_cuts[i] - gold_cuts[j]) <= window:
            right, i, j = right + 1, i + 1, j + 1
        elif found_cuts[i] < gold_cuts[j]:
            i += 1
        else:
            j += 1
    return PrecisionRecall(right, len(found_cuts), len(gold_cuts))


def blind_cuts(leaves: int, *, step: int = BLIND_STEP) -> list[int]:
    """Cut a page of so many leaves every ``step`` leaves, without looking."""
    return list(range(step, leaves, step))
