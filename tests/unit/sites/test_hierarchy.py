"""The hierarchy of a site: one tree over all pages, from whatever evidence the pages give."""

import random
from collections.abc import Iterable

import numpy as np
import pytest

from sitestrata.sites.hierarchy import find_tree, tree_to_places
from sitestrata.sites.site_web import tables_to_site
from sitestrata.sites.votes import HierarchyOptions
from sitestrata.urls import url_id
from support.html_site import BASE, links, parents, parents_of, site_tables, site_web

MENU = links("", "a", "b", "c")


def test_pages_of_the_main_menu_hang_below_the_entry_page() -> None:
    pages = dict.fromkeys(("", "a", "b", "c"), MENU)

    assert {"a": "", "b": "", "c": ""} == parents(pages)


def test_nested_contents_decide_whatever_the_pages_link() -> None:
    contents = (
        "<ul><li><a href=/one>1</a><ul><li><a href=/one-a>x</a></li><li><a href=/one-b>y</a></li></ul></li>"
        "<li><a href=/two>2</a><ul><li><a href=/two-a>z</a></li><li><a href=/two-b>w</a></li></ul></li></ul>"
    )
    others = dict.fromkeys(("one", "one-a", "one-b", "two", "two-a", "two-b"), "<a href=/>home</a>")

    found = parents({"": contents, **others})

    assert {"one": "", "two": "", "one-a": "one", "one-b": "one", "two-a": "two", "two-b": "two"} == found


def test_classes_of_items_and_links_do_not_tear_a_list_apart() -> None:
    """Odd and even, first and last, the current one: what is said of an item is not where it stands."""
    names = [f"p{number}" for number in range(8)]
    items = [
        f"<li class={'odd' if place % 2 else 'even'}><a class=t{name} href=/{name}>x</a>"
        for place, name in enumerate(names)
    ]

    web = site_web({"": f"<ul>{''.join(items)}</ul>", **dict.fromkeys(names, "<a href=/>home</a>")})

    assert 1 == len(set(web.links.path[web.links.page == web.entry].tolist()))


def test_a_term_list_nests_like_any_other() -> None:
    contents = (
        "<dl><dt><a href=/one>1</a></dt><dd><dl><dt><a href=/one-a>x</a></dt><dt><a href=/one-b>y</a></dt></dl></dd>"
        "<dt><a href=/two>2</a></dt></dl>"
    )
    others = dict.fromkeys(("one", "one-a", "one-b", "two"), "<a href=/>home</a>")

    assert {"one": "", "two": "", "one-a": "one", "one-b": "one"} == parents({"": contents, **others})


@pytest.mark.parametrize("row", ["%s", "<div class=row>%s</div>"])
def test_boxes_in_boxes_of_the_same_make_nest_like_lists(row: str) -> None:
    def box(name: str, *below: str) -> str:
        inside = f"<div class=below>{''.join(below)}</div>" if below else ""
        return f"<div class=item>{row % f'<a href=/{name}>{name}</a>'}{inside}</div>"

    tree = box("a", box("b", box("c"), box("d")), box("e")) + box("f", box("g"), box("h"))
    page = f"<div class=tree>{tree}</div><p>text</p>"

    found = parents(dict.fromkeys(["", *"abcdefgh"], page))

    assert {"a": "", "b": "a", "c": "b", "d": "b", "e": "a", "f": "", "g": "f", "h": "f"} == found


def test_a_list_under_a_heading_that_is_no_link_is_not_nested_below_the_item_before() -> None:
    contents = (
        "<ul><li><a href=/one>1</a></li><li><b>More</b><ul><li><a href=/x>x</a></li><li><a href=/y>y</a></li></ul></li>"
        "<li><a href=/two>2</a></li></ul>"
    )
    others = dict.fromkeys(("one", "two", "x", "y"), "<a href=/>home</a>")

    assert {"one": "", "two": "", "x": "", "y": ""} == parents({"": contents, **others})


