"""The label hierarchy of one page, as ``sitestrata partition`` prints it."""

from dataclasses import replace
from typing import Any

from sitestrata.model import TreeNode
from sitestrata.partition.decoration import MAX_OTHERS, repeated_texts
from sitestrata.partition.tree import TreeOptions, find_tree, tree_to_json
from sitestrata.run.one_page import (
    is_address,
    live_page,
    local_page,
    menu_nodes,
    pages_with_its_menus,
    shown_address,
    stored_page,
)
from sitestrata.run.workspace import Workspace

__all__ = ["page_nodes", "page_tree"]


def page_tree(
    place: str, *, workspace: Workspace | None = None, base_url: str | None = None, profile: str = "default"
) -> dict[str, Any]:
    """Return the label hierarchy of one page, as nested ``{label, url, kind, children}``.

    Args:
        place: A file, an address to fetch, or "-" for standard input.
        workspace: Where the page is to be found, by its address, instead of on the Web.
        base_url: Where a file was found: links are resolved against it.
        profile: ``paper`` for OntoMiner's own partitioner.
    """
    nodes, title = page_nodes(place, workspace=workspace, base_url=base_url, profile=profile)
    return tree_to_json(nodes, title=title)


def page_nodes(
    place: str, *, workspace: Workspace | None = None, base_url: str | None = None, profile: str = "default"
) -> tuple[list[TreeNode], str | None]:
    """Return the same in preorder, and the title of the page."""
    navigation = decoration = frozenset[int]()
    if workspace is not None:
        facts = stored_page(workspace, place)
        navigation = menu_nodes(workspace, facts)
        if profile != "paper":
            decoration = repeated_texts(facts, pages_with_its_menus(workspace, facts, count=MAX_OTHERS))
    else:
        facts = live_page(place) if is_address(place) else local_page(place, base_url=base_url)
    nodes = find_tree(facts, options=TreeOptions(profile=profile), navigation=navigation, decoration=decoration)
    return [replace(node, url=shown_address(node.url)) for node in nodes], facts.title
