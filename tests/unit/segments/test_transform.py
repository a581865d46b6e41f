"""Rules 1-4 on small trees, and against a literal rewriting of the tree."""

from dataclasses import dataclass, field

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from sitestrata.model import TABLES
from sitestrata.page import PageFacts, read_page
from sitestrata.segments import find_segments, segments_to_batch


def read(html: str) -> PageFacts:
    return read_page(html.encode(), "http://example.org/")


def shapes(html: str) -> list[tuple[int, list[str]]]:
    facts = read(html)
    return [
        (segment.parent, [facts.links.label[link] for link in segment.links])
        for segment in find_segments(facts).records(0)
    ]


def test_a_single_link_is_no_segment() -> None:
    assert [] == shapes("<div><p><a href=1>a</a></p><p>text</p></div>")


def test_a_page_without_links_has_no_segment() -> None:
    assert [] == shapes("<p>x")


def test_wrappers_around_links_vanish() -> None:
    assert [(-1, ["a", "b"])] == shapes("<div><p><a href=1>a</a></p><p><b><a href=2>b</a></b></p></div>")


def test_a_node_with_only_segments_stays_and_holds_them() -> None:
    lists = "<ul><li><a href=1>a</a><li><a href=2>b</a></ul>"

    assert [(-1, []), (0, ["a", "b"]), (0, ["a", "b"])] == shapes(f"<body>{lists}{lists}")


def test_link_after_its_submenu_is_no_rule_3() -> None:
    assert [(-1, ["c"]), (0, ["x"]), (1, ["a", "b"])] == shapes(
        "<ul><li><p><a href=1>a</a><a href=2>b</a></p><a href=3>x</a></li><li><a href=4>c</a></li></ul>"
    )


def test_what_a_link_contains_does_not_matter() -> None:
    assert [(-1, ["a b", "c"])] == shapes("<div><a href=1><p>a</p><p>b</p></a><a href=2>c</a></div>")


def test_links_that_lead_nowhere_shape_the_tree_but_are_not_listed() -> None:
    assert [(-1, ["a"])] == shapes("<div><a href=1>a</a><a href='mailto:x@example.org'>m</a></div>")


def test_edges_that_are_no_hyperlinks_belong_to_no_segment() -> None:
    facts = read("<link rel=next href=n><a href=1>a</a><a href=2>b</a><iframe src=f></iframe>")

    assert [-1, 0, 0, -1] == find_segments(facts).of_link.tolist()


def test_batch_has_the_rows_of_the_records() -> None:
    pages = [read("<ul><li><a href=1>a</a><li><a href=2>b</a></ul>"), read("x"), read("<a href=1>a</a><a href=2>b</a>")]
    segments = [find_segments(page) for page in pages]

    batch = segments_to_batch(pages, segments)

    expected = [
        {name: list(getattr(row, name)) if name == "links" else getattr(row, name) for name in batch.schema.names}
        for page, found in zip(pages, segments, strict=True)
        for row in found.records(page.url_id)
    ]
    assert expected == batch.to_pylist()
    assert TABLES["segments"].schema == batch.schema
    assert 0 == segments_to_batch([], []).num_rows
    assert isinstance(batch, pa.RecordBatch)


@dataclass
class Node:
    """A node of the tree that the oracle rewrites."""

    number: int
    is_link: bool
    children: list["Node"] = field(default_factory=list)


def rewrite(node: Node) -> list[Node]:
    """Apply the rules literally, bottom-up; return what takes the node's place."""
    if node.is_link:
        node.children = []
        return [node]
    node.children = [kept for child in node.children for kept in rewrite(child)]
    children = node.children
    if not children:
        return []
    if len(children) == 1 or (len(children) == 2 and children[0].is_link and not children[1].is_link):
        return children
    return [node]


def literal(facts: PageFacts) -> list[tuple[int, int, list[int]]]:
    """Return (node, parent segment's node, link nodes) of all segments by rewriting a tree of objects."""
    dom = facts.dom
    nodes = [Node(number, dom.attribute(number, "href") is not None) for number in range(len(dom))]
    for number in range(1, len(dom)):
        nodes[int(dom.parent[number])].children.append(nodes[number])
    found = []
    stack = [(root, -1) for root in rewrite(nodes[0]) if not root.is_link]
    while stack:
        node, above = stack.pop()
        found.append((node.number, above, [child.number for child in node.children if child.is_link]))
        stack.extend((child, node.number) for child in node.children if not child.is_link)
    return sorted(found)


elements = st.recursive(
    st.sampled_from(["", "text", "<a href=x>l</a>", "<a href=y><b>m</b></a>", "<img>"]),
    lambda inner: st.tuples(st.sampled_from(["div", "ul", "li", "p", "td", "span"]), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=40,
)


@given(st.lists(elements, max_size=5).map("".join))
@settings(max_examples=150, deadline=None)
def test_arrays_and_literal_rewriting_agree(html: str) -> None:
    facts = read(html)
    segments = find_segments(facts)

    actual = [
        (
            int(segments.node[number]),
            int(segments.node[segments.parent[number]]) if segments.parent[number] >= 0 else -1,
            facts.links.node[segments.link[segments.first[number] : segments.first[number + 1]]].tolist(),
        )
        for number in range(len(segments))
    ]

    assert literal(facts) == actual
