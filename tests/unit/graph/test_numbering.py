"""Numbers among distinct values are NumPy's own."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.graph.numbering import distinct, distinct_pairs, numbered

INTEGERS = st.lists(st.integers(-(2**62), 2**62 - 1) | st.integers(0, 5), max_size=60)


@given(INTEGERS)
def test_values_and_their_numbers_are_those_of_numpy(values: list[int]) -> None:
    column = np.array(values, np.int64)
    labels, places = np.unique(column, return_inverse=True)

    assert labels.tolist() == distinct(column).tolist()
    assert (labels.tolist(), places.tolist()) == tuple(found.tolist() for found in numbered(column))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-(2**62), 2**62 - 1) | st.integers(0, 5)), max_size=60))
def test_pairs_come_sorted_each_once(pairs: list[tuple[int, int]]) -> None:
    one, other = np.array(pairs, np.int64).reshape(-1, 2).T

    assert sorted(set(pairs)) == list(zip(*(found.tolist() for found in distinct_pairs(one, other)), strict=True))