@pytest.mark.parametrize(("words", "above"), [("Show what is below", "one"), ("", "")])
def test_words_of_a_button_are_no_head_of_the_list(words: str, above: str) -> None:
    names = ["one", "two", "three", "four"]
    contents = "".join(
        f"<li><a href=/{name}>{name}</a><input><label><div>{words or 'Things to do with ' + name}</div><i>-</i></label>"
        f"<ul><li><a href=/{name}-a>x</a></li><li><a href=/{name}-b>y</a></li></ul></li>"
        for name in names
    )
    others = [f"{name}{part}" for name in names for part in ("", "-a", "-b")]

    assert above == parents({"": f"<ul>{contents}</ul>", **dict.fromkeys(others, "<a href=/>home</a>")})["one-a"]


def test_a_heading_that_is_a_link_stands_above_the_list_that_follows_it() -> None:
    contents = (
        "<div><h3><a href=/one>1</a></h3><ul><li><a href=/one-a>x</a></li><li><a href=/one-b>y</a></li></ul></div>"
        "<div><h3><a href=/two>2</a></h3><ul><li><a href=/two-a>z</a></li><li><a href=/two-b>w</a></li></ul>"
        "<h3>More</h3><ul><li><a href=/x>x</a></li><li><a href=/y>y</a></li></ul></div>"
    )
    others = dict.fromkeys(("one", "one-a", "one-b", "two", "two-a", "two-b", "x", "y"), "<a href=/>home</a>")

    found = parents({"": contents, **others})

    below = {"one-a": "one", "one-b": "one", "two-a": "two", "two-b": "two"}
    assert {"one": "", "two": "", **below, "x": "", "y": ""} == found


def test_what_a_section_and_its_subsection_list_hangs_below_the_subsection() -> None:
    below = "<ul><li><a href=/u>u</a></li><li><a href=/v>v</a></li></ul>"
    menu = f"<nav><ul><li><a href=/>top</a></li><li><a href=/s>s</a>{below}</li><li><a href=/t>t</a></li></ul></nav>"
    articles = {f"{part}{number}": menu for part in ("u", "v") for number in range(6)}

    def listing(names: Iterable[str]) -> str:
        return menu + "<main><ol>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in names) + "</ol></main>"

    lists = {part: listing(name for name in articles if name[0] == part) for part in ("u", "v")}

    found = parents({"": menu, "s": listing(articles), "t": menu, **lists, **articles})

    assert {name: name[0] for name in articles} == {name: found[name] for name in articles}
    assert {"u": "s", "v": "s"} == {name: found[name] for name in "uv"}


def test_a_page_that_sends_people_on_hangs_below_where_they_go() -> None:
    menu = links("", "a", "b")
    old = "<meta http-equiv=refresh content='0; url=/b'>"

    assert "b" == parents({"": menu, "a": menu + "<p><a href=/old>x</a></p>", "b": menu, "old": old})["old"]


def test_numbers_in_labels_nest_a_flat_list() -> None:
    rows = [("1", "Basics"), ("1.1", "Types"), ("1.2", "Names"), ("2", "More"), ("2.1", "Files")]
    contents = "".join(f"<div><a href=/n{number}>{number} {word}</a></div>" for number, word in rows)
    others = {f"n{number}": "<a href=/>home</a>" for number, _ in rows}

    found = parents({"": contents, **others})

    assert {"n1": "", "n1.1": "n1", "n1.2": "n1", "n2": "", "n2.1": "n2"} == found


@pytest.mark.parametrize(("word", "above"), [("Chapter", "x"), ("Manual", "")])
def test_a_word_with_one_number_alone_counts_nothing(word: str, above: str) -> None:
    labels = {"x": "Chapter 2", "y": f"{word} 2.6", "z": "Chapter 3"}
    contents = "".join(f"<div><a href=/{name}>{label}</a></div>" for name, label in labels.items())

    assert above == parents({"": contents, **dict.fromkeys(labels, "<a href=/>home</a>")})["y"]


