"""What the entry page of a site lists, where no menu does."""

from dataclasses import replace

import numpy as np

from sitestrata.menus import main_menus
from sitestrata.menus.front_page import FrontLink, FrontPage, contents_of, read_front_pages
from sitestrata.model import TABLES
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb, menu

Tree = list["int | Tree"]


def front(tree: Tree) -> FrontPage:
    """Make a page of nested lists: a number is a link to that page."""
    links: list[FrontLink] = []
    segments: dict[int, tuple[int, int]] = {}
    node = 0

    def walk(some: Tree, parent: int) -> None:
        nonlocal node
        node += 1
        segment = len(segments)
        segments[segment] = (parent, node)
        for child in some:
            if isinstance(child, int):
                node += 1
                links.append(FrontLink(node, segment, child, f"http://h/{child}", str(child)))
            else:
                walk(child, segment)

    walk(tree, -1)
    return FrontPage(tuple(links), segments)


def contents(tree: Tree, own: range = range(100)) -> list[int]:
    return [link.target for link in contents_of(front(tree), frozenset(own))]


def test_chapters_count_and_not_their_sections() -> None:
    assert [1, 2, 3, 4] == contents([[90], [1, [11, 12, 13], 2, [21, 22, 23, 24, 25, 26, 27, 28], 3, 4]])


def test_one_list_behind_a_link_is_not_below_it() -> None:
    """A legal notice before the list of chapters is no chapter with sections."""
    assert [1, 2, 3, 4, 5, 6] == contents([90, [1, 2, 3, 4, 5, 6]])


def test_two_chapters_with_lists_are_an_outer_list() -> None:
    assert [1, 2, 3] == contents([1, [11, 12, 13], 2, [21, 22, 23], [3]])


def test_legal_notes_are_no_contents_beside_a_list_of_three() -> None:
    assert [1, 2, 3] == contents([[90, 91], [1, [11, 12, 13], 2, [21, 22, 23], 3, [31, 32]]])


def test_the_longest_of_several_sections_is_not_the_contents() -> None:
    whole = front([[1, 2, 3], [4, 5, 6], list(range(10, 40))])
    lists = replace(whole, paths=dict.fromkeys((1, 2, 3), "body/div.section"))
    own = frozenset(range(100))

    assert 36 == len(contents_of(lists, own))
    assert 30 == len(contents_of(replace(whole, paths={1: "body/ul", 2: "body/p", 3: "body/div"}), own))


def test_links_in_sentences_and_to_figures_are_no_contents_beside_a_list() -> None:
    chapters = "".join(f'<li><a href="{name}.html">Chapter {name}</a></li>' for name in "abcdef")
    figures = "".join(f'<li><a href="f{k}.html#x">Figure {k}</a></li>' for k in range(9))
    page = (
        '<p>It was written with <a href="https://x.example/">X</a>, and <a href="g.html">G</a> and <a href="a.html">A'
        f"</a> too.</p><div><ul>{chapters}</ul></div><div><ul>{figures}</ul></div>"
    )
    names = [*"abcdefg", *(f"f{k}" for k in range(9))]
    web = HtmlWeb({"http://a.example/": page, **{f"http://a.example/{name}.html": "x" for name in names}})
    home, own = url_id("http://a.example/"), frozenset(url_id(f"http://a.example/{name}.html") for name in names)

    found = contents_of(read_front_pages(web, [home])[home], own)

    assert [f"Chapter {name}" for name in "abcdef"] == [link.label for link in found]


def test_links_to_other_hosts_before_the_contents_are_none_of_them() -> None:
    whole = front([500, 501, 1, 2, 3, 502, 4])
    links = [replace(link, url=f"http://other/{link.target}") if link.target >= 500 else link for link in whole.links]
    found = contents_of(replace(whole, links=tuple(links)), frozenset(range(100)))

    assert [1, 2, 3, 502, 4] == [link.target for link in found]


def test_second_list_of_chapters_belongs_to_the_contents() -> None:
    first: Tree = [1, [11, 12, 13, 14], 2, [21, 22, 23, 24], 3, [31, 32, 33]]
    assert [1, 2, 3, 4, 5, 6, 7] == contents([first, [4, 5, 6, 7]])


def test_entry_with_a_list_of_one_counts_by_its_head() -> None:
    page = front([1, [11, 12], 2, [21, 22], [3, 31], 4])
    lists = dict.fromkeys(page.segments, "html/body/ul/li/ul")
    items = replace(page, paths={**lists, 3: "html/body/ul/li"})

    assert [1, 2, 3, 4] == [link.target for link in contents_of(items, frozenset(range(100)))]
    assert [1, 2, 3, 31, 4] == [link.target for link in contents_of(replace(page, paths=lists), frozenset(range(100)))]


