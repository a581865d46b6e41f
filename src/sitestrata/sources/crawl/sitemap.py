"""Sitemaps: XML (urlset, sitemapindex), plain text, and feeds, into addresses."""

from contextlib import suppress
from dataclasses import dataclass
from xml.parsers import expat

from sitestrata import urls

__all__ = ["MAX_ENTRIES", "Sitemap", "parse_sitemap"]

MAX_ENTRIES = 50_000  # sitemaps.org: of one file
_MAX_TEXT = 4096


class _Refused(Exception):  # noqa: N818 - control flow inside expat
    pass


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one sitemap names."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes) -> Sitemap:
    """Read a decoded sitemap; what cannot be read gives nothing."""
    text = body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not text.startswith(b"<"):
        lines = text[: MAX_ENTRIES * 300].decode("utf-8", "replace").splitlines()
        return Sitemap(pages=_addresses(lines))
    pages: list[str] = []
    sitemaps: list[str] = []
    path: list[str] = []
    parts: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name.rpartition(" ")[2].rpartition(":")[2].lower())
        parts.clear()
        if path[-2:] == ["entry", "link"] and "href" in attributes:
            pages.append(attributes["href"])
        if len(path) > 32 or len(pages) + len(sitemaps) >= MAX_ENTRIES:
            raise _Refused

    def end(name: str) -> None:  # noqa: ARG001 - expat's signature
        found = "".join(parts).strip()
        tail = path[-2:]
        if found and tail == ["url", "loc"]:
            pages.append(found)
        elif found and tail == ["sitemap", "loc"]:
            sitemaps.append(found)
        elif found and tail == ["item", "link"]:
            pages.append(found)
        path.pop()
        parts.clear()

    def characters(data: str) -> None:
        if sum(map(len, parts)) < _MAX_TEXT:
            parts.append(data)

    def doctype(*_: object) -> None:
        raise _Refused  # a sitemap needs none; entities are how XML is used for attacks

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    with suppress(expat.ExpatError, _Refused, ValueError):  # what came before the fault counts
        parser.Parse(text, True)  # noqa: FBT003 - expat takes no keyword
    return Sitemap(_addresses(pages), _addresses(sitemaps))


def _addresses(texts: list[str]) -> tuple[str, ...]:
    found = (urls.normalise(text.strip()) for text in texts[:MAX_ENTRIES] if text.strip())
    return tuple(dict.fromkeys(each for each in found if each is not None))
