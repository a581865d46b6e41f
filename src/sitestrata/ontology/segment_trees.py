"""The tables ``links`` and ``segments`` -> label trees of some pages, without reading the pages again.

A link segment is a group; a segment inside a list item stands under the item's own link. Headings that are no links are
not in these tables: `sitestrata.partition.tree` sees more, and needs the page.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitestrata.model import TreeNode

__all__ = ["PageRows", "segment_tree"]

_ITEMS = ("li", "dt", "dd")  # elements whose link is over a list inside them
_ROLES = {"navigation": "navigation", "banner": "navigation", "contentinfo": "footer", "search": "form", "form": "form"}


@dataclass(frozen=True, slots=True)
class PageRows:
    """The rows of one page, sorted by ordinal."""

    page: int
    links: Sequence[Mapping[str, Any]]  # ordinal, label, url, landmark, path, segment, node
    segments: Sequence[Mapping[str, Any]]  # ordinal, parent, path, node


def segment_tree(rows: PageRows) -> tuple[TreeNode, ...]:
    """Return the label tree of a page as rows in preorder."""
    links: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for link in rows.links:
        links[link["segment"]].append(link)
    below: dict[int, list[Mapping[str, Any]]] = defaultdict(list)  # segment -> segments inside it, under no link
    under: dict[int, list[Mapping[str, Any]]] = defaultdict(list)  # link -> segments under it
    for segment in rows.segments:
        head = _head(segment, links.get(segment["parent"], ()))
        if head is None:
            below[segment["parent"]].append(segment)
        else:
            under[head["ordinal"]].append(segment)
    nodes = [TreeNode(rows.page, 0, -1, "root", "other", "", None, 0, 0, 0)]
    waiting: list[tuple[str, Mapping[str, Any], int]] = [("segment", segment, 0) for segment in reversed(below[-1])]
    while waiting:
        what, row, parent = waiting.pop()
        ordinal = len(nodes)
        if what == "segment":
            nodes.append(TreeNode(rows.page, ordinal, parent, "group", "other", "", None, row["node"], 0, 0))
            inside = [("link", link) for link in links.get(row["ordinal"], ())]
            inside += [("segment", segment) for segment in below[row["ordinal"]]]
        else:
            role = _ROLES.get(row["landmark"] or "", "other")
            nodes.append(
                TreeNode(rows.page, ordinal, parent, "member", role, row["label"], row["url"], row["node"], 0, 0)
            )
            inside = [("segment", segment) for segment in under[row["ordinal"]]]
        inside.sort(key=lambda item: int(item[1]["node"]))
        waiting += [(kind, item, ordinal) for kind, item in reversed(inside)]
    return tuple(nodes)


def _head(segment: Mapping[str, Any], links: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the link of the list item that a segment lies in."""
    before = [link for link in links if link["node"] < segment["node"]]
    if not before:
        return None
    link = max(before, key=lambda link: int(link["node"]))
    item, _, _ = link["path"].rpartition("/")
    is_item = item.rpartition("/")[2].partition(".")[0].partition("#")[0] in _ITEMS
    return link if is_item and segment["path"].startswith(f"{item}/") else None