def trail(*names: str) -> str:
    return "<p class=way>" + " &gt; ".join(f"<a href='/{name}'>{name or 'top'}</a>" for name in names) + "</p>"


# Every page links every other in its text, so that nothing but the trails tells them apart.
TRAILS = {
    "": "",
    "a": trail(""),
    "b": trail(""),
    "a1": trail("", "a"),
    "a2": trail("", "a"),
    "b1": trail("", "b"),
    "a1x": trail("", "a", "a1"),
    "b1x": trail("", "b", "b1"),
}


def test_visible_breadcrumbs_are_known_by_their_prefixes() -> None:
    text = "<div>" + links(*TRAILS) + "</div>"

    found = parents({name: way + text for name, way in TRAILS.items()})

    assert {"a": "", "b": "", "a1": "a", "a2": "a", "b1": "b", "a1x": "a1", "b1x": "b1"} == found


def test_a_breadcrumb_may_begin_on_other_sites() -> None:
    """Nobody can ask pages that were not captured what they show, but the pages below them tell enough."""
    pages = {**TRAILS, "b2": trail("", "b")}
    text = "<div>" + links(*pages) + "</div>"
    start = "<p class=way><a href=http://b.example/>Group</a> &gt; <a href=http://b.example/us>Company</a> "

    found = parents({name: start + way.removeprefix("<p class=way>") + text for name, way in pages.items()})

    assert {"a": "", "b": "", "a1": "a", "a2": "a", "b1": "b", "b2": "b", "a1x": "a1", "b1x": "b1"} == found


def test_links_to_other_sites_and_one_page_are_no_breadcrumb() -> None:
    row = "<p><a href=http://b.example/>B</a> <a href=http://c.example/>C</a> <a href=/contact>Contact</a></p>"
    pages = dict.fromkeys(["", *"abcdef"], MENU + row)

    found = parents({**pages, "contact": MENU + row.replace("<a href=/contact>Contact</a>", "Contact")})

    assert {""} == {found[name] for name in "abc"}


@pytest.mark.parametrize("current", ["left out", "linked", "dressed"])
def test_a_menu_is_no_breadcrumb_whatever_it_does_with_the_current_page(current: str) -> None:
    """The last item's page shows all items before it: as a prefix, but the other items do not."""

    def footer(page: str) -> str:
        parts = []
        for name in ("x", "y", "z"):
            dress = " class=now" if name == page and current == "dressed" else ""
            link = name if name == page and current == "left out" else f"<a href=/{name}>{name}</a>"
            parts.append(f"<li{dress}>{link}</li>")
        return f"<div><ul>{''.join(parts)}</ul></div>"

    names = ["", "x", "y", "z", "a", "b", "c"]

    found = parents({name: MENU + footer(name) for name in names})

    assert dict.fromkeys(names[1:], "") == found


def test_declared_breadcrumbs_outvote_the_rest_unless_withheld() -> None:
    def crumb(*names: str) -> str:
        steps = "".join(f"<li><a href='/{name}'>{name or 'top'}</a></li>" for name in names)
        return f"<nav aria-label=breadcrumb><ol>{steps}</ol></nav>"

    pages = {"": links("a", "b", "p"), "a": MENU, "b": MENU, "p": MENU + crumb("", "b")}

    assert "b" == parents(pages)["p"]
    assert "" == parents(pages, markup=False)["p"]


