"""The kernels of the page pass and their Python twins give equal arrays, on random and on odd pages."""

from collections.abc import Sequence
from typing import Any

import ada_url
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitestrata._kernels import book_twin, is_compiled, scan_twin, segment_twin, walk_twin
from sitestrata.page.vocabulary import ATTRIBUTES, ROLES, TAG_ID, TAGS, Role

assert all(is_compiled(name) for name in ("book", "scan", "segment", "utf8", "walk")), "kernels are missing"

VOCABULARY = TAGS, ATTRIBUTES, [tag for tag in range(len(TAGS)) if ROLES[tag] & Role.RAW], TAG_ID["script"]
LIMITS = 512, 2048, 100_000, 4096, 1 << 28  # depth, parser's depth, nodes, attributes, memory

ODD = [
    b"",
    b"\0",
    b"plain",
    b"<p>" * 600,
    b"<div>" * 700 + b"x<a href=y>z",
    b"<table><b>foster<tr><td>x</table>",
    b"<b><p>x</b>y<a href=1><div><a href=2>z",
    b"<svg><a xlink:href=u href=v><title>t</title><style>s<b>x</b></style></svg><math><mi xml:lang=de>m",
    b"<frameset><frame src=a><noframes>x</noframes></frameset>",
    b"<template><a href=x>y</a></template><noscript><a href=n>m</a></noscript>",
    b"<select><option selected>a<option>b<button><selectedcontent></select>",
    b"<a href=1><table><tr><td><a href=2>in</a></table></a>",
    "<p>\u00a0\u2003\u3000<b>\u1680x\u0085y\u2028</b>\ufeff\u200bz &nbsp;&#x2009;w".encode(),
    b"<a href='x #y'>1<a href=' #z '>2<a href=#a%20b>3<a href=#\xc3\xa9>4<a href='#'>5<a href='?#a?b'>6",
    b"<a href=x><img alt='\xc2\xa0a\n b'><img alt=c><svg><title>d</title></svg></a><a href=y aria-label=' n ' title>",
    b"<div class='\x0b a\tb '><p id='' class=''><x:y#z.w class='%41 .'><a href=q>",
    b"<p style='FONT-WEIGHT : 700'>A<p class=xBOLDy>BC<p>\xc3\x84\xc3\x96<p>\xc7\x85\xc7\x85",
    b"<form title=t><a href=1></a></form><header role=' Main x'><a href=2></a></header><dialog open>a</dialog><dialog>",
    b"<link rel='UP icon' href=a><link rel=canonical href=b><meta http-equiv=' Refresh' content='0;u'>",
    b'<script type=APPLICATION/LD+JSON> {"@type": "BreadcrumbList"} </script><script src=DATA:x></script><img src=>',
    b"<html xml:lang=de><ul aria-label=BreadCrumbs><li itemtype=x/BreadcrumbList>",
    b"<a href=x>" + b"word " * 2000 + b"</a><a href=y>" + "\u00e4".encode() * 3000,
    b"<div id=" + b"i" * 3000 + b"><div class=" + b"c" * 3000 + b"><a href=x>y",
]

text = st.sampled_from(["x", " ", "\n a\tb ", "&nbsp;", "ÄB", "\u3000y", "AB CD", "</b>", "<!-- c -->", "\0"])
NAMES = """a a a b i p div ul li table tr td th span h1 title svg nav header footer form main br img area iframe frame
link meta base script style select option x-y dialog button template font section noscript"""
VALUES = """href=x
href='#f'
href='/y z#g h'
src=s
src=data:x
class='a  bold'
class=c/d
id=e.f
alt=''
alt=' g h '
title=t
aria-label=n
hidden
role=navigation
role=none
rel='next x'
rel=stylesheet
style='font-weight:bold'
name=robots
http-equiv=refresh
content='1;url=z'
type=x/ld+json
data-x=1
colspan=2
lang=de
open"""
name = st.sampled_from(NAMES.split())
attribute = st.sampled_from(VALUES.splitlines())
pages = st.recursive(
    text,
    lambda inner: st.builds(
        lambda tag, attributes, parts, is_closed: (
            f"<{' '.join([tag, *attributes])}>{''.join(parts)}" + (f"</{tag}>" if is_closed else "")
        ),
        name,
        st.lists(attribute, max_size=3),
        st.lists(inner, max_size=5),
        st.booleans(),
    ),
    max_leaves=60,
).map(str.encode)


def same(expected: Any, actual: Any) -> None:
    if isinstance(expected, np.ndarray):
        assert expected.dtype == actual.dtype
        assert expected.tolist() == actual.tolist()
    elif isinstance(expected, tuple):
        assert len(expected) == len(actual)
        for one, other in zip(expected, actual, strict=True):
            same(one, other)
    else:
        assert expected == actual


