"""Blocks with roles, and trees as records, JSON and XML."""

from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from click.testing import CliRunner

from sitestrata.cli import main
from sitestrata.page import read_page
from sitestrata.partition.blocks import find_blocks
from sitestrata.partition.tree import find_tree, tree_to_json, tree_to_xml

MENU = "<nav><ul>" + "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(12)) + "</ul></nav>"
TEXT = (
    "<main>"
    + "".join(f"<p>{'Long sentences about the matter at hand, one after the other. ' * 4}" for _ in range(12))
    + "</main>"
)
FOOT = "<footer>" + "".join(f"<p><a href=/f{n}>Legal {n}</a>" for n in range(10)) + "</footer>"
PAGE = f"<!doctype html><title>T & Co</title><body>{MENU}{TEXT}{FOOT}"


def test_blocks_cover_all_leaves_once() -> None:
    facts = read_page(PAGE.encode(), "https://example.org/")

    blocks = find_blocks(facts)

    assert 0 == blocks[0].first
    assert len(facts.leaves) == blocks[-1].end
    assert all(one.end == other.first for one, other in pairwise(blocks))
    assert {"navigation", "article", "footer"} <= {block.role for block in blocks}


def test_a_block_points_at_what_holds_its_first_leaf_not_at_what_ends_before_it() -> None:
    box = "<div>" + "".join(f"<p><a href=/b{n}>Part {n}</a>" for n in range(10)) + "</div>"
    page = f"<body>{MENU}loose words behind the menu<p>and a line{box}more loose words<p>the end{FOOT}"
    facts = read_page(page.encode(), "https://example.org/")

    blocks = find_blocks(facts)

    assert len(blocks) > 3
    for block in blocks:
        leaf = int(facts.leaves.node[block.first])
        assert block.node <= leaf < int(facts.dom.end[block.node])


def test_menus_of_the_collection_mark_navigation() -> None:
    page = "<body>" + "".join(
        f"<p><a href=/{n}>{'A long label of a link that tells a story ' * 2}{n}</a>" for n in range(9)
    )
    facts = read_page(page.encode(), "https://example.org/")

    assert {"listing"} == {block.role for block in find_blocks(facts)}
    assert {"navigation"} == {block.role for block in find_blocks(facts, navigation=set(facts.links.node.tolist()))}


def test_tree_is_in_preorder_and_its_children_lie_inside() -> None:
    nodes = find_tree(read_page(PAGE.encode(), "https://example.org/"))

    assert list(range(len(nodes))) == [node.ordinal for node in nodes]
    assert "root" == nodes[0].kind
    for node in nodes[1:]:
        assert 0 <= node.parent < node.ordinal
        assert node.first_leaf <= node.end_leaf
    assert "https://example.org/3" in {node.url for node in nodes}


def test_json_and_xml_say_the_same() -> None:
    page = "<title>a\x01b</title><body><h2>Fish &amp; \x0bChips</h2><ul><li><a href=/c>Cod</a><li>Eel</ul>"
    nodes = find_tree(read_page(page.encode(), "https://example.org/"))

    tree = tree_to_json(nodes, title="T")
    root = ElementTree.fromstring(tree_to_xml(nodes, title="T\x01"))

    def labels(node: dict) -> list[str]:
        return [node["label"], *(label for child in node["children"] for label in labels(child))]

    assert [label for label in labels(tree) if label] == [e.get("label") for e in root.iter() if e.get("label")]


def test_command_reads_a_page_from_standard_input() -> None:
    result = CliRunner().invoke(main, ["partition", "-", "--json"], input="<ul><li><a href=/a>A</a><li>B</ul>")

    assert 0 == result.exit_code
    assert '"label": "A", "url": "/a", "kind": "leaf"' in result.stdout


def test_command_names_a_file_that_cannot_be_read() -> None:
    result = CliRunner().invoke(main, ["partition", "nowhere.html"])

    assert 1 == result.exit_code
    assert "Cannot read nowhere.html" in result.stderr


def shown(html: str) -> list[Any]:
    """Return the labels of a page's tree as nested lists, without blocks and groups that nothing names."""

    def below(node: dict[str, Any]) -> list[object]:
        out: list[object] = []
        for child in node["children"]:
            inner = below(child)
            out += inner if not child["label"] else [[child["label"], *inner] if inner else child["label"]]
        return out

    return below(tree_to_json(find_tree(read_page(html.encode(), "https://example.org/"))))


def test_caption_spanning_headers_and_corner_stand_over_the_records() -> None:
    html = (
        "<table><caption>Rooms</caption><tr><th colspan=2>Lodge<th>High<th>Low<tr><th rowspan=2>Adult<th>Single<td>23"
        "<td>8<tr><th>Double<td>33<td>12</table>"
    )

    assert [
        [
            "Rooms",
            ["Lodge", ["Adult", ["Single", ["High", "23"], ["Low", "8"]], ["Double", ["High", "33"], ["Low", "12"]]]],
        ]
    ] == shown(html)


def test_two_header_rows_stand_over_one_another_and_units_beside_their_header() -> None:
    html = (
        "<table><thead><tr><th rowspan=2>Year<th colspan=2>Home<tr><th>Won<th>Lost<tbody><tr><td>1999<td>3<td>2"
        "<tr><td>2001<td>4<td>1</table><p>and</p><table><tr><th>Metal<th>Density<tr><td><td>(kg/m³)<tr><td>Iron<td>7874"
        "<tr><td>Lead<td>11340</table>"
    )

    found = shown(html)

    assert [["Year", "1999"], ["Home", ["Won", "3"], ["Lost", "2"]]] == found[:2]
    assert [["Metal", "Iron"], ["Density (kg/m³)", "7874"]] == found[5:7]


def test_sections_of_a_table_stand_over_their_rows_under_its_title() -> None:
    html = (
        "<table><tr><td colspan=2>Hotel<tr><th>Room<th>Price<tr><td colspan=2>North<tr><td>101<td>$80<tr><td>102<td>$95"
        "<tr><td colspan=2>South<tr><td>201<td>$70</table>"
    )

    hotel, *_ = shown(html + "<p>What else there is to say about it" * 12)

    assert ["Hotel", "North", "South"] == [hotel[0], *(section[0] for section in hotel[1:])]
    assert ["North", ["Room", "101"], ["Price", "$80"]] == hotel[1][:3]


def test_records_of_an_aria_table_go_back_into_the_tree() -> None:
    row = "<div role=row><span role={0}>{1}</span><span role={0}>{2}</span></div>"
    rows = (("columnheader", "Fruit", "Kilos"), ("cell", "Apple", 12), ("cell", "Pear", 7))
    html = f"<div role=table>{''.join(row.format(*one) for one in rows)}</div>"

    assert [["Fruit", "Apple"], ["Kilos", "12"], ["Fruit", "Pear"], ["Kilos", "7"]] == shown(html)


def test_records_of_a_table_go_back_into_the_tree_one_node_each() -> None:
    rows = "".join(f"<tr><td>{city}<td>{people}" for city, people in (("Oslo", "709,037"), ("Molde", "32,002")))
    facts = read_page(f"<table><tr><th>City<th>People{rows}</table>".encode(), "https://example.org/")
    page = ElementTree.fromstring(tree_to_xml(find_tree(facts)))

    records = [
        {pair.get("label"): pair[0].get("label") for pair in node}
        for node in page.iter("group")
        if [child.tag for child in node] == ["member", "member"]
    ]
    assert [{"City": "Oslo", "People": "709,037"}, {"City": "Molde", "People": "32,002"}] == records
