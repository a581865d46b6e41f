"""A site found while it is crawled: order, stop, answer, resumption."""

import json
from collections import deque

import numpy as np
import pytest

from sitestrata.flow.inside import Incidence, judge
from sitestrata.flow.live import LiveOptions, LiveSite
from sitestrata.flow.page_web import page_graph


def links_of(web) -> dict[str, list[str]]:
    graph = page_graph(web)
    return {url: [web.urls[v] for v in graph.neighbours(page).tolist()] for page, url in enumerate(web.urls)}


def crawl(site: LiveSite, links: dict[str, list[str]]) -> list[str]:
    fetched = []
    while (url := site.wanted()) is not None:
        fetched.append(url)
        site.observe(url, links.get(url))
    return fetched


def sisters(sites_web, sizes: list[int], **options):
    """Several sites as folders of one host, from one template."""
    return sites_web(sizes, hosts=[f"pages.example/~m{k}" for k in range(len(sizes))], **options)


@pytest.mark.parametrize("start", [0, 13])
def test_site_is_complete_and_little_else_is_fetched(sites_web, start: int) -> None:
    web, site = sites_web([40, 60, 50], bar=3, bridges=20)
    live = LiveSite([web.urls[start]])
    fetched = crawl(live, links_of(web))

    assert {web.urls[page] for page in np.flatnonzero(site == 0)} == set(live.answer()["inside"])
    assert len(fetched) <= 1.5 * 40


@pytest.mark.parametrize("start", [0, 13])
def test_without_addresses_no_foreign_page_is_taken_in(sites_web, start: int) -> None:
    """On pages with eight links the walk fades within the site: what it takes in is right, but not all."""
    web, site = sites_web([40, 60, 50], bridges=20)
    live = LiveSite([web.urls[start]], LiveOptions(use_urls=False))
    crawl(live, links_of(web))
    inside = {page for page, url in enumerate(web.urls) if url in set(live.answer()["inside"])}

    assert start in inside
    assert {0} == set(site[sorted(inside)].tolist())


def test_sister_site_on_the_same_host_is_not_swallowed(sites_web) -> None:
    web, site = sisters(sites_web, [30, 30, 30], bar=2, bridges=8)
    live = LiveSite([web.urls[5]])
    fetched = crawl(live, links_of(web))

    assert {web.urls[page] for page in np.flatnonzero(site == 0)} == set(live.answer()["inside"])
    assert len(fetched) <= 2 * 30


def test_fewer_fetches_than_breadth_first(sites_web) -> None:
    web, site = sites_web([40, 60, 50], bar=3, bridges=20)
    links = links_of(web)
    members = {web.urls[page] for page in np.flatnonzero(site == 0)}
    queue, seen = deque([web.urls[0]]), {web.urls[0]}
    breadth_first = []
    while not members <= set(breadth_first):
        breadth_first.append(queue.popleft())
        for url in links[breadth_first[-1]]:
            if url not in seen:
                seen.add(url)
                queue.append(url)
    ours = crawl(LiveSite([web.urls[0]]), links)

    assert max(ours.index(url) for url in members) <= len(breadth_first)


@pytest.mark.parametrize("use_urls", [True, False])
def test_online_answer_equals_offline_answer_on_the_same_pages(sites_web, use_urls: bool) -> None:
    web, _ = sites_web([40, 60, 50], bar=2, bridges=30)
    links = links_of(web)
    live = LiveSite([web.urls[45]], LiveOptions(use_urls=use_urls))
    fetched = crawl(live, links)
    shuffled = np.random.default_rng(1).permutation(sorted(fetched)).tolist()
    offline = judge([web.urls[45]], {url: links[url] for url in shuffled}, use_urls=use_urls)

    assert sorted(offline.inside) == live.answer()["inside"]


def test_state_survives_serialisation(sites_web) -> None:
    web, _ = sites_web([40, 60], bar=2, bridges=10)
    links = links_of(web)
    half = LiveSite([web.urls[0]], LiveOptions(max_pages=15))
    crawl(half, links)
    again = LiveSite.resume(json.loads(json.dumps(half.state())))
    whole = LiveSite([web.urls[0]])
    crawl(whole, links)
    crawl(again, links)

    assert whole.answer()["inside"] == again.answer()["inside"]


def test_budget_of_one_page_leaves_the_rest_unknown(sites_web) -> None:
    web, _ = sites_web([10, 10])
    live = LiveSite([web.urls[0]], LiveOptions(max_pages=1))

    assert [web.urls[0]] == crawl(live, links_of(web))
    assert [web.urls[0]] == live.answer()["inside"]
    assert live.answer()["unknown"]


def test_start_page_that_cannot_be_fetched_ends_the_crawl() -> None:
    live = LiveSite(["http://a.example/"])
    live.observe("http://a.example/", None)

    assert live.wanted() is None
    assert {"inside": [], "outside": [], "unknown": []} == live.answer()


def test_start_page_without_links_is_the_site() -> None:
    live = LiveSite(["http://a.example/"])
    live.observe("http://a.example/", [])

    assert live.wanted() is None
    assert ["http://a.example/"] == live.answer()["inside"]


def test_walk_follows_its_equations() -> None:
    pages = {"a": ["b", "t"], "b": ["a", "t"], "c": ["t"]}
    x = Incidence(pages).walk(["a"])

    assert x["a"] > x["b"] > 0
    assert x["b"] > x["c"]


