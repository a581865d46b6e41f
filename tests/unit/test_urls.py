"""Addresses: canonical form, identity, parts."""

import doctest

import pytest

from sitestrata import urls

BASE = "http://example.org/a/b/c.html?q=1"


def test_examples_in_the_docstrings_hold() -> None:
    failed, tried = doctest.testmod(urls)

    assert failed == 0
    assert tried > 5


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("", BASE),
        ("#top", BASE),
        ("?x", "http://example.org/a/b/c.html?x"),
        ("d", "http://example.org/a/b/d"),
        ("./", "http://example.org/a/b/"),
        ("../../..", "http://example.org/"),
        ("/x/%7e/./y", "http://example.org/x/%7e/y"),
        ("/%2e%2E/x", "http://example.org/x"),
        ("//Example.COM:80", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http:d", "http://example.org/a/b/d"),
        ("\\\\example.com\\x", "http://example.com/x"),
        (" \t/a\nb \r", "http://example.org/ab"),
        ("/é?é", "http://example.org/%C3%A9?%C3%A9"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]/", "http://[::1]/"),
        ("/a?", "http://example.org/a?"),
        ("/\0x\0", "http://example.org/%00x"),
        ("/\ud800", "http://example.org/%EF%BF%BD"),
        ("/\ud83d\ude00", "http://example.org/%F0%9F%98%80"),
    ],
)
def test_href_means_what_a_browser_makes_of_it(href: str, expected: str) -> None:
    assert expected == urls.normalise(href, BASE)


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@example.org",
        "javascript:void(0)",
        "data:text/html,x",
        "ftp://example.org/",
        "http://a b/",
        "http://",
        "http://[::1",
        "http://example.org:99999/",
        "\ud800http://x/",
        "/" + "x" * urls.MAX_LENGTH,
        "/" + "é" * (urls.MAX_LENGTH // 2),
    ],
)
def test_what_is_no_usable_http_address_is_none(href: str) -> None:
    assert urls.normalise(href, "ftp://example.org/" if href.startswith("\ud800") else BASE) is None


def test_fragment_is_kept_beside_the_address() -> None:
    assert urls.resolve("x#a#b", BASE) == ("http://example.org/a/b/x", "a#b")
    assert urls.resolve("x#", BASE) in (("http://example.org/a/b/x", ""), ("http://example.org/a/b/x", None))
    assert urls.resolve("x", BASE) == ("http://example.org/a/b/x", None)


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        (None, "?x=%C3%A9"),
        ("utf-8", "?x=%C3%A9"),
        ("iso-8859-1", "?x=%E9"),
        ("ascii", "?x=%26%23233%3B"),
        ("no-such-charset", "?x=%C3%A9"),
    ],
)
def test_query_is_encoded_in_the_charset_of_the_page(encoding: str | None, expected: str) -> None:
    resolved = urls.resolve("/é?x=é#é", BASE, encoding=encoding)

    assert resolved == ("http://example.org/%C3%A9" + expected, "%C3%A9")


def test_url_id_is_the_little_endian_blake2b_of_the_text() -> None:
    """Recorded on purpose: workspaces of different versions must agree."""
    assert urls.url_id("http://example.org/") == 2689016738534627648
    assert urls.url_id("\ud800") != urls.url_id("\ud801")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.example.org/a:b", "www.example.org"),
        ("http://u:p@example.org:8080/", "example.org"),
        ("http://[::1]:80/x", "[::1]"),
        ("http://1.2.3.4/", "1.2.3.4"),
        ("no address", ""),
    ],
)
def test_host(url: str, expected: str) -> None:
    assert expected == urls.host(url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.b.example.com/", "example.com"),
        ("http://a.example.co.uk/", "example.co.uk"),
        ("http://someone.github.io/", "someone.github.io"),
        ("http://co.uk/", "co.uk"),
        ("http://localhost/", "localhost"),
        ("http://192.0.2.1/", "192.0.2.1"),
        ("http://[::1]/", "[::1]"),
        ("http://www.xn--85x722f.com.cn/", "xn--85x722f.com.cn"),
        ("http://example.com./", "example.com"),
        ("no address", ""),
    ],
)
def test_registered_domain(url: str, expected: str) -> None:
    assert expected == urls.registered_domain(url)


def test_tokens_are_the_runs_between_separators() -> None:
    expected = ["http", "www.example.org", "a-b", "c.html", "x", "1", "y", "2"]

    assert expected == urls.tokens("http://www.example.org/a-b/c.html?x=1&y=2")


def test_surt_prefix_ignores_scheme_and_keeps_hosts_apart() -> None:
    assert urls.is_within("https://example.org/a/b", "http://example.org/a/")
    assert not urls.is_within("http://example.org.evil.example/a/b", "http://example.org/a/")
    assert not urls.is_within("http://www.example.org/a/b", "http://example.org/a/")
    assert urls.is_within("http://example.org/a?x", "http://example.org/a")


def test_resolver_keeps_pages_of_one_folder_apart_where_the_href_depends_on_the_page() -> None:
    resolver = urls.Resolver()
    hrefs = ["x", "", "#f", "?q", "http:", " #f", "\t?q", "http://other.example/"]

    for base in ("http://example.org/a/1?k", "http://example.org/a/2", "http://example.org/b/../a/3"):
        expected = [urls.resolve(href, base) for href in hrefs]

        assert expected == [a and (a[1], a[2]) for a in resolver.resolve_all(hrefs, base)]


def test_resolver_keeps_absolute_links_of_a_page_with_a_useless_base() -> None:
    answers = urls.Resolver().resolve_all(["x", "http://example.org/"], "about:blank")

    assert [None, (urls.url_id("http://example.org/"), "http://example.org/", None)] == answers
