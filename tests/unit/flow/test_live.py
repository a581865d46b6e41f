"""A site found while it is crawled: order, stop, answer, resumption."""

import json
from collections import deque

import numpy as np
import pytest

from sitestrata.flow.live import LiveOptions, LiveSite, anchored_walk, judge
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
    x = anchored_walk(pages, ["a"])

    assert x["a"] > x["b"] > 0
    assert x["b"] > x["c"]
