"""Partition scores equal scikit-learn's, a count over all pairs, and cases worked by hand."""

import time
from itertools import combinations

import numpy as np
import pytest
from sklearn import metrics

from sitestrata.evaluate.rand import codes, contingency, score_partition, score_sample


def random_partitions(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 400))
    gold = rng.integers(0, int(rng.integers(1, 20)), n)
    found = np.where(rng.random(n) < rng.random(), gold, rng.integers(0, int(rng.integers(1, 30)), n))
    return gold, found


@pytest.mark.parametrize("seed", range(40))
def test_scores_equal_those_of_scikit_learn(seed: int) -> None:
    gold, found = random_partitions(seed)

    scores = score_partition(gold, found)

    assert metrics.adjusted_rand_score(gold, found) == pytest.approx(scores.adjusted_rand, abs=1e-12)
    assert metrics.rand_score(gold, found) == pytest.approx(scores.rand, abs=1e-12)
    expected = metrics.homogeneity_completeness_v_measure(gold, found)
    assert expected == pytest.approx((scores.homogeneity, scores.completeness, scores.v_measure), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_pair_and_b_cubed_scores_equal_a_count_over_all_pairs(seed: int) -> None:
    gold, found = random_partitions(seed + 100)
    gold, found = gold[:60], found[:60]
    pairs = list(combinations(range(len(gold)), 2))
    both = sum(gold[i] == gold[j] and found[i] == found[j] for i, j in pairs)
    in_found = sum(found[i] == found[j] for i, j in pairs)
    in_gold = sum(gold[i] == gold[j] for i, j in pairs)
    b3 = [np.mean(gold[found == found[i]] == gold[i]) for i in range(len(gold))]
    b3_recall = [np.mean(found[gold == gold[i]] == found[i]) for i in range(len(gold))]

    scores = score_partition(gold, found)

    assert (both / in_found if in_found else 1.0) == pytest.approx(scores.pair_precision)
    assert (both / in_gold if in_gold else 1.0) == pytest.approx(scores.pair_recall)
    assert np.mean(b3) == pytest.approx(scores.b3_precision)
    assert np.mean(b3_recall) == pytest.approx(scores.b3_recall)


def test_six_pages_worked_by_hand() -> None:
    """Gold aaabbb against found 112222: 15 pairs; 6 together in gold, 1+6 found, 1+3 in both."""
    scores = score_partition(codes(list("aaabbb")), codes(list("112222")))

    assert 4 / 7 == pytest.approx(scores.pair_precision)
    assert 4 / 6 == pytest.approx(scores.pair_recall)
    assert (15 - 3 - 2) / 15 == pytest.approx(scores.rand)
    expected = 6 * 7 / 15
    assert (4 - expected) / (6.5 - expected) == pytest.approx(scores.adjusted_rand)


def test_every_page_alone_has_a_flattering_rand_index_and_no_adjusted_one() -> None:
    gold = np.repeat(np.arange(20), 50)

    scores = score_partition(gold, np.arange(1000))

    assert scores.rand > 0.95
    assert 0 == scores.adjusted_rand
    assert 1 == scores.pair_precision
    assert 0 == scores.pair_recall


def test_equal_partitions_score_one_whatever_their_names() -> None:
    scores = score_partition(codes(["x", "y", "x", "z"]), codes([3, 1, 3, 2]))

    assert (1, 1, 1, 1) == (scores.adjusted_rand, scores.pair_f1, scores.b3_f1, scores.v_measure)


@pytest.mark.parametrize("labels", [[], ["a"]])
def test_fewer_than_two_pages_agree(labels: list[str]) -> None:
    scores = score_partition(codes(labels), codes(labels))

    assert (1, 1) == (scores.adjusted_rand, scores.rand)


def test_pages_without_a_label_are_each_alone() -> None:
    assert [0, 2, 0, 3, 1] == codes(["a", None, "a", None, "b"]).tolist()


def test_partitions_of_different_pages_are_refused() -> None:
    with pytest.raises(ValueError, match="equal lengths"):
        contingency(np.zeros(3, dtype=np.int64), np.zeros(4, dtype=np.int64))


def test_a_million_pages_take_seconds() -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 30_000, 1_000_000)
    found = np.where(rng.random(1_000_000) < 0.9, gold, rng.integers(0, 1_000_000, 1_000_000))

    start = time.process_time()
    scores = score_partition(gold, found)

    assert time.process_time() - start < 5
    assert 0.7 < scores.pair_recall < 0.9


def test_sample_rand_index_is_the_share_of_pairs_with_equal_answers() -> None:
    person = np.array([True, True, False, False, False])
    found = np.array([True, False, False, False, True])

    scores = score_sample(person, found)

    assert 0.6 == scores.rand
    assert 0.5 == scores.pair_precision
    assert 0.5 == scores.pair_recall
    assert scores.rand_low < 0.6 < scores.rand_high


def test_interval_of_the_papers_sample_is_about_half_a_percent() -> None:
    """MenuMiner 6.2.1: R_U .9966 on 845 pairs, that is 842 agreements."""
    same = np.zeros(845, dtype=bool)
    found = same.copy()
    found[:3] = True

    scores = score_sample(same, found)

    assert 0.9964 == pytest.approx(scores.rand, abs=1e-4)
    assert 0.989 < scores.rand_low < 0.991
    assert 0.998 < scores.rand_high < 0.9999
