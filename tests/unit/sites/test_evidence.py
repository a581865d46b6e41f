"""What pages carry, in an order that does not change from run to run."""

import pytest

from sitestrata.model import Menu, MenuPage, table_from_records
from sitestrata.sites.evidence import read_evidence
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb

WORDS = ["oscar", "lima", "kilo", "golf", "juliet", "papa", "echo", "india", "quebec", "hotel", "romeo", "mike"]


def test_words_of_a_title_are_numbered_in_order() -> None:
    """Sums over words are taken in this order, and sums of floats depend on it; that of a set changes."""
    urls = sorted((f"http://a.example/{number}" for number in range(len(WORDS) + 1)), key=url_id)
    titles = [" ".join(WORDS), *sorted(WORDS)]  # the first page numbers all words, the others have one each

    pages = {url: f"<title>{title}</title>" for url, title in zip(urls, titles, strict=True)}
    words = read_evidence(HtmlWeb(pages)).title_words

    assert list(range(len(WORDS))) == words.indices[words.indptr[1] :].tolist()


@pytest.mark.parametrize(("role", "links"), [("organisation", [("a", "c")]), ("main", [("a", "b"), ("a", "c")])])
def test_links_of_an_organisations_bar_tie_no_pages(role: str, links: list[tuple[str, str]]) -> None:
    a, b, c = (f"http://{name}.example/" for name in "abc")
    web = HtmlWeb({a: f'<ul><li><a href="{b}">B</a></ul><p><a href="{c}">C</a>', b: "", c: ""})
    found = Menu(1, role, 1.0, "repeat", "", None, 1, 1, (), 0.0, 1.0, 0.0, None, "")
    web.tables["menus"] = table_from_records("menus", [found])
    web.tables["menu_pages"] = table_from_records("menu_pages", [MenuPage(url_id(a), 1, url_id(a), (0,), (0,), None)])

    evidence = read_evidence(web)

    pairs = {(evidence.url[i], evidence.url[j]) for i, j in zip(evidence.source, evidence.target, strict=True)}
    assert {(f"http://{one}.example/", f"http://{other}.example/") for one, other in links} == pairs


def test_a_frame_is_tied_to_the_frameset_around_it() -> None:
    home, part = "http://a.example/", "http://a.example/part"
    evidence = read_evidence(HtmlWeb({home: f'<frameset><frame src="{part}"></frameset>', part: "<p>-"}))

    pairs = {(evidence.url[i], evidence.url[j]) for i, j in zip(evidence.source, evidence.target, strict=True)}

    assert {(home, part), (part, home)} == pairs


def test_what_most_pages_link_and_nobody_captured_is_no_fixture() -> None:
    urls = [f"http://a.example/{name}" for name in "abcd"]
    menu = "".join(f'<li><a href="{url}">x</a>' for url in urls)
    notice = '<div><a href="https://consent.example/">why</a></div>'

    plain, asking, some = (
        read_evidence(HtmlWeb({url: f"<ul>{menu}</ul>{notice if url in who else ''}" for url in urls})).fixtures
        for who in ([], urls, urls[:2])
    )

    assert plain.way_of_link.tolist() == asking.way_of_link.tolist()
    assert len(plain.way_of_link) + 1 == len(some.way_of_link)
