"""Labels of a page and of its translation; labels of pages that are alike."""

from dataclasses import replace

import pytest

from sitestrata.taxonomy.lexicon import build_lexicon
from sitestrata.taxonomy.mine import TaxonomyHints, mine_taxonomy
from sitestrata.taxonomy.targets import similar_targets
from sitestrata.taxonomy.translations import is_translated_address, translated_labels
from sitestrata.taxonomy.trees import SiteTree
from support.label_trees import tree

ENGLISH = tree(["News", "Sport", "Weather"], ("Help", ["Contact", "Jobs"]), site=1)
GERMAN = tree(["Nachrichten", "Sport", "Wetter"], ("Hilfe", ["Kontakt", "Stellen"]), site=1, language="de", page="/de/")


def test_members_of_aligned_lists_are_translations() -> None:
    found = {(pair.first, pair.second) for pair in translated_labels(ENGLISH, GERMAN)}

    assert {("nachrichten", "news"), ("weather", "wetter"), ("contact", "kontakt"), ("jobs", "stellen")} <= found


def test_a_page_of_another_make_is_no_translation() -> None:
    other = tree(["Eins", "Zwei"], ["Drei", "Vier", "Fünf", "Sechs"], language="de")

    assert [] == list(translated_labels(ENGLISH, other))
    assert [] == list(translated_labels(ENGLISH, ENGLISH))  # one language


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("http://example.org/", "http://example.org/de/", True),
        ("http://example.org/en/a", "http://example.org/fr-ca/a", True),
        ("http://en.example.org/", "http://de.example.org/", True),
        ("http://example.org/?l=en", "http://example.org/?l=ja", True),
        ("http://example.org/", "http://example.org/news/", False),
        ("http://example.org/", "http://example.org/de/hilfe", False),
        ("http://example.org/", "http://example.org/", False),
    ],
)
def test_addresses_that_differ_in_a_language(first: str, second: str, *, expected: bool) -> None:
    assert expected == is_translated_address(first, second)


def test_a_switch_joins_the_labels_of_sites_in_different_languages() -> None:
    """A German site and an English one share no label; a third that speaks both brings them together."""
    only_german = tree(["Nachrichten", "Wetter"], site=2, language="de")
    only_english = tree(["News", "Weather"], site=3)
    hints = TaxonomyHints(synonyms=tuple(translated_labels(ENGLISH, GERMAN)), language="en")

    found = mine_taxonomy([ENGLISH, GERMAN, only_german, only_english], support=3, hints=hints)

    assert 2 == len(found.concepts)
    switched = next(row for row in found.labels if row.label == "Nachrichten")
    assert ("switch", "News", "de") == (switched.evidence, switched.merged_with, switched.language)


def test_pages_made_of_the_same_rare_words_are_alike() -> None:
    trees = [tree("Staff", "Books", site=1), tree("Our team", "Films", site=2)]
    lexicon = build_lexicon(trees)
    staff = frozenset(["ann", "bob", "cid", "dan", "eve", "fay"])
    contents = {
        "http://site1.example/staff": staff | {"top"},
        "http://site2.example/our-team": staff | {"end"},
        "http://site1.example/books": frozenset(["one", "two", "three", "four", "five", "top"]),
        "http://site2.example/films": frozenset(["red", "blue", "green", "grey", "pink", "end"]),
    }

    assert [("staff", "our team")] == list(similar_targets(lexicon, sorted(lexicon.uses), contents))


def test_pages_of_concepts_show_how_concepts_nest_if_two_owners_do() -> None:
    homes = [tree("Research", "Projects", "Labs", site=n) for n in (1, 2)]

    def about(site: int, *labels: str) -> SiteTree:
        return replace(tree(("Research", *labels), site=site, page="/research", role="other"), is_about=True)

    found = mine_taxonomy(homes, further=[about(1, "Projects", "Labs"), about(2, "Projects")])

    names = {concept.concept: concept.label for concept in found.concepts}
    assert {("Research", "Projects", ("subsite",))} == {
        (names[pair.parent], names[pair.child], pair.evidence) for pair in found.is_a
    }
