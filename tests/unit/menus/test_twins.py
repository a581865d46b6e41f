"""Main menus of small sites, told by sites of the same make."""

from sitestrata.menus.front_page import FrontLink, FrontPage
from sitestrata.menus.twins import menus_like_others


def front(paths: list[str], lists: list[list[int]]) -> FrontPage:
    """Make an entry page of lists at these paths."""
    links = tuple(
        FrontLink(100 * segment + place, segment, target, f"http://h/{target}", str(target))
        for segment, targets in enumerate(lists)
        for place, target in enumerate(targets)
    )
    return FrontPage(links, {}, paths=dict(enumerate(paths)))


LARGE = front(["body/div#a", "body/nav", "body/p"], [[1], [2, 3, 4], [5]])


def test_menu_stands_where_a_site_of_the_same_make_has_it() -> None:
    small = front(["body/div#a", "body/nav", "body/p"], [[11, 12, 13], [21, 22, 21], [31]])

    found = menus_like_others({1: LARGE, 2: small}, {1: frozenset({1})})

    assert {2: [21, 22]} == {site: [link.target for link in links] for site, links in found.items()}


def test_page_of_another_make_tells_nothing() -> None:
    other = front(["body/table", "body/nav", "body/ul", "body/ol"], [[11], [21, 22], [31], [41]])
    bare = front(["body/div#a", "body/p"], [[11, 12], [31]])

    assert {} == menus_like_others({1: LARGE, 2: other, 3: bare}, {1: frozenset({1})})


def test_most_alike_of_several_decides() -> None:
    near = front(["body/div#a", "body/nav", "body/p", "body/ul"], [[1], [2, 3], [5], [6, 7]])
    small = front(["body/div#a", "body/nav", "body/p", "body/ul"], [[11], [21, 22], [31], [41, 42]])

    found = menus_like_others({1: LARGE, 2: near, 3: small}, {1: frozenset({1}), 2: frozenset({3})})

    assert [41, 42] == [link.target for link in found[3]]


def test_of_lists_at_one_path_the_same_one_is_taken() -> None:
    large = front(["body/ul", "body/ul", "body/ul", "body/p"], [[1, 2], [3, 4, 5], [6, 7], [8]])
    small = front(["body/ul", "body/ul", "body/ul"], [[11, 12], [21, 22, 23], [31, 32]])

    found = menus_like_others({1: large, 2: small}, {1: frozenset({1})})

    assert [21, 22, 23] == [link.target for link in found[2]]
