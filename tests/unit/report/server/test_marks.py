"""Menus are drawn around their own links."""

from sitestrata.page import read_page
from sitestrata.report.server.marks import places_of_leaves, places_of_links


def places(html: str, *labels: str) -> list[str]:
    facts = read_page(f"<html><body>{html}</body></html>".encode(), "https://page.example/")
    links = [node for node in facts.dom.find("a") if facts.dom.inner_text(node) in labels]
    return [facts.dom.tag_name(node) for node in places_of_links(facts, links)]


def test_links_of_one_list_are_drawn_as_the_list() -> None:
    html = "<main><ul><li><a href=1>a</a><li><a href=2>b</a><li><a href=3>c</a></ul><p><a href=4>d</a></main>"

    assert ["ul"] == places(html, "a", "b", "c")


def test_links_scattered_among_others_are_drawn_one_by_one() -> None:
    html = "<main>" + "".join(f"<p><a href={i}>{i}</a>" for i in range(9)) + "</main>"

    assert ["a", "a"] == places(html, "0", "8")


def test_a_single_link_is_drawn_by_itself() -> None:
    assert ["a"] == places("<main><a href=1>a</a><a href=2>b</a></main>", "a")
    assert [] == places("<p>x", "a")


def test_a_run_of_leaves_is_drawn_around_the_largest_elements_that_hold_nothing_else() -> None:
    html = "<div><h2>a</h2><ul><li>b<li>c</ul></div><p>d<b>e</b></p>"
    facts = read_page(f"<html><body>{html}</body></html>".encode(), "https://page.example/")

    def tags(first: int, end: int) -> list[str]:
        return [facts.dom.tag_name(node) or "text" for node in places_of_leaves(facts, first, end)]

    assert ["div"] == tags(0, 3)
    assert ["h2", "li"] == tags(0, 2)
    assert ["ul", "#text"] == tags(1, 4)
    assert ["div", "p"] == tags(0, 5)
