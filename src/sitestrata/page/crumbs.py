"""A page -> the breadcrumb that its markup declares: schema.org BreadcrumbList as JSON-LD, microdata or RDFa, or a
landmark that calls itself one by ``aria-label``, in this order.

Where a page declares several trails the longest is taken, the first among equals. What merely looks like a breadcrumb
is not decided here.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

from sitestrata.model import Crumb
from sitestrata.page.dom import Dom
from sitestrata.page.scanner import Declared
from sitestrata.urls import normalise

__all__ = ["find_breadcrumb"]

MAX_CRUMBS = 64  # of one trail; no person walks further
MAX_JSON = 1_000_000  # bytes of one script
_LIST = "breadcrumblist"


def find_breadcrumb(dom: Dom, base: str, declared: int) -> tuple[Crumb, ...]:
    """Return the steps of the page's declared breadcrumb from the top down, or nothing; ``declared`` is what to try."""
    for kind, find in _FINDERS:
        if not declared & kind:
            continue
        trails = [tuple(trail[:MAX_CRUMBS]) for trail in find(dom, base)]
        best = max(trails, key=len, default=())
        if best:
            return best
    return ()


def _json_ld(dom: Dom, base: str) -> Iterator[list[Crumb]]:
    for script in dom.find("script"):
        if "ld+json" not in (dom.attribute(script, "type") or "").lower() or script + 1 >= dom.end[script]:
            continue
        start, end = int(dom.text_start[script + 1]), int(dom.text_end[script + 1])
        if end - start > MAX_JSON or b"BreadcrumbList" not in dom.text[start:end]:
            continue
        try:
            content = json.loads(dom.text[start:end])
        except (ValueError, RecursionError):
            continue
        for item in _objects(content):
            if _LIST in _types(item.get("@type")):
                yield _json_trail(item.get("itemListElement"), base)


def _objects(content: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects in a JSON value, outermost first, in document order."""
    stack = [content]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def _types(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text.rsplit("/", 1)[-1].lower() for text in values if isinstance(text, str)]


def _json_trail(elements: Any, base: str) -> list[Crumb]:
    steps = []
    for order, element in enumerate(elements if isinstance(elements, list) else [elements]):
        if not isinstance(element, dict):
            continue
        item = element.get("item")
        inner = item if isinstance(item, dict) else {}
        label = _fold(element.get("name")) or _fold(inner.get("name"))
        url = item if isinstance(item, str) else inner.get("@id") or inner.get("url") or element.get("url")
        if label:
            steps.append((_position(element.get("position"), order), order, Crumb(label, _address(url, base))))
    return [crumb for _, _, crumb in sorted(steps, key=lambda step: step[:2])]


def _microdata(dom: Dom, base: str) -> Iterator[list[Crumb]]:
    def is_list(node: int) -> bool:
        return _LIST in _types((dom.attribute(node, "itemtype") or "").split())

    yield from _declared(dom, base, is_list, "itemprop")


def _rdfa(dom: Dom, base: str) -> Iterator[list[Crumb]]:
    def is_list(node: int) -> bool:
        return _LIST in _types([word.rsplit(":", 1)[-1] for word in (dom.attribute(node, "typeof") or "").split()])

    yield from _declared(dom, base, is_list, "property")


def _declared(dom: Dom, base: str, is_list: Callable[[int], bool], attribute: str) -> Iterator[list[Crumb]]:
    """Yield the trails of elements that are declared to be lists, their items by property."""
    kind = "itemtype" if attribute == "itemprop" else "typeof"

    def has(node: int, name: str) -> bool:
        value = dom.attribute(node, attribute)
        return value is not None and name in [word.rsplit(":", 1)[-1].lower() for word in value.split()]

    for top in dom.having(kind):
        if not is_list(top):
            continue
        steps: list[tuple[float, int, Crumb]] = []
        for item in dom.having(attribute, top + 1, int(dom.end[top])):
            if not has(item, "itemlistelement"):
                continue
            end = int(dom.end[item])
            label, url, position = "", None, None
            for node in dom.having(attribute, item, end):
                if not label and has(node, "name"):
                    label = _fold(dom.attribute(node, "content")) or dom.inner_text(node)
                if url is None and (has(node, "item") or has(node, "url")):
                    url = dom.attribute(node, "href") or dom.attribute(node, "resource")
                if position is None and has(node, "position"):
                    position = dom.attribute(node, "content") or dom.inner_text(node)
            if url is None:
                url = next((dom.attribute(node, "href") for node in dom.find("a", item, end)), None)
            label = label or dom.inner_text(item)
            if label:
                steps.append((_position(position, len(steps)), len(steps), Crumb(label, _address(url, base))))
        yield [crumb for _, _, crumb in sorted(steps, key=lambda step: step[:2])]


def _labelled(dom: Dom, base: str) -> Iterator[list[Crumb]]:
    """Yield the trails of elements whose aria-label says "breadcrumb": their list items, or else their links."""
    for top in dom.having("aria-label"):
        if "breadcrumb" not in (dom.attribute(top, "aria-label") or "").lower():
            continue
        end = int(dom.end[top])
        links = dom.find("a", top, end)
        trail = []
        for item in dom.find("li", top, end) or links:
            place = bisect_left(links, item)
            link = links[place] if place < len(links) and links[place] < dom.end[item] else None
            label = dom.inner_text(item if link is None else link)
            # Signs between the steps are often written as items of their own.
            if any(char.isalnum() for char in label):
                trail.append(Crumb(label, None if link is None else _address(dom.attribute(link, "href"), base)))
        yield trail


# Plain numbers, in the order of preference: an enumeration takes ten times as long to compare.
_FINDERS: tuple[tuple[int, Callable[[Dom, str], Iterator[list[Crumb]]]], ...] = (
    (Declared.JSON.value, _json_ld),
    (Declared.MICRODATA.value, _microdata),
    (Declared.RDFA.value, _rdfa),
    (Declared.LABELLED.value, _labelled),
)


def _position(value: Any, default: int) -> float:
    match = re.match(r"\s*(\d{1,6})", str(value)) if value is not None else None
    return float(match[1]) if match else float(default)


def _fold(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _address(value: Any, base: str) -> str | None:
    return normalise(value, base) if isinstance(value, str) and value.strip() else None
