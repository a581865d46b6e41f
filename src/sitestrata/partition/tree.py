"""A page -> its partition tree: blocks with roles, and in them the labels, groups and leaves, in preorder.

Paper: OntoMiner 4.3
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sitestrata.model import TreeNode
from sitestrata.page import PageFacts
from sitestrata.partition.blocks import find_blocks
from sitestrata.partition.labels import label_forest
from sitestrata.partition.paper import paper_blocks, paper_forest
from sitestrata.partition.styles import with_styles
from sitestrata.partition.writing import write_tree

__all__ = ["TreeOptions", "find_tree", "tree_to_json", "tree_to_xml"]


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How the label hierarchy is found."""

    profile: str = "default"  # paper: OntoMiner's flat partitioner, dynamic programme, grouping and promotion


def find_tree(
    facts: PageFacts,
    *,
    options: TreeOptions | None = None,
    navigation: Collection[int] = (),
    decoration: Collection[int] = (),
) -> tuple[TreeNode, ...]:
    """Return the label hierarchy of a page in preorder; node i has ordinal i.

    Raises `UnusablePageError` where the page is too large for the paper profile.

    ``navigation`` are the nodes of links that menus found across pages cover: the blocks they fill are navigation.
    ``decoration`` are those of texts that other pages print too (`repeated_texts`): what they fill is decoration.
    """
    if options is not None and options.profile == "paper":
        return tuple(write_tree(facts, paper_blocks(facts), paper_forest(facts)))
    facts = with_styles(facts)
    return tuple(
        write_tree(facts, find_blocks(facts, navigation=navigation, decoration=decoration), label_forest(facts))
    )


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
