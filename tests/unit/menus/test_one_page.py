"""Menu links of one page alone."""

import numpy as np

from sitestrata.menus.one_page import FEATURES, find_menu_links, judge, link_features
from sitestrata.menus.page_menu_trees import TREES
from sitestrata.page import read_page
from sitestrata.segments import find_segments

URL = "https://s.example/"
TEXT = "A sentence that is long enough to be read as running text, and that holds no link at all. " * 4


def labels_said(body: str) -> list[str]:
    facts = read_page(body.encode(), URL)
    found = find_menu_links(facts, find_segments(facts))
    return [facts.links.label[int(number)] for number in found.links()]


def items(words: str, folder: str) -> str:
    return "<ul>" + "".join(f'<li><a href="/{folder}{word}">{word}</a></li>' for word in words.split()) + "</ul>"


def test_short_lists_before_and_behind_the_text_are_menus_and_links_in_the_text_are_not() -> None:
    stories = "".join(
        f'<h2><a href="/2024/05/the-story-number-{number}-of-many.html">A story with many words {number}</a></h2>'
        f"<p>{TEXT}</p>"
        for number in range(8)
    )
    body = (
        f"<body><div>{items('Home News Sports Culture Travel Money', '')}</div><div>{stories}</div>"
        f"<div>{items('About Contact Privacy Terms Jobs', 'info/')}</div></body>"
    )

    said = labels_said(body)

    assert {"Home", "News", "Sports", "Culture", "Travel", "Money", "About", "Contact", "Privacy"} <= set(said)
    assert not [label for label in said if label.startswith("A story")]


def test_every_feature_is_a_column_that_trees_may_ask_for() -> None:
    facts = read_page(f"<body>{items('a b c', '')}<p>{TEXT}</p></body>".encode(), URL)
    features = link_features(facts, find_segments(facts))

    assert len(FEATURES) == features.shape[1]
    assert np.isfinite(features).all()
    assert {int(row[place]) for row in TREES for place in (0, 2, 4)} <= set(range(len(FEATURES)))


def test_a_tree_asks_two_questions_of_each_row() -> None:
    tree = (0, 0.5, 1, 0.5, 2, 0.5, 1.0, 2.0, 3.0, 4.0)
    rows = np.array([[0, 0, 1], [0, 1, 0], [1, 1, 0], [1, 0, 1]], float)

    chance = judge(rows, 0.0, (tree,))

    assert [1.0, 2.0, 3.0, 4.0] == np.round(np.log(chance / (1 - chance)), 9).tolist()


def test_a_page_without_links_has_no_menu_links() -> None:
    assert [] == labels_said("<body><p>text</p></body>")
    assert [] == labels_said("")
