"""The main menu of a site of which one or two pages were captured: the list of its entry page that looks most like one.

Nothing repeats there, so only where the lists of one page stand and what they are made of speaks: a main menu comes
before most of the text, has some entries that lead into the site, short labels, and hardly any text between them. What
drops down from the entries of a list is in its menu; so are boxes of one make beside one another with hardly more than
headings between, a bar whose own entries lead nowhere. Of two pages, what both link speaks for a list. None of these is
sure by itself, so they are multiplied, as for other menus (`best_menu`).

Paper: MenuMiner 6.4

Differences from the paper: it has no menu for a site of fewer than three pages.
"""

from collections import Counter
from collections.abc import Iterator

from sitestrata.menus.best_menu import FEW_ITEMS, MANY_UNSEEN, MIN_ITEMS
from sitestrata.menus.containers import ITEM_TAGS
from sitestrata.menus.front_page import FrontLink, FrontPage, children
from sitestrata.page.paths import parse_path
from sitestrata.urls import registered_domain

__all__ = ["FEW_PAGES", "menu_of_lone_page"]

FEW_PAGES = 2  # of a site, for nothing to repeat there
MIN_BOXES = 2  # of one make beside one another, for them to be the drop-downs of one bar ...
BARE_LINKS = 0.7  # ... if that much of their text is linked: the rest are headings
SHORT = 20  # characters of a label; longer ones are headlines
ONE_KNOWS = 0.5  # what it costs if the other page of a site of two has none of the links


def menu_of_lone_page(front: FrontPage, own: frozenset[int], places: frozenset[str]) -> list[FrontLink]:
    """Return the links of the list that is most like a main menu, in document order; none if no list leads into it.

    Args:
        front: the entry page, without links to itself.
        own: ids of the pages of the site.
        places: what the addresses of the site begin with.
    """
    domains = {registered_domain(place) for place in places}
    inside = {link.target for link in front.links if registered_domain(link.url) in domains and _has_word(link.label)}
    before = _text_before(front)
    best: tuple[float, int] = (0.0, 0)
    chosen: list[FrontLink] = []
    for segment, links, is_bar in _lists(front, frozenset(inside)):
        targets = {link.target for link in links}
        count = len(targets & inside)
        told = count if is_bar else min(count, MANY_UNSEEN)
        words = sum(len(link.label) for link in links)
        known = sum(own <= front.rare.get(target, own) for target in targets) / len(targets)
        score = (
            told
            / (told + FEW_ITEMS)
            * (1 - before[links[0].node])
            * (count / len(targets))
            * _linked(links)
            * min(SHORT * len(links) / max(words, 1), 1)
            * (ONE_KNOWS + (1 - ONE_KNOWS) * known)
        )
        if (score, -segment) > best:
            best = (score, -segment)
            chosen = links
    found: dict[int, FrontLink] = {}
    for link in chosen:
        found.setdefault(link.target, link)
    return list(found.values())


def _has_word(label: str) -> bool:
    """Tell whether a label is more than the number of a page or an arrow."""
    return any(letter.isalpha() for letter in label)


def _text_before(front: FrontPage) -> dict[int, float]:
    """Return which share of the text around and in the links stands before each of them, by its node."""
    found: dict[int, float] = {}
    text = 0.0
    for link in front.links:
        text += link.gap
        found.setdefault(link.node, text)
        text += _size(link)
    return {node: share / max(text, 1.0) for node, share in found.items()}


def _lists(front: FrontPage, inside: frozenset[int]) -> Iterator[tuple[int, list[FrontLink], bool]]:
    """Yield each list with enough entries, its links and whether drop-downs are among them."""
    below = children(front)
    waiting = [-1]
    while waiting:
        segment = waiting.pop()
        entries = [child for child in below[segment] if not isinstance(child, int)]
        boxes = [child for child in below[segment] if isinstance(child, int)]
        is_list = segment >= 0 and _count_inside(entries, inside) >= MIN_ITEMS
        has_panels = is_list and any(_is_in_item(front, box, segment) for box in boxes)
        links = list(_all_in(below, segment)) if has_panels or _is_of_one_make(front, boxes) else entries
        is_row = segment >= 0 and links is not entries and _linked(links) >= BARE_LINKS
        if is_list or (is_row and _count_inside(links, inside) >= MIN_ITEMS):
            yield segment, links if has_panels or is_row else entries, has_panels
        if not has_panels and not is_row:
            waiting += reversed(boxes)


def _all_in(below: dict[int, list[FrontLink | int]], segment: int) -> Iterator[FrontLink]:
    waiting = list(reversed(below[segment]))
    while waiting:
        child = waiting.pop()
        if isinstance(child, int):
            waiting += reversed(below[child])
        else:
            yield child


def _count_inside(links: list[FrontLink], inside: frozenset[int]) -> int:
    return len({link.target for link in links} & inside)


def _is_in_item(front: FrontPage, box: int, segment: int) -> bool:
    """Tell whether a box stands in an item of a list."""
    path, outer = front.paths.get(box, ""), front.paths.get(segment, "")
    return path.startswith(outer) and any(step.tag in ITEM_TAGS for step in parse_path(path[len(outer) + 1 :])[:1])


def _is_of_one_make(front: FrontPage, boxes: list[int]) -> bool:
    """Tell whether some of these lists, that stand beside one another, are of one make."""
    return max(Counter(front.paths.get(box, "") for box in boxes).values(), default=0) >= MIN_BOXES


def _linked(links: list[FrontLink]) -> float:
    """Return which share of the text from the first of some links to the last is linked."""
    label = sum(map(_size, links))
    return label / max(label + sum(link.gap for link in links[1:]), 1)


def _size(link: FrontLink) -> int:
    """Return the bytes of a label, as gaps are counted."""
    return len(link.label.encode())
