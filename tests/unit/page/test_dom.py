"""The arrays of a page are the tree that the parser built."""

from html.entities import html5

import numpy as np
import pytest

from sitestrata.page import Dom, PageLimits, UnusablePageError, parse


def outline(dom: Dom) -> list[str]:
    return [("  " * int(dom.depth[node])) + (dom.own_text(node) or dom.tag_name(node)) for node in range(len(dom))]


def test_nodes_stand_in_document_order_with_their_subtrees() -> None:
    dom = parse(b"<title>T</title><ul><li><a href=x>one</a><li>two</ul>tail")

    assert [
        "html",
        "  head",
        "    title",
        "      T",
        "  body",
        "    ul",
        "      li",
        "        a",
        "          one",
        "      li",
        "        two",
        "    tail",
    ] == outline(dom)
    assert [12, 4, 4, 4, 12, 11, 9, 9, 9, 11, 11, 12] == dom.end.tolist()
    assert [-1, 0, 1, 2, 0, 4, 5, 6, 7, 5, 9, 4] == dom.parent.tolist()
    assert [6, 9] == list(dom.children(5))
    assert [7, 6, 5, 4, 0] == list(dom.ancestors(8))


def test_blank_texts_comments_scripts_and_templates_are_no_nodes() -> None:
    dom = parse(
        b"<body> &nbsp; <!-- c --><script>x</script><style>y</style><template><p>z</template><iframe>w</iframe>"
    )

    assert ["html", "head", "body", "script", "style", "template", "iframe"] == [
        dom.tag_name(node) for node in range(len(dom))
    ]


def test_structured_data_is_kept() -> None:
    dom = parse(b'<script type="application/LD+json">{"a": 1}</script>')

    assert '{"a": 1}' == dom.own_text(3)


def test_white_space_is_folded_and_keeps_words_apart() -> None:
    dom = parse("<body><p>a\n\tb\u00a0 \u3000c<p><b>x</b> <i>y</i><i>z</i>".encode())

    assert "a b c" == dom.own_text(4)
    assert "x yz" == dom.inner_text(5)


def test_inner_text_parts_blocks_and_leaves_out_what_is_hidden() -> None:
    dom = parse(b"<body><div>a<div>b</div>c<br>d<span>e</span><span hidden>f</span></div>g")

    assert "a b c de g" == dom.inner_text(2)


def test_attributes_are_found_by_name() -> None:
    dom = parse(b"<a HREF=' x&amp;y ' title hidden onclick=z>")
    link = len(dom) - 1

    assert " x&y " == dom.attribute(link, "href")
    assert "" == dom.attribute(link, "title")
    assert "" == dom.attribute(link, "hidden")
    assert dom.attribute(link, "rel") is None


def test_unknown_tags_have_names_too() -> None:
    dom = parse(b"<x-b><x-a><x-b><svg><foreignObject>")

    assert ["x-b", "x-a", "x-b", "svg", "foreignobject"] == [dom.tag_name(node) for node in range(3, len(dom))]


def test_elements_below_the_depth_limit_are_lifted_to_it() -> None:
    dom = parse(b"<div>" * 10 + b"x", limits=PageLimits(page_depth=5))

    assert 12 == dom.parsed_depth
    assert 5 == dom.depth.max()
    assert [0, 1, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5] == dom.depth.tolist()
    fifth = 5
    assert list(range(6, len(dom))) == list(dom.children(fifth))
    assert np.array_equal(dom.end[6:], np.arange(7, len(dom) + 1))


