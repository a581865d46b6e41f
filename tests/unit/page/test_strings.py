"""Columns of several pages are joined without losing the places where they meet."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.page import Strings, join_offsets, join_strings, ordinals


def strings(texts: list[str]) -> Strings:
    data = [text.encode() for text in texts]
    return Strings(np.cumsum([0, *map(len, data)], dtype=np.int64), b"".join(data))


@given(st.lists(st.lists(st.text(max_size=3), max_size=4), max_size=5))
def test_joined_texts_are_the_texts_in_order(pages: list[list[str]]) -> None:
    joined = join_strings([strings(page) for page in pages])

    assert joined.to_pylist() == [text for page in pages for text in page]
    joined.validate(full=True)


@given(st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=5))
def test_joined_offsets_tell_the_same_sizes(pages: list[list[int]]) -> None:
    joined = join_offsets([np.cumsum([0, *sizes], dtype=np.int32) for sizes in pages])

    assert joined[0] == 0
    assert np.diff(joined).tolist() == [size for sizes in pages for size in sizes]


@given(st.lists(st.integers(0, 4), max_size=6))
def test_rows_are_numbered_list_by_list(counts: list[int]) -> None:
    assert ordinals(counts).tolist() == [number for count in counts for number in range(count)]
