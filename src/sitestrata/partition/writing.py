"""Blocks and labels of a page -> the nodes of its tree, numbered in preorder.

A label with several children is a group; where nothing names a run of labels that are alike, a group without a label
holds them. Everything else with children is a member, everything without is a leaf.

Paper: OntoMiner 4.3
"""

from collections.abc import Sequence

from sitestrata.model import TreeNode
from sitestrata.page import PageFacts
from sitestrata.partition.blocks import Block
from sitestrata.partition.lines import Label

__all__ = ["write_tree"]


def write_tree(facts: PageFacts, blocks: Sequence[Block], forest: list[Label]) -> list[TreeNode]:
    """Return the nodes of a page's tree; labels and blocks come in document order."""
    page = facts.url_id
    paths = facts.tag_path.data
    # The title names the page, not what is on it: it would stand over everything.
    nodes = [TreeNode(page, 0, -1, "root", "", "", facts.url, 0, 0, len(facts.leaves))]
    at = 0
    for block in blocks:
        begin, end = at, block.end
        while at < len(forest) and forest[at].first < block.end:
            # A label may name what a cut put into the next block: the block then reaches as far as its labels.
            end = max(end, forest[at].end)
            at += 1
        if at > begin:
            own = len(nodes)
            nodes.append(TreeNode(page, own, 0, "block", block.role, "", None, block.node, block.first, end))
            _write_runs(nodes, page, own, block.role, forest[begin:at], paths)
    return nodes


def _write_runs(
    nodes: list[TreeNode], page: int, parent: int, role: str, labels: list[Label], paths: "memoryview[int]"
) -> None:
    """Write labels that stand side by side; runs on one DOM path that nothing names become groups."""
    begin = 0
    while begin < len(labels):
        first = labels[begin]
        end = begin + 1
        while end < len(labels) and paths[labels[end].node] == paths[first.node]:
            end += 1
        above = parent
        if end > begin + 1:
            above = len(nodes)
            nodes.append(
                TreeNode(page, above, parent, "group", role, "", None, first.node, first.first, labels[end - 1].end)
            )
        for label in labels[begin:end]:
            _write_label(nodes, page, above, role, label)
        begin = end


def _write_label(nodes: list[TreeNode], page: int, parent: int, role: str, label: Label) -> None:
    stack = [(parent, label)]
    while stack:
        above, one = stack.pop()
        children = one.children
        kind = "leaf" if not children else "group" if len(children) > 1 else "member"
        if children and one.kind != "leaf":  # of the paper profile, which knows groups
            kind = "group" if one.kind == "group" else "member"
        own = len(nodes)
        nodes.append(TreeNode(page, own, above, kind, role, one.text, one.url, one.node, one.first, one.end))
        for child in reversed(children):
            stack.append((own, child))