@pytest.mark.parametrize(
    ("body", "limits", "reason"),
    [
        (b"x" * 101, PageLimits(page_size=100), "too-large"),
        (b"<div>" * 100_000, PageLimits(), "too-deep"),
        (b"<div>" * 100, PageLimits(parser_depth=50), "too-deep"),
        (b"".join(b"<font size=%d>" % i for i in range(200)), PageLimits(parser_depth=100), "too-deep"),
        (b"<table>" + b"<div>" * 20_000, PageLimits(), "too-deep"),
        (b"<template>" + b"<div>" * 20_000, PageLimits(), "too-deep"),
        (b"<p>x" * 100, PageLimits(page_nodes=50), "too-many-nodes"),
        (b"<a " + b" ".join(b"b%d" % i for i in range(50_000)) + b">", PageLimits(), "too-many-attributes"),
        (b"".join(b"<html a%d=''>" % i for i in range(50_000)), PageLimits(), "too-many-attributes"),
    ],
)
def test_pages_beyond_the_limits_are_refused_with_a_reason(body: bytes, limits: PageLimits, reason: str) -> None:
    with pytest.raises(UnusablePageError) as caught:
        parse(body, limits=limits)

    assert reason == caught.value.reason


@pytest.mark.parametrize(
    "body",
    [
        b"<p>x" * 20_000,
        b"<ul>" + b"<li>x" * 20_000,
        b"<font color=red>x<br>" * 400,
        b"<p><font size=2>x</p>" * 2_000,
        b"<p><b></p>" * 20_000,
        b"<table>" + b"<tr><td><center><div>x" * 5_000,
        b"<ul>" + b"<li><span>x<div>y</span></li>" * 900,
        b"<table>" + b"<tr><td>x" * 20_000,
        b"<select>" + b"<option>x" * 20_000,
        b"<dl>" + b"<dt>x<dd>y" * 10_000,
        b"<img src='data:image/png;base64," + b"A" * 200_000 + b"'>",
        b"<script>" + b"a<b " * 50_000 + b"</script>",
    ],
)
def test_ordinary_bad_pages_are_read(body: bytes) -> None:
    assert len(parse(body)) > 3


@pytest.mark.parametrize(
    "body", [b"", b"\0", b"\0" * 100, b"<", b"<!--", b"<a href='", b"\xef\xbb\xbf", b"%PDF-1.4 \x00\x01"]
)
def test_hardly_any_html_is_a_small_page(body: bytes) -> None:
    dom = parse(body.decode("utf-8", "replace").encode())

    assert ["html", "head", "body"] == [dom.tag_name(node) for node in range(3)]


def test_a_small_page_cannot_make_the_parser_take_all_memory() -> None:
    """A formatting element is opened anew in every paragraph, each time with a copy of its attributes."""
    body = b"<p><font color='" + b"x" * 30_000 + b"'>y</p>" + b"<p>y</p>" * 20_000

    with pytest.raises(UnusablePageError) as caught:
        parse(body)

    assert "too-much-memory" == caught.value.reason
    assert 4 == len(parse(b"<p>"))


def test_elements_are_found_by_tag_and_by_attribute() -> None:
    dom = parse(b"<p id=a><b>x</b><i class=c id=d></i><p>y<b title=e></b>")

    assert [dom.attribute(node, "id") for node in dom.having("id")] == ["a", "d"]
    assert [dom.tag_name(node) for node in dom.having("title")] == ["b"]
    assert [] == dom.having("id", 0, 3)
    assert 2 == len(dom.find("b"))
    assert [] == dom.find("table")


def test_references_that_swell_do_not_overrun_the_parser() -> None:
    """Lexbor writes beyond its buffer when many references are shorter than what they stand for."""
    body = b"<title>" + b"&nGt;" * 20_000 + b"</title><p title='" + b"&nLt;" * 20_000 + b"'>&nGt;&ngt;&nlt"

    dom = parse(body)

    assert "\u226b\u20d2" * 20_000 == dom.own_text(3)
    assert "\u226a\u20d2" * 20_000 == dom.attribute(5, "title")
    assert "\u226b\u20d2\u226f&nlt" == dom.own_text(6)


def test_every_other_reference_shrinks() -> None:
    swelling = {name for name, text in html5.items() if len(text.encode()) > len(name) + 1}

    assert {"nGt;", "nLt;"} == swelling