def test_up_links_are_known_by_their_role_in_any_language() -> None:
    up = {"": None, "k1": "", "k2": "", "k3": "", "k1a": "k1", "k1b": "k1", "k2a": "k2", "k2b": "k2", "k3a": "k3"}
    order = list(up)
    pages = {}
    for place, (name, above) in enumerate(up.items()):
        below = [child for child, parent in up.items() if parent == name]
        pager = ""
        if above is not None:
            following = order[(place + 1) % len(order)]
            pager = (
                f"<div><a href=/{order[place - 1]}>ant</a> <a href=/{above}>arr</a> <a href=/{following}>sig</a></div>"
            )
        pages[name] = pager + "<p>" + " ".join(f"<a href=/{child}>{child}</a>" for child in below) + "</p>"

    assert {name: above for name, above in up.items() if above is not None} == parents(pages)


def test_what_all_pages_link_is_below_no_page_that_it_happens_to_show() -> None:
    names = [f"p{number}" for number in range(9)]
    latest = dict.fromkeys(names[2:], "p0") | {"p1": "p0", "p0": ""}
    pages = {"": links(*names), **{name: links("", *names) for name in names}}
    pages |= {name: f"{pages[name]}<div class=news><a href=/{to}>{to}</a></div>" for name, to in latest.items()}

    assert dict.fromkeys(names, "") == parents(pages)


def test_declared_up_links_are_believed() -> None:
    pages = {
        "": links("a", "b"),
        "a": links("p", ""),
        "b": links("p", ""),
        "p": "<link rel=up href=/b><a href=/>home</a>",
    }

    assert "b" == parents(pages)["p"]


def test_addresses_decide_between_equals_only_if_they_may() -> None:
    listing = links("", "docs/", "news/", "docs/one")
    menu = links("", "docs/", "news/")
    pages = {"": menu, "docs/": listing, "news/": listing, "docs/one": menu}

    assert "docs/" == parents(pages, url_evidence=True)["docs/one"]
    web = site_web(pages)
    for place in tree_to_places(web, find_tree(web, HierarchyOptions(url_evidence=False))):
        assert "address" not in place.evidence


def test_pages_that_nothing_links_hang_below_the_entry_page() -> None:
    found = parents({"": MENU, "a": MENU, "b": MENU, "c": MENU, "lost": "nothing here"})

    assert "" == found["lost"]


def test_children_stand_in_the_order_of_the_page_above() -> None:
    pages = {"": links("c", "a", "b"), **{name: links("") for name in "abc"}}
    web = site_web(pages)

    places = tree_to_places(web, find_tree(web))

    ordered = sorted((place for place in places if place.parent is not None), key=lambda place: place.position)
    assert ["c", "a", "b"] == [place.label for place in ordered]
    assert [0, 1, 2] == [place.position for place in ordered]


def test_every_page_says_which_votes_put_it_there() -> None:
    web = site_web({name: way + links(*TRAILS) for name, way in TRAILS.items()})
    places = {place.page_id: place for place in tree_to_places(web, find_tree(web))}

    place = places[url_id(BASE + "a1")]

    assert "trail" == place.evidence[0]
    assert place.votes > place.rival_votes > 0
    assert 2 == place.depth
    assert () == places[url_id(BASE)].evidence


def test_two_addresses_of_a_page_are_one_node() -> None:
    tables = site_tables(
        {"": links("a/"), "a/": links("b"), "a/index.html": links("b"), "b": links("a/index.html")},
        aliases={"a/index.html": "a/"},
    )
    web = tables_to_site(tables, url_id(BASE))

    assert 3 == len(web)
    assert {"a/": "", "b": "a/"} == parents_of(web, find_tree(web, HierarchyOptions(url_evidence=False)))


@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_does_not_matter(seed: int) -> None:
    tables = site_tables({name: way + links(*TRAILS) for name, way in TRAILS.items()})
    web = tables_to_site(tables, url_id(BASE))
    expected = tree_to_places(web, find_tree(web))

    shuffled = {}
    for name, table in tables.items():
        order = list(range(table.num_rows))
        random.Random(seed).shuffle(order)
        shuffled[name] = table.take(order)
    web = tables_to_site(shuffled, url_id(BASE))

    assert expected == tree_to_places(web, find_tree(web))


