"""Gold and answers are recognised by their content."""

import json
from pathlib import Path
from typing import Any

import pytest

from sitestrata.errors import SourceError
from sitestrata.evaluate.facts import AttributeFact, Facts, ItemFact, LabelNode
from sitestrata.evaluate.formats import read_facts


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = rows[0] if isinstance(rows[0], str) else "\n".join(json.dumps(row) for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, *rows: Any) -> Facts:
    return read_facts([write(path, *rows)])


def test_a_tab_separated_truth_is_taken_literally(tmp_path: Path) -> None:
    facts = read(
        tmp_path / "c" / "truth.tsv",
        'url\tsite\tsubsite\tsubsite_nav\nhttp://h/a"b\tone\t\t\nhttp://h/c\tone\tdocs\town\nhttp://h/d\tone\tx\tshared\n',
    )

    assert facts.pages is not None
    assert ['http://h/a"b', "http://h/c", "http://h/d"] == facts.pages["url"].to_pylist()
    assert [None, "docs", "x"] == facts.pages["subsite"].to_pylist()
    assert ["one/", "one/docs", "one/"] == facts.pages["own_site"].to_pylist()
    assert "c" == facts.name


def test_a_csv_of_pages_is_an_answer(tmp_path: Path) -> None:
    crumbs = json.dumps([{"label": "A, b", "url": "http://h/"}, {"label": "B", "url": "http://h/b"}]).replace('"', '""')
    facts = read(
        tmp_path / "pages.csv",
        f'url,canonical,site,confidence,breadcrumb\nhttp://h/b,http://h/b,s1,0.75,"{crumbs}"\nhttp://h/,http://h/,,,\n',
    )

    assert facts.pages is not None
    assert [
        {"url": "http://h/b", "canonical": "http://h/b", "site": "s1", "parent": "http://h/", "confidence": 0.75},
        {"url": "http://h/", "canonical": "http://h/", "site": None, "parent": None, "confidence": None},
    ] == facts.pages.to_pylist()


@pytest.mark.parametrize("header", ["url\tkind\ttarget\nhttp://h\t301\thttp://h/\n", "from\tto\nhttp://h\thttp://h/\n"])
def test_aliases_come_in_two_forms(tmp_path: Path, header: str) -> None:
    assert {"http://h": "http://h/"} == read(tmp_path / "x.tsv", header).aliases


def test_menus_by_site_come_in_two_forms(tmp_path: Path) -> None:
    one = read(tmp_path / "a" / "menus.json", {"s": {"home": "http://h/", "menu": [["A", "http://h/a"]]}})
    two = read(
        tmp_path / "b" / "menus.json", {"s": {"entry": "http://h/", "kind": "global", "items": [["A", "http://h/a"]]}}
    )

    assert one.sites[0].main_menu == two.sites[0].main_menu == (ItemFact("A", "http://h/a"),)
    assert ("", "global") == (one.sites[0].kind, two.sites[0].kind)


def test_contents_by_site(tmp_path: Path) -> None:
    facts = read(
        tmp_path / "hierarchy.json", {"s": {"entry": "http://h/", "tree": [["A", "http://h/a", [["B", None, []]]]]}}
    )

    assert (LabelNode("A", "http://h/a", (LabelNode("B"),)),) == facts.contents[0].roots


def test_gold_of_home_pages(tmp_path: Path) -> None:
    facts = read(
        tmp_path / "news" / "gold.json",
        {
            "domain": "news",
            "homes": [{"url": "http://h/", "tree": [{"label": "A", "url": None, "children": [], "uncertain": True}]}],
            "taxonomy": {
                "concepts": [{"concept": "World", "labels": ["World"], "sites": []}],
                "is_a": [{"parent": "News", "child": "World", "observed_on": []}],
            },
            "instances": [
                {
                    "page": "http://h/l",
                    "concept": "World",
                    "instances": [
                        {
                            "name": "N",
                            "url": None,
                            "attributes": [
                                {"label": "price", "value": "1", "label_shown": False},
                                {"label": "Size", "value": "2", "label_shown": True},
                            ],
                        }
                    ],
                }
            ],
        },
    )

    assert facts.trees[0].roots[0].is_certain is False
    assert facts.taxonomies[0].is_a[0].is_observed is False
    assert (AttributeFact("1"), AttributeFact("2", ("Size",))) == facts.instances[0].attributes