def test_links_in_running_text_are_no_entries_beside_a_list() -> None:
    home, chapters = "http://a.example/", {name: f"http://a.example/{name}" for name in "bcde"}
    text = "A sentence that is long enough to be told from what describes an entry in a list of entries, at any rate. "
    body = f"<div><p>{text}<a href=/f>F</a> {text}</p><p>{text} <a href=/g>G</a></p><p>{text}</p>{menu(chapters)}</div>"
    own = frozenset(url_id(f"http://a.example/{name}") for name in "bcdefg")
    (page,) = read_front_pages(HtmlWeb({home: body}), [url_id(home)]).values()

    assert [url_id(url) for url in chapters.values()] == [link.target for link in contents_of(page, own)]


def test_a_sentence_may_name_another_site_which_is_no_entry() -> None:
    home, chapters = "http://a.example/", {name: f"http://a.example/{name}" for name in "bcde"}
    away = "http://z.example/"
    text = "Written by the people of the whole "
    own = np.array(sorted(url_id(url) for url in [home, *chapters.values()]), np.int64)

    def found(body: str) -> list[str | None]:
        fronts = read_front_pages(HtmlWeb({home: body}), [url_id(home)])
        none = {name: TABLES[name].schema.empty_table() for name in ("menus", "menu_items", "menu_pages")}
        items = main_menus(own, np.zeros(len(own), np.int64), {0: url_id(home)}, **none, fronts=fronts)
        return [item.url for item in items]

    assert list(chapters.values()) == found(f"<div><p>{text}<a href={away}>Z</a> {text}</p>{menu(chapters)}</div>")
    assert [*chapters.values(), away] == found(f"<div>{menu({**chapters, 'Z': away})}</div>")


def test_boxes_side_by_side_are_one_list() -> None:
    assert [1, 2, 3, 4, 5, 6] == contents([[[1, 2, 3], [4, 5, 6]], [1]])


def test_targets_count_once() -> None:
    assert [1, 2, 3] == contents([1, 1, 2, 2, 3, 1])


def test_links_out_of_the_site_stay_in_a_list_that_leads_into_it() -> None:
    assert [1, 2, 200, 3] == contents([1, 2, 200, 3])


def test_list_of_other_sites_is_no_contents() -> None:
    assert [] == contents([1, 2, 3, 201, 202, 203, 204])
    assert [] == contents([1, 2, 201])


def test_deep_nesting_ends() -> None:
    tree: Tree = [1, 2, 3]
    for _ in range(300):
        tree = [tree]

    assert [1, 2, 3] == contents(tree)


def test_a_frameset_has_the_contents_of_the_frame_that_leads_into_the_site() -> None:
    text, column = front([1, 2, 3, 4, 500, 501, 502]), front([5, 6, 7])

    found = contents_of(FrontPage((), {}, frames=(text, column)), frozenset(range(100)))

    assert [5, 6, 7] == [link.target for link in found]
    assert [] == contents_of(FrontPage((), {}, frames=(front([500, 501, 502]),)), frozenset(range(100)))


def test_frames_inside_a_page_count_where_it_has_no_links_of_its_own() -> None:
    home, film = "http://a.example/", "http://a.example/film"
    chapters = {name: f"http://a.example/{name}" for name in "bcd"}
    frame = '<iframe src="/film"></iframe>'
    own = frozenset(url_id(url) for url in chapters.values())

    for body, expected in ((frame, sorted(own)), (frame + menu({"B": "/b", "C": "/c"}), [])):
        reader = HtmlWeb({home: body, film: menu(chapters), **dict.fromkeys(chapters.values(), "")})
        (front,) = read_front_pages(reader, [url_id(home)]).values()
        assert expected == sorted(link.target for link in contents_of(front, own))


def test_a_column_is_of_boxes_of_one_shape_with_no_link_among_them() -> None:
    home = "http://a.example/"
    boxes = [f"<tr><td>{menu({name: f'/{name}' for name in names})}</td></tr>" for names in ("bcd", "efg")]

    def columns(body: str) -> set[frozenset[int]]:
        (front,) = read_front_pages(HtmlWeb({home: body}), [url_id(home)]).values()
        return {column for column in front.columns.values() if len(column) > 1}

    assert [2] == [len(column) for column in columns(f"<table>{''.join(boxes)}</table><p><a href=/x>X</a></p>")]
    assert not columns(f"<table><tr><td><a href=/>Home</a></td></tr>{''.join(boxes)}</table><p><a href=/x>X</a></p>")
    assert not columns(f"<table>{boxes[0]}</table><div>{menu({'e': '/e', 'f': '/f'})}</div>")
