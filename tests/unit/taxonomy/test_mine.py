"""Taxonomies of small domains, also of bad ones."""

from dataclasses import replace

import pytest

from sitestrata.taxonomy.mine import Taxonomy, mine_taxonomy, paper_taxonomy
from sitestrata.taxonomy.owners import assign_owners
from sitestrata.taxonomy.trees import SiteTree
from support.label_trees import tree


def _pairs(found: Taxonomy) -> set[tuple[str, str]]:
    name = {concept.concept: concept.label for concept in found.concepts}
    return {(name[pair.parent], name[pair.child]) for pair in found.is_a}


def _news(site: int, **options: str) -> SiteTree:
    return tree(
        ("Sport", ["Tennis", "Football", "Cricket"]),
        ("Business", ["Markets", "Economy"]),
        ["Privacy", "Contact"],
        site=site,
        **options,
    )


NEWS = [_news(1), _news(2), tree(("Sports", ["Tennis", "Golf", "Football"]), ("Business", ["Markets"]), site=3)]


def test_nesting_on_several_sites_is_found() -> None:
    pairs = _pairs(mine_taxonomy(NEWS))

    assert {("Sport", "Tennis"), ("Sport", "Football"), ("Business", "Markets")} <= pairs
    assert not any(parent in ("Privacy", "Tennis") for parent, _ in pairs)


def test_labels_say_why_they_are_there() -> None:
    found = mine_taxonomy(NEWS)
    sport = next(concept for concept in found.concepts if concept.label == "Sport")
    row = next(label for label in found.labels if label.label == "Sports")

    assert (sport.concept, "stem", "Sport", 1) == (row.concept, row.evidence, row.merged_with, row.support)
    assert 3 == sport.support
    assert {"http://site1.example/sport", "http://site3.example/sports"} <= set(sport.urls)


def test_order_of_the_trees_does_not_matter() -> None:
    assert mine_taxonomy(NEWS) == mine_taxonomy(NEWS[::-1])


def test_pairs_that_nest_either_way_are_facets_and_the_rest_has_no_cycle() -> None:
    trees = [tree(("Men", ["Shoes", "Shirts"]), ("Shoes", ["Men", "Women"]), site=n) for n in (1, 2, 3)]

    found = mine_taxonomy(trees, least=0.0)
    name = {concept.concept: concept.label for concept in found.concepts}
    facets = {(name[pair.parent], name[pair.child]) for pair in found.is_a if pair.is_facet}

    assert {("Men", "Shoes"), ("Shoes", "Men")} == facets


@pytest.mark.parametrize(
    "trees",
    [
        [],
        [_news(1)],
        [tree("Apples", site=1), tree("Pears", site=2)],
        [tree("Nachrichten", language="de", site=1), tree("ニュース", language="ja", site=2), tree("Новости", site=3)],
        [tree(site=1), tree(site=2)],
        [tree(("a", ("b", ("c", "a"))), site=1), tree(("b", ("c", ("a", "b"))), site=2)],
    ],
    ids=["nothing", "one home page", "no overlap", "all languages different", "empty pages", "cyclic nesting"],
)
def test_bad_input_has_a_clear_answer(trees: list[SiteTree]) -> None:
    found = mine_taxonomy(trees, least=0.0)

    known = {concept.concept for concept in found.concepts}
    assert all({pair.parent, pair.child} <= known for pair in found.is_a)
    assert _is_acyclic({(pair.parent, pair.child) for pair in found.is_a if not pair.is_facet})
    assert len(known) == len(found.concepts)


def test_support_beyond_the_number_of_sites_finds_nothing() -> None:
    assert () == mine_taxonomy(NEWS, support=9).concepts


def test_the_paper_keeps_group_siblings_and_needs_support_for_pairs() -> None:
    found = paper_taxonomy(NEWS, support=2, is_inside=lambda *_: True, brings=lambda _: True)

    assert {"Golf", "Cricket"} <= {concept.label for concept in found.concepts}
    assert ("Sport", "Golf") not in _pairs(found)
    assert ("Sport", "Tennis") in _pairs(found)
    assert all(len(pair.pages) >= 2 for pair in found.is_a)


def test_editions_of_one_portal_have_one_owner_and_projects_of_one_domain_do_not() -> None:
    trees = assign_owners(
        [
            _news(1, host="uk.portal.example"),
            _news(2, host="www.portal.example"),
            tree("Download", "Manual", site=3, host="db.portal.example"),
            _news(4, host="rival.example"),
        ]
    )
    owners = [one.owner for one in trees]

    assert owners[0] == owners[1]
    assert 3 == len(set(owners))


def _is_acyclic(pairs: set[tuple[int, int]]) -> bool:
    while pairs:
        children = {child for _, child in pairs}
        kept = {pair for pair in pairs if pair[0] in children}
        if kept == pairs:
            return False
        pairs = kept
    return True


def test_contents_of_a_site_confirm_what_labels_show_and_make_nothing_up() -> None:
    contents = replace(tree(("World", ["Africa"]), ("Sport", ["Markets"]), site=3), is_contents=True)
    home = tree("World", "Africa", "Sport", "Markets", site=3)
    sites = [tree(("World", ["Africa"]), "Sport", "Markets", site=n) for n in (1, 2)]

    found = mine_taxonomy([*sites, home], further=[contents])

    (pair,) = found.is_a
    assert ("World", "Africa") == next(iter(_pairs(found)))
    assert 3 == pair.support
    assert ("contents", "menu") == pair.evidence