def test_table_gold_in_three_forms(tmp_path: Path) -> None:
    fragments = read(
        tmp_path / "a" / "tables.jsonl",
        {
            "id": "7",
            "html": "<table></table>",
            "is_data": True,
            "orientation": "row",
            "acceptable_orientations": ["row-column"],
            "header_cells": [[0, 0]],
        },
    )
    common = {"url": "http://h/", "table_index": 1, "n_rows": 4, "n_cols": 4}
    records = read(
        tmp_path / "b" / "tables.jsonl",
        {**common, "kind": "data", "orientation": "header-column"},
        {**common, "kind": "no-gold-inside", "orientation": None},
        {**common, "kind": "no-gold-inside", "orientation": None, "n_rows": 1},
    )
    write(tmp_path / "c" / "pages.jsonl", {"page": "1", "url": "http://h/x", "gold_grid_table_index": 0})
    articles = read(
        tmp_path / "c" / "labels.jsonl",
        {"page": "1", "table_index": 0, "kind": "data", "header": {"orientation": "header-row"}},
        {"page": "1", "table_index": 1, "kind": "navbox", "header": None},
        {"page": "1", "table_index": 2, "kind": "unlabelled", "header": None},
    )

    assert [("https://tables.invalid/7", ("row", "row-column"))] == [(t.url, t.orientations) for t in fragments.tables]
    assert [(True, ("row",)), (False, ())] == [(t.is_data, t.orientations) for t in records.tables]
    assert [("http://h/x", True), ("http://h/x", False)] == [(t.url, t.is_data) for t in articles.tables]
    assert ("column", "multi-header-column") == articles.tables[0].orientations


def test_records_with_values_or_with_printed_labels(tmp_path: Path) -> None:
    values = read(tmp_path / "gold.jsonl", {"vertical": "auto", "url": "http://h/", "attrs": {"price": ["1"], "x": []}})
    pairs = read(
        tmp_path / "pairs.jsonl",
        {"url": "http://h/", "predicates": {"General | Cost:&&&Price": ["1"], "topic_entity_name": ["T"]}},
    )

    assert (AttributeFact("1"),) == values.instances[0].attributes
    assert (AttributeFact("1", ("Cost:", "Price")),) == pairs.instances[0].attributes
    assert pairs.instances[0].name is None


def test_what_our_commands_print_is_read(tmp_path: Path) -> None:
    listing = [{"url": "http://h/", "canonical": "http://h/", "site": "s", "breadcrumb": [], "confidence": 1}]
    pages = read(tmp_path / "p.json", json.dumps(listing))
    sites = read(tmp_path / "s.json", json.dumps([{"site": "s", "entry_url": "http://h/", "main_menu": []}]))
    menus = read(tmp_path / "m.json", json.dumps([{"menu": "m", "site": "s", "role": "main", "items": []}]))
    tables = read(tmp_path / "t.json", json.dumps([{"url": "u", "index": 0, "is_data": True, "orientation": "row"}]))
    tree = read(tmp_path / "tree.json", {"label": "S", "url": "http://h/", "children": []})
    partition = read(tmp_path / "part.json", {"label": "", "url": "http://h/", "kind": "root", "children": []})
    ontology = read(
        tmp_path / "o.json",
        {
            "concepts": [{"id": 1, "label": "A", "labels": ["A"]}],
            "is_a": [],
            "instances": [{"concept": 1, "name": "N", "url": None, "page": "http://h/", "attributes": []}],
        },
    )
    site = read(tmp_path / "site.json", {"seeds": ["http://h/"], "chosen": {"pages": ["http://h/"]}})

    assert [["pages"], ["sites"], ["menus"], ["tables"], ["contents"], ["trees"]] == [
        facts.parts() for facts in (pages, sites, menus, tables, tree, partition)
    ]
    assert ["taxonomies", "instances"] == ontology.parts()
    assert ["page_sets"] == site.parts()


def test_a_folder_is_read_as_one_and_other_files_in_it_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "truth.tsv", "url\tsite\nhttp://h/\ts\n")
    write(tmp_path / "origin.tsv", "repo\tbranch\nx\ty\n")
    write(tmp_path / "NOTE.md", "# words")

    facts = read_facts([tmp_path])

    assert ["pages"] == facts.parts()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.json", '{"a": 1}', "no format"),
        ("x.json", "{", "neither JSON nor JSON lines"),
        ("x.jsonl", '{"url": "u", "index": 0, "is_data": true, "header_cells": 3}', "not in form"),
        ("x.jsonl", '{"menu": "m", "items": [["A", "u"]]}\n{"menu": "n"}', "no 'items'"),
        ("x.tsv", "a\tb\n", "no format"),
        ("x.csv", 'url,site\n"http://h/\n', "cannot be read"),
    ],
)
def test_a_named_file_must_be_understood(tmp_path: Path, name: str, content: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read(tmp_path / name, content)


def test_a_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no file or folder"):
        read_facts([tmp_path / "nowhere"])
