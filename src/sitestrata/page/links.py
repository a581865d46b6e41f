"""The edges out of a page -> `Links`: where they lead, what they are called, where they stand.

Hyperlinks, image maps, frames, refreshes and the navigational ``<link>`` elements all count. Addresses are resolved in
one go for a whole page, together with the files that the page is made of: most were seen on the page before.
"""

import re
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sitestrata.model import Link
from sitestrata.page.dom import Dom
from sitestrata.page.limits import PageLimits, UnusablePageError
from sitestrata.page.scanner import SCANNER
from sitestrata.page.strings import Strings
from sitestrata.page.vocabulary import LANDMARKS
from sitestrata.urls import Book, is_plain

__all__ = ["KINDS", "LABEL_SOURCES", "Addresses", "Links", "Paths", "find_links", "refresh_target", "resolve_addresses"]

Ints = npt.NDArray[np.int32]

KINDS = ("a", "area", "frame", "iframe", "refresh", "link")
LABEL_SOURCES = ("none", "text", "alt", "title", "aria-label")
_REFRESH = 4  # index in KINDS


class Paths(Protocol):
    """The distinct DOM paths of a page (see `sitestrata.page.paths`), in the order in which they were asked for."""

    def number(self, wanted: Ints) -> Ints:
        """Return the number of each node's path, entering new ones."""
        ...

    def spell(self, wanted: Ints) -> tuple[npt.NDArray[np.int64], bytes]:
        """Return the paths of some numbers: offsets and UTF-8 text, as in `Strings`."""
        ...

    def __len__(self) -> int:
        """Return the number of paths so far."""
        ...

    def __getitem__(self, number: int) -> str:
        """Return a path by its number."""
        ...


@dataclass(slots=True, eq=False)
class Links:
    """The edges out of a page in document order; the fields are those of `model.Link`, as columns.

    Edges whose address is no web page (mail, scripts, nonsense) are left out.
    """

    node: Ints
    target: npt.NDArray[np.int64]
    number: Ints  # of the target's address in ``book``
    book: Book
    fragment: list[str | None]
    kind: Ints  # index in KINDS
    label: Strings
    label_source: npt.NDArray[np.uint8]  # index in LABEL_SOURCES
    rel: list[str | None]
    landmark: Ints  # index in LANDMARKS; 0 = none
    path: Ints  # number of the DOM path in ``paths``
    paths: Paths
    gap: Ints

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.node)

    @property
    def address(self) -> list[str]:
        """Return the address of each target."""
        return [self.book.address(number) for number in self.number.tolist()]

    def records(self, page: int, segment_of: Ints | None = None) -> list[Link]:
        """Return the edges as records, for small jobs and tests."""
        return [
            Link(
                page=page,
                ordinal=number,
                target=int(self.target[number]),
                fragment=self.fragment[number],
                kind=KINDS[self.kind[number]],
                label=self.label[number],
                label_source=LABEL_SOURCES[self.label_source[number]],
                rel=self.rel[number],
                landmark=LANDMARKS[self.landmark[number]] or None,
                path=self.paths[int(self.path[number])],
                segment=-1 if segment_of is None else int(segment_of[number]),
                node=int(self.node[number]),
                gap=int(self.gap[number]),
            )
            for number in range(len(self))
        ]


@dataclass(slots=True, eq=False)
class Addresses:
    """Where the edges, the canonical link and the resources of a page lead."""

    edges: Ints  # those that lead to a web page, as `scan` gives them
    number: Ints
    fragment: list[str | None]
    book: Book
    canonical: str | None
    refresh: str | None
    resources: npt.NDArray[np.int64]  # sorted, distinct


