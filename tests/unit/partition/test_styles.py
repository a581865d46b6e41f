"""Which texts stand out by the style elements of their page."""

import time

import pytest

from sitestrata.page import Emphasis, PageFacts, read_page
from sitestrata.partition.styles import with_styles
from sitestrata.partition.tree import find_tree

LIST = "<p class='note'>one</p><p>two</p><p>three</p>"


def read(css: str, html: str, *, media: str = "") -> PageFacts:
    page = f"<!doctype html><style {media}>{css}</style><body>{html}"
    return read_page(page.encode(), "https://example.org/")


def standing_out(css: str, html: str, *, media: str = "") -> list[str]:
    facts = with_styles(read(css, html, media=media))
    return [facts.leaf_text(leaf) for leaf in range(len(facts.leaves)) if facts.leaves.emphasis[leaf] & Emphasis.STYLED]


@pytest.mark.parametrize(
    "css",
    [
        ".note { font-weight: bold }",
        "P.Note{color:red;FONT-WEIGHT:700}",
        "body > .note { font-weight: 600 }",
        "html p.note, h1 { font-weight: bolder }",
        "/* p { font-weight: normal } */ .note { font-size: 20px; }",
        "p { font-size: 1em } .note { font-size: 150% }",
        "@media screen { .note { font-weight: bold } }",
        "@font-face { font-family: x; src: url(x) } .note { font-size: x-large }",
        "p { font-weight: normal } .note { font-weight: bold }",
        ".note { font-weight: bold } p { font-weight: normal }",  # the class is more specific
        "@import url(x.css); .note { font-weight: bold",
    ],
)
def test_bold_or_large_by_a_rule_stands_out(css: str) -> None:
    assert ["one"] == standing_out(css, LIST)


@pytest.mark.parametrize(
    "css",
    [
        "",
        ".note:hover { font-weight: bold }",
        ".note[title] { font-weight: bold }",
        "div .note { font-weight: bold }",
        "div > .note { font-weight: bold }",
        ".other { font-weight: bold }",
        "@media print { .note { font-weight: bold } }",
        ".note { font-weight: bold } .note { font-weight: normal }",
        ".note { font-size: 14px; font-family: bold }",
        "body { font-weight: bold }",  # all of the page: nothing stands out
        "}}}{{{ font-weight: bold",
        "* { font-size: 1..2px } .note { font-size: calc(1px + 2em) }",
    ],
)
def test_other_rules_set_nothing_off(css: str) -> None:
    assert [] == standing_out(css, LIST)


def test_sheets_for_other_media_are_not_read() -> None:
    assert [] == standing_out(".note { font-weight: bold }", LIST, media="media=print")
    assert ["one"] == standing_out(".note { font-weight: bold }", LIST, media="media='screen, print'")


def test_what_is_inside_stands_out_too_down_to_the_next_rule() -> None:
    html = "<div class=a>one <i>two</i> <span class=b>three <u>four</u></span></div><p>five<p>six<p>seven<p>eight"

    assert ["one", "two"] == standing_out(".a { font-weight: bold } .b { font-weight: normal }", html)


def test_label_that_is_bold_by_its_class_owns_what_follows() -> None:
    html = "<div><div class=t>News</div><div>Today</div><div>Archive</div><div class=t>Shop</div><div>Hats</div></div>"
    nodes = find_tree(read(".t { font-weight: bold }", html))
    above = {node.label: nodes[node.parent].label for node in nodes if node.parent >= 0}

    assert ("News", "News", "Shop") == (above["Today"], above["Archive"], above["Hats"])
    assert "News" not in {nodes[node.parent].label for node in find_tree(read("", html)) if node.parent >= 0}


@pytest.mark.parametrize(
    ("css", "html"),
    [
        (".a .b .c{font-weight:bold}" * 20_000, "<div class=a><div class=b>" * 200 + "<i class=c>x</i>" * 5_000),
        ("{" * 200_000 + "font-weight:bold", LIST),
        ("@media screen{" * 50_000 + "font-size:9px", LIST),
        ("@x{" * 50_000 + "font-size:9px", LIST),
        ("/*" * 100_000 + "font-weight:bold", LIST),
    ],
    ids=["many", "braces", "media", "unknown", "comments"],
)
def test_hostile_sheets_take_bounded_time(css: str, html: str) -> None:
    facts = read(css, html)
    began = time.process_time()

    with_styles(facts)

    assert time.process_time() - began < 10
