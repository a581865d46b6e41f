"""The worked examples of OntoMiner 5."""

from collections import Counter

from sitestrata.taxonomy.abridge import abridge
from sitestrata.taxonomy.concepts import labels_to_concepts
from sitestrata.taxonomy.isa import Relation, acyclic, related_concepts, tax_miner
from sitestrata.taxonomy.labels import find_candidates, frequent_labels
from support.label_trees import tree

NEWS = [
    tree(["Business", "Sports", "Entertainment"], "Advertise with us", site=1),
    tree(["Business", "Sports", "Politics"], site=2),
    tree(["Entertainment", "Civil war", "Culture"], ["Subscribe", "Corrections"], site=3),
]


def test_labels_that_enough_sites_print_are_frequent() -> None:
    assert {"business", "sports", "entertainment"} == frequent_labels(NEWS, 2)


def test_entertainment_brings_its_group_siblings_civil_war_and_culture() -> None:
    found = find_candidates(NEWS, 2)

    assert {"civil war", "culture", "politics", "business", "sports", "entertainment"} == set(found)
    assert not found["civil war"].is_frequent
    assert "Civil war" == found["civil war"].shown


def test_siblings_outside_a_group_are_not_brought() -> None:
    assert "advertise with us" not in find_candidates(NEWS, 2)


def test_abridgement_drops_what_is_no_link_leads_outside_or_brings_nothing() -> None:
    trees = [
        tree(["Sports", "NYT Store", "Today", "Weather"], site=1, host="news.example"),
        tree(["Sports"], site=2),
    ]
    candidates = find_candidates(trees, 2)
    unlinked = find_candidates([tree(["Sports", "Headline"], site=1, linked=False), tree(["Sports"], site=2)], 2)

    kept = abridge(
        candidates,
        is_inside=lambda _, url: "store" not in url,
        brings=lambda url: {"http://news.example/today": False, "http://news.example/weather": None}.get(url, True),
    )

    assert {"sports", "weather"} == set(kept)
    assert {"sports"} == set(abridge(unlinked, is_inside=lambda *_: True, brings=lambda _: True))
    assert 1 == len(abridge(unlinked, is_inside=lambda *_: True, brings=lambda _: True)["sports"].occurrences)


def test_sport_is_sports_but_world_is_not_international() -> None:
    trees = [tree(["Sport", "World"], site=1), tree(["Sports", "International"], site=2)]
    candidates = find_candidates(trees, 1)

    assert [("international",), ("sport", "sports"), ("world",)] == labels_to_concepts(candidates)


def test_tax_miner_a_b_and_a_c_b_with_support_two() -> None:
    """FR1 is empty, NFR1 = {ab, ac, cb}, FR2 = {ab}, T = {ab}."""
    trees = [tree(("a", "b"), site=1), tree(("a", ("c", "b")), site=2)]
    concepts = {"a": 0, "b": 1, "c": 2}

    bags = related_concepts(trees, concepts)

    assert {1: Counter({(0, 1): 1, (0, 2): 1, (2, 1): 1}), 2: Counter({(0, 1): 1})} == bags
    assert [Relation(parent=0, child=1, support=2, level=2)] == tax_miner(bags, 2)


def test_frequent_at_level_one_is_not_counted_again_below() -> None:
    trees = [tree(("a", "b"), site=1), tree(("a", "b"), site=2), tree(("a", ("c", "b")), site=3)]

    assert [Relation(0, 1, 2, 1)] == tax_miner(related_concepts(trees, {"a": 0, "b": 1, "c": 2}), 2)


def test_unlabelled_nodes_do_not_count_as_steps() -> None:
    trees = [tree(("a", ["b", "d"]), site=1), tree(("a", [["b"]]), site=2)]

    assert {1} == set(related_concepts(trees, {"a": 0, "b": 1}))


def test_a_relation_that_would_close_a_cycle_is_left_out() -> None:
    circle = [Relation(0, 1, 3, 1), Relation(1, 2, 4, 1), Relation(2, 0, 2, 1)]

    assert [Relation(0, 1, 3, 1), Relation(1, 2, 4, 1)] == acyclic(circle)


def test_one_tree_gives_a_pair_once_per_level() -> None:
    trees = [tree(("a", "b"), ("a", "b"))]

    assert {1: Counter({(0, 1): 1})} == related_concepts(trees, {"a": 0, "b": 1})
