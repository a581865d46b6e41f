"""A site found while it is crawled: order, stop, answer, resumption."""

import json
from collections import deque

import numpy as np
import pytest

from sitestrata.flow.inside import Incidence, judge
from sitestrata.flow.live import LiveOptions, LiveSite
from sitestrata.flow.page_web import page_graph
from sitestrata.flow.standing import judge_by_standing
from sitestrata.flow.titles import title_parts


def links_of(web) -> dict[str, list[str]]:
    graph = page_graph(web)
    return {url: [web.urls[v] for v in graph.neighbours(page).tolist()] for page, url in enumerate(web.urls)}


def crawl(site: LiveSite, links: dict[str, list[str]], titles: dict[str, str] | None = None) -> list[str]:
    fetched = []
    while (url := site.wanted()) is not None:
        fetched.append(url)
        site.observe(url, links.get(url), title=(titles or {}).get(url, ""))
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
    """On pages with eight links and no menu the walk fades within the site: what it takes in is right, but not all."""
    web, site = sites_web([40, 60, 50], bridges=20)
    live = LiveSite([web.urls[start]], LiveOptions(use_urls=False))
    crawl(live, links_of(web))
    inside = {page for page, url in enumerate(web.urls) if url in set(live.answer()["inside"])}

    assert start in inside
    assert {0} == set(site[sorted(inside)].tolist())


def menu_site(name: str, count: int, *also: str) -> dict[str, list[str]]:
    """Pages that link a menu of their own, their neighbours, and some other addresses."""
    urls = [f"http://{name}.example/{i}" for i in range(count)]
    return {url: [*urls[:6], urls[i - 1], urls[(i + 1) % count], *also] for i, url in enumerate(urls)}


def test_without_addresses_a_bar_neither_ends_the_search_nor_joins_its_sites() -> None:
    bar = [f"http://org.example/{i}" for i in range(20, 26)]
    links = menu_site("a", 60, *bar) | menu_site("b", 40, *bar) | menu_site("org", 40, "http://b.example/0")
    live = LiveSite(["http://a.example/0"], LiveOptions(use_urls=False))
    fetched = crawl(live, links)

    assert {f"http://a.example/{i}" for i in range(60)} == set(live.answer()["inside"])
    assert len(fetched) < 100


def test_without_addresses_a_large_site_whose_menu_is_shown_is_not_taken_in() -> None:
    """A small site carries the menu of a large one, which resembles it, but does not answer."""
    large = menu_site("large", 60)
    small = menu_site("small", 30, *(f"http://large.example/{i}" for i in range(6)))
    live = LiveSite(["http://small.example/0"], LiveOptions(use_urls=False))
    crawl(live, small | large)

    assert set(small) == set(live.answer()["inside"])


def test_without_addresses_the_name_in_titles_tells_sites_of_one_menu_apart() -> None:
    red = menu_site("red", 60, *(f"http://blue.example/{i}" for i in range(6)))
    blue = menu_site("blue", 80, *(f"http://red.example/{i}" for i in range(4)))
    titles = {url: f"{url[-2:]} - Red" for url in red} | {url: f"{url[-2:]} - Blue" for url in blue}
    live = LiveSite(["http://red.example/30"], LiveOptions(use_urls=False))
    crawl(live, red | blue, titles)

    assert set(red) == set(live.answer()["inside"])


def test_without_addresses_a_name_that_departments_share_is_none_of_theirs() -> None:
    """Each page is called after itself, its department and the university."""
    bar = [f"http://{name}.example/{i}" for name in ("law", "art") for i in range(3)]
    law, art = menu_site("law", 60, *bar), menu_site("art", 80, *bar)
    titles = {url: f"{url[-2:]} | Law | University" for url in law} | {
        url: f"{url[-2:]} | Art | University" for url in art
    }
    live = LiveSite(["http://law.example/30"], LiveOptions(use_urls=False))
    crawl(live, law | art, titles)

    assert set(law) == set(live.answer()["inside"])


def test_without_addresses_an_archive_of_another_make_is_found_by_the_name() -> None:
    """Old pages answer only one another; foreign pages that others link come first otherwise."""
    site = menu_site("a", 60, "http://old.example/0")
    old = menu_site("old", 40)
    foreign = {f"http://other{i}.example/0": [f"http://other{i}.example/1"] for i in range(60)}
    for url, other in zip(list(site), foreign, strict=True):
        site[url].append(other)
    titles = {url: f"{url[-2:]} - The Site" for url in (*site, *old)}
    live = LiveSite(["http://a.example/0"], LiveOptions(use_urls=False))
    crawl(live, site | old | foreign, titles)

    assert {*site, *old} <= set(live.answer()["inside"])


def test_without_addresses_pages_that_cannot_answer_yet_do_not_end_the_search() -> None:
    """A list of pages that link only pages which come later in the list."""
    urls = [f"http://a.example/{i}" for i in range(120)]
    links = {url: [f"http://a.example/{60 + i % 60}"] for i, url in enumerate(urls[:60])} | {
        url: [] for url in urls[60:]
    }
    links["http://a.example/"] = urls
    live = LiveSite(["http://a.example/"], LiveOptions(use_urls=False))

    assert set(links) == set(crawl(live, links))


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
    pages = {url: links[url] for url in shuffled}
    starts = [web.urls[45]]
    offline = judge(starts, pages) if use_urls else judge_by_standing(starts, pages, dead=frozenset())

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


def test_to_budget_without_addresses_the_search_goes_on_after_the_end() -> None:
    links = folder_pages("one/", 60) | folder_pages("two/", 80)
    links["http://a.example/one/p20"].append("http://a.example/two/")
    live = LiveSite(["http://a.example/one/"], LiveOptions(use_urls=False))
    short = crawl(live, links)
    live.options = LiveOptions(use_urls=False, to_budget=True)
    more = crawl(live, links)

    assert len(short) < 80
    assert set(links) == {*short, *more}


