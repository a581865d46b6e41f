"""Addresses: text -> canonical form, its parts, and ``url_id``, the hash every table is keyed by.

Parsing and serialising follow the WHATWG URL Standard (ada-url), because that is what the authors of pages test their
links against; the standard library's `urllib.parse` follows neither it nor any browser. Only http and https addresses
exist for us, and a fragment names a place in a page, not a page: `normalise` refuses the former and drops the latter.

What this module calls canonical is what *one* address says by itself. Which of two different addresses stand for one
page is a question to a whole collection, and `sitestrata.identity` answers it.

Nothing here raises on hostile text: lone surrogates become U+FFFD as in a browser, over-long addresses count as none.
"""

import re
from functools import cache
from hashlib import blake2b
from typing import Any, Protocol
from urllib.parse import quote

import ada_url
import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load

__all__ = [
    "MAX_LENGTH",
    "Book",
    "Resolver",
    "folder",
    "host",
    "is_plain",
    "is_within",
    "normalise",
    "origin",
    "registered_domain",
    "registered_domain_of_host",
    "resolve",
    "surt",
    "tokens",
    "url_id",
]

MAX_LENGTH = 65_536  # characters; common servers refuse requests above 8 to 64 KiB
_SCHEMES = ("http://", "https://")
_TOKEN = re.compile(r"[^/:?=&#]+")  # Senellart 2.4.1
_HOST = re.compile(r"https?://(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)(:[0-9]*)?([^#]*)")
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}\Z")
# An href whose meaning depends on the folder of its base only: it is not empty, starts neither with a character the
# parser strips nor with "?" or "#", has no scheme that could be the base's own ("http:" alone means the base itself).
_FOLDER_BOUND = re.compile(r"(?:/|\.|[hH][tT][tT][pP][sS]?://|[\w~%-][^:]*\Z)[^\t\r\n]*\Z")
# Nothing here is decoded, encoded, lower-cased or taken for a number (a host that ends in a digit may be IPv4).
_PLAIN = re.compile(
    r"https?://(?!xn--)(?:[a-z0-9_][a-z0-9_-]*\.(?!xn--))*[a-z][a-z0-9-]*/"
    r"[A-Za-z0-9_.~!$&()*+,;=@/-]*(?:[?][A-Za-z0-9_.~!$&()*+,;=:@/?%-]*)?\Z"
)
_MAX_BOOK = 64 * 1024 * 1024  # bytes


def normalise(url: str, base: str | None = None) -> str | None:
    """Return the WHATWG serialisation of an http or https address without its fragment, or None.

    >>> normalise("HTTP://Example.org:80/a/../b c#d")
    'http://example.org/b%20c'
    >>> normalise("mailto:a@example.org") is None
    True
    """
    resolved = resolve(url, base)
    return None if resolved is None else resolved[0]


def resolve(href: str, base: str | None = None, *, encoding: str | None = None) -> tuple[str, str | None] | None:
    """Resolve what a link says against its base into an address and the fragment beside it, or None.

    ``encoding`` is that of the page: browsers percent-encode a query, and only a query, in it.

    >>> resolve("../x#top", "http://example.org/a/b/c")
    ('http://example.org/a/x', 'top')
    """
    if len(href) > MAX_LENGTH:
        return None
    if encoding is not None and not href.isascii():
        href = _encode_query(href, encoding)
    try:
        text = ada_url.normalize_url(href) if base is None else ada_url.join_url(base, href)
    except ValueError:
        if href.isprintable() and (base is None or base.isprintable()):
            return None
        return _resolve_scalars(href, base)
    return _split_fragment(text)


def url_id(url: str) -> int:
    """Return the signed 64-bit identity of an address: BLAKE2b-8 of its UTF-8 text, little-endian."""
    try:
        data = url.encode()
    except UnicodeEncodeError:
        data = url.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)


def host(url: str) -> str:
    """Return the DNS name or IP literal of an address in canonical form, without port; "" where there is none."""
    match = _HOST.match(url)
    return "" if match is None else match.group(1)


def origin(url: str) -> str:
    """Return scheme, host and port of an address in canonical form, with a final slash."""
    start = url.find("://") + 3
    end = url.find("/", start)
    return url + "/" if end < 0 else url[: end + 1]


def folder(url: str) -> str:
    """Return an address in canonical form up to the last slash of its path.

    >>> folder("http://example.org/a/b?c=/d/")
    'http://example.org/a/'
    """
    path = url.partition("?")[0]
    return path[: path.rfind("/") + 1]


def registered_domain(url: str) -> str:
    """Return the registered domain of an address; its host where there is none (IP literal, bare suffix).

    >>> registered_domain("http://www.example.co.uk/")
    'example.co.uk'
    """
    name = host(url)
    return registered_domain_of_host(name) or name


@cache
def registered_domain_of_host(name: str) -> str | None:
    """Return the public suffix of a host name and the label before it, or None where either is missing."""
    if not name or name.startswith("[") or _IPV4.match(name):
        return None
    found: str | None = _suffixes().privatesuffix(name.rstrip(".").lower())
    return found


def tokens(url: str) -> list[str]:
    """Split an address into the words that the flow method compares: maximal runs without any of ``/ : ? = & #``.

    Paper: Senellart 2.4.1
    """
    return _TOKEN.findall(url)


def surt(url: str) -> str:
    """Return the sort-friendly form of an address: host labels reversed, then port, path and query; no scheme.

    Addresses below one prefix of it form one subtree, whatever the scheme.

    >>> surt("https://www.example.org:8080/a?b")
    'org,example,www:8080)/a?b'
    """
    match = _HOST.match(url)
    if match is None:
        return url
    name, port, rest = match.groups()
    if not name.startswith("[") and not _IPV4.match(name):
        name = ",".join(reversed(name.split(".")))
    return f"{name}{port or ''}){rest or '/'}"


