"""A page -> its partition tree: blocks with roles, and in them the labels, groups and leaves, in preorder.

A label with several children is a group; where nothing names a run of labels that are alike, a group without a label
holds them. Everything else with children is a member, everything without is a leaf.

Paper: OntoMiner 4.3
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sitestrata.model import TreeNode
from sitestrata.page import PageFacts
from sitestrata.partition.blocks import Block, find_blocks
from sitestrata.partition.labels import label_forest
from sitestrata.partition.lines import Label
from sitestrata.partition.paper import paper_blocks, paper_forest
from sitestrata.partition.styles import with_styles

__all__ = ["TreeOptions", "find_tree", "tree_to_json", "tree_to_xml"]


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How the label hierarchy is found."""

    profile: str = "default"  # paper: OntoMiner's flat partitioner, dynamic programme, grouping and promotion


def find_tree(
    facts: PageFacts, *, options: TreeOptions | None = None, navigation: Collection[int] = ()
) -> tuple[TreeNode, ...]:
    """Return the label hierarchy of a page in preorder; node i has ordinal i.

    Raises `UnusablePageError` where the page is too large for the paper profile.

    ``navigation`` are the nodes of links that menus found across pages cover: the blocks they fill are navigation.
    """
    if options is not None and options.profile == "paper":
        return tuple(_Writer(facts).write(paper_blocks(facts), paper_forest(facts)))
    facts = with_styles(facts)
    return tuple(_Writer(facts).write(find_blocks(facts, navigation=navigation), label_forest(facts)))


class _Writer:
    """Numbers the nodes as it walks."""

    def __init__(self, facts: PageFacts) -> None:
        self.facts = facts
        self.nodes: list[TreeNode] = []
        self.paths: list[int] = facts.tag_path.tolist()

    def write(self, blocks: Sequence[Block], forest: Sequence[Label]) -> list[TreeNode]:
        total = len(self.facts.leaves)
        # The title names the page, not what is on it: it would stand over everything.
        self.add(-1, "root", "", "", self.facts.url, 0, 0, total)
        at = 0
        for block in blocks:
            inside = []
            while at < len(forest) and forest[at].first < block.end:
                inside.append(forest[at])
                at += 1
            if inside:
                # A label may name what a cut put into the next block: the block then reaches as far as its labels.
                end = max(block.end, *(label.end for label in inside))
                own = self.add(0, "block", block.role, "", None, block.node, block.first, end)
                self.run(own, block.role, inside)
        return self.nodes

    def run(self, parent: int, role: str, labels: Sequence[Label]) -> None:
        """Write labels that stand side by side; runs that are alike and that nothing names become groups."""
        for some in _alike(labels, self.paths):
            above = parent
            if len(some) > 1:
                above = self.add(parent, "group", role, "", None, some[0].node, some[0].first, some[-1].end)
            for label in some:
                self.label(above, role, label)

    def label(self, parent: int, role: str, label: Label) -> None:
        nodes, page = self.nodes, self.facts.url_id
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

    def add(
        self, parent: int, kind: str, role: str, label: str, url: str | None, node: int, first: int, end: int
    ) -> int:
        ordinal = len(self.nodes)
        self.nodes.append(TreeNode(self.facts.url_id, ordinal, parent, kind, role, label, url, node, first, end))
        return ordinal


def _alike(labels: Sequence[Label], paths: Sequence[int]) -> Iterator[list[Label]]:
    """Split labels into maximal runs on one DOM path."""
    run: list[Label] = []
    for label in labels:
        if run and paths[run[-1].node] != paths[label.node]:
            yield run
            run = []
        run.append(label)
    if run:
        yield run


def tree_to_json(nodes: Sequence[TreeNode], *, title: str | None = None) -> dict[str, Any]:
    """Return a tree as nested dictionaries: label, url, kind, role, children."""
    made: list[dict[str, Any]] = []
    for node in nodes:
        one: dict[str, Any] = {
            "label": node.label,
            "url": node.url,
            "kind": node.kind,
            "role": node.role,
            "children": [],
        }
        made.append(one)
        if node.parent >= 0:
            made[node.parent]["children"].append(one)
    root = made[0]
    root["label"] = title or ""
    return root


def tree_to_xml(nodes: Sequence[TreeNode], *, title: str | None = None) -> str:
    """Return a tree as XML, as the paper writes it; what XML cannot hold is left out."""
    made: list[Element] = []
    for node in nodes:
        attributes = {"label": _xml_text(node.label)} if node.label else {}
        if node.kind == "root":
            attributes = {"url": _xml_text(node.url or ""), "label": _xml_text(title or "")}
        elif node.url:
            attributes["url"] = _xml_text(node.url)
        if node.kind == "block":
            attributes["role"] = node.role
        name = "page" if node.kind == "root" else node.kind
        made.append(Element(name, attributes) if node.parent < 0 else SubElement(made[node.parent], name, attributes))
    indent(made[0], " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(made[0], encoding="unicode") + "\n"


def _xml_text(text: str) -> str:
    """Drop the characters that XML 1.0 forbids (section 2.2)."""
    return "".join(
        char
        for char in text
        if char in "\t\n\r" or "\u0020" <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char >= "\U00010000"
    )