def test_a_page_alone_is_a_tree() -> None:
    web = site_web({"": "<p>Hello</p>"})

    (place,) = tree_to_places(web, find_tree(web))

    assert place.parent is None
    assert 0 == place.depth


@pytest.mark.parametrize("seed", range(8))
def test_any_site_becomes_a_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = ["", *(f"p{number}" for number in range(1, 25))]
    pages = {}
    for name in names:
        parts = [links(*rng.choice(names, rng.integers(0, 6)).tolist()) for _ in range(rng.integers(0, 4))]
        pages[name] = "<div>".join(parts)

    found = parents(pages, url_evidence=bool(seed % 2))

    assert set(names) - {""} == set(found)
    for name in found:
        at, steps = name, 0
        while at:
            at, steps = found[at], steps + 1
            assert steps <= len(names)


def test_a_list_under_words_that_are_no_link_is_not_that_of_the_item_before() -> None:
    """Every list of the menu has a head without a link, and a button before it, so that their form is the usual one."""

    def part(name: str) -> str:
        items = "".join(f"<li><a href=/{name}{number}>{name} {number}</a></li>" for number in range(3))
        return (
            f"<li><a href=/{name}>{name} people</a></li><li><button></button><b>{name} reports</b><ul>{items}</ul></li>"
        )

    names = ["north", "south", "east", "west"]
    menu = f"<a href=/>Home</a><ul>{''.join(part(name) for name in names)}</ul>"
    pages = {page: f"<title>{page}</title>{menu}<p>{page}</p>" for page in ["", *names]}
    pages |= {f"{name}{number}": f"<title>{name} {number}</title>{menu}" for name in names for number in range(3)}

    found = parents(pages)

    assert not {found[f"{name}{number}"] for name in names for number in range(3)} & set(names)


def test_contents_of_all_pages_say_where_they_are_whatever_a_chapter_mentions() -> None:
    names = [f"c{number}" for number in range(12)]
    chapters = dict.fromkeys(names, "<p><a href=/>contents</a></p>")
    see = "<{1}>Much has been said before, and more is said in chapter <a href=/{0}>{0}</a> below.</{1}>"
    pages = {"": links(*names), **chapters}
    pages |= {name: pages[name] + see.format("c1", "p") for name in ("c2", "c4", "c5")}
    pages["c1"] += "".join(see.format("c3", tag) for tag in ("p", "div", "center", "pre", "address"))

    assert dict.fromkeys(names, "") == parents(pages)


def test_an_index_of_everything_is_above_nothing_that_the_contents_list() -> None:
    names = [f"c{number}" for number in range(12)]
    chapters = dict.fromkeys(names, "<p><a href=/index>index</a></p>")
    pages = {"": links(*names) + "<p><a href=/index>index</a></p>", "index": links(*names), **chapters}

    assert dict.fromkeys((*names, "index"), "") == parents(pages)


def test_a_bar_is_known_though_each_page_has_a_class_of_its_own() -> None:
    names = [f"c{number}" for number in range(12)]
    others = {f"x{number}": "<p>-</p>" for number in range(8)}
    bar = links("", *names)
    pages = {name: f"<body class='page-{name or 'top'}'>{bar}" for name in ("", *names)}

    found = parents({**pages, **others})

    assert dict.fromkeys(names, "") == {name: found[name] for name in names}


def test_a_licence_at_the_foot_of_every_page_is_above_none() -> None:
    names = [f"c{number}" for number in range(20)]
    rows = "<center><a href=/>Introduction</a> | <a href=/license>License</a></center>"
    pages = {"": f"<p>Welcome</p>{links(*names, 'license')}", **dict.fromkeys(names, rows + links(*names))}
    pages["license"] = f"<center><a href=/>Introduction</a></center>{links(*names)}"

    assert dict.fromkeys((*names, "license"), "") == parents(pages)
