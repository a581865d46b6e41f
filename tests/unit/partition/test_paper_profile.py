"""The paper's partitioner: costs, promotion, limits."""

import numpy as np
import pytest

from sitestrata.errors import Error
from sitestrata.page import PageFacts, read_page
from sitestrata.partition.costs import grouping_costs, lowest_ancestor
from sitestrata.partition.paper import paper_forest
from sitestrata.partition.promotion import is_emphasised
from sitestrata.partition.tree import TreeOptions, find_tree


def page(html: str) -> PageFacts:
    return read_page(f"<!doctype html><title>t</title><body>{html}".encode(), "https://example.org/")


def test_alike_neighbours_are_cheaper_than_unlike_ones() -> None:
    facts = page("<div><ul><li><a href=/a>a</a><li><a href=/b>b</a></ul><h2>c</h2></div>")
    first, second = facts.dom.find("a")
    (heading,) = facts.dom.find("h2")

    cost = grouping_costs(facts, [first, second, heading])

    assert cost[0, 1] < cost[1, 2]
    assert (cost == cost.T).all()
    assert (cost >= 0).all()


def test_a_node_costs_nothing_with_itself_and_its_depth_with_what_holds_it() -> None:
    facts = page("<div><ul><li>a<li>b<li>c</ul></div>")
    (ul,) = facts.dom.find("ul")
    item = facts.dom.find("li")[0]
    deepest = int(facts.dom.depth[facts.leaves.node].max())

    cost = grouping_costs(facts, [ul, ul, item])

    assert 0 == cost[0, 1]
    assert cost[0, 2] == pytest.approx(1 / deepest)  # the path of the leaf is the only one in the list


def test_lowest_ancestor_holds_both() -> None:
    facts = page("<div><p>a</p><p><b>b</b></p></div>")
    one, other = facts.leaves.node.tolist()

    assert facts.dom.find("div")[0] == lowest_ancestor(facts, one, other)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>x</b> y", True),
        ("<h3>x</h3> y", True),
        ("<span class=bold>x</span> y", True),
        ("<p>NEWS</p> y", True),
        ("x<ul><li>y</ul>", True),
        ("<p>x</p><p>y</p>", False),
    ],
)
def test_every_rule_of_emphasis(html: str, expected: bool) -> None:
    assert expected == is_emphasised(page(html), 0)


def test_free_text_is_kept_and_too_many_leaves_are_refused() -> None:
    words = "words and more words, " * 10
    assert any(words.strip() == label.text for label in paper_forest(page(f"<p>{words}</p><ul><li>a<li>b</ul>")))
    many = page("<ul>" + "".join(f"<li><a href=/{n}>{n}</a>" for n in range(2_000)) + "</ul>")
    with pytest.raises(Error, match="at most 400"):
        paper_forest(many)


def test_tree_of_the_paper_profile_covers_every_leaf() -> None:
    facts = page("<b>News</b><ul><li>a<li>b<li>c</ul><b>Sport</b><ul><li>d<li>e</ul><p>text</p>")

    nodes = find_tree(facts, options=TreeOptions(profile="paper"))

    labels = {node.label for node in nodes if node.label}
    assert {facts.leaf_text(leaf) for leaf in range(len(facts.leaves))} == labels
    assert np.all(np.array([node.parent for node in nodes[1:]]) < np.arange(1, len(nodes)))


def test_a_table_is_one_unit_of_the_paper_profile_with_its_records_below() -> None:
    rows = "".join(f"<tr><th><a href=/{n}>Item {n}</a><td>{7 * n}<td>{9 * n}" for n in range(1, 4))
    facts = page(f"<b>Before</b><ul><li>a<li>b</ul><table border=1><tr><th>Name<th>One<th>Two{rows}</table><p>Behind")

    nodes = find_tree(facts, options=TreeOptions(profile="paper"))

    assert {"Before", "a", "b", "Behind"} <= {node.label for node in nodes}
    (two,) = (node for node in nodes if node.label == "Two" and nodes[node.parent].label == "Item 2")
    assert ["18"] == [node.label for node in nodes if node.parent == two.ordinal]
    assert "https://example.org/2" == nodes[two.parent].url


def test_a_table_without_headers_or_with_tables_in_it_is_left_to_the_partitioner() -> None:
    inner = "<table border=1><tr><th>Name<th>Size<tr><td>Alpha<td>12<tr><td>Beta<td>13</table>"
    facts = page(f"<table border=1><tr><td><b>Left</b><td>{inner}<tr><td><b>Right</b><td>{inner}</table>")

    nodes = find_tree(facts, options=TreeOptions(profile="paper"))

    assert 2 == sum(node.label == "12" and nodes[node.parent].label == "Size" for node in nodes)
    assert {"Left", "Right"} <= {node.label for node in nodes}


def test_tables_with_aria_roles_are_read_in_the_order_of_the_page() -> None:
    row = "<div role=row><span role=cell>{0}</span><span role=cell>{1}</span></div>"
    heads = "<div role=row><b role=columnheader>Name</b><b role=columnheader>Age</b></div>"
    aria = f"<div role=table>{heads}{row.format('Alpha', 12)}{row.format('Beta', 13)}</div>"
    table = "<table border=1><tr><th>Name<th>Size<tr><td>Gamma<td>14<tr><td>Delta<td>15</table>"

    nodes = find_tree(page(f"{aria}<p>Between</p>{table}"), options=TreeOptions(profile="paper"))

    over = {node.label: nodes[node.parent].label for node in nodes if node.label}
    assert {"12": "Age", "15": "Size"}.items() <= over.items()
    assert ["12", "Between", "15"] == [node.label for node in nodes if node.label in ("12", "Between", "15")]
