"""Trees as JSON writes them -> label nodes, and breadcrumbs -> parents."""

from collections.abc import Mapping, Sequence
from typing import Any

from sitestrata.evaluate.facts import ItemFact, LabelNode

__all__ = ["items_of", "node_of_object", "node_of_triple", "nodes_of_objects", "parent_in_breadcrumb", "trail_of"]


def node_of_object(row: Mapping[str, Any]) -> LabelNode:
    """Read ``{label, url, children, uncertain?}``."""
    return LabelNode(
        label=str(row.get("label") or ""),
        url=row.get("url") or None,
        children=nodes_of_objects(row.get("children") or ()),
        is_certain=not row.get("uncertain"),
    )


def nodes_of_objects(rows: Sequence[Mapping[str, Any]]) -> tuple[LabelNode, ...]:
    """Read a list of ``{label, url, children}``."""
    return tuple(node_of_object(row) for row in rows)


def node_of_triple(row: Sequence[Any]) -> LabelNode:
    """Read ``[label, url, children]``."""
    label, url, children = row
    return LabelNode(str(label or ""), url or None, tuple(node_of_triple(child) for child in children))


def items_of(rows: Sequence[Any]) -> tuple[ItemFact, ...]:
    """Read menu items, written as ``[label, url]`` or as ``{label, url}``."""
    pairs = ((row.get("label"), row.get("url")) if isinstance(row, Mapping) else (row[0], row[1]) for row in rows)
    return tuple(ItemFact(str(label or ""), url or None) for label, url in pairs)


def parent_in_breadcrumb(crumbs: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the address of the last step but one: the page above the page at hand."""
    steps = [crumb.get("url") for crumb in crumbs]
    above = [url for url in steps[:-1] if url]
    return above[-1] if above else None


def trail_of(crumbs: Sequence[Mapping[str, Any]]) -> str:
    """Return a breadcrumb as a reader sees it."""
    return " > ".join(str(crumb.get("label") or "?") for crumb in crumbs)
