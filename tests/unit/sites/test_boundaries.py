"""Sites from votes: menus join, bars do not, strays find their site, and every rival is worth less."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from sitestrata.sites.boundaries import SiteOptions, find_boundaries, objective, tie_votes
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.ties import find_ties
from support.menu_webs import menu_site, web

HOMES = [f"http://s{number}.example/" for number in range(8)]


def sites_of(evidence: PageEvidence, options: SiteOptions | None = None) -> list[set[str]]:
    site = find_boundaries(evidence, options).site
    return [
        {evidence.url[page] for page in np.flatnonzero(site == number)} for number in range(site.max(initial=-1) + 1)
    ]


def test_pages_that_share_a_menu_are_one_site() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    found = sites_of(web(links), SiteOptions(url_evidence=False))

    assert sorted(map(sorted, found)) == sorted(sorted(menu_site(home, 12)) for home in HOMES)


def test_a_bar_on_all_pages_of_an_organisation_joins_nothing() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12, extra=HOMES[:6]).items()}

    assert 8 == len(sites_of(web(links), SiteOptions(url_evidence=False)))
    assert 8 == len(sites_of(web(links)))


def test_a_page_without_menu_finds_the_site_it_is_tied_to() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    stray = "http://elsewhere.example/old.html"
    links[stray] = [HOMES[0], f"{HOMES[0]}p1"]
    links[f"{HOMES[0]}p7"] = [*links[f"{HOMES[0]}p7"], stray]

    (home,) = [site for site in sites_of(web(links), SiteOptions(url_evidence=False)) if stray in site]

    assert HOMES[0] in home


def test_a_page_that_links_two_sites_does_not_join_them() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    stray = "http://elsewhere.example/list.html"
    links[stray] = [HOMES[0], HOMES[1]]
    for home in HOMES[:2]:
        links[f"{home}p7"] = [*links[f"{home}p7"], stray]

    found = sites_of(web(links), SiteOptions(url_evidence=False))

    assert not any({HOMES[0], HOMES[1]} <= site for site in found)


def test_pages_without_a_link_are_of_the_site_whose_index_lists_them() -> None:
    links = {page: targets for home in HOMES[:3] for page, targets in menu_site(home, 12).items()}
    index = f"{HOMES[7]}index.html"
    pages = [f"{HOMES[7]}entry{number}.html" for number in range(30)]
    links |= {index: pages, **{page: [] for page in pages}}

    assert {index, *pages} in sites_of(web(links))
    assert {index, *pages} in sites_of(web(links), SiteOptions(url_evidence=False))


def test_a_manual_with_its_own_menu_belongs_to_the_site_that_links_it_and_that_it_links() -> None:
    """Two sections without a common menu: the only links into the manual come from the site, and it links back."""
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    manual = "http://other.example/manual/"
    links |= menu_site(manual, 10, extra=[HOMES[0]])
    for page in menu_site(HOMES[0], 12):
        links[page] = [*links[page], manual]

    (home,) = [site for site in sites_of(web(links), SiteOptions(url_evidence=False)) if manual in site]

    assert HOMES[0] in home


def test_a_page_between_two_parts_of_a_site_is_part_of_it() -> None:
    """The manual leads to the page and the page to the site: to either part it is tied one way only."""
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    manual, between = "http://other.example/manual/", "http://other.example/between.html"
    links |= menu_site(manual, 10, extra=[HOMES[0]])
    for page in menu_site(HOMES[0], 12):
        links[page] = [*links[page], manual]
    links[f"{manual}p3"] = [*links[f"{manual}p3"], between]
    links[between] = [f"{HOMES[0]}p5"]

    (home,) = [site for site in sites_of(web(links), SiteOptions(url_evidence=False)) if between in site]

    assert {HOMES[0], manual} <= home


def test_a_page_between_two_sites_is_part_of_neither() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    between = "http://other.example/between.html"
    links[f"{HOMES[1]}p3"] = [*links[f"{HOMES[1]}p3"], between]
    links[between] = [f"{HOMES[0]}p5"]

    assert {between} in sites_of(web(links), SiteOptions(url_evidence=False))


def test_small_sisters_of_one_template_that_link_the_large_site_stay_sites() -> None:
    """One host, one template; each sister has its own menu where the large site has its, and links it in the text."""
    large = "http://org.example/"
    links = menu_site(large, 60)
    ways = {(page, target): "nav" for page, targets in links.items() for target in targets}
    sisters = [f"http://org.example/group{number}/" for number in range(6)]
    for sister in sisters:
        for page, targets in menu_site(sister, 12).items():
            ways |= {(page, target): "nav" for target in targets} | {
                (page, f"{large}p{n}"): "text" for n in range(1, 6)
            }
            links[page] = [*targets, *(f"{large}p{n}" for n in range(1, 6))]
    links[f"{large}p7"] = [*links[f"{large}p7"], *sisters]
    ways |= {(page, page): "text" for page in links}

    found = sites_of(web(links, ways=ways))

    assert sorted(map(sorted, found)) == sorted(
        sorted(menu_site(home, n)) for home, n in [(large, 60), *((sister, 12) for sister in sisters)]
    )


def test_books_that_quote_one_another_here_and_there_look_less_like_sisters() -> None:
    """One template, each with its own menu; what matters is how many pages of a book link the large one."""
    large, book = "http://soft.example/", "http://soft.example/book/"

    def vote(quoting: int) -> float:
        sites = {large: menu_site(large, 60), book: menu_site(book, 12)}
        links = {page: list(targets) for site in sites.values() for page, targets in site.items()}
        for page in sorted(sites[book])[:quoting]:
            links[page] += [f"{large}p{n}" for n in range(1, 6)]
        evidence = web(links, ways=one_template({home: {page: links[page] for page in sites[home]} for home in sites}))
        section = np.array([int(page in sites[book]) for page in evidence.url])
        return float(tie_votes(find_ties(evidence, section, np.bincount(section)))[0])

    assert vote(12) < vote(6) < vote(1)


def test_of_sites_that_are_looked_at_again_a_few_quotations_say_less_and_links_from_everywhere_say_no_less() -> None:
    large, book = "http://soft.example/", "http://soft.example/book/"
    sites = {large: menu_site(large, 60), book: menu_site(book, 12, extra=[f"{large}p{n}" for n in range(1, 6)])}
    evidence = web(
        {page: targets for site in sites.values() for page, targets in site.items()}, ways=one_template(sites)
    )
    section = np.array([int(page in sites[book]) for page in evidence.url])
    ties = find_ties(evidence, section, np.bincount(section))

    def gain(reach: float) -> float:
        tie = replace(ties, reach=np.array([reach]))
        return float((tie_votes(tie, again=True) - tie_votes(tie))[0])

    assert gain(0.2) > 0
    assert gain(0.5) == pytest.approx(0)
    assert gain(0.8) < 0
    assert gain(1.0) == pytest.approx(0)


def one_template(sites: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[tuple[str, str], str]:
    """Return the ways of sites whose menus all stand in one place; links to other sites stand in the text."""
    return {
        (page, target): "nav" if target in links else "text"
        for links in sites.values()
        for page, targets in links.items()
        for target in [*targets, page]
    }


def test_versions_whose_pages_are_called_the_same_are_one_site_where_sisters_are_not() -> None:
    """The older manual links the newer one on every page and is not answered, as a sister would not be."""
    new, old = "http://soft.example/doc/2/", "http://soft.example/doc/1/"
    sites = {new: menu_site(new, 20), old: menu_site(old, 20, extra=[f"{new}p{n}" for n in range(1, 5)])}
    links = {page: targets for site in sites.values() for page, targets in site.items()}
    links |= {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    same = {page: "Soft manual" for site in sites.values() for page in site}
    other = {page: f"Group{number} pages" for number, site in enumerate(sites.values()) for page in site}

    def are_one(titles: Mapping[str, str]) -> bool:
        found = sites_of(web(links, ways=one_template(sites), titles=titles))
        return any({new, old} <= site for site in found)

    assert are_one(same)
    assert not are_one(other)


def test_versions_that_share_neither_home_nor_menu_are_sites() -> None:
    """Equal titles, one host, one link; a home that links both and is linked by both makes them one site."""
    home, new, old = "http://soft.example/", "http://soft.example/doc/2/", "http://soft.example/doc/1/"

    def are_one(up: Sequence[str]) -> bool:
        sites = {
            new: menu_site(new, 20, extra=up, items=12),
            old: menu_site(old, 20, extra=[new, *up], items=12),
        }
        sites |= {home: menu_site(home, 12, extra=[new, old])} if up else {}
        links = {page: targets for site in sites.values() for page, targets in site.items()}
        links |= {page: targets for other in HOMES for page, targets in menu_site(other, 12).items()}
        titles = {page: "Soft manual" for site in sites.values() for page in site}
        found = sites_of(web(links, ways=one_template(sites), titles=titles))
        return any({new, old} <= site for site in found)

    assert not are_one([])
    assert are_one([home])


def test_sites_of_an_organisation_on_one_host_that_all_link_each_other_stay_sites() -> None:
    """The bar has the home pages of all; the organisation's name is in all titles. Of a ring of three, none are one."""
    homes = [f"http://org.example/{name}/" for name in ("store", "learn", "news")]
    links = {page: targets for home in homes for page, targets in menu_site(home, 20, extra=homes, items=12).items()}
    links |= {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    titles = {page: f"Org {page.split('/')[3]}" for page in links if page.startswith("http://org.example/")}

    found = sites_of(web(links, titles=titles))

    assert not any(len(site & set(homes)) > 1 for site in found)


def test_an_archive_that_carries_the_whole_menu_is_part_of_the_site() -> None:
    """Its pages have a list of their own, link all the news and are hardly linked by them, as sisters would be."""
    large = "http://soft.example/"
    links = menu_site(large, 60)
    months = [f"{large}archive/{number}" for number in range(20)]
    news = [f"{large}p{number}" for number in range(6, 60)]
    links |= {month: [*menu_site(large, 60)[large], *months, *news] for month in months}
    links[f"{large}p7"] = [*links[f"{large}p7"], months[0]]
    links |= {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    ways = {
        (page, target): "list" if target in months else "text" if target in news else "nav"
        for page in [*menu_site(large, 60), *months]
        for target in [*links[page], page]
    }
    titles = {page: f"Soft {number}" for number, page in enumerate(links) if page.startswith(large)}

    found = sites_of(web(links, ways=ways, titles=titles))

    assert any({large, *months} <= site for site in found)


def test_a_stub_that_leads_from_a_site_to_the_same_site_is_part_of_it() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    stub = "http://elsewhere.example/moved.html"
    links[stub] = [f"{HOMES[0]}p9"]
    links[f"{HOMES[0]}p7"] = [*links[f"{HOMES[0]}p7"], stub]

    (home,) = [site for site in sites_of(web(links), SiteOptions(url_evidence=False)) if stub in site]

    assert HOMES[0] in home


def test_pages_of_a_site_are_one_site_though_only_some_pages_were_captured() -> None:
    """Nothing that the menus lead to was captured, and no page links another: a sample of details of each site."""
    links = {
        f"{home}item{number}": [f"{home}menu{item}" for item in range(8)]
        + [f"{home}other{number}", "http://ads.example/"]
        for home in HOMES
        for number in range(5)
    }

    found = sites_of(web(links), SiteOptions(url_evidence=False))

    assert sorted(map(sorted, found)) == sorted(sorted(f"{home}item{number}" for number in range(5)) for home in HOMES)


def test_two_manuals_side_by_side_are_two_sites() -> None:
    """One mentions the other's home page, and nobody has a page in the folder that holds both."""
    flask, jinja = "http://p.example/~dora/flask/", "http://p.example/~dora/jinja/"
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12).items()}
    links |= menu_site(flask, 20) | menu_site(jinja, 8)
    links[f"{flask}p3"] = [*links[f"{flask}p3"], jinja]

    assert not any({flask, jinja} <= site for site in sites_of(web(links)))


