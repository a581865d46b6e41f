"""Two partitions of the same pages -> how well they agree.

The Rand index counts pairs of pages on which two partitions agree (MenuMiner 6.2.1 lets a person judge 845 random pairs
of 10,000 pages). Alone it flatters: pages of different sites are so many that putting every page alone scores .94 to
.97. The headline is the adjusted Rand index, which is 0 for chance and 1 for equality.

Everything is computed from the contingency table of the two partitions, in O(n log n) and without a loop over pages or
pairs; a million pages take about a second. Conventions at the edges (one page, one cluster) are scikit-learn's.

Paper: MenuMiner 6.2.1
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.evaluate.precision_recall import f1

__all__ = ["Contingency", "PartitionScores", "SampleScores", "codes", "contingency", "score_partition", "score_sample"]

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Contingency:
    """How many pages each pair (gold part, found part) has; only pairs that occur."""

    gold: Codes  # of each cell
    found: Codes
    count: Codes
    gold_sizes: Codes  # of each gold part
    found_sizes: Codes

    @property
    def pages(self) -> int:
        """Number of pages."""
        return int(self.count.sum())


@dataclass(frozen=True, slots=True)
class PartitionScores:
    """Agreement of a found partition with gold, by every measure in use."""

    pages: int
    gold_parts: int
    found_parts: int
    adjusted_rand: float
    rand: float
    pair_precision: float
    pair_recall: float
    pair_f1: float
    b3_precision: float
    b3_recall: float
    b3_f1: float
    homogeneity: float
    completeness: float
    v_measure: float


@dataclass(frozen=True, slots=True)
class SampleScores:
    """Agreement with judged pairs of pages."""

    pairs: int
    rand: float  # the paper's R_U: share of pairs on which partition and person agree
    rand_low: float  # 95 % Wilson interval
    rand_high: float
    pair_precision: float
    pair_recall: float
    pair_f1: float


def codes(labels: Sequence[object] | NDArray[np.generic] | pa.Array | pa.ChunkedArray) -> Codes:
    """Number the parts of a partition from 0; a page without label (None) is a part of its own."""
    array = labels if isinstance(labels, pa.Array | pa.ChunkedArray) else pa.array(labels)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    encoded = array.dictionary_encode()
    numbers: Codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    alone = numbers < 0
    numbers[alone] = len(encoded.dictionary) + np.arange(np.count_nonzero(alone))
    return numbers


def contingency(gold: Codes, found: Codes) -> Contingency:
    """Count the pages of every pair of parts that meet."""
    if len(gold) != len(found):
        raise ValueError(f"two partitions of the same pages have equal lengths, not {len(gold)} and {len(found)}")
    if len(gold) == 0:
        none = np.zeros(0, dtype=np.int64)
        return Contingency(none, none, none, none, none)
    _, gold = np.unique(gold, return_inverse=True)
    _, found = np.unique(found, return_inverse=True)
    width = int(found.max()) + 1
    cells, count = np.unique(gold.astype(np.int64) * width + found, return_counts=True)
    return Contingency(
        gold=cells // width,
        found=cells % width,
        count=count.astype(np.int64),
        gold_sizes=np.bincount(gold).astype(np.int64),
        found_sizes=np.bincount(found).astype(np.int64),
    )


def score_partition(gold: Codes, found: Codes) -> PartitionScores:
    """Compare a found partition with gold by every measure."""
    return _scores(contingency(gold, found))


def score_sample(gold_same: NDArray[np.bool_], found_same: NDArray[np.bool_]) -> SampleScores:
    """Compare answers on judged pairs: are the two pages of one site, says the person, and says the partition?"""
    pairs = len(gold_same)
    agree = int(np.count_nonzero(gold_same == found_same))
    both = int(np.count_nonzero(gold_same & found_same))
    precision = _share(both, int(np.count_nonzero(found_same)))
    recall = _share(both, int(np.count_nonzero(gold_same)))
    low, high = _wilson(agree, pairs)
    return SampleScores(pairs, _share(agree, pairs), low, high, precision, recall, f1(precision, recall))


def _scores(table: Contingency) -> PartitionScores:
    pages = table.pages
    together = _pairs(table.count)  # pairs in one part in both
    gold_together = _pairs(table.gold_sizes)
    found_together = _pairs(table.found_sizes)
    all_pairs = pages * (pages - 1) // 2
    agree = all_pairs + 2 * together - gold_together - found_together
    pair_precision, pair_recall = _share(together, found_together), _share(together, gold_together)
    b3_precision, b3_recall = _b_cubed(table)
    homogeneity, completeness = _homogeneity_completeness(table)
    return PartitionScores(
        pages=pages,
        gold_parts=len(table.gold_sizes),
        found_parts=len(table.found_sizes),
        adjusted_rand=_adjusted_rand(together, gold_together, found_together, all_pairs),
        rand=_share(agree, all_pairs),
        pair_precision=pair_precision,
        pair_recall=pair_recall,
        pair_f1=f1(pair_precision, pair_recall),
        b3_precision=b3_precision,
        b3_recall=b3_recall,
        b3_f1=f1(b3_precision, b3_recall),
        homogeneity=homogeneity,
        completeness=completeness,
        v_measure=f1(homogeneity, completeness),
    )


def _pairs(sizes: Codes) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _adjusted_rand(together: int, gold: int, found: int, everything: int) -> float:
    # Python integers: the product of two pair counts of a million pages does not fit 64 bits.
    if together == gold == found:
        return 1.0
    expected = gold * found / everything
    return (together - expected) / ((gold + found) / 2 - expected)


def _b_cubed(table: Contingency) -> tuple[float, float]:
    if table.pages == 0:
        return 1.0, 1.0
    square = table.count.astype(np.float64) ** 2
    precision = (square / table.found_sizes[table.found]).sum() / table.pages
    recall = (square / table.gold_sizes[table.gold]).sum() / table.pages
    return float(precision), float(recall)


def _homogeneity_completeness(table: Contingency) -> tuple[float, float]:
    pages = table.pages
    if pages == 0:
        return 1.0, 1.0
    count = table.count.astype(np.float64)
    expected = table.gold_sizes[table.gold].astype(np.float64) * table.found_sizes[table.found]
    mutual = float((count / pages * np.log(count * pages / expected)).sum())
    gold_entropy, found_entropy = _entropy(table.gold_sizes), _entropy(table.found_sizes)
    homogeneity = mutual / gold_entropy if gold_entropy else 1.0
    completeness = mutual / found_entropy if found_entropy else 1.0
    return min(max(homogeneity, 0.0), 1.0), min(max(completeness, 0.0), 1.0)


def _entropy(sizes: Codes) -> float:
    if len(sizes) < 2:
        return 0.0
    shares = sizes / sizes.sum()
    return float(-(shares * np.log(shares)).sum())


def _wilson(agree: int, pairs: int, z: float = 1.96) -> tuple[float, float]:
    if pairs == 0:
        return 0.0, 1.0
    share = agree / pairs
    centre = share + z * z / (2 * pairs)
    spread = z * math.sqrt(share * (1 - share) / pairs + z * z / (4 * pairs * pairs))
    scale = 1 + z * z / pairs
    return max((centre - spread) / scale, 0.0), min((centre + spread) / scale, 1.0)
