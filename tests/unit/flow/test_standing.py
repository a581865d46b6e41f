"""The verdict without addresses: parts of another name, pages without a name, pages without links."""

import pytest

from sitestrata.flow.inside import Incidence
from sitestrata.flow.live import LiveOptions, LiveSite
from sitestrata.flow.standing import Names, judge_by_standing, site_names, standing_by_name
from sitestrata.flow.titles import title_parts

Links = dict[str, list[str]]
HOME = "http://a.example/0"


def menu_site(name: str, count: int, *also: str) -> Links:
    """Pages that link a menu of their own, their neighbours, and some other addresses."""
    urls = [f"http://{name}.example/{i}" for i in range(count)]
    return {url: [*urls[:6], urls[i - 1], urls[(i + 1) % count], *also] for i, url in enumerate(urls)}


def called(pages: Links, name: str) -> dict[str, str]:
    """Titles of pages: a name of their own, and a shared one."""
    return {url: f"{url[7:]} - {name}" for url in pages}


def inside(pages: Links, titles: dict[str, str]) -> set[str]:
    return set(judge_by_standing([HOME], pages, {url: title_parts(title) for url, title in titles.items()}).inside)


def test_manual_called_after_the_site_is_inside_though_it_links_nothing_back() -> None:
    site, manual = menu_site("a", 30, "http://manual.example/0"), menu_site("manual", 20)
    titles = called(site, "Great Tool®") | called(manual, "Great Tool Manual 1.5")

    assert {*site, *manual} == inside(site | manual, titles)
    assert set(site) == inside(site | manual, called(site, "Great Tool®") | called(manual, "Greater Tool Manual"))


def test_sister_that_adds_to_the_name_beside_the_sites_menu_is_another_site() -> None:
    site = menu_site("a", 30, "http://north.example/0")
    north = menu_site("north", 20, *(f"http://a.example/{i}" for i in range(4)))

    assert set(site) == inside(site | north, called(site, "The Club") | called(north, "The Club North"))


def test_page_called_after_the_site_is_inside_unless_it_has_a_name_of_others_too() -> None:
    alone, other = "http://c.example/0", menu_site("other", 10)
    site = menu_site("a", 30, alone, "http://other.example/0")
    titles = called(site, "Great Tool") | called(other, "News") | {alone: "Great Tool Quick Start"}
    titles["http://other.example/0"] = "Great Tool released - News"

    assert {*site, alone} == inside(site | other | {alone: []}, titles)


def test_translations_that_answer_page_by_page_are_inside() -> None:
    """Both sides have menus and names of their own; each page links its translation."""
    english, french = menu_site("a", 30), menu_site("fr", 30)
    for one, other in zip(english, french, strict=True):
        english[one].append(other)
        french[other].append(one)
    titles = called(english, "The Server") | called(french, "Le serveur")

    assert {*english, *french} == inside(english | french, titles)


@pytest.mark.parametrize(("linked", "is_inside"), [(1, False), (4, True)])
def test_part_with_a_piece_of_the_name_is_inside_if_more_than_its_home_page_is_linked(
    linked: int, is_inside: bool
) -> None:
    site = menu_site("a", 30, *(f"http://b.example/{i}" for i in range(linked)))
    part = menu_site("b", 20, HOME)

    found = inside(site | part, called(site, "Great Tool") | called(part, "Tool"))

    assert (set(part) <= found) == is_inside
    assert set(site) <= found


def foreign_bar(site: Links, count: int = 12) -> Links:
    """A foreign site that each page of a site links, and that links the site's home page."""
    foreign = menu_site("org", count, HOME)
    for links in site.values():
        links += list(foreign)[:6]
    return foreign


def test_pages_without_a_name_that_answer_in_numbers_are_inside() -> None:
    """Guides that carry no name, behind the pages of an organisation's bar; and a sister that answers with its home."""
    named, guides, sister = menu_site("a", 30), menu_site("guide", 20, HOME), menu_site("sister", 20, HOME)
    named[HOME] += [*list(guides)[:8], "http://sister.example/0"]
    foreign = foreign_bar(named | guides)
    titles = {url: title_parts(title) for url, title in (called(named, "Tool") | called(foreign, "Other")).items()}
    groups = ((named, 1.0), (foreign, 0.9), (guides, 0.8), (sister, 0.7))
    standing = {url: value for pages, value in groups for url in pages}
    names = Names(frozenset(["tool"]), frozenset(["other"]))

    found = judge_by_standing([HOME], named | guides | sister | foreign, titles, standing=standing, names=names).inside

    assert {*named, *guides} <= found
    assert found.isdisjoint(foreign)
    assert found.isdisjoint(sister)


def test_what_strange_pages_link_too_is_not_promising() -> None:
    site = menu_site("a", 30, "http://unseen.example/bar")
    foreign = {url: [*links, "http://unseen.example/bar"] for url, links in foreign_bar(site).items()}
    site["http://a.example/7"].append("http://unseen.example/own")
    titles = {url: title_parts(title) for url, title in (called(site, "Site") | called(foreign, "Other")).items()}
    pages = site | foreign
    incidence = Incidence(pages)
    standing = incidence.standing([HOME])
    names = site_names([HOME], pages, standing, titles)

    promise = incidence.promise(standing_by_name([HOME], standing, names, titles))

    assert promise["http://unseen.example/own"] > 0
    assert promise["http://unseen.example/bar"] < 0.1 * promise["http://unseen.example/own"]


def test_pages_that_lead_nowhere_go_with_those_that_link_them() -> None:
    site, foreign = menu_site("a", 30, "http://b.example/0", "http://c.example/1"), menu_site("b", 20)
    site["http://a.example/7"].append("http://c.example/0")
    for links in foreign.values():
        links.append("http://d.example/0")
    pages = site | foreign | {"http://c.example/0": [], "http://c.example/1": ["http://dead.example/"]}
    pages["http://d.example/0"] = []

    found = judge_by_standing([HOME], pages, dead=frozenset(["http://dead.example/"])).inside

    assert {*site, "http://c.example/0", "http://c.example/1"} == found


@pytest.mark.parametrize(("name", "is_inside"), [("Other", False), ("Tool index", True)])
def test_without_a_name_of_its_own_names_far_below_are_strange_unless_the_start_page_takes_them_up(
    name: str, is_inside: bool
) -> None:
    site, other = menu_site("a", 30), menu_site("b", 20, HOME)
    titles = {HOME: title_parts("Tool - Home")} | {
        url: title_parts(title) for url, title in called(other, name).items()
    }
    standing = dict.fromkeys(site, 1.0) | dict.fromkeys(other, 0.3)

    found = judge_by_standing([HOME], site | other, titles, standing=standing).inside

    assert found == ({*site, *other} if is_inside else set(site))


def test_small_site_ends_before_forty_pages_where_most_of_them_are_inside() -> None:
    site, foreign = menu_site("a", 16, *(f"http://b.example/{k}" for k in range(6))), menu_site("b", 60)
    titles = called(site, "Site") | called(foreign, "Other")
    live = LiveSite([HOME], LiveOptions(use_urls=False))
    pages, fetched = site | foreign, 0
    while (url := live.wanted()) is not None:
        fetched += url in pages
        live.observe(url, pages.get(url), title=titles[url])

    assert set(site) == set(live.answer()["inside"])
    assert fetched <= 16 + 12
