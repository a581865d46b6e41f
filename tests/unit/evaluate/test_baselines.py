"""Baselines cut by address and links as the paper's do."""

import networkx as nx
import numpy as np
import pytest
from sklearn.cluster import BisectingKMeans
from sklearn.metrics import adjusted_rand_score

from sitestrata.evaluate.baselines import BASELINES, PageGraph, folders, partitions
from sitestrata.evaluate.kmeans import SparseRows, bisect, unit_rows

URLS = [
    "http://a.example/",
    "http://a.example/x/",
    "http://a.example/x/1.html",
    "http://a.example/x/y/2.html",
    "http://a.example/x/z/3.html",
    "http://b.example/x/1.html",
]


def graph(urls: list[str], edges: list[tuple[int, int]] = (), same: dict[int, int] | None = None) -> PageGraph:
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    representative = np.array([(same or {}).get(i, i) for i in range(len(urls))], dtype=np.int64)
    return PageGraph(urls, ends[:, 0], ends[:, 1], representative)


def parts(name: str, pages: PageGraph) -> set[frozenset[int]]:
    ((_, label),) = partitions(name, pages)
    return {frozenset(np.flatnonzero(label == value).tolist()) for value in np.unique(label)}


def test_address_partitions_are_nested_as_in_the_paper() -> None:
    pages = graph(URLS)

    assert {frozenset({0, 1, 2, 3, 4}), frozenset({5})} == parts("host", pages)
    assert {frozenset({0}), frozenset({1, 2, 3, 4}), frozenset({5})} == parts("first-folder", pages)
    assert {frozenset({0}), frozenset({1, 2}), frozenset({3}), frozenset({4}), frozenset({5})} == (
        parts("second-folder", pages)
    )
    assert 6 == len(parts("alone", pages))


def test_a_query_holds_no_folders() -> None:
    assert ["a"] == folders("http://h.example/a/b?next=/c/d/")
    assert [] == folders("http://h.example")


def test_one_way_links_join_nothing() -> None:
    pages = graph(URLS, [(0, 1), (1, 0), (1, 2), (3, 4), (4, 3), (4, 5)])

    assert {frozenset({0, 1}), frozenset({2}), frozenset({3, 4}), frozenset({5})} == parts("two-way", pages)


def test_addresses_of_one_page_stay_together() -> None:
    pages = graph(URLS, [(0, 2), (2, 0)], same={1: 0})

    assert frozenset({0, 1, 2}) in parts("two-way", pages)


@pytest.mark.parametrize("seed", range(10))
def test_two_way_components_are_those_of_networkx(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = [(int(a), int(b)) for a, b in rng.integers(0, 40, (160, 2)) if a != b]
    wanted = nx.Graph([(a, b) for a, b in edges if (b, a) in set(edges)])
    wanted.add_nodes_from(range(40))

    found = parts("two-way", graph([f"http://h.example/{i}" for i in range(40)], edges))

    assert {frozenset(part) for part in nx.connected_components(wanted)} == found


def test_k_means_on_links_finds_two_worlds() -> None:
    edges = [(a, b) for world in (range(5), range(5, 10)) for a in world for b in world if a != b]
    pages = graph([f"http://h.example/{i}" for i in range(10)], edges)

    _, first = next(partitions("kmeans-links", pages))

    assert {frozenset(range(5)), frozenset(range(5, 10))} == {
        frozenset(np.flatnonzero(first == value).tolist()) for value in (0, 1)
    }


def test_every_baseline_is_repeatable() -> None:
    rng = np.random.default_rng(3)
    edges = [(int(a), int(b)) for a, b in rng.integers(0, 60, (300, 2))]
    pages = graph([f"http://h{i % 5}.example/{i % 3}/{i % 7}/{i}" for i in range(60)], edges)

    for name in BASELINES:
        once, again = ([label.tolist() for _, label in partitions(name, pages)] for _ in range(2))
        assert once == again


def test_bisecting_k_means_does_as_well_as_scikit_learn() -> None:
    """Eight groups of pages that link mostly within: both find about the same eight."""
    rng = np.random.default_rng(5)
    truth = np.repeat(np.arange(8), 40)
    matrix = np.zeros((320, 320))
    for row in range(320):
        inside = rng.choice(np.flatnonzero(truth == truth[row]), 12)
        outside = rng.integers(0, 320, 2)
        matrix[row, np.concatenate([inside, outside])] = 1
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    theirs = BisectingKMeans(8, random_state=0, n_init=5, bisecting_strategy="largest_cluster").fit_predict(unit)

    row, column = np.nonzero(matrix)
    ours = list(bisect(unit_rows(SparseRows.from_pairs(row, column, 320)), 8))[-1]

    assert 8 == len(np.unique(ours))
    assert adjusted_rand_score(truth, ours) >= adjusted_rand_score(truth, theirs) - 0.05
    assert adjusted_rand_score(truth, ours) > 0.9


def test_equal_rows_are_not_split_for_ever() -> None:
    rows = SparseRows.from_pairs(np.arange(6), np.zeros(6, dtype=np.int64), 6)

    assert [] == list(bisect(unit_rows(rows), 4))


def test_rows_without_entries_are_clustered_too() -> None:
    rows = SparseRows.from_pairs(np.array([0, 1]), np.array([0, 1]), 5)

    stages = list(bisect(unit_rows(rows), 3))

    assert all(5 == len(stage) for stage in stages)