def resolve_addresses(
    dom: Dom,
    edges: Ints,
    canonical: int,
    refresh: int,
    resources: Ints,
    base: str,
    *,
    encoding: str | None,
    book: Book,
    limits: PageLimits,
) -> Addresses:
    """Resolve all addresses of a page; they are given as indices of attributes."""
    links = edges.shape[1]
    asked = [edges[2], resources]
    if canonical >= 0:
        asked.append(np.array([canonical], dtype=np.int32))
    wanted = np.concatenate(asked)
    numbers, fragments = _resolve(dom, wanted, base, encoding, book, limits)
    refresh_number = -1
    if refresh >= 0:
        (edge,) = np.flatnonzero(edges[1] == _REFRESH).tolist()
        target = refresh_target(_value(dom, refresh))
        refresh_number = -1 if target is None else book.ask(target, base, encoding)
        numbers[edge], fragments[edge] = refresh_number, None
    canonical_number = int(numbers[-1]) if canonical >= 0 else -1
    del fragments[links:]
    kept, number, fragment = SCANNER.lead(edges, numbers[:links], fragments)
    return Addresses(
        edges=kept,
        number=number,
        fragment=fragment,
        book=book,
        canonical=None if canonical_number < 0 else book.address(canonical_number),
        refresh=None if refresh_number < 0 else book.address(refresh_number),
        resources=book.distinct(numbers[links : links + len(resources)]),
    )


def find_links(dom: Dom, found: Addresses, leaves: Ints) -> Links:
    """Return the edges of a page that lead to web pages; ``leaves`` as `scan` gives them."""
    node, kind, _, rel, landmark = found.edges
    offsets, data, sources = SCANNER.labels(dom.nodes, dom.attributes, dom.text, node)
    paths: Paths = SCANNER.path_table(dom.nodes, dom.attributes, dom.text, dom.extra_tags)
    return Links(
        node=node,
        target=found.book.ids(found.number),
        number=found.number,
        book=found.book,
        fragment=found.fragment,
        kind=kind,
        label=Strings(offsets, data),
        label_source=sources,
        rel=SCANNER.texts(dom.attributes, dom.text, rel),
        landmark=landmark,
        path=paths.number(node),
        paths=paths,
        gap=SCANNER.gaps(dom.nodes, leaves, node),
    )


def _value(dom: Dom, index: int) -> str:
    return dom.text[dom.attribute_start[index] : dom.attribute_end[index]].decode()


def _resolve(
    dom: Dom, wanted: Ints, base: str, encoding: str | None, book: Book, limits: PageLimits
) -> tuple[Ints, list[str | None]]:
    """Resolve the addresses of a page, unless a long base makes more text of them than anybody wants."""
    is_simple = is_plain(base)
    if len(wanted) * (len(base) + 256) <= limits.address_bytes:
        return book.number(dom.attributes, dom.text, wanted, base, is_simple, encoding)
    size = book.size
    numbers: list[Ints] = []
    fragments: list[str | None] = []
    for start in range(0, len(wanted), 1024):
        some, beside = book.number(dom.attributes, dom.text, wanted[start : start + 1024], base, is_simple, encoding)
        numbers.append(some)
        fragments += beside
        if book.size - size > 2 * limits.address_bytes:
            raise UnusablePageError(
                "too-much-address-text",
                f"The addresses of the page's links take more than {limits.address_bytes:,} bytes.",
            )
    return np.concatenate(numbers), fragments


# HTML Standard 4.2.5.3, "shared declarative refresh steps".
_REFRESH_CONTENT = re.compile(
    r"[\t\n\f\r ]*(?:[0-9]+(?:\.[0-9.]*)?|\.[0-9.]*)[\t\n\f\r ]*[;,\t\n\f\r ][\t\n\f\r ]*"
    r"(?:url[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)|'([^']*)|(.*))|(.+))",
    re.IGNORECASE | re.DOTALL,
)


def refresh_target(content: str | None) -> str | None:
    """Return the address in the content of a refresh, or None."""
    match = _REFRESH_CONTENT.match(content) if content else None
    if match is None:
        return None
    target = next((group for group in match.groups() if group is not None), "").strip("\t\n\f\r ")
    return target or None
