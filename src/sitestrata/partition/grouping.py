"""A binary tree -> a group tree: neighbours that are alike become the instances of a group.

In post-order: two simple siblings (leaves) that are cheap to group become a Group; two sibling Groups whose instances
are cheap to group become one; a simple sibling of such a Group joins it.

Paper: OntoMiner 4.3.2
"""

from sitestrata.page import PageFacts
from sitestrata.partition.binary import Part
from sitestrata.partition.costs import grouping_costs

__all__ = ["SIMILAR", "group_tree"]

SIMILAR = 0.33  # OntoMiner 4.3.2


def group_tree(facts: PageFacts, root: Part, *, similar: float = SIMILAR) -> Part:
    """Mark the groups of a tree, in place."""
    for part in _post_order(root):
        if part.kind != "part" or len(part.children) != 2:
            continue
        one, other = part.children
        if one.kind == other.kind == "leaf":
            if part.cost < similar:
                part.kind = "group"
        elif {one.kind, other.kind} <= {"leaf", "group"} and _instance_cost(facts, one, other) < similar:
            part.kind = "group"
            part.children = [*_instances(one), *_instances(other)]
    return root


def _instances(part: Part) -> list[Part]:
    return part.children if part.kind == "group" else [part]


def _instance_cost(facts: PageFacts, one: Part, other: Part) -> float:
    """Return the cost of grouping the instances that meet."""
    return float(grouping_costs(facts, [_instances(one)[-1].node, _instances(other)[0].node])[0, 1])


def _post_order(root: Part) -> list[Part]:
    order, stack = [], [root]
    while stack:
        part = stack.pop()
        order.append(part)
        stack.extend(part.children)
    return order[::-1]
