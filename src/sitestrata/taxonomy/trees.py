"""The label tree of a page, as the taxonomy reads it: who is above whom, and who stands beside whom.

A tree is the rows of the ``trees`` table of one page (`sitestrata.model.TreeNode`, in preorder) with what is known
about the page: its site, and the owner whose vote it is. Nodes without a label only hold others together: distances
are counted over labelled nodes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sitestrata.model import TreeNode
from sitestrata.taxonomy.words import MAX_LABEL, fold, has_word, words

__all__ = ["ABOUT", "SiteTree", "group_siblings", "is_label", "label_above", "labelled", "naming", "related"]


ABOUT = 1  # the node of the concept in the tree of its page
MAX_WORDS = 7  # of a label that names a concept


@dataclass(frozen=True, slots=True)
class SiteTree:
    """The label tree of one page of a site."""

    site: int
    owner: str  # sites with one owner have one vote
    url: str
    language: str | None
    nodes: tuple[TreeNode, ...]  # in preorder; node i has ordinal i
    title: str | None = None  # of the page
    is_about: bool = False  # a page of a concept, which stands over all else as node ABOUT
    is_contents: bool = False  # the pages of the site rather than the labels of one page


@lru_cache(maxsize=1 << 16)
def is_label(label: str) -> bool:
    """Tell whether a text can name a concept: it has a letter and is no sentence."""
    return 0 < len(label) <= MAX_LABEL and has_word(label)


def labelled(tree: SiteTree) -> Iterator[tuple[TreeNode, str]]:
    """Yield the nodes that carry a label, with its folded form."""
    for node in tree.nodes:
        if is_label(node.label):
            label = fold(node.label)
            if label:
                yield node, label


def naming(tree: SiteTree) -> Iterator[tuple[TreeNode, str]]:
    """Yield the labelled nodes that can name a concept: what is a link, or has labels below it, and is no sentence."""
    heads = {above for above in label_above(tree) if above >= 0}
    for node, label in labelled(tree):
        if (node.url or node.ordinal in heads) and len(words(label)) <= MAX_WORDS:
            yield node, label


def label_above(tree: SiteTree) -> list[int]:
    """Return for each node the nearest labelled node above it; -1 where there is none."""
    above: list[int] = []
    for node in tree.nodes:
        at = node.parent
        if at >= 0 and not is_label(tree.nodes[at].label):
            at = above[at]  # parents come first, so theirs is known
        above.append(at)
    return above


def related(tree: SiteTree) -> Iterator[tuple[int, int, int]]:
    """Yield (ancestor, descendant, i) for all i-related nodes: i steps down over labelled nodes."""
    above = label_above(tree)
    for node, _ in labelled(tree):
        at, distance = above[node.ordinal], 1
        while at >= 0:
            yield at, node.ordinal, distance
            at, distance = above[at], distance + 1


def group_siblings(tree: SiteTree) -> dict[int, list[int]]:
    """Return the labelled nodes of each group: those whose nearest group or labelled node above is that group."""
    groups: dict[int, list[int]] = {}
    holder: list[int] = []  # for each node: the group its labelled descendants are siblings in
    for node in tree.nodes:
        above = holder[node.parent] if node.parent >= 0 else -1
        if node.kind == "group":
            above_children = node.ordinal
        elif is_label(node.label):
            above_children = -1
        else:
            above_children = above
        if above >= 0 and is_label(node.label):
            groups.setdefault(above, []).append(node.ordinal)
        holder.append(above_children)
    return groups