def books(names: list[str], *, organisation: str = "") -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return links and titles of folders that only a contents page joins, each with a menu of its own."""
    links, titles = {}, {}
    contents = "http://a.example/"
    for name in names:
        pages = [f"{contents}{name}/p{number}" for number in range(12)]
        for page in pages:
            links[page] = [*pages, contents]
            titles[page] = f"{page[-3:]} - {name}{organisation}"
    links[contents] = [f"{contents}{name}/p{number}" for name in names for number in range(12)]
    titles[contents] = "Contents"
    return links, titles


def crawl_titled(site: LiveSite, links: dict[str, list[str]], titles: dict[str, str]) -> set[str]:
    while (url := site.wanted()) is not None:
        site.observe(url, links.get(url), title=titles.get(url, ""))
    return set(site.answer()["inside"])


def test_pages_that_carry_the_name_of_the_site_are_taken_in() -> None:
    links, titles = books(["one", "two", "three"])
    named = {url: title.rpartition(" - ")[0] + " - The Manual" for url, title in titles.items()}

    assert set(links) == crawl_titled(LiveSite(["http://a.example/one/p3"]), links, named)


def test_folders_with_a_name_of_their_own_are_not_joined_by_an_organisations_name() -> None:
    links, titles = books(["one", "two", "three"], organisation=" - The Organisation")
    inside = crawl_titled(LiveSite(["http://a.example/one/p3"]), links, titles)

    assert not any("/two/" in url or "/three/" in url for url in inside)
    assert 12 <= len(inside) <= 13


def test_redirected_address_stands_for_the_page_it_leads_to() -> None:
    live = LiveSite(["http://a.example/"])
    live.observe("http://a.example/", ["http://a.example/old", "http://a.example/b"])
    live.observe("http://a.example/old", ["http://a.example/"], address="http://a.example/new")
    live.observe("http://a.example/b", ["http://a.example/old", "http://a.example/"])

    assert live.wanted() is None
    assert ["http://a.example/", "http://a.example/b", "http://a.example/new"] == live.answer()["inside"]


def test_endings_that_were_never_a_page_are_left_alone() -> None:
    files = [f"http://a.example/{number}.zip" for number in range(9)]
    live = LiveSite(["http://a.example/"])
    live.observe("http://a.example/", files)
    asked = 0
    while (url := live.wanted()) is not None:
        asked += 1
        live.observe(url, None, is_page=False)

    assert 3 == asked


def test_sister_site_of_the_same_name_on_another_host_is_not_joined(sites_web) -> None:
    """Every page links both home pages and both sites call themselves the same; their menus differ."""
    web, site = sites_web([30, 30], bar=2, bridges=10)
    titles = {url: f"{url[-8:]} - One Name" for url in web.urls}
    inside = crawl_titled(LiveSite([web.urls[0]]), links_of(web), titles)

    assert {web.urls[page] for page in np.flatnonzero(site == 0)} == inside


def folder_pages(folder: str, count: int, *also: str) -> dict[str, list[str]]:
    """Pages of one folder that all link each other, and some other addresses."""
    urls = [f"http://a.example/{folder}{name}" for name in ("", *(f"p{i}" for i in range(count - 1)))]
    return {url: [*urls, *also] for url in urls}


def test_a_level_that_fails_does_not_hide_the_one_above() -> None:
    menu = [f"http://a.example/m{i}" for i in range(8)]
    links = folder_pages("x/y/", 6, *menu) | {url: [*menu, "http://a.example/x/y/"] for url in menu}
    alien = folder_pages("x/z/", 12)  # beside the start, under the same folder, with nothing in common
    links["http://a.example/x/y/"] += list(alien)
    links |= alien
    live = LiveSite(["http://a.example/x/y/"])
    crawl(live, links)

    assert set(menu) <= set(live.answer()["inside"])
    assert not set(alien) & set(live.answer()["inside"])


def test_a_part_with_its_own_menu_is_inside_if_the_rest_links_to_it() -> None:
    manual = folder_pages("manual/", 12, "http://a.example/")
    links = manual | folder_pages("", 10, "http://a.example/manual/")
    live = LiveSite(["http://a.example/manual/p3"])
    crawl(live, links)

    assert set(links) == set(live.answer()["inside"])


def test_a_bar_of_sister_sites_is_no_link_back() -> None:
    bar = [f"http://a.example/{name}/" for name in ("one", "two", "three")]
    sisters = {name: folder_pages(f"{name}/", 12, *bar) for name in ("one", "two", "three")}
    live = LiveSite(["http://a.example/one/p3"])
    crawl(live, {url: found for pages in sisters.values() for url, found in pages.items()})

    assert set(sisters["one"]) == set(live.answer()["inside"])


def test_a_page_without_links_is_found_in_the_list_of_its_folder() -> None:
    lone = "http://a.example/notes/deep/lone"
    links = folder_pages("notes/", 6, lone) | {lone: []}
    live = LiveSite([lone])
    crawl(live, links)

    assert set(links) == set(live.answer()["inside"])


def test_to_budget_the_search_goes_on_after_the_end() -> None:
    bar = ["http://a.example/one/", "http://a.example/two/", "http://a.example/three/"]
    links = {url: f for name in ("one", "two", "three") for url, f in folder_pages(f"{name}/", 12, *bar).items()}
    short = crawl(LiveSite(["http://a.example/one/p3"]), links)
    whole = crawl(LiveSite(["http://a.example/one/p3"], LiveOptions(to_budget=True)), links)

    assert set(links) == set(whole)
    assert len(short) < len(whole)
    assert short == whole[: len(short)]
