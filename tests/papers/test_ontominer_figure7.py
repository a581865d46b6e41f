"""The fragment of OntoMiner's Figure 7: grouping and promotion, consistent with the text around the lost figure."""

import numpy as np

from sitestrata.page import read_page
from sitestrata.partition.flat import flat_segments
from sitestrata.partition.paper import paper_forest


def section(head: str, *links: str) -> str:
    return f"<tr><td><b>{head}</b></td></tr>" + "".join(f"<tr><td><a href='/{n}'>{n}</a></td></tr>" for n in links)


NEWS = ("International", "National", "Sports", "Health", "Science", "Technology", "Corrections")
OPINION = ("Editorials", "Letters", "Columns", "Forum", "Debate", "Readers", "Cartoons")
FEATURES = ("Arts", "Books", "Movies", "Travel", "Food", "Home", "Fashion")
PAGE = (
    "<!doctype html><title>x</title><body><div><div><center><div><div><div><div><table>"
    + section("News", *NEWS)
    + "</table></div><div><table>"
    + section("Opinion", *OPINION)
    + "</table></div><div><table>"
    + section("Features", *FEATURES)
    + "</table></div><div><table>"
    + section("Services", "Archive", "Classifieds")
    + "</table></div>"
)


def test_ontominer_fig7_labels_are_promoted_over_their_groups() -> None:
    """{Sports, Health} and {Science, Technology} are in one Group; News, Opinion and Features stand over theirs."""
    forest = paper_forest(read_page(PAGE.encode(), "https://example.org/"))

    found = {label.text: [child.text for child in label.children] for label in forest if label.children}
    assert list(NEWS) == found["News"]
    assert list(OPINION) == found["Opinion"]
    assert list(FEATURES) == found["Features"]


def test_ontominer_41_segments_end_where_few_links_cross() -> None:
    """Two menus with one path each are two segments; delta is 0.34."""
    paths = np.array([1, 1, 1, 1, 2, 3, 2, 3, 2, 3])

    # Before the last leaf three links lie inside the second segment and one crosses: 0.33.
    assert [(0, 4), (4, 9), (9, 10)] == flat_segments(paths)
    assert [(0, 10)] == flat_segments(np.arange(10))
    assert [] == flat_segments(np.array([], dtype=np.int64))
