"""Classes that tell one page from the next are no part of its places."""

import numpy as np

from sitestrata.sites.page_names import find_page_names, without_names
from support.html_site import parents, site_web


def test_a_class_of_each_page_at_one_place_is_left_out() -> None:
    paths = ["body/div.bar/a", *(f"body/div.text.page-{name}/p/a" for name in "xyz")]
    path, page = np.array([0, 1, 0, 2, 0, 3]), np.array([0, 0, 1, 1, 2, 2])

    names = find_page_names(paths, path, page)

    assert {"body/div": frozenset({"page-x", "page-y", "page-z"})} == names
    assert {"body/div.bar/a", "body/div.text/p/a"} == {without_names(text, names) for text in paths}


def test_a_front_page_of_its_own_make_keeps_its_classes() -> None:
    paths = ["body/div.bar/a", "body/div.hero/a", "body/div.teaser/a", "body/div.news/a"]

    assert {} == find_page_names(paths, np.array([0, 0, 0, 0, 1, 2, 3]), np.array([0, 1, 2, 3, 0, 0, 0]))


def test_lists_in_boxes_with_the_name_of_the_page_are_lists_of_members() -> None:
    def page(name: str, *below: str) -> str:
        items = "".join(f"<li><a href=/{other}>{other}</a></li>" for other in below)
        return f"<div class=bar><a href=/>home</a></div><div class=page-{name}><ul>{items}</ul><p>text</p></div>"

    sections = {name: [f"{name}{k}" for k in "xyz"] for name in "abcd"}
    pages = {"": page("home", *sections), **{name: page(name, *below) for name, below in sections.items()}}
    pages |= {name: page(name) for below in sections.values() for name in below}

    web = site_web(pages)

    assert {"html/body/div.bar/a", "html/body/div/ul/li/a"} == set(web.paths)
    assert {below: name for name, some in sections.items() for below in some} | dict.fromkeys("abcd", "") == parents(
        pages
    )
