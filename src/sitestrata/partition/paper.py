"""The label hierarchy as the paper finds it: flat segments, a binary tree in each and over them, groups, promotion.

Paper: OntoMiner 4.1, 4.3
Cost: cubic in the leaves of a segment and in the number of segments; see `sitestrata.partition.binary` for the limit.
Differences from the paper: leaves longer than FREE_TEXT are its "free text": they are kept and not analysed further.
"""

from sitestrata.page import PageFacts
from sitestrata.partition.binary import Part, binary_tree, check_units
from sitestrata.partition.blocks import Block
from sitestrata.partition.flat import flat_segments
from sitestrata.partition.grouping import group_tree
from sitestrata.partition.lines import NO_HEAD, Label, make_label
from sitestrata.partition.promotion import promote

__all__ = ["paper_blocks", "paper_forest"]

FREE_TEXT = 120  # characters


def paper_blocks(facts: PageFacts) -> tuple[Block, ...]:
    """Return the flat segments as blocks; the paper gives them no role."""
    return tuple(
        Block(first, end, int(facts.leaves.node[first]), "other") for first, end in flat_segments(facts.leaves.path)
    )


def paper_forest(facts: PageFacts) -> list[Label]:
    """Return the label hierarchy of a page.

    Raises:
        UnusablePageError: a segment has too many leaves, or the page too many segments.

    """
    short: list[list[Part]] = []  # the leaves of each segment
    free = []
    for first, end in flat_segments(facts.leaves.path):
        leaves = [Part(_element(facts, leaf), leaf, leaf + 1, "leaf") for leaf in range(first, end)]
        kept = [leaf for leaf in leaves if len(facts.leaf_text(leaf.first)) <= FREE_TEXT]
        free += [leaf for leaf in leaves if len(facts.leaf_text(leaf.first)) > FREE_TEXT]
        if kept:
            short.append(kept)
    # Before any of the work: a page that is refused must not take long.
    check_units(max([len(short), *map(len, short)]))
    segments = [binary_tree(facts, leaves) for leaves in short]
    if not segments:
        return [_label(facts, leaf) for leaf in free]
    root = binary_tree(facts, segments)
    promote(facts, group_tree(facts, root))
    forest = [_label(facts, root), *(_label(facts, leaf) for leaf in free)]
    return sorted(_opened(forest), key=lambda label: label.first)


def _element(facts: PageFacts, leaf: int) -> int:
    """Return the element that a leaf stands in, or is."""
    node = int(facts.leaves.node[leaf])
    return int(facts.dom.parent[node]) if facts.dom.is_text(node) else node


def _opened(forest: list[Label]) -> list[Label]:
    """Take away partitions at the top that name nothing."""
    out = []
    stack = list(reversed(forest))
    while stack:
        label = stack.pop()
        if label.children and not label.text and label.kind == "part":
            stack.extend(reversed(label.children))
        else:
            out.append(label)
    return out


def _label(facts: PageFacts, root: Part) -> Label:
    """Turn a tree of parts into labels, without recursion."""
    top = _own_label(facts, root)
    stack = [(root, top)]
    while stack:
        part, label = stack.pop()
        for child in _named(part.children):
            made = _own_label(facts, child)
            label.children.append(made)
            stack.append((child, made))
    return top


def _named(parts: list[Part]) -> list[Part]:
    """Open partitions that nothing names: they only held the binary tree together."""
    out = []
    stack = list(reversed(parts))
    while stack:
        part = stack.pop()
        if part.kind == "part" and part.label is None and part.children:
            stack.extend(reversed(part.children))
        else:
            out.append(part)
    return out


def _own_label(facts: PageFacts, part: Part) -> Label:
    named = part if part.kind == "leaf" else part.label
    if named is None:
        label = make_label("", None, part.node, part.first, part.end, NO_HEAD)
    else:
        leaf = named.first
        link = int(facts.leaves.link[leaf])
        at = facts.links.node.tolist().index(link) if link in facts.links.node else -1
        url = facts.links.book.address(int(facts.links.number[at])) if at >= 0 else None
        first = min(part.first, leaf)
        label = make_label(facts.leaf_text(leaf), url, named.node, first, part.end, NO_HEAD)
        label.is_link = link >= 0
    label.kind = part.kind
    return label
