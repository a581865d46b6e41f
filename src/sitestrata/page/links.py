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
from sitestrata.urls import Resolver

__all__ = ["KINDS", "LABEL_SOURCES", "Addresses", "Links", "Paths", "find_links", "refresh_target", "resolve_addresses"]

Ints = npt.NDArray[np.int32]

KINDS = ("a", "area", "frame", "iframe", "refresh", "link")
LABEL_SOURCES = ("none", "text", "alt", "title", "aria-label")
_REFRESH = 4  # index in KINDS
_NOWHERE = "javascript:"  # resolves to no web page


class Paths(Protocol):
    """The distinct DOM paths of a page (see `sitestrata.page.paths`), in the order in which they were asked for."""

    def number(self, wanted: Ints) -> Ints:
        """Return the number of each node's path, entering new ones."""
        ...

    def strings(self) -> tuple[Ints, bytes]:
        """Return all paths so far: offsets and UTF-8 text, as in `Strings`."""
        ...

    def __len__(self) -> int:
        """Return the number of paths so far."""
        ...

    def __getitem__(self, number: int) -> str:
        """Return a path by its number."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The edges out of a page in document order; the fields are those of `model.Link`, as columns.

    Edges whose address is no web page (mail, scripts, nonsense) are left out.
    """

    node: Ints
    target: npt.NDArray[np.int64]
    addresses: dict[int, str]  # the addresses of all targets, by their ids
    fragment: list[str | None]
    kind: Ints  # index in KINDS
    label: Strings
    label_source: npt.NDArray[np.uint8]  # index in LABEL_SOURCES
    rel: list[str | None]
    landmark: Ints  # index in LANDMARKS; 0 = none
    path: Ints  # number of the DOM path in ``paths``
    paths: Paths

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.node)

    @property
    def address(self) -> list[str]:
        """Return the address of each target."""
        return [self.addresses[target] for target in self.target.tolist()]

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
            )
            for number in range(len(self))
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Addresses:
    """Where the edges, the canonical link and the resources of a page lead."""

    edges: Ints  # those that lead to a web page, as `scan` gives them
    target: npt.NDArray[np.int64]
    fragment: list[str | None]
    addresses: dict[int, str]
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
    resolver: Resolver,
    limits: PageLimits,
) -> Addresses:
    """Resolve all addresses of a page; they are given as indices of attributes."""
    hrefs, numbers, fragments = SCANNER.addresses(dom.attributes, dom.text, edges[2])
    if refresh >= 0:
        (edge,) = np.flatnonzero(edges[1] == _REFRESH).tolist()
        if np.count_nonzero(numbers == numbers[edge]) > 1:  # a link has the same text, in which it is an address
            numbers[edge] = len(hrefs)
            hrefs.append("")
        hrefs[numbers[edge]] = refresh_target(_value(dom, refresh)) or _NOWHERE
        fragments[edge] = None
    link_count = len(hrefs)
    if canonical >= 0:
        hrefs.append(_value(dom, canonical))
    file_start = len(hrefs)
    if len(resources):
        hrefs += SCANNER.addresses(dom.attributes, dom.text, resources)[0]

    answers = _resolve(hrefs, base, encoding, resolver, limits)
    files = {answer[0] for answer in answers[file_start:] if answer is not None}
    canonical_answer = answers[link_count] if canonical >= 0 else None
    refresh_answer = answers[numbers[edge]] if refresh >= 0 else None
    del answers[link_count:]
    kept, target, fragment, addresses = SCANNER.lead(edges, numbers, answers, fragments)
    return Addresses(
        edges=kept,
        target=target,
        fragment=fragment,
        addresses=addresses,
        canonical=None if canonical_answer is None else canonical_answer[1],
        refresh=None if refresh_answer is None else refresh_answer[1],
        resources=np.array(sorted(files), dtype=np.int64),
    )


def find_links(dom: Dom, found: Addresses) -> Links:
    """Return the edges of a page that lead to web pages."""
    node, kind, _, rel, landmark = found.edges
    offsets, data, sources = SCANNER.labels(dom.nodes, dom.attributes, dom.text, node)
    paths: Paths = SCANNER.path_table(dom.nodes, dom.attributes, dom.text, dom.extra_tags)
    return Links(
        node=node,
        target=found.target,
        addresses=found.addresses,
        fragment=found.fragment,
        kind=kind,
        label=Strings(offsets, data),
        label_source=sources,
        rel=SCANNER.texts(dom.attributes, dom.text, rel),
        landmark=landmark,
        path=paths.number(node),
        paths=paths,
    )


def _value(dom: Dom, index: int) -> str:
    return dom.text[dom.attribute_start[index] : dom.attribute_end[index]].decode()


def _resolve(
    hrefs: list[str], base: str, encoding: str | None, resolver: Resolver, limits: PageLimits
) -> list[tuple[int, str, str | None] | None]:
    """Resolve the addresses of a page, unless a long base makes more text of them than anybody wants."""
    if len(hrefs) * (len(base) + 256) <= limits.address_bytes:
        return resolver.resolve_all(hrefs, base, encoding=encoding)
    answers: list[tuple[int, str, str | None] | None] = []
    size = 0
    for start in range(0, len(hrefs), 1024):
        answers.extend(resolver.resolve_all(hrefs[start : start + 1024], base, encoding=encoding))
        size += sum(len(answer[1]) for answer in answers[start:] if answer is not None)
        if size > limits.address_bytes:
            raise UnusablePageError(
                "too-much-address-text",
                f"The addresses of the page's links take more than {limits.address_bytes:,} bytes.",
            )
    return answers


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
