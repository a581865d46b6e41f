"""Media type and first bytes -> is it HTML? (WHATWG MIME Sniffing, with a crawler's doubts about servers)

A declared HTML type is believed unless the first bytes are those of something else; a missing or vague type is replaced
by what the bytes look like; any other type is believed, because browsers show such answers as they are.
"""

import re
from functools import lru_cache

__all__ = ["is_html", "parse_media_type"]

_SNIFF = 1445  # bytes that WHATWG's resource header has
_HTML_TYPES = frozenset(("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"))
_XML_TYPES = frozenset(("text/xml", "application/xml"))
_VAGUE_TYPES = frozenset(
    ("", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "content/unknown", "no-type",
     "binary/octet-stream", "application/x-unknown-content-type", "httpd/unix-directory", "application/x-httpd-php")
)  # fmt: skip
# WHATWG mimesniff 7.1: a tag that opens HTML documents, then a byte that ends a tag name.
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
    rb"<(?:!DOCTYPE\s+HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P|META|LINK|CENTER|FRAMESET)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
_XHTML_ROOT = re.compile(rb"<html[\s>][^>]*http://www\.w3\.org/1999/xhtml|<!DOCTYPE\s+html[\s>]", re.IGNORECASE)
_FEED = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<\?[^>]*>\s*|<!DOCTYPE\s+rss[^>]*>\s*)*"
    rb"<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_BINARY_START = re.compile(
    rb"%PDF-|%!PS-Adobe-|\x89PNG\r\n|GIF8[79]a|\xff\xd8\xff|BM....\x00\x00|RIFF....WEBP|PK\x03\x04|\x1f\x8b\x08|Rar!\x1a"
    rb"|\x00\x00\x01\x00|\xd0\xcf\x11\xe0|OggS\x00|ID3|\x1aE\xdf\xa3|wOF[F2]|\x7fELF|FWS|CWS|\x28\xb5\x2f\xfd|....ftyp",
    re.DOTALL,
)
_TYPE = re.compile(r"\s*([!#$%&'*+\-.^_`|~0-9a-z]+/[!#$%&'*+\-.^_`|~0-9a-z]+)\s*(?:[;,]|\Z)")
_CHARSET = re.compile(r"""[;,\s]charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))""")
_MAX_CHARSET = 40  # characters; the longest label of the Encoding Standard has 19


@lru_cache(maxsize=1024)
def parse_media_type(values: tuple[bytes, ...]) -> tuple[str, str | None]:
    """Return media type and charset of Content-Type fields: the last valid type counts, as in a browser."""
    for value in reversed(values):
        lowered = value.decode("latin-1").lower()
        match = _TYPE.match(lowered)
        if match is not None:
            charset = _CHARSET.search(lowered)
            label = None if charset is None else next((part for part in charset.groups() if part is not None), "")
            return match.group(1), (label or "").strip()[:_MAX_CHARSET] or None
    return "", None


def is_html(media_type: str, body: bytes) -> bool:
    """Tell whether a body is to be parsed as HTML."""
    if media_type in _HTML_TYPES:
        return not _is_other(body)
    if media_type in _XML_TYPES:
        return _XHTML_ROOT.search(_ascii_start(body)) is not None and not _FEED.match(_ascii_start(body))
    if media_type in _VAGUE_TYPES:
        return _HTML_START.match(_ascii_start(body)) is not None
    return False


def _is_other(body: bytes) -> bool:
    start = body[:_SNIFF]
    return _BINARY_START.match(start) is not None or _FEED.match(_ascii_start(body)) is not None


def _ascii_start(body: bytes) -> bytes:
    """Return the first bytes without byte order mark, UTF-16 squeezed to its ASCII."""
    start = body[:_SNIFF]
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        codec = "utf-16-le" if start[0] == 0xFF else "utf-16-be"
        return start[2:].decode(codec, "ignore").encode("ascii", "replace")
    return start[3:] if start[:3] == b"\xef\xbb\xbf" else start
