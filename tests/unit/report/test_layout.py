"""Where things stand in the report's pictures."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.report.layout import icicle, spread_out, subtree_sizes


def trees_of(parents: list[int]) -> tuple[np.ndarray, ...]:
    """Return a tree in which page ``i + 1`` hangs below page ``parents[i] % (i + 1)``; page 0 is the root."""
    above = [0, *(parent % (number + 1) for number, parent in enumerate(parents))]
    depth = [0]
    for number in range(1, len(above)):
        depth.append(depth[above[number]] + 1)
    ids = np.arange(len(above)) * 7 - 50  # not the row, and not sorted by sign
    return ids, ids[above], np.array(depth), np.arange(len(above))


@given(st.lists(st.integers(0, 50), max_size=40))
def test_sizes_are_those_of_the_subtrees(parents: list[int]) -> None:
    ids, above, depth, position = trees_of(parents)
    shuffled = np.random.default_rng(1).permutation(len(ids))
    trees = subtree_sizes(ids[shuffled], above[shuffled], depth[shuffled], position[shuffled])

    row = {int(number): place for place, number in enumerate(trees.ids)}
    by_hand = dict.fromkeys(ids.tolist(), 0)
    for start in ids.tolist():
        seen = start
        while True:
            by_hand[seen] += 1
            parent = int(above[np.flatnonzero(ids == seen)[0]])
            if parent == seen:
                break
            seen = parent
    assert by_hand == {number: int(trees.size[row[number]]) for number in ids.tolist()}


@given(st.lists(st.integers(0, 50), max_size=60), st.floats(0.5, 30))
def test_a_level_fills_the_height_of_what_it_belongs_to(parents: list[int], smallest: float) -> None:
    trees = subtree_sizes(*trees_of(parents))
    cells = icicle(trees, 0, height=300, smallest=smallest, deepest=4)

    assert (0, 300.0, len(parents) + 1) == (cells[0].row, cells[0].height, cells[0].pages)
    assert all(cell.height >= smallest for cell in cells if cell.row > 0)
    for cell in cells:
        inside = [other for other in cells if other.depth == cell.depth + 1 and _within(other, cell)]
        has_children = cell.row >= 0 and trees.first_child[cell.row] < trees.first_child[cell.row + 1]
        if has_children and cell.depth < 4:
            assert abs(sum(other.height for other in inside) - cell.height) < 1e-6
            assert sum(other.pages for other in inside) == cell.pages - 1


def _within(inner, outer) -> bool:
    middle = inner.top + inner.height / 2
    return outer.top <= middle <= outer.top + outer.height


def test_a_table_with_a_circle_still_gives_a_picture() -> None:
    ids = np.array([1, 2, 3])
    trees = subtree_sizes(ids, np.array([1, 3, 2]), np.array([0, 1, 1]), np.array([0, 0, 0]))

    assert [1] == [cell.pages for cell in icicle(trees, 0, height=100, smallest=4, deepest=5)]


def test_circles_lie_inside_and_cover_nobody() -> None:
    radii = [30.0, 20.0] + [6.0] * 58
    edges = [(0, number, float(number)) for number in range(1, 60, 3)]
    places = spread_out(radii, edges, width=960, height=600)

    assert (places >= np.array(radii)[:, None]).all()
    assert (places + np.array(radii)[:, None] <= [960, 600]).all()
    for one in range(60):
        for other in range(one):
            assert np.hypot(*(places[one] - places[other])) >= radii[one] + radii[other]


def test_linked_circles_are_nearer_than_others() -> None:
    edges = [(a, b, 1.0) for group in ((0, 1, 2, 3), (4, 5, 6, 7)) for a in group for b in group if a < b]
    places = spread_out([5.0] * 8, edges, width=900, height=600)

    apart = np.sqrt(((places[:, None] - places[None]) ** 2).sum(2))
    assert apart[:4, :4].max() < apart[:4, 4:].min()


def test_the_layout_is_the_same_every_time() -> None:
    first, second = (spread_out([5.0, 6.0, 7.0], [(0, 2, 1.0)], width=900, height=600) for _ in range(2))

    assert (first == second).all()


def test_no_circle_and_one_circle() -> None:
    assert (0, 2) == spread_out([], [], width=900, height=600).shape
    assert [[450, 300]] == spread_out([9.0], [], width=900, height=600).tolist()
