"""Sitemap files, judged by the rules of sitemaps.org as written down here."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from lxml import etree

from sitestrata.export.sitemap import MAX_BYTES, MAX_URLS, is_listable, write_index, write_sitemaps

# The parts of the protocol that a grammar can say, in RELAX NG, so that another library checks them.
GRAMMAR = etree.RelaxNG(
    etree.fromstring(
        """<grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="http://www.sitemaps.org/schemas/sitemap/0.9"
             datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
          <start><choice>
            <element name="urlset"><oneOrMore><element name="url"><ref name="loc"/></element></oneOrMore></element>
            <element name="sitemapindex">
              <oneOrMore><element name="sitemap"><ref name="loc"/></element></oneOrMore>
            </element>
          </choice></start>
          <define name="loc"><element name="loc"><data type="anyURI"><param name="minLength">12</param>
            <param name="maxLength">2047</param><param name="pattern">https?://.+</param></data></element></define>
        </grammar>"""
    )
)


def locations(content: bytes) -> list[str]:
    """Check a sitemap or index and return what it lists."""
    root = etree.fromstring(content)
    GRAMMAR.assertValid(root)
    found = [element.text for element in root.iter("{*}loc")]
    assert len(found) <= 50_000
    assert len(content) <= 50 * 1024 * 1024
    return found


def parts_of(urls: list[str], **limits: int) -> list[bytes]:
    files: list[io.BytesIO] = []

    @contextmanager
    def part() -> Iterator[io.BytesIO]:
        files.append(io.BytesIO())
        yield files[-1]

    assert len(urls) == write_sitemaps(urls, part, **limits)
    return [file.getvalue() for file in files]


def test_a_sitemap_lists_its_addresses() -> None:
    urls = ["http://a.example/", "http://a.example/?a=1&b=<2>", "http://a.example/{x}|y"]

    (content,) = parts_of(urls)

    assert ["http://a.example/", "http://a.example/?a=1&b=%3C2%3E", "http://a.example/%7Bx%7D%7Cy"] == locations(
        content
    )


def test_a_sitemap_is_split_at_fifty_thousand_addresses() -> None:
    urls = [f"http://a.example/{number}" for number in range(MAX_URLS + 1)]

    first, second = map(locations, parts_of(urls))

    assert MAX_URLS == len(first)
    assert urls == [*first, *second]


def test_a_sitemap_is_split_before_it_is_too_large() -> None:
    urls = [f"http://a.example/{number:01000}" for number in range(100)]

    files = parts_of(urls, max_bytes=10_000)

    assert urls == [url for file in files for url in locations(file)]
    assert all(len(file) <= 10_000 for file in files)
    assert 50 * 1024 * 1024 == MAX_BYTES


def test_no_addresses_make_no_file() -> None:
    assert [] == parts_of([])


def test_addresses_that_are_too_long_cannot_be_listed() -> None:
    assert is_listable("http://a.example/" + "x" * 2030)
    assert not is_listable("http://a.example/" + "x" * 2031)
    assert not is_listable("http://a.example/" + "{" * 700)  # three characters each when encoded


def test_an_index_names_the_files_of_its_hosts() -> None:
    file = io.BytesIO()
    write_index(["http://a.example/1.xml", "http://b.example/2.xml"], file)

    assert ["a.example", "b.example"] == [urlsplit(place).netloc for place in locations(file.getvalue())]
