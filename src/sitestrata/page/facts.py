"""A body -> `PageFacts`: everything that one parse of one page tells, as columns.

`read_page` decodes, parses, walks once and scans once; nothing later touches the parser. Links and leaves come in
millions over a collection, so they are columns (arrays and shared text buffers), not an object each.
"""

import re
from dataclasses import dataclass
from enum import IntFlag
from hashlib import blake2b
from itertools import compress
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load
from sitestrata.model import Crumb, Link, Page
from sitestrata.page.charset import decode, python_codec
from sitestrata.page.crumbs import find_breadcrumb
from sitestrata.page.dom import Dom, parse
from sitestrata.page.limits import PageLimits, UnusablePageError
from sitestrata.page.strings import Strings
from sitestrata.page.vocabulary import ATTRIBUTES, LANDMARKS, ROLES, TAGS
from sitestrata.urls import Resolver, normalise, url_id

__all__ = ["KINDS", "LABEL_SOURCES", "Emphasis", "Leaves", "Links", "PageFacts", "Paths", "read_page"]

Ints = npt.NDArray[np.int32]

KINDS = ("a", "area", "frame", "iframe", "refresh", "link")
LABEL_SOURCES = ("none", "text", "alt", "title", "aria-label")
_REFRESH = 4  # index in KINDS
_LANDMARK_SHIFT = 8
_HIDDEN = 1
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


