"""MenuMiner 6.2-6.4: spread, joined page sets, inclusion, main menus, entry pages, compound documents."""

from sitestrata.menus.clique_finder import find_segment_cliques
from sitestrata.menus.local_graph import SegmentWeb
from sitestrata.menus.spread import SMenu, cliques_to_menus
from sitestrata.sites.paper import (
    PaperSite,
    compound_documents,
    entry_page,
    inclusion,
    main_menu_of,
    menus_to_sites,
)
from support.segment_webs import segment_web

NAV, SUB = "html/body/div#nav/ul", "html/body/div#sub/ul"


def site_with_sections() -> SegmentWeb:
    """Main menu 0-2 on pages 0-9; submenu 3-5 on pages 3-7; page 10 has no menu; 11-13 are another site."""
    segments: dict[int, list[list[int]]] = {page: [[0, 1, 2]] for page in range(10)}
    for page in range(3, 8):
        segments[page].append([3, 4, 5])
    segments[10] = [[0]]
    segments |= {page: [[11, 12, 13]] for page in (11, 12, 13)}
    paths = {(page, k): (NAV, SUB)[k] for page in segments for k in range(2)}
    return segment_web(segments, paths)


def menus_of(web: SegmentWeb) -> list[SMenu]:
    return cliques_to_menus(web, find_segment_cliques(web))


def test_menu_is_present_on_every_page_that_links_all_its_pages() -> None:
    menus = menus_of(site_with_sections())

    assert [(0, 1, 2), (3, 4, 5), (11, 12, 13)] == [menu.clique.pages for menu in menus]
    assert [tuple(range(10)), tuple(range(3, 8)), (11, 12, 13)] == [menu.pages for menu in menus]


def test_links_at_another_place_do_not_show_the_menu() -> None:
    segments = {page: [[0, 1, 2]] for page in range(3)} | {3: [[0, 1, 2]], 4: [[0, 1, 2]]}
    paths = {(page, 0): NAV for page in range(4)} | {(4, 0): "html/body/p"}
    (menu,) = menus_of(segment_web(segments, paths))

    assert (0, 1, 2, 3) == menu.pages


def test_overlapping_menus_are_one_site_and_pages_without_menu_one_cluster() -> None:
    web = site_with_sections()

    sites = menus_to_sites(web.page_count, menus_of(web))

    assert [
        PaperSite(tuple(range(10)), (0, 1)),
        PaperSite((11, 12, 13), (2,)),
        PaperSite((10,), ()),
    ] == sites


def test_inclusion_of_page_sets_is_the_hierarchy() -> None:
    assert {0: None, 1: 0, 2: None} == inclusion(menus_of(site_with_sections()))


def test_main_menu_is_on_most_pages_and_its_first_item_is_the_entry_page() -> None:
    web = site_with_sections()
    menus = menus_of(web)
    first, second, generic = menus_to_sites(web.page_count, menus)

    assert 0 == main_menu_of(first, menus)
    assert 2 == main_menu_of(second, menus)
    assert main_menu_of(generic, menus) is None
    assert 1 == entry_page(first, menus[0], [20, 1, 0, 2])


def test_of_menus_on_equally_many_pages_the_first_in_document_order_is_the_main_menu() -> None:
    segments = {page: [[3, 4, 5], [0, 1, 2]] for page in range(6)}
    web = segment_web(segments, {(page, k): (NAV, SUB)[k] for page in range(6) for k in range(2)})
    menus = menus_of(web)
    (site,) = menus_to_sites(web.page_count, menus)

    main = main_menu_of(site, menus)

    assert main is not None
    assert (3, 4, 5) == menus[main].clique.pages


def test_small_equal_page_sets_under_one_root_are_compound_documents() -> None:
    """Figure 12: documents of three sections, each with tabs that only these sections show."""
    segments: dict[int, list[list[int]]] = {page: [[0, 1, 2, 3]] for page in range(16)}
    for first in (4, 7, 10):
        for page in range(first, first + 3):
            segments[page].append([first, first + 1, first + 2])
    web = segment_web(segments, {(page, k): (NAV, SUB)[k] for page in segments for k in range(2)})
    menus = menus_of(web)

    documents = compound_documents(menus)

    assert [(4, 5, 6), (7, 8, 9), (10, 11, 12)] == [document.pages for document in documents]
    assert {(0, 1, 2, 3)} == {menus[document.root or 0].clique.pages for document in documents}


def two_sites_and_a_page_without_menu() -> dict[str, str]:
    from support.html_webs import menu

    pages: dict[str, str] = {}
    for host in ("a", "b"):
        items = {str(number): f"https://{host}.example/{number}" for number in range(4)}
        urls = [*items.values(), f"https://{host}.example/x", f"https://{host}.example/y"]
        pages |= {url: f"<body><div>{menu(items, here=url)}</div><p>text</p></body>" for url in urls}
    pages["https://c.example/"] = '<body><a href="https://a.example/x">x</a> <a href="https://b.example/x">y</a></body>'
    return pages


def test_pages_are_parted_by_their_menus_and_sites_go_by_their_entry_pages() -> None:
    from sitestrata.sites import SiteOptions, find_sites
    from sitestrata.urls import url_id
    from support.html_webs import HtmlWeb

    pages = two_sites_and_a_page_without_menu()

    made = find_sites(HtmlWeb(pages), SiteOptions(profile="paper"))

    places = {row["page_id"]: row for row in made["boundaries"].to_pylist()}
    for host in ("a", "b"):
        assert {(url_id(f"https://{host}.example/0"), "menus")} == {
            (places[url_id(url)]["site"], places[url_id(url)]["method"])
            for url in pages
            if url.startswith(f"https://{host}.")
        }
    assert (url_id("https://c.example/"), "generic") == (
        places[url_id("https://c.example/")]["site"],
        places[url_id("https://c.example/")]["method"],
    )
    assert [1, 6, 6] == sorted(site["pages"] for site in made["sites"].to_pylist())
