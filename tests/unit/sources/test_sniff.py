"""HTML is told by type and, where that is missing, vague or wrong, by content."""

import pytest

from sitestrata.sources.sniff import is_html, parse_media_type

PAGE = b"<!DOCTYPE html><title>x</title>"


@pytest.mark.parametrize(
    ("media_type", "body", "expected"),
    [
        ("text/html", PAGE, True),
        ("text/html", b"", True),
        ("text/html", b"plain words are HTML if the server says so", True),
        ("text/html", b"%PDF-1.4 ...", False),
        ("text/html", b"\x89PNG\r\n\x1a\n", False),
        ("text/html", b"\x1f\x8b\x08\x00", False),
        ("text/html", b'<?xml version="1.0"?>\n<rss version="2.0">', False),
        ("text/html", b'<?xml version="1.0"?><!DOCTYPE html><html>', True),
        ("application/xhtml+xml", PAGE, True),
        ("text/xml", b'<html xmlns="http://www.w3.org/1999/xhtml">', True),
        ("application/xml", b"<feed xmlns='http://www.w3.org/2005/Atom'>", False),
        ("", PAGE, True),
        ("", b"\xef\xbb\xbf \n<HTML>", True),
        ("", "\ufeff<html><p>".encode("utf-16-le"), True),
        ("", b"<!-- a comment --> <body>", True),
        ("", b"<bodybuilding>", False),
        ("", b"just words", False),
        ("application/octet-stream", PAGE, True),
        ("text/plain", PAGE, False),
        ("image/png", PAGE, False),
        ("application/json", b"<html>", False),
    ],
)
def test_a_body_is_html_by_type_and_content(media_type: str, body: bytes, expected: bool) -> None:
    assert expected == is_html(media_type, body)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((b"text/html",), ("text/html", None)),
        ((b"Text/HTML; Charset=UTF-8",), ("text/html", "utf-8")),
        ((b"text/html;charset='windows-1252'; x=y",), ("text/html", "windows-1252")),
        ((b'text/html; x="charset=no"; charset="a b"',), ("text/html", "a b")),
        ((b"text/html", b"nonsense"), ("text/html", None)),
        ((b"image/png", b"text/html;charset=koi8-r"), ("text/html", "koi8-r")),
        ((b"",), ("", None)),
        ((b"\xff\x00/",), ("", None)),
        ((), ("", None)),
    ],
)
def test_the_last_valid_type_counts(values: tuple[bytes, ...], expected: tuple[str, str | None]) -> None:
    assert expected == parse_media_type(values)
