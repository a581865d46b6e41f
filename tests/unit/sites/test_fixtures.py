"""What stands in the same places of pages."""

import numpy as np

from sitestrata.sites.evidence import linked_pairs
from sitestrata.sites.fixtures import Fixtures, find_fixtures, foreignness, merge_fixtures

LOGO, MENU, FOOTER, TEXT = range(4)
SITE_PAGES, SISTER_PAGES = 8, 4
OWN, FOREIGN = (0, 1), (0, SITE_PAGES)  # two pages of the site; one of it and one of the sister
OUTSIDE = 100  # targets that were not captured


def _fixtures(links: dict[int, list[tuple[int, int]]], linked: list[tuple[int, int]]) -> Fixtures:
    """Build from the (way, target) of each page's links and the pairs of linked pages."""
    cells = np.array([(page, way, target) for page, ends in links.items() for way, target in ends], np.int64)
    pairs = np.array(linked, np.int64).reshape(-1, 2)
    page, way, target = cells.reshape(-1, 3).T
    low, high, both_ways = linked_pairs(pairs[:, 0], pairs[:, 1], len(links))
    return find_fixtures(len(links), page, way, target, (low[both_ways], high[both_ways]))


def _sisters(*, sister_has_fixtures: bool = True) -> Fixtures:
    """Return a site and its sister of the same template: the sister's text links the site, and another each page."""
    links: dict[int, list[tuple[int, int]]] = {}
    pages = SITE_PAGES + SISTER_PAGES
    for page in range(pages):
        home, size = (0, SITE_PAGES) if page < SITE_PAGES else (SITE_PAGES, SISTER_PAGES)
        text = [(TEXT, page % SITE_PAGES), (TEXT, OUTSIDE + page)]
        own = [(LOGO, home), *((MENU, home + item) for item in range(min(size, 4))), (FOOTER, OUTSIDE - 1 - home)]
        links[page] = text + (own if page < SITE_PAGES or sister_has_fixtures else [])
    groups = (range(SITE_PAGES), range(SITE_PAGES, pages))
    return _fixtures(links, [(a, b) for group in groups for a in group for b in group if a != b])


def test_pages_with_the_same_links_in_their_menus_are_not_foreign() -> None:
    assert 0 == foreignness(_sisters(), *(np.array([page]) for page in OWN))[0]


def test_sisters_with_other_links_in_the_same_places_are_foreign() -> None:
    assert foreignness(_sisters(), *(np.array([page]) for page in FOREIGN))[0] > 0.4


def test_a_page_without_fixtures_contradicts_nobody() -> None:
    assert 0 == foreignness(_sisters(sister_has_fixtures=False), *(np.array([page]) for page in FOREIGN))[0]


def test_ways_on_which_neighbours_disagree_are_not_steady() -> None:
    steady = _sisters().steady

    assert min(steady[[LOGO, MENU, FOOTER]]) > 0.7
    assert steady[TEXT] < 0.1


def test_one_way_that_differs_is_a_pager_or_a_local_menu() -> None:
    menu = [(MENU, target) for target in range(4)]
    links = {page: [(LOGO, 0), *menu, (FOOTER, 9), (TEXT, 50 + page // 2)] for page in range(4)}
    fixtures = _fixtures(links, [(a, b) for a in range(4) for b in range(4) if a // 2 == b // 2 and a != b])

    assert fixtures.steady[TEXT] > 0.5  # both pages of a chapter lead up to the same page
    assert 0 == foreignness(fixtures, np.array([0]), np.array([2]))[0]


def test_groups_of_pages_are_foreign_as_their_pages_are() -> None:
    group = np.repeat([0, 1], [SITE_PAGES, SISTER_PAGES])
    merged = merge_fixtures(_sisters(), group, 2)

    assert foreignness(merged, np.array([0]), np.array([1]))[0] > 0.4


def test_a_collection_without_links_has_no_fixtures() -> None:
    fixtures = _fixtures({0: [], 1: []}, [])

    assert 0 == foreignness(fixtures, np.array([0]), np.array([1]))[0]