def test_the_home_page_of_a_shared_host_is_no_page_of_the_portal_that_lists_the_same() -> None:
    portal, hosting = "http://org.example/", "http://members.example/"
    members = [f"{hosting}~m{number}/" for number in range(8)]
    links = {page: targets for home in [*HOMES, *members] for page, targets in menu_site(home, 8).items()}
    links |= {f"{portal}p{number}": [f"{portal}p{other}" for other in range(5)] for number in range(5)}
    links[f"{portal}p0"] = [*links[f"{portal}p0"], *members, hosting]
    links[hosting] = [*members, f"{portal}p0"]

    assert {hosting} in sites_of(web(links))
    assert {hosting} not in sites_of(web(links), SiteOptions(url_evidence=False))


def test_a_home_page_holds_the_books_of_its_host_together() -> None:
    """The books do not link one another; where another page lists them, which is nobody's home, they stay apart."""
    books = [f"http://lang.example/book{number}/" for number in range(4)]

    def found(home: str) -> list[set[str]]:
        links = {page: targets for place in [*HOMES, *books] for page, targets in menu_site(place, 8).items()}
        titles = {page: "Lang" for place in books for page in menu_site(place, 8)} | {home: "Lang"}
        return sites_of(web({**links, home: books}, titles=titles))

    assert any({"http://lang.example/", *books} <= site for site in found("http://lang.example/"))
    assert not any(set(books) <= site for site in found("http://lang.example/other.html"))