def explain(href: str, base: str, encoding: str | None) -> tuple[str | None, str | None, bool]:
    """Resolve by the parser alone."""
    try:
        text = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return None, None, False
    address, mark, fragment = text.partition("#")
    is_bound = bool(href) and href[0] not in "?#h" and href.isprintable() and ":" not in href
    return address if address.startswith("http") else None, fragment if mark else None, is_bound


def walkers() -> tuple[Any, Any]:
    from sitestrata._kernels import walk

    return walk_twin.Walker(*VOCABULARY), walk.Walker(*VOCABULARY)


TWIN_WALKER, WALKER = walkers()


def check(html: bytes, limits: Sequence[int] = LIMITS) -> None:
    from sitestrata._kernels import book, scan, segment

    walk = TWIN_WALKER.walk(html, *limits)
    same(walk, WALKER.walk(html, *limits))
    status, _, nodes, attributes, buffer, extra = walk
    if status:
        return
    twin, kernel = (module.Scanner(TAGS, ATTRIBUTES, ROLES) for module in (scan_twin, scan))
    found = twin.scan(nodes, attributes, buffer, extra)
    same(found, kernel.scan(nodes, attributes, buffer, extra))
    link_of, _, _, class_path, edges, leaves, _, resources, _ = found
    same(twin.labels(nodes, attributes, buffer, edges[0]), kernel.labels(nodes, attributes, buffer, edges[0]))
    same(twin.gaps(nodes, leaves, edges[0]), kernel.gaps(nodes, leaves, edges[0]))
    for wanted in (edges[3], resources):
        same(twin.texts(attributes, buffer, wanted), kernel.texts(attributes, buffer, wanted))
    for node in (-1, 0, *edges[0].tolist()):
        assert twin.label(nodes, attributes, buffer, node) == kernel.label(nodes, attributes, buffer, node)
    for index in (-1, *resources.tolist()):
        assert twin.value(attributes, buffer, index) == kernel.value(attributes, buffer, index)
    books = [module.Book(explain) for module in (book_twin, book)]
    for base, is_plain in (
        ("http://a.example/b/c?d", True),
        ("http://a.example/e/", True),
        ("http://1.2.3.4/", False),
        ("", False),
    ):
        for wanted in (edges[2], resources, edges[2]):
            answers = [one.number(attributes, buffer, wanted, base, is_plain, "latin-1") for one in books]
            same(answers[0][1], answers[1][1])
            same(answers[0][0] < 0, answers[1][0] < 0)
            known = [numbers[numbers >= 0] for numbers, _ in answers]
            same(*(one.ids(numbers) for one, numbers in zip(books, known, strict=True)))
            same(*(one.spell(numbers) for one, numbers in zip(books, known, strict=True)))
    fragments = [None] * edges.shape[1]
    numbers = np.arange(edges.shape[1], dtype=np.int32) % 3 - 1
    same(twin.lead(edges, numbers, fragments), kernel.lead(edges, numbers, fragments))
    same(twin.distinct(class_path, edges[0]), kernel.distinct(class_path, edges[0]))
    segments = segment_twin.segment(nodes, link_of, edges[0])
    same(segments, segment.segment(nodes, link_of, edges[0]))
    tables = [scanner.path_table(nodes, attributes, buffer, extra) for scanner in (twin, kernel)]
    for wanted in (edges[0], segments[0], edges[0]):
        numbers = tables[0].number(wanted)
        same(numbers, tables[1].number(wanted))
        same(tables[0].spell(numbers), tables[1].spell(numbers))
    assert len(tables[0]) == len(tables[1])
    assert [tables[0][i] for i in range(len(tables[0]))] == [tables[1][i] for i in range(len(tables[1]))]


@given(st.lists(pages, min_size=2, max_size=4), st.lists(st.booleans(), min_size=4, max_size=4))
@settings(max_examples=100, deadline=None)
@example([b"", b"<p><table>", b"", b"<p><table>"], [False, True, True, False])
def test_a_page_is_read_alike_whatever_was_read_before(parts: list[bytes], has_doctype: list[bool]) -> None:
    for html, is_standard in zip(parts, has_doctype, strict=False):
        page = b"<!doctype html>" * is_standard + html
        same(TWIN_WALKER.walk(page, *LIMITS), WALKER.walk(page, *LIMITS))


@pytest.mark.parametrize("html", ODD)
def test_odd_pages(html: bytes) -> None:
    check(html)


