"""A group tree -> a label hierarchy: leaves that name their neighbours are promoted above them.

*Insider promotion*: an emphasised leaf that is the first child of a parent that is no Group replaces the parent.
Emphasised is a leaf with a bold tag or a heading on its path, with a bold class, in capitals, or with a list between it
and the next leaf. *Outsider promotion*: a leaf that is the first child of such a parent, and whose only sibling is a
Group, the records of a data table or a single leaf. Both are repeated until nothing changes.

Paper: OntoMiner 4.3.3
"""

from sitestrata.page import Emphasis, PageFacts
from sitestrata.partition.binary import Part
from sitestrata.partition.costs import lowest_ancestor

__all__ = ["is_emphasised", "promote"]

_EMPHASIS = int(Emphasis.BOLD | Emphasis.HEADING | Emphasis.STYLED | Emphasis.CAPITALS)
_LISTS = ("ul", "ol")


def promote(facts: PageFacts, root: Part) -> Part:
    """Promote labels, in place, until no rule applies."""
    changed = True
    while changed:
        changed = False
        stack = [root]
        while stack:
            part = stack.pop()
            if part.kind == "part" and part.label is None and _promote_one(facts, part):
                changed = True
            stack.extend(part.children)
    return root


def _promote_one(facts: PageFacts, part: Part) -> bool:
    """Apply the two rules to one parent."""
    if len(part.children) < 2:
        return False
    first, *rest = part.children
    if first.kind != "leaf" or first.label is not None:
        return False
    is_insider = is_emphasised(facts, first.first)
    is_outsider = len(rest) == 1 and (rest[0].kind in ("group", "table") or _is_singleton(rest[0]))
    if not (is_insider or is_outsider):
        return False
    part.label = first
    # A partition that only held the rest together is not needed any more.
    part.children = (
        rest[0].children
        if len(rest) == 1 and rest[0].kind == "part" and rest[0].label is None and rest[0].children
        else rest
    )
    part.kind = "group" if len(rest) == 1 and rest[0].kind == "group" else "part"
    if part.kind == "group":
        part.children = rest[0].children
    return True


def _is_singleton(part: Part) -> bool:
    return part.kind == "leaf" and part.label is None


def is_emphasised(facts: PageFacts, leaf: int) -> bool:
    """Tell whether a leaf stands out."""
    if int(facts.leaves.emphasis[leaf]) & _EMPHASIS:
        return True
    if leaf + 1 >= len(facts.leaves):
        return False
    # "There is a <ul> or <ol> tag in the path to the next consecutive node": on the way down to it.
    node, following = int(facts.leaves.node[leaf]), int(facts.leaves.node[leaf + 1])
    top = lowest_ancestor(facts, node, following)
    for above in facts.dom.ancestors(following):
        if above == top:
            return False
        if facts.dom.tag_name(above) in _LISTS:
            return True
    return False
