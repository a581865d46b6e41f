"""The charset of a page is decided as browsers decide it."""

import codecs

import pytest

from sitestrata.page import decode, encoding_for_label
from sitestrata.page.charset import _CODECS, _LABELS

PLAIN = "<p>Füße</p>"


@pytest.mark.parametrize(
    ("body", "header", "charset", "source"),
    [
        (codecs.BOM_UTF8 + PLAIN.encode(), "iso-8859-1", "utf-8", "bom"),
        (codecs.BOM_UTF16_LE + PLAIN.encode("utf-16-le"), "utf-8", "utf-16le", "bom"),
        (PLAIN.encode("latin-1"), "ISO-8859-1", "windows-1252", "header"),
        (b"<meta charset=utf-8>" + PLAIN.encode("latin-1"), "latin1", "windows-1252", "header"),
        (b"<meta charset='Shift_JIS'><p>" + "日本語".encode("cp932"), None, "shift_jis", "meta"),
        (b'<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', None, "koi8-r", "meta"),
        (b'<meta content="text/html; charset=koi8-r" http-equiv="content-type">', None, "koi8-r", "meta"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", None, "big5", "meta"),
        (b"<meta charset='koi8-r>" + b"<p>'</p>", None, "windows-1252", "fallback"),  # a quote that is open too long
        (b"<meta charset=koi8-r'>", None, "windows-1252", "fallback"),
        (b'<meta http-equiv="Content-Type content="x; charset=koi8-r">', None, "windows-1252", "fallback"),
        (b'<meta http-equiv=content-type content="x; charset=\'koi8-r">', None, "windows-1252", "fallback"),
        (b'<p title="x>\n<meta charset=koi8-r>\n<p>"</p>', None, "windows-1252", "fallback"),
        (b"<meta charset=koi8-r", None, "windows-1252", "fallback"),
        (b"<meta charset=utf-16>" + PLAIN.encode(), None, "utf-8", "meta"),
        (b"<meta charset=klingon>" + PLAIN.encode(), None, "utf-8", "detected"),
        (b"<title>x</title>" + b" " * 2000 + b"<meta charset=koi8-r>", None, "koi8-r", "meta"),
        (b"<script>'<meta charset=koi8-r>'</script>" + b" " * 2000 + b"<meta charset=big5>", None, "koi8-r", "meta"),
        (PLAIN.encode(), None, "utf-8", "detected"),
        (PLAIN.encode("latin-1"), "klingon", "windows-1252", "fallback"),
        (b"<p>plain</p>", None, "windows-1252", "fallback"),
        (b"", None, "windows-1252", "fallback"),
    ],
)
def test_where_the_charset_comes_from(body: bytes, header: str | None, charset: str, source: str) -> None:
    decoded = decode(body, header)

    assert (charset, source) == (decoded.charset, decoded.source)


def test_text_comes_out_as_utf8_whatever_it_was() -> None:
    for name in ("utf-8", "utf-16", "latin-1", "cp1252"):
        label = {"utf-16": None, "cp1252": "windows-1252"}.get(name, name)

        assert PLAIN.encode() == decode(PLAIN.encode(name), label).text


def test_bytes_that_make_no_sense_are_replaced() -> None:
    assert "a\ufffdb".encode() == decode(b"a\xffb", "utf-8").text
    assert "a\ufffdb".encode() == decode(b"a\xffb", "shift_jis").text.replace("\uf8f3".encode(), "\ufffd".encode())


def test_broken_utf16_is_valid_utf8_afterwards() -> None:
    decode(codecs.BOM_UTF16_LE + b"\x00\xd8a\x00b", None).text.decode()


def test_legacy_cyrillic_without_label_is_detected() -> None:
    text = "<p>" + "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5

    assert "windows-1251" == decode(text.encode("cp1251")).charset


def test_every_encoding_has_a_codec() -> None:
    for name in _LABELS:
        if name != "x-user-defined":
            codecs.lookup(_CODECS.get(name, name))


def test_labels_are_trimmed_and_case_does_not_matter() -> None:
    assert "windows-1252" == encoding_for_label("\tUS-ASCII\n")
    assert encoding_for_label("utf-7") is None
