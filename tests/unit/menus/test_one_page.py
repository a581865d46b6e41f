"""Menu links of one page alone."""

import numpy as np

from sitestrata.menus.one_page import FEATURES, WEIGHTS, find_menu_links, link_features
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


def test_every_feature_has_a_weight_and_a_column() -> None:
    facts = read_page(f"<body>{items('a b c', '')}<p>{TEXT}</p></body>".encode(), URL)

    assert len(FEATURES) == len(WEIGHTS) == link_features(facts, find_segments(facts)).shape[1]
    assert np.isfinite(link_features(facts, find_segments(facts))).all()


def test_a_page_without_links_has_no_menu_links() -> None:
    assert [] == labels_said("<body><p>text</p></body>")
    assert [] == labels_said("")