def test_decks_that_look_and_are_called_the_same_are_parts_of_the_site_that_links_them() -> None:
    """One link leads to each and none back; with titles of their own they are sites that somebody links."""
    home, decks = "http://org.example/", [f"http://org.example/papers/talk{number}/" for number in range(4)]
    sites = {place: menu_site(place, 12) for place in [home, *decks]}
    links = {page: targets for site in sites.values() for page, targets in site.items()}
    links |= {page: targets for other in HOMES for page, targets in menu_site(other, 12).items()}
    links[f"{home}p3"] = [*links[f"{home}p3"], *decks]
    ways = one_template({deck: sites[deck] for deck in decks})

    def is_whole(title: str) -> bool:
        titles = {page: title.format(number) for number, deck in enumerate(decks) for page in sites[deck]}
        return any({home, *decks} <= site for site in sites_of(web(links, ways=ways, titles=titles)))

    assert is_whole("Slides")
    assert not is_whole("Talk{}")


def test_one_site_alone_is_one_site() -> None:
    """Its menu is on every page of the collection; three sections have local menus of their own."""
    home = "http://alone.example/"
    links = menu_site(home, 40)
    for section in ("a/", "b/", "c/"):
        links |= {page: [*targets, *menu_site(home, 6)] for page, targets in menu_site(home + section, 20).items()}
        links[f"{home}p2"] = [*links[f"{home}p2"], home + section]

    assert 1 == len(sites_of(web(links), SiteOptions(url_evidence=False)))


def test_no_rival_partition_is_worth_more() -> None:
    links = {page: targets for home in HOMES for page, targets in menu_site(home, 12, extra=HOMES[:6]).items()}
    evidence = web(links)
    found = find_boundaries(evidence)
    rng = np.random.default_rng(3)
    count = len(evidence)

    assert objective(found, found.site) == found.objective
    for rival in (np.arange(count), np.zeros(count, np.int64), rng.integers(0, 8, count), rng.integers(0, 2, count)):
        assert objective(found, rival) < found.objective


def test_one_page_is_one_site_and_no_page_is_none() -> None:
    assert [{"http://a.example/"}] == sites_of(web({"http://a.example/": []}))
    assert [] == sites_of(web({}))
