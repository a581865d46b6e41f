"""The entry page of a site: linked by its pages, called by others, first on the page, high up in the address."""

import numpy as np

from sitestrata.sites.entry import entry_pages
from support.menu_webs import menu_site, web

HOME = "http://a.example/"


def entry_of(links: dict[str, list[str]], **options: bool) -> str:
    evidence = web(links)
    (entry,) = entry_pages(evidence, np.zeros(len(evidence), np.int64), None, **options)
    return evidence.url[entry]


def test_the_page_at_the_top_of_the_address_wins_among_equals() -> None:
    assert HOME == entry_of(menu_site(HOME, 8))


def test_an_index_file_stands_for_its_folder() -> None:
    pages = [f"{HOME}{name}.html" for name in ("b", "index", "a")]

    assert f"{HOME}index.html" == entry_of({page: [other for other in pages if other != page] for page in pages})


def test_without_addresses_the_page_that_others_call_wins() -> None:
    links = menu_site(HOME, 8)
    other = {f"http://{name}.example/": [f"{HOME}p3"] for name in "bcd"}
    evidence = web({**links, **other})
    site = np.array([0 if url in links else 1 for url in evidence.url])

    entry = entry_pages(evidence, site, None, url_evidence=False)

    assert f"{HOME}p3" == evidence.url[entry[0]]


def test_the_first_link_of_the_pages_decides_between_pages_linked_alike() -> None:
    evidence = web(menu_site(HOME, 8))
    page = np.arange(len(evidence))
    favourite = evidence.url.index(f"{HOME}p5")
    first = (page[page != favourite], np.full(len(page) - 1, favourite))

    (entry,) = entry_pages(evidence, np.zeros(len(evidence), np.int64), first, url_evidence=False)

    assert favourite == entry


def test_no_pages_have_no_entry() -> None:
    assert 0 == len(entry_pages(web({}), np.zeros(0, np.int64)))


def test_a_page_that_sends_people_on_is_not_where_they_come_in() -> None:
    evidence = web(menu_site(HOME, 8))
    leads_to = np.arange(len(evidence))
    leads_to[evidence.url.index(HOME)] = evidence.url.index(f"{HOME}p2")

    (entry,) = entry_pages(evidence, np.zeros(len(evidence), np.int64), None, leads_to=leads_to)

    assert f"{HOME}p2" == evidence.url[entry]