class Emphasis(IntFlag):
    """How a leaf stands out (OntoMiner 4.3.3); all but CAPITALS come from any element on its path."""

    BOLD = 4  # b, strong
    ITALIC = 8  # i, em, cite, dfn, var, address
    HEADING = 16  # h1 to h6
    STYLED = 32  # a class with "bold" in its name, or font-weight in a style attribute
    CAPITALS = 64  # the text has two or more capital letters and no small one


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The edges out of a page in document order; the fields are those of `model.Link`, as columns.

    Edges whose address is no web page (mail, scripts, nonsense) are left out.
    """

    node: Ints
    target: npt.NDArray[np.int64]
    address: list[str]  # what target is the id of
    fragment: list[str | None]
    kind: npt.NDArray[np.uint8]  # index in KINDS
    label: Strings
    label_source: npt.NDArray[np.uint8]  # index in LABEL_SOURCES
    rel: list[str | None]
    landmark: npt.NDArray[np.uint8]  # index in LANDMARKS; 0 = none
    path: Ints  # number of the DOM path in ``paths``
    paths: Paths

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.node)

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
class Leaves:
    """What a page shows, piece by piece in document order: visible texts, and images that have an alternative text.

    The text of leaf i is ``PageFacts.leaf_text(i)``. ``path`` is a hash of the tags from the root to the leaf: equal
    paths have equal numbers on all pages. ``dom.tag_name`` over ``dom.ancestors`` spells a path out.
    """

    node: Ints
    path: npt.NDArray[np.int64]
    emphasis: Ints  # bits of Emphasis
    link: Ints  # node of the outermost hyperlink that holds it; -1 = none

    def __len__(self) -> int:
        """Return the number of leaves."""
        return len(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class PageFacts:
    """One parsed page: its tree, its columns, and what it says about itself (fields as in `model.Page`)."""

    url_id: int
    url: str
    dom: Dom
    title: str | None
    language: str | None
    charset: str
    canonical_link: str | None
    base: str
    robots: str | None
    refresh: str | None
    heading: str | None
    breadcrumb: tuple[Crumb, ...]
    table_count: int
    text_length: int
    linked_text_length: int
    template: npt.NDArray[np.int64]  # sorted, distinct
    resources: npt.NDArray[np.int64]  # sorted, distinct
    links: Links
    leaves: Leaves
    link_of: Ints  # per node: the outermost hyperlink (a[href], area[href]) that holds it; -1 = none
    flags: npt.NDArray[np.uint16]  # per node: bit 0 hidden, Emphasis bits, landmark from bit 8 up
    tag_path: npt.NDArray[np.int64]  # per node: hash of the tags from the root
    class_path: npt.NDArray[np.int64]  # per node: the same with the classes

    def is_visible(self, node: int) -> bool:
        """Tell whether a node is shown: no ancestor is hidden by its tag or by the attribute ``hidden``."""
        return not int(self.flags[node]) & _HIDDEN

    def landmark(self, node: int) -> str | None:
        """Return the nearest landmark that holds a node."""
        return LANDMARKS[int(self.flags[node]) >> _LANDMARK_SHIFT] or None

    def leaf_text(self, leaf: int) -> str:
        """Return the text of a leaf, white space folded and trimmed."""
        node = int(self.leaves.node[leaf])
        if self.dom.is_text(node):
            return self.dom.own_text(node)
        return " ".join((self.dom.attribute(node, "alt") or "").split())

    @property
    def links_digest(self) -> int:
        """Return the hash of the resolved link targets in order."""
        return int.from_bytes(blake2b(self.links.target.tobytes(), digest_size=8).digest(), "little", signed=True)

    def record(self) -> Page:
        """Return the page as a record."""
        return Page(
            url_id=self.url_id,
            url=self.url,
            title=self.title,
            language=self.language,
            charset=self.charset,
            canonical_link=self.canonical_link,
            base=self.base,
            robots=self.robots,
            refresh=self.refresh,
            heading=self.heading,
            breadcrumb=self.breadcrumb,
            node_count=len(self.dom),
            link_count=len(self.links),
            leaf_count=len(self.leaves),
            table_count=self.table_count,
            text_length=self.text_length,
            linked_text_length=self.linked_text_length,
            links_digest=self.links_digest,
            template=tuple(self.template.tolist()),
            resources=tuple(self.resources.tolist()),
        )


_scanner = load("scan").Scanner(TAGS, ATTRIBUTES, ROLES)


def read_page(
    body: bytes,
    url: str,
    *,
    charset: str | None = None,
    limits: PageLimits | None = None,
    resolver: Resolver | None = None,
) -> PageFacts:
    """Read everything off one HTML body.

    Args:
        body: the bytes as served, content encoding removed
        url: the address the body came from; should be an http address in canonical form
        charset: as the HTTP header says
        limits: how much of a page to read
        resolver: remembers resolved links from page to page; hand in the same one for many pages

    Raises:
        UnusablePageError: the page is larger, deeper or fuller than the limits allow.

    """
    limits = limits or PageLimits()
    if len(body) > limits.page_size:
        raise UnusablePageError("too-large", f"The page has {len(body):,} bytes; the limit is {limits.page_size:,}.")
    decoded = decode(body, charset)
    dom = parse(decoded.text, limits=limits)
    link_of, flags, tag_path, class_path, edges, leaves, resources, finds = _scanner.scan(
        dom.nodes, dom.attributes, dom.text, dom.extra_tags
    )
    if edges.shape[1] > limits.page_links:
        raise UnusablePageError(
            "too-many-links", f"The page has {edges.shape[1]:,} links; the limit is {limits.page_links:,}."
        )
    (
        title,
        heading,
        base_at,
        canonical,
        robots,
        refresh,
        language,
        content_language,
        text_length,
        linked,
        tables,
        crumbs,
    ) = finds.tolist()

    def value(index: int) -> str | None:
        return None if index < 0 else dom.text[dom.attribute_start[index] : dom.attribute_end[index]].decode()

    address = normalise(url) or url
    base = address
    if base_at >= 0:
        base = normalise(value(base_at) or "", address) or address
    encoding = None if decoded.charset == "utf-8" else python_codec(decoded.charset)
    resolver = resolver or Resolver()
    links = _links(dom, edges, flags, base, encoding, resolver, limits)
    refresh_to = _refresh_target(value(refresh))
    return PageFacts(
        url_id=url_id(address),
        url=address,
        dom=dom,
        title=dom.inner_text(title) or None if title >= 0 else None,
        language=_language(value(language)) or _language(value(content_language)),
        charset=decoded.charset,
        canonical_link=None if canonical < 0 else normalise(value(canonical) or "", base),
        base=base,
        robots=value(robots),
        refresh=None if refresh_to is None else normalise(refresh_to, base),
        heading=dom.inner_text(heading) or None if heading >= 0 else None,
        breadcrumb=find_breadcrumb(dom, base) if crumbs else (),
        table_count=tables,
        text_length=text_length,
        linked_text_length=linked,
        template=_scanner.distinct(class_path, links.node),
        resources=_resources(dom, resources, base, encoding, resolver),
        links=links,
        leaves=Leaves(leaves[0], tag_path[leaves[0]], leaves[1], link_of[leaves[0]]),
        link_of=link_of,
        flags=flags,
        tag_path=tag_path,
        class_path=class_path,
    )


def _links(
    dom: Dom,
    edges: Ints,
    flags: npt.NDArray[np.uint16],
    base: str,
    encoding: str | None,
    resolver: Resolver,
    limits: PageLimits,
) -> Links:
    hrefs, fragments = _scanner.addresses(dom.attributes, dom.text, edges[2])
    for number in np.flatnonzero(edges[1] == _REFRESH).tolist():
        index = edges[2, number : number + 1]
        hrefs[number] = _refresh_target(*_scanner.texts(dom.attributes, dom.text, index)) or _NOWHERE
        fragments[number] = None
    resolved = _resolve(hrefs, base, encoding, resolver, limits)
    if None in resolved:
        is_known = [answer is not None for answer in resolved]
        edges = np.ascontiguousarray(edges[:, is_known])
        fragments = list(compress(fragments, is_known))
    known = [answer for answer in resolved if answer is not None]
    node = edges[0]
    offsets, data, sources = _scanner.labels(dom.nodes, dom.attributes, dom.text, node)
    paths: Paths = _scanner.path_table(dom.nodes, dom.attributes, dom.text, dom.extra_tags)
    return Links(
        node=node,
        target=np.array([answer[0] for answer in known], dtype=np.int64),
        address=[answer[1] for answer in known],
        fragment=[
            fragment if answer[2] is None else answer[2] for fragment, answer in zip(fragments, known, strict=True)
        ],
        kind=edges[1].astype(np.uint8),
        label=Strings(offsets, data),
        label_source=sources,
        rel=_scanner.texts(dom.attributes, dom.text, edges[3]),
        landmark=(flags[node] >> _LANDMARK_SHIFT).astype(np.uint8),
        path=paths.number(node),
        paths=paths,
    )


def _resources(dom: Dom, resources: Ints, base: str, encoding: str | None, resolver: Resolver) -> npt.NDArray[np.int64]:
    """Return the ids of the style sheets, scripts, icons and images: pages of one make share them."""
    if not len(resources):
        return np.empty(0, dtype=np.int64)
    distinct = list(dict.fromkeys(_scanner.texts(dom.attributes, dom.text, resources)))
    answers = resolver.resolve_all(distinct, base, encoding=encoding)
    return np.array(sorted({answer[0] for answer in answers if answer is not None}), dtype=np.int64)


def _resolve(
    hrefs: list[str], base: str, encoding: str | None, resolver: Resolver, limits: PageLimits
) -> list[tuple[int, str, str | None] | None]:
    """Resolve the links of a page, unless a long base makes more text of them than anybody wants."""
    if len(hrefs) * (len(base) + 256) <= limits.address_bytes:
        return resolver.resolve_all(hrefs, base, encoding=encoding)
    answers = []
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


def _refresh_target(content: str | None) -> str | None:
    match = _REFRESH_CONTENT.match(content) if content else None
    if match is None:
        return None
    target = next((group for group in match.groups() if group is not None), "").strip("\t\n\f\r ")
    return target or None


def _language(tag: str | None) -> str | None:
    """Return a language tag without what authors wrap around it; a list of several languages says nothing."""
    tag = (tag or "").strip()
    return tag.replace("_", "-") if tag and "," not in tag and " " not in tag else None
