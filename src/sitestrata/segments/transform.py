"""A page -> its link segments: what is left of the DOM when only the hierarchy of the hyperlinks counts.

The tree is rewritten bottom-up:

1. a leaf that is not a hyperlink is deleted;
2. a node with a single child is deleted and the child goes to the node's parent;
3. a node with exactly two children, the first a hyperlink and the second not, is deleted and both go to its parent:
   ``<li><a/><ul>...</ul></li>``, where the link belongs with its siblings and the submenu is a segment of its own;
4. every other node stays and is a *segment* with its direct hyperlinks.

A hyperlink (``a[href]``, ``area[href]``) is a leaf whatever it contains. Links that lead to no web page (mail, scripts)
take part in the rewriting, because they are hyperlinks to the eye, but no segment lists them.

Paper: MenuMiner 4

Differences from the paper: rule 3 is printed as "both hyperlinks"; its Figure 5 shows what is meant.
Cost: linear in the number of nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitestrata._kernels import load
from sitestrata.model import TABLES, LinkSegment
from sitestrata.page import PageFacts, Paths, Strings, join_offsets, join_strings, ordinals

__all__ = ["Segments", "find_segments", "segments_to_batch"]

Ints = npt.NDArray[np.int32]

_kernel = load("segment")


@dataclass(slots=True, eq=False)
class Segments:
    """The segments of one page as columns, in document order."""

    node: Ints
    parent: Ints  # ordinal of the enclosing segment; -1 = none
    first: Ints  # the direct links of segment s are link[first[s] : first[s + 1]]
    link: Ints  # ordinals in PageFacts.links, in document order
    of_link: Ints  # for each link of the page, the segment it is a direct child of; -1 = none
    path: Ints  # number of the DOM path in ``paths``
    paths: Paths  # those of the page's links, and more

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.node)

    def records(self, page: int) -> list[LinkSegment]:
        """Return the segments as records."""
        return [
            LinkSegment(
                page=page,
                ordinal=number,
                parent=int(self.parent[number]),
                path=self.paths[int(self.path[number])],
                links=tuple(self.link[self.first[number] : self.first[number + 1]].tolist()),
                node=int(self.node[number]),
            )
            for number in range(len(self))
        ]


def find_segments(facts: PageFacts) -> Segments:
    """Transform a page by rules 1-4."""
    node, parent, first, link, of_link = _kernel.segment(facts.dom.nodes, facts.link_of, facts.links.node)
    paths = facts.links.paths
    return Segments(
        node=node,
        parent=parent,
        first=first,
        link=link,
        of_link=of_link,
        path=paths.number(node),
        paths=paths,
    )


def segments_to_batch(facts: Sequence[PageFacts], segments: Sequence[Segments]) -> pa.RecordBatch:
    """Turn the segments of some pages into rows of the table ``segments``."""
    counts = [len(found) for found in segments]
    page = np.repeat(np.array([page.url_id for page in facts], dtype=np.int64), counts)
    first = join_offsets([found.first for found in segments])
    links = pa.array(_join([found.link for found in segments]))
    columns = {
        "page": pa.array(page),
        "ordinal": pa.array(ordinals(counts)),
        "parent": pa.array(_join([found.parent for found in segments])),
        "path": join_strings([Strings(*found.paths.spell(found.path)) for found in segments]),
        "links": pa.ListArray.from_arrays(pa.array(first), links),
        "node": pa.array(_join([found.node for found in segments])),
    }
    schema = TABLES["segments"].schema
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def _join(arrays: Sequence[Ints]) -> Ints:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int32)
