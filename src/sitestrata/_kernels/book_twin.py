"""Resolve the addresses on many pages, remembering what they meant before: specification and fallback of ``book.pyx``.

An href is explained by a function that knows the URL Standard: ``explain(href, base, encoding)`` returns the address
(None = no web page), its fragment, and whether the href means the same on all pages of its folder. The book numbers the
answers in the order in which they were first given.
"""

import re
from collections.abc import Callable
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

__all__ = ["PLAIN_FRAGMENT", "PLAIN_PATH", "PLAIN_QUERY", "Book", "Explain"]

Ints = npt.NDArray[np.int32]
Explain = Callable[[str, str, str | None], tuple[str | None, str | None, bool]]

# What a URL parser leaves as it is; the kernel joins such addresses itself. Neither "%", which may write a dot, nor
# ":", which may end a scheme, is plain in a path.
PLAIN_PATH = re.compile(r"[A-Za-z0-9_.~!$&'()*+,;=@/\[\]-]*\Z")
PLAIN_QUERY = re.compile(r"[A-Za-z0-9_.~!$&()*+,;=:@/?%-]*\Z")
PLAIN_FRAGMENT = re.compile(r"[A-Za-z0-9_.~!$&'()*+,;=:@/?%-]*\Z")
_IGNORED = frozenset(map(chr, range(33)))  # by a URL parser, at either end


class Book:
    """What the hrefs of a collection mean, as far as they were asked for."""

    def __init__(self, explain: Explain) -> None:
        self._explain = explain
        self._addresses: list[str] = []
        self._ids: list[int] = []
        self._fragments: list[str | None] = []
        self._known: dict[tuple[str, str | None, str], int] = {}

    @property
    def size(self) -> int:
        """Return about how many bytes of memory the book takes."""
        return 500 * len(self._known) + sum(map(len, self._addresses))

    def number(
        self,
        attributes: Ints,
        text: bytes,
        wanted: Ints,
        base: str,
        is_plain: bool,  # noqa: ARG002 - makes no difference here, where the parser answers everything
        encoding: str | None,
    ) -> tuple[Ints, list[str | None]]:
        """Return the numbers of the answers to some hrefs, given as attributes, and the fragments beside them.

        A number of -1 says that an href leads to no web page. A fragment is split off before only where it is plain
        ASCII that a URL parser would leave as it is, and where doing so leaves no space at the end of the href, which
        the parser would then ignore.
        """
        _, starts, ends = attributes
        folder = base.partition("?")[0].rpartition("/")[0]
        own: dict[str, int] = {}
        numbers = []
        fragments: list[str | None] = []
        for index in wanted.tolist():
            href = text[starts[index] : ends[index]].decode()
            address, mark, fragment = href.partition("#")
            if mark and address[-1:] not in _IGNORED and PLAIN_FRAGMENT.match(fragment):
                href = address
                fragments.append(fragment)
            else:
                fragments.append(None)
            number = self._known.get((folder, encoding, href), own.get(href))
            if number is None:
                number, is_bound = self._answer(href, base, encoding)
                own[href] = number
                if is_bound and href:
                    self._known[folder, encoding, href] = number
            numbers.append(number)
            if number >= 0 and self._fragments[number] is not None:
                fragments[-1] = self._fragments[number]
        return np.array(numbers, dtype=np.int32), fragments

    def _answer(self, href: str, base: str, encoding: str | None) -> tuple[int, bool]:
        address, fragment, is_bound = self._explain(href, base, encoding)
        if address is None:
            return -1, is_bound
        self._addresses.append(address)
        self._fragments.append(fragment)
        digest = blake2b(address.encode("utf-8", "replace"), digest_size=8).digest()
        self._ids.append(int.from_bytes(digest, "little", signed=True))
        return len(self._addresses) - 1, is_bound

    def ask(self, href: str, base: str, encoding: str | None) -> int:
        """Return the number of the answer to a single href."""
        return self._answer(href, base, encoding)[0]

    def ids(self, numbers: Ints) -> npt.NDArray[np.int64]:
        """Return the ids of the addresses of some answers."""
        return np.array([self._ids[number] for number in numbers.tolist()], dtype=np.int64)

    def distinct(self, numbers: Ints) -> npt.NDArray[np.int64]:
        """Return the different ids of some answers, sorted; answers that lead nowhere have none."""
        return np.unique(self.ids(numbers[numbers >= 0]))

    def address(self, number: int) -> str:
        """Return the address of an answer."""
        return self._addresses[number]

    def spell(self, numbers: Ints) -> tuple[npt.NDArray[np.int64], bytes]:
        """Return the addresses of some answers: offsets and UTF-8 text."""
        texts = [self._addresses[number].encode() for number in numbers.tolist()]
        return np.cumsum([0, *map(len, texts)], dtype=np.int64), b"".join(texts)
