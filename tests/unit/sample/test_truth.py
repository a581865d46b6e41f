"""The truth of the sample web says what its pages show: read back with an HTML parser of its own right."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitestrata.sample import Capture
from sitestrata.sample.truth import walk
from sitestrata.sample.world import make_world

PAGES = 500


@dataclass
class Web:
    captures: dict[str, Capture] = field(default_factory=dict)
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    trees: dict[str, LexborHTMLParser] = field(default_factory=dict)


@cache
def web(seed: int, hard: bool) -> Web:
    made = Web()
    for event in walk(make_world(seed, PAGES, hard=hard)):
        if isinstance(event, Capture):
            assert event.url not in made.captures
            made.captures[event.url] = event
        else:
            made.rows[event[0]].append(event[1])
    for row in made.rows["page_menus"]:
        made.trees[row["url"]] = LexborHTMLParser(text_of(made.captures[row["url"]]))
    return made


def text_of(capture: Capture) -> str:
    declared = re.search(r"charset=([\w-]+)", dict(capture.headers)["Content-Type"])
    name = declared[1] if declared else ""
    if not name:
        meta = re.search(rb'charset="?([\w-]+)', capture.body[:1000])
        name = meta[1].decode() if meta else "latin-1"
    return capture.body.decode("cp932" if name == "shift_jis" else name)


def links_of(url: str, tree: LexborHTMLParser) -> set[str]:
    base = tree.css_first("base[href]")
    start = base.attributes["href"] if base else url
    return {urldefrag(urljoin(start, a.attributes["href"] or ""))[0] for a in tree.css("a[href], area[href]")}


@pytest.fixture(params=[(1, False), (2, True), (3, False)], ids=["seed1", "seed2-hard", "seed3"])
def sample_web(request: pytest.FixtureRequest) -> Web:
    return web(*request.param)


def test_a_web_has_exactly_the_pages_asked_for(sample_web: Web) -> None:
    pages = [row for row in sample_web.rows["truth"] if row["url"] == row["canonical"] and row["kind"] != "refresh"]

    assert len(pages) == PAGES


def test_every_truth_address_is_a_capture_with_status_200(sample_web: Web) -> None:
    for row in sample_web.rows["truth"]:
        for column in ("url", "canonical", "parent"):
            assert row[column] == "" or sample_web.captures[row[column]].status == 200


def test_parents_lead_to_the_entry_page_of_the_same_site(sample_web: Web) -> None:
    truth = {row["url"]: row for row in sample_web.rows["truth"]}
    entries = {row["site"]: row["entry"] for row in sample_web.rows["sites"]}
    for row in truth.values():
        step = row
        for _ in range(20):
            if not step["parent"]:
                break
            step = truth[step["parent"]]

        assert step["canonical"] == entries[row["site"]]


def test_every_menu_item_is_linked_on_every_page_that_shows_the_menu(sample_web: Web) -> None:
    menus = {row["menu"]: row for row in sample_web.rows["menus"]}
    for row in sample_web.rows["page_menus"]:
        links = links_of(row["url"], sample_web.trees[row["url"]])
        varying = {shown["menu"]: shown["items"] for shown in row["varying"]}
        for key in row["menus"]:
            items = varying[key] if menus[key]["varies"] else [(i["label"], i["url"]) for i in menus[key]["items"]]
            for _, url in items:
                assert url is None or url == row["url"] or url in links


def test_menus_say_on_how_many_pages_they_stand(sample_web: Web) -> None:
    counts: dict[str, int] = defaultdict(int)
    for row in sample_web.rows["page_menus"]:
        for key in row["menus"]:
            counts[key] += 1

    assert {row["menu"]: row["pages"] for row in sample_web.rows["menus"]} == counts


def grid_of(table: LexborNode) -> dict[tuple[int, int], str]:
    cells: dict[tuple[int, int], str] = {}
    for r, row in enumerate(table.css("tr")):
        c = 0
        for cell in row.iter():
            if cell.tag in ("td", "th"):
                while (r, c) in cells:
                    c += 1
                height, width = (int(cell.attributes.get(name) or 1) for name in ("rowspan", "colspan"))
                cells |= {(r + i, c + j): cell.tag for i in range(height) for j in range(width)}
    return cells


def test_tables_are_numbered_and_sized_as_a_parser_sees_them(sample_web: Web) -> None:
    tables = defaultdict(list)
    for row in sample_web.rows["tables"]:
        tables[row["url"]].append(row)
    for url, tree in sample_web.trees.items():
        found = tree.css("table") + tree.css("[role=table]")

        assert len(found) == len(tables[url])
        assert list(range(len(found))) == [row["table_index"] for row in tables[url]]

        for table, row in zip(found, tables[url], strict=True):
            assert row["form"] == ("table" if table.tag == "table" else "aria")

            if row["is_data"] and row["form"] == "table":
                grid = grid_of(table)
                heads = {cell for cell, tag in grid.items() if tag == "th"}

                assert set(grid) == {(r, c) for r in range(row["n_rows"]) for c in range(row["n_cols"])}
                assert heads in (set(), {tuple(cell) for cell in row["header_cells"]})


def test_records_are_printed_on_their_page(sample_web: Web) -> None:
    for row in sample_web.rows["instances"]:
        capture = sample_web.captures[row["page"]]
        body = sample_web.trees[row["page"]].body
        if body is None or b"charset" not in capture.body[:1000] + str(capture.headers).encode():
            continue
        text = " ".join(body.text().split())
        for instance in row["instances"]:
            assert instance["name"] in text
            for attribute in instance["attributes"]:
                assert attribute["value"] in text
                assert not attribute["label_shown"] or attribute["label"] in text


def test_hard_mode_leaves_no_class_id_role_or_landmark() -> None:
    for tree in web(2, True).trees.values():
        assert not tree.css(
            "[class], [id], [role], [aria-label], [itemprop], nav, header, footer, main, aside, article"
        )


def test_hard_mode_keeps_structure_and_changes_labels() -> None:
    easy = {row["url"]: row for row in web(2, False).rows["truth"]}
    hard = {row["url"]: row for row in web(2, True).rows["truth"]}

    assert easy.keys() == hard.keys()
    assert all(easy[url]["parent"] == hard[url]["parent"] and easy[url]["site"] == hard[url]["site"] for url in easy)
    assert sum(easy[url]["label"] == hard[url]["label"] for url in easy) < 0.01 * len(easy)


def test_nearly_every_page_is_linked_from_its_parent(sample_web: Web) -> None:
    truth = {row["url"]: row for row in sample_web.rows["truth"] if row["url"] == row["canonical"]}
    links = {url: links_of(url, tree) for url, tree in sample_web.trees.items()}
    for url, row in truth.items():  # a listing is all its pages, a frameset its frames
        parent = row["parent"]
        if parent and (row["kind"] == "frame" or (row["kind"] == "listing" and row["label"] == truth[parent]["label"])):
            links[parent] = links[parent] | links[url] | {url}
    children = [(url, row["parent"]) for url, row in truth.items() if row["parent"] and row["kind"] != "refresh"]
    linked = sum(url in links[parent] for url, parent in children)

    assert linked > 0.97 * len(children)


def test_all_kinds_of_menu_and_table_occur() -> None:
    roles, orientations, forms = set(), set(), set()
    for event in walk(make_world(11, 2500)):
        if not isinstance(event, Capture):
            name, row = event
            if name == "menus":
                roles.add(row["role"])
            if name == "tables" and row["is_data"]:
                orientations.add(row["orientation"])
                forms.add((row["form"], bool(row["acceptable_orientations"])))

    assert forms == {("table", True), ("table", False), ("aria", True), ("aria", False)}
    assert roles == {
        "main", "local", "footer", "language", "version", "pager", "breadcrumb", "toc", "organisation", "other"
    }  # fmt: skip
    assert orientations == {
        "column", "row", "row-column", "multi-header-column", "multi-header-row", "multi-header-row-column", "none"
    }  # fmt: skip


def test_blocks_are_cut_between_the_leaves_that_a_parser_finds(sample_web: Web) -> None:
    """The leaves of the truth are the texts and pictures of the page; every block has one, and a role."""
    rows = sample_web.rows["blocks"]

    assert rows
    for row in rows:
        assert leaves_of(sample_web.trees[row["url"]].root) == row["leaves"]
        borders = [0, *row["cuts"], len(row["leaves"])]
        assert borders == sorted(set(borders))
        assert len(row["roles"]) == len(row["cuts"]) + 1
        assert set(row["roles"]) <= {"navigation", "listing", "record", "article", "footer", "form", "other"}


def test_a_menu_of_the_truth_lies_in_one_block(sample_web: Web) -> None:
    """No cut goes through a main menu: its labels follow each other in one block of navigation."""
    menus = {row["menu"]: row for row in sample_web.rows["menus"]}
    shown = {row["url"]: row["menus"] for row in sample_web.rows["page_menus"]}
    checked = 0
    for row in sample_web.rows["blocks"]:
        borders = [0, *row["cuts"], len(row["leaves"])]
        blocks = [
            (role, "\n".join(row["leaves"][first:end]))
            for role, first, end in zip(row["roles"], borders, borders[1:], strict=False)
        ]
        for key in shown[row["url"]]:
            menu = menus[key]
            labels = {item["label"] for item in menu["items"]}
            if menu["role"] == "main" and len(labels) > 2:
                checked += 1
                assert any(role == "navigation" and all(label in text for label in labels) for role, text in blocks)
    assert checked


def leaves_of(root: LexborNode | None) -> list[str]:
    assert root is not None
    found = []
    for node in root.traverse(include_text=True):
        if node.tag == "img":
            text = node.attributes.get("alt") or ""
        else:
            hidden = node.parent is not None and node.parent.tag in ("script", "style", "title")
            text = node.text_content or "" if node.tag == "-text" and not hidden else ""
        found.append(" ".join(text.split()))
    return [text for text in found if text]
