"""Segment borders are matched one to one within a window."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from sitestrata.evaluate.cuts import blind_cuts, score_cuts

cuts = st.lists(st.integers(0, 20), max_size=5, unique=True)


@given(cuts, cuts, st.integers(0, 5))
def test_matching_is_a_largest_one(found: list[int], gold: list[int], window: int) -> None:
    small, large = sorted([found, gold], key=len)
    best = max(
        sum(abs(a - b) <= window for a, b in zip(small, order, strict=True))
        for order in permutations(large, len(small))
    )

    assert best == score_cuts(found, gold, window=window).right


def test_two_cuts_near_one_border_count_once() -> None:
    scores = score_cuts([9, 10, 11], [10], window=5)

    assert (1, 3, 1) == (scores.right, scores.found, scores.gold)


def test_blind_cuts_do_well_in_the_papers_window_and_badly_in_ours() -> None:
    gold = [3, 12, 21, 26, 37, 45, 50, 61]
    blind = blind_cuts(64)

    assert [8, 16, 24, 32, 40, 48, 56] == blind
    assert score_cuts(blind, gold, window=5).f1 > 0.8
    assert score_cuts(blind, gold, window=1).f1 < 0.3
