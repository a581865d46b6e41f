"""The entry page of a site: linked by its pages, called by others, first on the page, high up in the address."""

import numpy as np
import pyarrow as pa

from sitestrata.model import Alias, table_from_records
from sitestrata.sites.entry import entry_pages, read_doors
from sitestrata.sites.evidence import read_evidence
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb
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


def test_a_cover_that_no_page_links_is_where_people_come_in() -> None:
    """Manuals link their alphabetical index from every page, first of all, and the cover from none."""
    pages = [f"{HOME}{name}" for name in ("_index.html", "a.html", "b.html", "c.html", "d.html")]
    evidence = web(
        {f"{HOME}index.html": pages, **{page: [other for other in pages if other != page] for page in pages}}
    )
    favourite = evidence.url.index(pages[0])
    others = np.flatnonzero(np.arange(len(evidence)) != favourite)

    (entry,) = entry_pages(evidence, np.zeros(len(evidence), np.int64), (others, np.full(len(others), favourite)))

    assert f"{HOME}index.html" == evidence.url[entry]


def test_the_home_page_of_the_host_is_the_entry_page_even_if_all_link_a_section() -> None:
    pages = [f"{HOME}docs/", *(f"{HOME}docs/{name}.html" for name in "abcde")]
    links = {page: [other for other in pages if other != page] for page in pages}
    evidence = web({HOME: pages, **links})
    section = evidence.url.index(pages[0])
    others = np.flatnonzero(np.arange(len(evidence)) != section)

    (entry,) = entry_pages(evidence, np.zeros(len(evidence), np.int64), (others, np.full(len(others), section)))

    assert HOME == evidence.url[entry]


def test_an_index_in_capitals_is_a_list_where_the_folder_has_its_page() -> None:
    pages = [f"{HOME}{name}.html" for name in ("Index", "a", "b", "c")]
    links = {page: [other for other in pages if other != page] for page in pages}

    assert f"{HOME}index.html" == entry_of({**links, f"{HOME}index.html": pages})
    assert f"{HOME}Index.html" == entry_of(links)


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


def test_the_page_that_the_server_sends_people_to_is_where_they_come_in() -> None:
    pages = [f"{HOME}en/{name}.html" for name in ("cpp", "front", "a", "b", "c")]
    links = {page: [other for other in pages if other not in (page, pages[1])] for page in pages}
    evidence = web(links)
    front = evidence.url.index(pages[1])
    site = np.zeros(len(evidence), np.int64)
    doors = np.array([front]), [HOME]

    assert front != entry_pages(evidence, site)[0]
    assert front == entry_pages(evidence, site, doors=doors)[0]
    assert front != entry_pages(evidence, site, doors=doors, url_evidence=False)[0]


def test_only_folders_that_hold_the_page_are_its_doors() -> None:
    page, elsewhere = f"{HOME}en/index.html", "http://old.example/"
    reader = HtmlWeb({page: '<a href="a.html">A</a>', f"{HOME}en/a.html": '<a href="index.html">Home</a>'})
    sent = [Alias(url_id(url), url, url_id(page), page, ("redirect",), True) for url in (HOME, elsewhere)]
    reader.tables["aliases"] = pa.concat_tables([reader.tables["aliases"], table_from_records("aliases", sent)])
    evidence = read_evidence(reader)

    doors = read_doors(reader, evidence)

    assert ([evidence.url.index(page)], [HOME]) == (doors[0].tolist(), doors[1])
