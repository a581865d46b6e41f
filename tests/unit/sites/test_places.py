"""Addresses as places: counted by group, numbered at any depth, whatever the order of the pages."""

import numpy as np

from sitestrata.sites.places import places_of, prefixes

URLS = [
    "http://b.example/",
    "http://a.example/x/y/z/deep/1.html",
    "http://a.example/x/y/z/other/2.html",
    "http://a.example/x/?q=/1/",
    "http://b.example/index.html",
]


def test_pages_of_folders_below_the_deepest_that_is_looked_at_stand_at_one_place() -> None:
    places = places_of(URLS)

    assert places.place.tolist() == [0, 1, 1, 2, 0]
    assert [places.prefixes[place] for place in places.place] == [prefixes(url) for url in URLS]
    assert places.depth().tolist() == [1, 4, 4, 2, 1]


def test_places_are_numbered_by_name_at_each_depth() -> None:
    places = places_of(URLS)

    assert places.numbered_at(1).tolist() == [1, 0, 0, 0, 1]
    assert places.numbered_at(3).tolist() == [2, 1, 1, 0, 2]


def test_groups_are_counted_by_place() -> None:
    found = set(places_of(URLS).counted(np.array([0, 0, 0, 7, 7])))

    home, inner = ("b.example",), ("a.example", "a.example/x")
    deep = (*inner, "a.example/x/y", "a.example/x/y/z")
    assert found == {(0, home, 1), (0, deep, 2), (7, inner, 1), (7, home, 1)}


def test_a_collection_without_pages_has_no_place() -> None:
    places = places_of([])

    assert [len(places.place), len(places.depth()), len(places.numbered_at(1)), places.prefixes] == [0, 0, 0, []]
    assert list(places.counted(np.zeros(0, np.int64))) == []
