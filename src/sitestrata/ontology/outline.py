"""A page -> its outline: which label stands over which, by lists, headings, emphasis, and labels in front of lists.

A link is one label, however many texts it holds; any other text is a label of its own. Inside an element the labels of
its children are chained: a heading is over what follows up to the next heading of its level; a bold line without a link
is over what follows it; a short text in front of a list is over the list. What stands in ``nav``, ``footer`` and the
like has that role. The rows are those of the table ``trees``.
"""

from bisect import bisect_left
from dataclasses import dataclass, field

from sitestrata.model import TreeNode
from sitestrata.page import Dom, Emphasis, PageFacts

__all__ = ["outline"]

MAX_HEAD = 60  # characters of a label in front of a list
MAX_LABELS = 5_000  # of one page
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_BLOCKS = frozenset({"div", "nav"})
_HOLDERS = frozenset({"li", "div", "nav", "section", "td"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BOLD_LINE, _TERM, _BEFORE_LIST = 7, 8, 9  # levels below those of headings
_ROLES = {"navigation": "navigation", "banner": "navigation", "contentinfo": "footer", "search": "form", "form": "form"}


@dataclass(slots=True, eq=False)
class _Label:
    text: str
    url: str | None
    node: int
    is_bold: bool
    leaf: int
    end_leaf: int
    below: list["_Label"] = field(default_factory=list)


def outline(facts: PageFacts) -> tuple[TreeNode, ...]:
    """Return the outline of a page as rows in preorder, the root first."""
    labels = _labels(facts)
    top = _Outline(facts.dom, labels).below(0) if labels else []
    rows = [TreeNode(facts.url_id, 0, -1, "root", "other", "", None, 0, 0, len(facts.leaves))]
    waiting = [(label, 0) for label in reversed(top)]
    while waiting:
        label, parent = waiting.pop()
        kind = "group" if label.below else ("member" if label.url else "leaf")
        role = _ROLES.get(facts.landmark(label.node) or "", "other")
        ordinal = len(rows)
        rows.append(
            TreeNode(
                facts.url_id, ordinal, parent, kind, role, label.text, label.url, label.node, label.leaf, label.end_leaf
            )
        )
        waiting += [(child, ordinal) for child in reversed(label.below)]
    return tuple(rows)


def _labels(facts: PageFacts) -> list[_Label]:
    """Return the labels of a page in document order."""
    address = facts.links.address
    url_of = {int(node): address[index] for index, node in enumerate(facts.links.node)}
    found: list[_Label] = []
    bold = Emphasis.BOLD | Emphasis.STYLED
    for leaf, (node, link, emphasis) in enumerate(
        zip(facts.leaves.node.tolist(), facts.leaves.link.tolist(), facts.leaves.emphasis.tolist(), strict=True)
    ):
        text = facts.leaf_text(leaf).strip()
        if not text:
            continue
        if link >= 0 and found and found[-1].node == link:
            found[-1].text += f" {text}"
            found[-1].end_leaf = leaf + 1
            continue
        if len(found) == MAX_LABELS:
            break
        at = link if link >= 0 else node
        found.append(_Label(text, url_of.get(link), at, bool(emphasis & bold), leaf, leaf + 1))
    return found


class _Outline:
    """Chains the labels of one page."""

    def __init__(self, dom: Dom, labels: list[_Label]) -> None:
        self._dom = dom
        self._labels = labels
        self._nodes = [label.node for label in labels]

    def _range(self, node: int) -> tuple[int, int]:
        return bisect_left(self._nodes, node), bisect_left(self._nodes, int(self._dom.end[node]))

    def below(self, node: int) -> list[_Label]:
        """Return the outermost labels of a subtree, those they stand over already below them."""
        first, end = self._range(node)
        if end - first <= 1 or self._nodes[first] == node:
            return self._labels[first : first + 1] if first < end else []
        parts = [
            (child, self.below(child), hi - lo)
            for child in self._dom.children(node)
            if (span := self._range(child))[0] < span[1]
            for lo, hi in [span]
        ]
        return parts[0][1] if len(parts) == 1 else self._chain(node, parts)

    def _chain(self, node: int, parts: list[tuple[int, list[_Label], int]]) -> list[_Label]:
        top: list[_Label] = []
        over: list[tuple[int, _Label]] = []  # open heads, their levels rising
        for index, (child, labels, count) in enumerate(parts):
            level = self._level(node, parts, index, child, labels, count)
            if level is None:
                (over[-1][1].below if over else top).extend(labels)
                if over and over[-1][0] == _BEFORE_LIST:
                    over.pop()
                continue
            while over and over[-1][0] >= level:
                over.pop()
            head, *rest = labels
            (over[-1][1].below if over else top).append(head)
            over.append((level, head))
            head.below.extend(rest)
        return top

    def _level(
        self,
        node: int,
        parts: list[tuple[int, list[_Label], int]],
        index: int,
        child: int,
        labels: list[_Label],
        count: int,
    ) -> int | None:
        """Return the level at which a part is over what follows it; None if it is not."""
        tag = self._dom.tag_name(child) if not self._dom.is_text(child) else ""
        if tag in _HEADINGS:
            return _HEADINGS[tag]
        if len(labels) != 1 or labels[0].below:
            return _TERM if tag == "dt" else None
        head = labels[0]
        if count <= 2:
            at = head.node
            while at > child:
                at = int(self._dom.parent[at])
                if self._dom.tag_name(at) in _HEADINGS:
                    return _HEADINGS[self._dom.tag_name(at)]
        if index + 1 == len(parts):
            return _TERM if tag == "dt" else None
        if head.is_bold and head.url is None:
            return _BOLD_LINE
        if tag == "dt":
            return _TERM
        next_tag = self._tag(parts[index + 1][0])
        if len(head.text) < MAX_HEAD and (
            next_tag in _LISTS
            or (
                index == 0
                and next_tag in _BLOCKS
                and parts[1][2] >= 2
                and self._tag(node) in _HOLDERS
                and all(self._tag(part[0]) in _LISTS | _BLOCKS | {"table"} for part in parts[1:])
            )
        ):
            return _BEFORE_LIST
        return None

    def _tag(self, node: int) -> str:
        return "" if self._dom.is_text(node) else self._dom.tag_name(node)
