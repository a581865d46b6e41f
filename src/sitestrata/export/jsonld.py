"""Menus and breadcrumbs -> JSON-LD in the vocabulary of schema.org, written as they come.

A file is one object: the site, its navigation as a list of SiteNavigationElement, and its pages, each with the
BreadcrumbList that leads to it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from sitestrata.export.escape import iri

__all__ = ["NavigationItem", "write_site"]

CONTEXT = "https://schema.org"


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One item of a menu; items of deeper levels belong to the last one before them that is less deep."""

    label: str
    url: str | None
    level: int


def write_site(
    name: str,
    entry_url: str,
    menu: Sequence[NavigationItem],
    pages: Iterable[tuple[str, str, Sequence[tuple[str, str]]]],
    file: BinaryIO,
) -> int:
    """Write one site and return the number of its pages; a page is its address, its label and its trail from the entry.

    A trail holds (label, address) of each step, the page itself being the last.
    """
    site = iri(entry_url) + "#website"
    nodes: list[dict[str, Any]] = [{"@type": "WebSite", "@id": site, "url": _link(entry_url), "name": name}]
    if menu:
        nodes.append(_navigation(site, menu))
    file.write(f'{{"@context": {json.dumps(CONTEXT)}, "@graph": [\n'.encode())
    file.write(",\n".join(map(_text, nodes)).encode())
    count = 0
    for url, label, trail in pages:
        page = {
            "@type": "WebPage",
            "@id": iri(url),
            "name": label,
            "isPartOf": {"@id": site},
            "breadcrumb": _breadcrumb(url, trail),
        }
        file.write((",\n" + _text(page)).encode())
        count += 1
    file.write(b"\n]}\n")
    return count


def _breadcrumb(url: str, trail: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {
        "@type": "BreadcrumbList",
        "@id": iri(url) + "#breadcrumb",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": label, "item": _link(step)}
            for position, (label, step) in enumerate(trail, 1)
        ],
    }


def _navigation(site: str, menu: Sequence[NavigationItem]) -> dict[str, Any]:
    roots: list[dict[str, Any]] = []
    open_items: list[tuple[int, dict[str, Any]]] = []
    for item in menu:
        element: dict[str, Any] = {"@type": "SiteNavigationElement", "name": item.label}
        if item.url is not None:
            element["url"] = _link(item.url)
        while open_items and open_items[-1][0] >= item.level:
            open_items.pop()
        siblings = open_items[-1][1].setdefault("hasPart", []) if open_items else roots
        element["position"] = len(siblings) + 1
        siblings.append(element)
        open_items.append((item.level, element))
    return {"@type": "ItemList", "@id": site + "-navigation", "about": {"@id": site}, "itemListElement": roots}


def _link(url: str) -> dict[str, str]:
    return {"@id": iri(url)}


def _text(node: dict[str, Any]) -> str:
    # ASCII, and no "</": such a node may be pasted into a page as it is.
    return json.dumps(node).replace("</", "<\\/").replace("<!", "\\u003c!")
