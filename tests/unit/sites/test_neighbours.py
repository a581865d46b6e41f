"""Pages that nothing ties to a site go by their address: to the site of the narrowest place that has others."""

import numpy as np

from sitestrata.sites.boundaries import SiteOptions, find_boundaries
from sitestrata.sites.neighbours import neighbour_votes
from sitestrata.sites.places import places_of
from support.menu_webs import menu_site, web


def goes_to(pages: dict[str, str], *, apart: frozenset[tuple[int, int]] = frozenset()) -> dict[str, str]:
    """Return who goes to whom; ``pages`` are addresses with the name of their section, in capitals if it is a core."""
    names = sorted(set(pages.values()))
    section = np.array([names.index(name) for name in pages.values()])
    is_core = np.array([name.isupper() for name in names])
    small, large, votes = neighbour_votes(places_of(list(pages)), section, np.arange(len(names)), is_core, apart)
    assert (votes > 0).all()
    return {names[a]: names[b] for a, b in zip(small.tolist(), large.tolist(), strict=True)}


def site(folder: str, name: str, pages: int = 9) -> dict[str, str]:
    return {f"http://{folder}/{number}.html": name for number in range(pages)}


def test_a_page_in_the_folder_of_a_site_is_of_the_site() -> None:
    assert goes_to(site("a.example/doc", "A") | site("b.example", "B") | {"http://a.example/doc/old/x.html": "x"}) == {
        "x": "A"
    }


def test_the_narrowest_place_decides_and_a_shared_one_says_nothing() -> None:
    shared = site("a.example/one", "A") | site("a.example/two", "B") | site("a.example/three", "C")
    assert goes_to(shared | {"http://a.example/two/x.html": "x", "http://a.example/y.html": "y"}) == {"x": "B"}


def test_pages_of_a_host_that_are_all_lonely_are_one_site() -> None:
    assert goes_to({f"http://a.example/{name}.html": name for name in "xyz"}) == {"y": "x", "z": "x"}


def test_they_gather_by_folder_where_a_host_is_shared() -> None:
    shared = site("a.example/one", "A") | site("a.example/two", "B") | site("a.example/three", "C")
    lonely = {"http://a.example/four/x.html": "x", "http://a.example/four/y.html": "y"}
    assert goes_to(shared | lonely) == {"y": "x"}


def test_what_lies_outside_a_persons_folder_says_nothing() -> None:
    assert goes_to(site("a.example", "A") | {"http://a.example/~kim/x.html": "x"}) == {}


def test_other_evidence_that_speaks_against_is_heard() -> None:
    pages = site("a.example", "A") | {"http://a.example/group/x.html": "x"}
    assert goes_to(pages) == {"x": "A"}
    assert goes_to(pages, apart=frozenset({(1, 0)})) == {}


def test_pages_that_nobody_links_are_with_the_site_they_stand_in_unless_addresses_are_withheld() -> None:
    links = {
        page: targets for number in range(4) for page, targets in menu_site(f"http://s{number}.example/", 12).items()
    }
    links["http://s1.example/doc/lost.html"] = []
    evidence = web(links)
    lost, home = (evidence.url.index(url) for url in ("http://s1.example/doc/lost.html", "http://s1.example/"))

    found, blind = find_boundaries(evidence), find_boundaries(evidence, SiteOptions(url_evidence=False))

    assert found.site[lost] == found.site[home]
    assert blind.site[lost] != blind.site[home]


def test_a_bar_of_pages_that_were_not_captured_joins_no_domains() -> None:
    bar = [f"http://network.example/{number}" for number in range(6)]
    links = {
        f"http://{name}.example/{page}": [*bar, f"http://{name}.example/more{page}"] for name in "ab" for page in "12"
    }
    site_of = dict(zip((evidence := web(links)).url, find_boundaries(evidence).site.tolist(), strict=True))

    assert site_of["http://a.example/1"] == site_of["http://a.example/2"] != site_of["http://b.example/1"]
