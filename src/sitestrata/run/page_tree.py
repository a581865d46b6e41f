"""The label hierarchy of one page, and its label-value pairs, as ``sitestrata partition`` prints them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sitestrata.model import TreeNode
from sitestrata.page import PageFacts
from sitestrata.partition.decoration import MAX_OTHERS, repeated_texts
from sitestrata.partition.pairs import find_pairs
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

__all__ = ["page_nodes", "page_pairs", "page_tree"]


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
    facts = _page(place, workspace, base_url)
    if workspace is not None:
        navigation = menu_nodes(workspace, facts)
        if profile != "paper":
            decoration = repeated_texts(facts, pages_with_its_menus(workspace, facts, count=MAX_OTHERS))
    nodes = find_tree(facts, options=TreeOptions(profile=profile), navigation=navigation, decoration=decoration)
    return [replace(node, url=shown_address(node.url)) for node in nodes], facts.title


def page_pairs(
    place: str, *, workspace: Workspace | None = None, base_url: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the label-value pairs of one page, as ``{label, value, subject, sections}``, subject None for the page."""
    for pair in find_pairs(_page(place, workspace, base_url)):
        yield {"label": pair.label, "value": pair.value, "subject": pair.subject, "sections": list(pair.sections)}


def _page(place: str, workspace: Workspace | None, base_url: str | None) -> PageFacts:
    if workspace is not None:
        return stored_page(workspace, place)
    return live_page(place) if is_address(place) else local_page(place, base_url=base_url)
