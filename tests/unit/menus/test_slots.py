"""Items whose labels stay while their targets change: in a list with fixed ones, and in lists of their own."""

from typing import Any

import numpy as np
import pyarrow as pa

from sitestrata.menus import main_menus, read_front_pages
from sitestrata.model import TABLES
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb, menu
from support.menu_pages import MAIN, H, menus_by_role, mined, page, site

PACKAGES, CLASSES = 3, 6
FIXED = {"Overview": f"{H}/", "Index": f"{H}/index-all", "Help": f"{H}/help"}


def manual(*, is_stable: bool = True) -> dict[str, str]:
    """Generated documentation: one bar, of which Package and Use lead elsewhere on each page."""

    def bar(url: str, package: str, use: str) -> str:
        slots = {"Overview": FIXED["Overview"], "Package" if is_stable else package: package}
        slots["Use" if is_stable else use] = use
        return f"<body><div>{menu(slots | FIXED, here=url)}</div><p>Some text.</p></body>"

    pages = {url: f"<body><div>{menu(FIXED, here=url)}</div><p>Some text.</p></body>" for url in FIXED.values()}
    for k in range(PACKAGES):
        package = f"{H}/p{k}/"
        pages[package] = bar(package, package, f"{package}use")
        for n in range(CLASSES):
            url = f"{package}c{n}"
            pages[url] = bar(url, package, f"{url}/use")
    return pages


def the_bar(found: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    (main,) = [row["menu"] for row in found["menus"] if row["role"] == "main"]
    return [item for item in found["menu_items"] if item["menu"] == main]


def test_labels_that_stay_are_items_of_the_list_they_stand_in() -> None:
    found = mined(manual())
    items = the_bar(found)

    assert ["Overview", "Package", "Use", "Index", "Help"] == [item["label"] for item in items]
    assert [FIXED["Overview"], None, None, FIXED["Index"], FIXED["Help"]] == [item["url"] for item in items]
    # What changes is told from a heading by the pages that show it: on a package's own page it is no link.
    assert [PACKAGES * CLASSES, PACKAGES * (CLASSES + 1)] == [item["pages"] for item in items[1:3]]


def test_a_page_shows_the_menu_by_all_of_its_items() -> None:
    pages = manual()
    found = mined(pages)
    (main,) = [row["menu"] for row in found["menus"] if row["role"] == "main"]
    shown = {row["page"]: row for row in found["menu_pages"] if row["menu"] == main}

    assert len(pages) == len(shown)
    assert [0, 1, 2, 3, 4] == sorted(shown[url_id(f"{H}/p0/c0")]["links"])
    assert [0, 1] == sorted(shown[url_id(FIXED["Help"])]["links"])


def test_labels_that_change_are_no_items() -> None:
    assert ["Overview", "Index", "Help"] == [item["label"] for item in the_bar(mined(manual(is_stable=False)))]


def test_what_changes_is_in_a_main_menu_as_the_entry_page_has_it() -> None:
    web = HtmlWeb(manual())
    found = mined(manual())
    ids = np.array(sorted(url_id(url) for url in manual()), np.int64)
    entry = {0: url_id(f"{H}/")}
    tables = {name: pa.Table.from_pylist(rows, TABLES[name].schema) for name, rows in found.items()}

    items = main_menus(ids, np.zeros(len(ids), np.int64), entry, **tables, fronts=read_front_pages(web, entry.values()))

    assert list(FIXED.values()) == [item.url for item in items]


def test_lists_of_labels_that_stay_are_one_shape() -> None:
    """A wiki: each page has its history and its discussion."""
    pages = site()
    for url in list(pages):
        tools = {"History": f"{url}?history", "Talk": f"{url}?talk"}
        pages[url] = page(url, f"<div>{menu(tools)}</div>")
        pages |= {other: page(other) for other in tools.values()}

    found = [row for rows in menus_by_role(mined(pages)).values() for row in rows if row["reason"] == "labels-stay"]

    assert [("shape", "local")] == [(row["kind"], row["role"]) for row in found]
    assert [[("History", None), ("Talk", None)]] == [row["list"] for row in found]


def test_buttons_that_lead_elsewhere_are_no_menu() -> None:
    pages = {
        url: page(
            url, f"<div>{menu({'Share': f'https://a.example/?u={url}', 'Send': f'https://b.example/?u={url}'})}</div>"
        )
        for url in site()
    }

    assert {"main", "footer"} == set(menus_by_role(mined(pages)))


def test_pages_that_name_one_another_are_no_pager() -> None:
    """A class lists its interfaces, and an interface its classes, in the order of the alphabet."""
    pages = site()
    names = {f"Class{c}": [f"Face{k}" for k in sorted({c % 5, 2 * c % 5, (c + 3) % 5})] for c in range(8)}
    names |= {face: [name for name, faces in names.items() if face in faces] for face in [f"Face{k}" for k in range(5)]}
    for name, others in names.items():
        listed = ", ".join(f'<a href="{H}/{other}">{other}</a>' for other in sorted(others))
        pages[f"{H}/{name}"] = page(f"{H}/{name}", f"<div>See: {listed}</div>", main=MAIN)

    assert "pager" not in menus_by_role(mined(pages))