@given(pages)
@settings(max_examples=300, deadline=None)
@example(b"<p>a<b> c </b> <i>d</i>")
def test_random_pages(html: bytes) -> None:
    check(html)


@given(pages, st.integers(1, 6), st.integers(3, 12), st.integers(5, 60))
@settings(max_examples=100, deadline=None)
def test_random_pages_with_small_limits(html: bytes, depth: int, parser_depth: int, nodes: int) -> None:
    check(html, (depth, parser_depth, 100_000, 4096, 1 << 28))
    check(html, (depth, 2048, nodes, 4096, 1 << 28))


@given(st.lists(pages, min_size=2, max_size=4).map(lambda parts: (b"<p>" + b"x" * 1500).join(parts)))
@settings(max_examples=50, deadline=None)
def test_pages_in_several_pieces(html: bytes) -> None:
    check(html * 3)


@given(st.text(max_size=300).map(lambda page: page.encode("utf-8", "replace")))
@settings(max_examples=200, deadline=None)
def test_any_text_at_all(html: bytes) -> None:
    check(html)


HREF_PARTS = """. .. / // ./ ../ ? # : @ % %2e %41 ' [ ] | ^ { \\ a b.c d-e x=y é mailto: ftp: http: https: HTTP:
http:// https:// javascript: h.example H.example xn--a.example a_b.example 1.2.3.4 0x7f :80 /../ /./ index.html"""
BASES = (
    ("http://a.example/b/c?d", True),
    ("https://a.example/b/e/", True),
    ("https://a.example/", True),
    ("http://1.2.3.4/f/g", False),
    ("http://a.example/%41/b", False),
    ("", False),
)


@given(
    st.lists(
        st.lists(st.sampled_from([*HREF_PARTS.split(), " ", "\t"]), max_size=5).map("".join), min_size=1, max_size=6
    )
)
@settings(max_examples=500, deadline=None)
@example(["", "./", "../", "../../..", "./../x", "//h.example", "https://h.example", "http://h.example?x", "http:x"])
def test_addresses_are_joined_as_by_a_parser(hrefs: list[str]) -> None:
    from sitestrata._kernels import book

    texts = [href.encode() for href in hrefs]
    ends = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    slices = np.stack([ends[:-1], ends[:-1], ends[1:]])
    wanted = np.arange(len(hrefs), dtype=np.int32)
    books = [module.Book(explain) for module in (book_twin, book)]
    for base, is_plain in BASES * 2:
        answers = [one.number(slices, b"".join(texts), wanted, base, is_plain, None) for one in books]

        same(answers[0][1], answers[1][1])
        same(answers[0][0] < 0, answers[1][0] < 0)
        known = [numbers[numbers >= 0] for numbers, _ in answers]
        same(*(one.spell(numbers) for one, numbers in zip(books, known, strict=True)))
        same(*(one.distinct(numbers) for one, (numbers, _) in zip(books, answers, strict=True)))
        same(*(one.ids(numbers) for one, numbers in zip(books, known, strict=True)))


@given(
    st.lists(
        st.sampled_from(
            [
                "<a ",
                "b=c ",
                "d ",
                "='e' ",
                '"',
                "'",
                "/",
                ">",
                "<!--",
                "-->",
                "<script>",
                "</script>",
                "<html f ",
                "</p g>",
                "x",
            ]
        ),
        max_size=60,
    ).map("".join),
    st.integers(0, 3),
)
@settings(max_examples=200, deadline=None)
def test_attributes_are_counted_alike(markup: str, limit: int) -> None:
    from sitestrata._kernels import walk

    html = (markup * 2).encode()

    assert walk_twin.has_too_many_attributes(html, limit) == walk.has_too_many_attributes(html, limit)


@given(
    st.binary(max_size=40) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.integers(0, 9),
)
@settings(max_examples=500, deadline=None)
def test_valid_utf8_is_told_from_other_bytes(data: bytes, ascii_before: int) -> None:
    from sitestrata._kernels import utf8, utf8_twin

    data = b"a" * ascii_before + data

    assert utf8_twin.is_utf8(data) == utf8.is_utf8(data)


def test_every_start_of_a_character_is_judged_alike() -> None:
    from sitestrata._kernels import utf8, utf8_twin

    tails = [b"", b"\x80", b"\x8f", b"\x90", b"\x9f", b"\xa0", b"\xbf", b"\xc0"]
    for lead in range(256):
        for second in tails:
            for rest in (b"", b"\x80", b"\x80\x80", b"\x80a", b"a"):
                data = bytes([lead]) + second + rest

                assert utf8_twin.is_utf8(data) == utf8.is_utf8(data)
