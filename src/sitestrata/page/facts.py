"""`PageFacts`: everything that one parse of one page tells, as columns.

Links and leaves come in millions over a collection, so they are columns (arrays and shared text buffers), not an object
each. `sitestrata.page.reading` makes them.
"""

from dataclasses import dataclass
from enum import IntFlag
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from sitestrata.model import Crumb, Page
from sitestrata.page.dom import Dom
from sitestrata.page.links import Links
from sitestrata.page.vocabulary import LANDMARKS

__all__ = ["LANDMARK_SHIFT", "Emphasis", "Leaves", "PageFacts"]

Ints = npt.NDArray[np.int32]

LANDMARK_SHIFT = 8  # of PageFacts.flags


class Emphasis(IntFlag):
    """How a leaf stands out (OntoMiner 4.3.3); all but CAPITALS come from any element on its path."""

    BOLD = 4  # b, strong
    ITALIC = 8  # i, em, cite, dfn, var, address
    HEADING = 16  # h1 to h6
    STYLED = 32  # a class with "bold" in its name, or font-weight in a style attribute
    CAPITALS = 64  # the text has two or more capital letters and no small one


@dataclass(slots=True, eq=False)
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


@dataclass(slots=True, eq=False)
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
    source: bytes  # the page as UTF-8, for what is read on demand: its style elements

    def landmark(self, node: int) -> str | None:
        """Return the nearest landmark that holds a node."""
        return LANDMARKS[int(self.flags[node]) >> LANDMARK_SHIFT] or None

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