def test_without_addresses_a_chain_of_pages_is_followed_to_its_end() -> None:
    chain = [f"http://a.example/{i}" for i in range(60)]
    links = {url: [chain[max(i - 1, 0)], chain[min(i + 1, 59)], chain[0]] for i, url in enumerate(chain)}
    live = LiveSite([chain[0]], LiveOptions(use_urls=False, to_budget=True))

    assert set(chain) == set(crawl(live, links))


def test_without_addresses_dead_links_end_the_search_and_a_resumed_one_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty pages are too few to be a site by themselves, and one links a thousand that nobody answers for."""
    monkeypatch.setattr("sitestrata.flow.live.PATIENCE", 100)
    links = menu_site("a", 20)
    pages = set(links)
    links["http://a.example/7"] += [f"http://gone.example/{i}" for i in range(1000)]
    whole, half = (LiveSite(["http://a.example/0"], LiveOptions(max_pages=most, use_urls=False)) for most in (None, 60))
    fetched = crawl(whole, links)
    first = crawl(half, links)
    again = LiveSite.resume(json.loads(json.dumps(half.state())), LiveOptions(use_urls=False))

    assert pages == set(whole.answer()["inside"])
    assert len(fetched) < 150
    assert len(fetched) == len([*first, *crawl(again, links)])


def test_sister_site_that_calls_itself_otherwise_is_not_reached_by_a_bar() -> None:
    """Two small sites of one template on one host: most of what their pages link is the organisation's."""
    bar = [f"http://a.example/{i}" for i in range(9)]
    pages = {name: folder_pages(f"groups/{name}/", 12, *bar) for name in ("north", "south")}
    links = pages["north"] | pages["south"] | folder_pages("", 10, *bar, "http://a.example/groups/south/")
    titles = {url: f"{url[-3:]} | {name}" for name, found in pages.items() for url in found}
    titles |= {url: f"{url[-3:]} | Everybody" for url in links if "/groups/" not in url}

    assert set(pages["north"]) == crawl_titled(LiveSite(["http://a.example/groups/north/p3"]), links, titles)


def test_sister_site_with_the_menu_of_a_large_site_beside_its_own_is_not_joined_to_it() -> None:
    menu = [f"http://a.example/{i}/" for i in range(9)]
    small = folder_pages("groups/north/", 12, *menu)
    large = {url: found for i in range(9) for url, found in folder_pages(f"{i}/", 10, *menu).items()}
    links = small | large
    links[menu[0]] += ["http://a.example/groups/north/"]  # a list of all groups

    live = LiveSite(["http://a.example/groups/north/p3"])
    fetched = crawl(live, links)

    assert set(small) == set(live.answer()["inside"])
    assert len(fetched) < 3 * len(small)


def test_home_pages_that_carry_the_name_outweigh_a_large_folder_that_does_not() -> None:
    menu = [f"http://a.example/m{i}" for i in range(4)]
    news = folder_pages("news/", 12, *menu)
    manual = folder_pages("manual/", 30)
    links = news | {url: [*menu, *manual] for url in menu} | manual
    titles = {url: f"{url[-3:]} - Name" for url in (*news, *menu)} | {url: f"Chapter {url[-2:]}" for url in manual}
    inside = crawl_titled(LiveSite(["http://a.example/news/p3"]), links, titles)

    assert {*news, *menu} <= inside


def two_hosts() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Parts on two hosts that link one table of contents, which links them all; nothing else ties the hosts."""
    contents = "http://one.example/contents"
    parts = [
        [f"http://{host}.example/{part}/p{i}" for i in range(6)]
        for host in ("one", "two")
        for part in "abcdefghijklmno"
    ]
    links = {url: [*part, contents] for part in parts for url in part}
    links[contents] = [url for part in parts for url in part]
    return links, {url: f"{url[-4:]} -- The Manual" for url in links}


@pytest.mark.parametrize("start", ["http://one.example/a/p3", "http://two.example/c/p2"])
def test_second_host_is_found_through_the_table_of_contents(start: str) -> None:
    links, titles = two_hosts()

    assert set(links) == crawl_titled(LiveSite([start]), links, titles)


def test_first_pages_title_is_told_from_the_sites_name_by_the_others() -> None:
    parts = [f"http://a.example/{name}/guide" for name in ("one", "two", "three", "four")]
    links = {url: ["http://a.example/"] for url in parts} | {"http://a.example/": parts}
    titles = {url: f"The Manual -- {url[17:20]}" for url in links}

    assert set(links) == crawl_titled(LiveSite([parts[0]]), links, titles)


def test_portal_that_was_found_by_its_address_is_not_explored() -> None:
    manuals = {name: folder_pages(f"{name}/", 12) for name in ("one", "two", "three", "four")}
    links = {url: found for pages in manuals.values() for url, found in pages.items()}
    links["http://a.example/"] = [f"http://a.example/{name}/" for name in manuals]
    live = LiveSite(["http://a.example/one/p3"])
    fetched = crawl(live, links)

    assert set(manuals["one"]) == set(live.answer()["inside"])
    assert len(fetched) <= 12 + 1 + 8


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Manual -- ssl_session_cache", {"manual", "ssl_session_cache"}),
        ("Sorter (The Library 3.5 API)", {"sorter", "the library 3.5 api"}),
        ("标题_网站", {"标题", "网站"}),
    ],
)
def test_titles_are_cut_between_names_not_within(title: str, parts: set[str]) -> None:
    assert parts == title_parts(title)