def is_within(url: str, prefix: str) -> bool:
    """Tell whether an address lies in the subtree that the address ``prefix`` names.

    A prefix that ends in a slash names a folder; one that does not names a page, and the folder of the same name.

    >>> is_within("https://example.org/a/b", "http://example.org/a"), is_within("http://example.org/ab", "http://example.org/a")
    (True, False)
    """
    inner, outer = surt(url), surt(prefix)
    return inner.startswith(outer) and (outer.endswith("/") or inner[len(outer) : len(outer) + 1] in ("", "/", "?"))


class Book(Protocol):
    """What the hrefs of many pages mean; answers go by numbers (see `sitestrata._kernels.book_twin`)."""

    @property
    def size(self) -> int:
        """Return about how many bytes of memory the book takes."""
        ...

    def number(
        self,
        attributes: npt.NDArray[np.int32],
        text: bytes,
        wanted: npt.NDArray[np.int32],
        base: str,
        is_plain: bool,
        encoding: str | None,
    ) -> tuple[npt.NDArray[np.int32], list[str | None]]:
        """Return the answers to the hrefs ``text[attributes[1, w] : attributes[2, w]]``, and their fragments."""
        ...

    def ask(self, href: str, base: str, encoding: str | None) -> int:
        """Return the answer to a single href."""
        ...

    def ids(self, numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """Return the ids of the addresses of some answers."""
        ...

    def distinct(self, numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """Return the different ids of some answers, sorted; answers that lead nowhere have none."""
        ...

    def address(self, number: int) -> str:
        """Return the address of an answer."""
        ...

    def spell(self, numbers: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int64], bytes]:
        """Return the addresses of some answers: offsets and UTF-8 text."""
        ...


class Resolver:
    """Resolve the links of many pages, remembering what was resolved before.

    Pages of one folder repeat the same hrefs (menus), and most hrefs mean the same on all of them; absolute ones and
    those that start with a slash mean the same on a whole host. The memory is bounded and never changes an answer.
    """

    __slots__ = ("_book",)

    def __init__(self) -> None:
        self._book: Book | None = None

    def book(self) -> Book:
        """Return the book to resolve the next page with; a full one is replaced, and lives as long as its answers."""
        if self._book is None or self._book.size > _MAX_BOOK:
            self._book = load("book").Book(_explain)
        return self._book

    def resolve_all(
        self, hrefs: list[str], base: str, *, encoding: str | None = None
    ) -> list[tuple[int, str, str | None] | None]:
        """Return (url_id, address, fragment), or None where there is no http address, for each href of one page.

        A base that is no http address itself leaves the absolute links standing.
        """
        texts = [_to_scalars(href).encode() for href in hrefs]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64).astype(np.int32)
        slices = np.stack([ends[:-1], ends[:-1], ends[1:]])
        page = normalise(base) or ""
        book = self.book()
        wanted = np.arange(len(hrefs), dtype=np.int32)
        numbers, fragments = book.number(slices, b"".join(texts), wanted, page, is_plain(page), encoding)
        ids = iter(book.ids(numbers[numbers >= 0]).tolist())
        return [
            None if number < 0 else (next(ids), book.address(number), fragment)
            for number, fragment in zip(numbers.tolist(), fragments, strict=True)
        ]


def is_plain(url: str) -> bool:
    """Tell whether an address is made of such simple parts that hrefs can be put behind them as they stand."""
    return _PLAIN.match(url) is not None and "/." not in url


def _explain(href: str, base: str, encoding: str | None) -> tuple[str | None, str | None, bool]:
    """Return the address and the fragment of an href, and whether it means the same in the whole folder."""
    address, fragment = resolve(href, base or None, encoding=encoding) or (None, None)
    return address, fragment, _FOLDER_BOUND.match(href) is not None


def _split_fragment(text: str) -> tuple[str, str | None] | None:
    # In a serialised address the first "#" starts the fragment: earlier ones are percent-encoded.
    if not text.startswith(_SCHEMES):
        return None
    address, mark, fragment = text.partition("#")
    if len(address) > MAX_LENGTH:
        return None
    return address, fragment if mark else None


def _resolve_scalars(href: str, base: str | None) -> tuple[str, str | None] | None:
    """Resolve after replacing lone surrogates, which no page can hold but a careless source can."""
    try:
        scalars = _to_scalars(href)
        text = ada_url.normalize_url(scalars) if base is None else ada_url.join_url(_to_scalars(base), scalars)
    except ValueError:
        return None
    return _split_fragment(text)


def _to_scalars(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _encode_query(href: str, encoding: str) -> str:
    """Percent-encode the non-ASCII characters of a query as the WHATWG query state does."""
    rest, mark, fragment = href.partition("#")
    path, question, query = rest.partition("?")
    if query.isascii() or encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be"):
        return href
    try:
        query = "".join(char if char.isascii() else _encode_char(char, encoding) for char in query)
    except LookupError:  # a charset Python does not know: UTF-8, as for a page without one
        return href
    return f"{path}{question}{query}{mark}{fragment}"


def _encode_char(char: str, encoding: str) -> str:
    try:
        return quote(char.encode(encoding), safe="")
    except UnicodeEncodeError:
        return f"%26%23{ord(char)}%3B"


@cache
def _suffixes() -> Any:
    # Imported late: reading the list costs more than starting the program.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
