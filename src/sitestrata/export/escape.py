"""Crawled text on its way out: what could steer a terminal, a spreadsheet, a page or a parser is made harmless."""

import html
import json
import re

__all__ = ["STEERING", "file_id", "html_text", "iri", "json_text", "spreadsheet_cell", "visible", "xml_text"]

# C0 and C1 controls, DEL, bidirectional controls and marks, line and paragraph separators, the byte order mark and lone
# surrogates. ESC begins terminal sequences (ECMA-48), and the 8-bit C1 forms do so without it; the bidirectional
# controls reorder what a person reads (Unicode UAX 9, "Trojan Source").
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_STEERING_OR_SPACE = re.compile("[\t\n]|" + STEERING.pattern)
# What makes a spreadsheet read a cell as a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# What an XML 1.0 document cannot hold, not even as a reference (XML 1.0, production 2).
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# White space that a parser would change inside an attribute (XML 1.0, 3.3.3) or at a line end (2.11).
_XML_REFERENCES = {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&apos;",
    ord("\t"): "&#9;",
    ord("\n"): "&#10;",
    ord("\r"): "&#13;",
}
# What the WHATWG URL Standard leaves in an address and RFC 3986 and the IRI of RDF forbid.
_NOT_IRI = re.compile('[\x00-\x20\x7f<>"{}|^`\\\\\ud800-\udfff]|%(?![0-9A-Fa-f]{2})')
_BRACKET = re.compile(r"[\[\]]")


def visible(text: str, *, one_line: bool = False) -> str:
    r"""Return text in which no character steers a terminal; each such character shows as ``\x1b`` or ``\u202e``.

    >>> visible("red \x1b[31m")
    'red \\x1b[31m'
    """
    return (_STEERING_OR_SPACE if one_line else STEERING).sub(_escape, text)


def json_text(value: object, *, indent: int | None = None) -> str:
    r"""Return JSON that is exact and yet safe to print: steering characters are written as ``\u`` escapes.

    >>> json_text({"title": "\u202e"})
    '{"title": "\\u202e"}'
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def spreadsheet_cell(text: str) -> str:
    """Return a CSV cell that no spreadsheet takes for a formula: a quote in front marks it as text.

    >>> spreadsheet_cell("=HYPERLINK(1)")
    "'=HYPERLINK(1)"
    """
    return visible(f"'{text}" if text.startswith(_FORMULA) else text)


def xml_text(text: str) -> str:
    r"""Return text that may stand in an element or an attribute; what XML cannot hold becomes U+FFFD.

    >>> xml_text("<a\x00>")
    '&lt;a\ufffd&gt;'
    """
    return _NOT_XML.sub("\ufffd", text).translate(_XML_REFERENCES)


def html_text(value: object) -> str:
    r"""Return text that a browser shows as text, in the order in which it is written.

    >>> html_text("<b>\u202e")
    '&lt;b&gt;\\u202e'
    """
    return html.escape(visible(str(value), one_line=True))


def iri(url: str) -> str:
    """Return an address in which every character is one that RFC 3986 and RDF allow; others are percent-encoded.

    >>> iri("http://example.org/?q={a|b}&p=100%")
    'http://example.org/?q=%7Ba%7Cb%7D&p=100%25'
    """
    encoded = _NOT_IRI.sub(_percent, url)
    start = encoded.find("/", encoded.find("://") + 3)
    if start < 0:
        return encoded
    return encoded[:start] + _BRACKET.sub(_percent, encoded[start:])  # brackets are for IPv6 literals only


def file_id(number: int) -> str:
    """Return the id of a site or page as it stands in file names and node names: 16 hexadecimal digits.

    >>> file_id(-1)
    'ffffffffffffffff'
    """
    return f"{number % 2**64:016x}"


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
