"""What a crawl wants to know of a fetched page: where it leads, what it says, whether robots may follow.

Bodies are unpacked and pages are read by the same functions as for mining: there is one reading of links in the
product.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b

from sitestrata import urls
from sitestrata.page import PageFacts, UnusablePageError, read_page
from sitestrata.sources.codings import TooLargeError, UnknownCodingError, undo_codings
from sitestrata.sources.crawl.message import Answer
from sitestrata.sources.limits import Limits
from sitestrata.sources.sniff import is_html, parse_media_type

__all__ = ["LinkReader", "PageLinks", "decoded_body"]

_DIGITS = re.compile(rb"[0-9]+")
_MAX_CODINGS = Limits().max_codings


def decoded_body(answer: Answer, *, max_body: int, limit: int) -> tuple[bytes, str | None]:
    """Return the body of an answer without its codings, and what is wrong with it, if anything."""
    if answer.truncated == "length":
        return b"", "body too large"
    codings = [part.encode("latin-1") for text in answer.all_headers("content-encoding") for part in text.split(",")]
    try:
        body, is_whole = undo_codings(answer.entity(max_body), codings, limit=limit, max_codings=_MAX_CODINGS)
    except TooLargeError:
        return b"", "body too large"
    except UnknownCodingError as error:
        return b"", str(error)
    return body, None if is_whole else "body cut or damaged"


class PageLinks:
    """The links of one page and the pieces of text it is made of."""

    def __init__(self, facts: PageFacts, *, with_nofollow: bool) -> None:
        self._facts = facts
        links = facts.links
        # In document order, each once, without those that robots shall not follow.
        self.links: tuple[str, ...] = tuple(
            dict.fromkeys(
                address
                for address, rel in zip(links.address, links.rel, strict=True)
                if with_nofollow or rel is None or "nofollow" not in rel.lower().split()
            )
        )
        self.robots = facts.robots or ""

    def pieces(self) -> Iterator[str]:
        """Yield the visible texts."""
        return map(self._facts.leaf_text, range(len(self._facts.leaves)))

    def key(self) -> int:
        """Return the identity of what the page says, numbers masked, with its links as seen from its folder.

        A page that repeats itself one folder deeper has the same key; two that lead to different places have not.
        """
        digest = blake2b(urls.host(self._facts.url).encode(), digest_size=8)
        digest.update(_DIGITS.sub(b"0", self._facts.dom.text))
        digest.update("\n".join(self.links).replace(urls.folder(self._facts.url), "").encode())
        return int.from_bytes(digest.digest(), "little", signed=True)


class LinkReader:
    """Reads page after page; remembers how links of one folder resolve."""

    def __init__(self, *, with_nofollow: bool) -> None:
        self._resolver = urls.Resolver()
        self._with_nofollow = with_nofollow

    def read(self, body: bytes, url: str, answer: Answer) -> PageLinks | str | None:
        """Return what a page tells, why it cannot be read, or None for something that is no page."""
        media_type, charset = parse_media_type(tuple(text.encode() for text in answer.all_headers("content-type")))
        if not is_html(media_type, body):
            return None
        try:
            facts = read_page(body, url, charset=charset, resolver=self._resolver)
        except UnusablePageError as error:
            return error.reason
        return PageLinks(facts, with_nofollow=self._with_nofollow)
