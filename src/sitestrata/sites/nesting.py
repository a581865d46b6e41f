"""Lists on the pages of a site -> which link stands below which: contents lists, drop-down menus, numbered headings.

Three signs say that link p stands below link q, all without a word of any language:

*containment*: q is the head of an item (``<li><a q/><ul>...</ul></li>``) and p stands inside the same item, deeper. An
item is known by the DOM path of its head; `nested_links` looks for the last link before p whose item contains p. An
item may also be a box with a list of boxes of the same make inside (``<div class=x><a q/><div><div class=x><a p/>``),
as in trees that are drawn without lists.

*headings*: q is a heading (``<div><h3><a q/></h3><ul>...</ul></div>``), and p stands in the list that follows it in
the same container. Only the first list counts: the next may have a heading that is no link.

*numbering*: labels begin with numbers, and p's number extends q's ("2.1 Types" below "2 Data").

A link that leads out of the site, or to a page that was not captured, still counts as a head; what stands below it is
passed on to the next head above.

Paper: MenuMiner 4 (rule 3), 6.3

Cost: a few array passes a level of nesting.
"""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct, numbered
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.trails import Ways

__all__ = ["Nesting", "nested_links", "nested_pages", "numbered_links"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Elements that dress a link or a heading without being an item of a list.
DRESS = frozenset(
    [
        "a",
        "b",
        "big",
        "bdi",
        "code",
        "em",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "i",
        "label",
        "mark",
        "nobr",
        "small",
        "span",
        "strong",
        "tt",
        "u",
    ]
)
HEADS = frozenset(["li", "dt"])
BOXES = frozenset(["div", "section", "span"])
MAX_BETWEEN = 4  # steps from a box down to one of the same make must be fewer
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
LISTS = frozenset(["li", "dt", "dd", "td", "th", "tr", "article", "h1", "h2", "h3", "h4", "h5", "h6", "option"])
CLOSE = 1  # nodes between a head and what stands below it that the way down does not explain: a sign, a button
SIGN_BYTES = 3  # of text: an arrow, a bullet
USUAL_SHARE = 0.6  # of the cases of one form that must agree on these nodes for more of them to be believed
USUAL_CASES = 3
TOGGLE_SHARE = 0.95  # of the heads of one form behind which as many words stand, for them to be those of a button
TO_A_PLACE_NUMBERED = 0.7  # belief in a numbered link that leads to a place in a page
MAX_CLIMB = 6  # heads looked at above a link before it counts as not nested
MAX_DEPTH = 40  # of items; deeper ones are looked at as if they were at this depth
_STEP = re.compile(r"[^.#]*")
# "2.1 Types", "2.1. Types", "Chapter 2. Data"; behind a word a sign must follow, or "Release 2.1 notes" would count.
_NUMBER = re.compile(
    r"(?:(?P<plain>(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*)[.:)]?(?=\s|$)"
    r"|(?P<word>[^\W\d_]+)\s+(?P<worded>(?:\d{1,3}|[A-Z]|[IVXLC]{1,6})(?:\.\d{1,3})*)(?:[.:)](?=\s|$)|$))"
)


@dataclass(frozen=True, slots=True)
class Nesting:
    """What lists say about the links of a site."""

    head: Ints  # the link it stands below on its page, -1 = none
    is_item: Flags  # it is itself an item of a list, not a word in one
    in_text: Flags  # it stands in a paragraph, or bare, and neither in a list or table nor in a heading


@dataclass(frozen=True, slots=True)
class _Items:
    """What the DOM paths of a site say about items."""

    depth: Ints  # steps down to the item of the link
    steps: list[tuple[str, ...]]  # the way to that item
    is_item: Flags  # the link is the head of an item, or could be
    is_heading: Flags  # the link is a heading in its container
    in_text: Flags


def nested_links(web: SiteWeb) -> Nesting:
    """Find for each link the head of the item that it stands in."""
    links = web.links
    items = _items(web.paths)
    depth = np.where(links.in_head, MAX_DEPTH, items.depth[links.path]) if len(links) else links.page
    before = _last_smaller(depth, links.page, links.in_head)
    # The heading of a text may link itself, for people who want to copy its address.
    is_head = items.is_item[links.path] | (
        items.is_heading[links.path] & (links.target != links.page) & ~links.has_fragment
    )
    head = _containing(before, links.path, items, is_head)
    head = _only_close(head, web, items)
    head = _only_first_list(head, web, items)
    if not len(links):
        return Nesting(head, np.zeros(0, np.bool_), np.zeros(0, np.bool_))
    return Nesting(head, items.is_item[links.path], items.in_text[links.path])


def numbered_links(web: SiteWeb) -> Ints:
    """Find for each link the last link before it whose number its own extends by one place; -1 = none."""
    links = web.links
    numbers = _numbers(web.labels)
    level_of = np.array([len(number) for number in numbers], np.int64)
    level = level_of[links.label] if len(links) else links.page
    is_numbered = (level > 0) & ~links.in_head
    before = _last_smaller(np.where(is_numbered, level, MAX_DEPTH), links.page, ~is_numbered)
    head = np.full(len(links), -1, np.int64)
    child = np.flatnonzero(is_numbered & (before >= 0))
    pairs, place = np.unique(
        np.stack([links.label[before[child]], links.label[child]], axis=1), axis=0, return_inverse=True
    )
    extends = np.array([numbers[q] == numbers[p][:-1] for q, p in pairs.tolist()], np.bool_)
    kept = child[extends[place.ravel()]] if len(pairs) else child
    head[kept] = before[kept]
    return head


def _numbers(labels: list[str]) -> list[tuple[str, ...]]:
    """Read the number of each label, place by place; a word with one number alone ("Manual 2.6") counts nothing."""
    found = [_NUMBER.match(label) for label in labels]
    counted = Counter(word for word, _ in {(match["word"], match["worded"]) for match in found if match})
    return [
        tuple((match["plain"] or match["worded"]).split("."))
        if match and (match["plain"] or counted[match["word"]] > 1)
        else ()
        for match in found
    ]


def nested_pages(web: SiteWeb, nesting: Nesting, *, are_items: bool = True) -> Ways:
    """Turn nested links into claims about pages.

    Args:
        web: the site.
        nesting: which link stands below which.
        are_items: lists on a page in which pages occur again and again are indexes of words, not contents; believe them
            less, and links to places in pages hardly.
    """
    links, head = web.links, nesting.head
    count = max(len(web), 1)
    child = np.flatnonzero((head >= 0) & (links.target >= 0) & ~links.in_head)
    top = head[child]
    # A head that leads nowhere in the site passes what stands below it on to the head above it.
    for _ in range(MAX_CLIMB):
        is_vain = (top >= 0) & ((links.target[top] < 0) | (links.target[top] == links.target[child]))
        top = np.where(is_vain, head[top], top)
    held = (top >= 0) & (links.target[top] >= 0) & (links.target[top] != links.target[child])
    child, top = child[held], top[held]
    belief = np.where(links.has_fragment[child], TO_A_PLACE_NUMBERED, 1.0)
    if are_items:
        whole = np.flatnonzero(~links.has_fragment[child] & nesting.is_item[child])
        child, top = child[whole], top[whole]
        page = links.page[child]
        uses = np.bincount(page, minlength=count)
        different = np.bincount(distinct(page * count + links.target[child]) // count, minlength=count)
        belief = (different / np.maximum(uses, 1))[page] ** 2
    return Ways(links.target[child], links.target[top], belief)


def _items(paths: list[str]) -> _Items:
    ways: list[tuple[str, ...]] = []
    is_item = np.zeros(len(paths), np.bool_)
    is_heading = np.zeros(len(paths), np.bool_)
    in_text = np.zeros(len(paths), np.bool_)
    boxes = _nested_boxes(paths)
    for number, path in enumerate(paths):
        steps = path.split("/")
        tags = [_STEP.match(step)[0] for step in steps]  # type: ignore[index]
        if number in boxes:
            ways.append(tuple(steps[: boxes[number]]))
            is_item[number] = True
            continue
        end = len(tags)
        while end and tags[end - 1] in DRESS:
            end -= 1
        # A term and its description are one item: the list below a term stands in the description.
        way = tuple("dt" if tag == "dd" else step for tag, step in zip(tags[:end], steps, strict=False))
        ways.append(way)
        is_item[number] = bool(end) and tags[end - 1] in HEADS
        is_heading[number] = bool(end) and not is_item[number] and not HEADINGS.isdisjoint(tags[end:])
        in_text[number] = not any(tag in LISTS for tag in tags) or "p" in tags[-3:]
    return _Items(
        np.array([min(len(way), MAX_DEPTH - 1) for way in ways], np.int64), ways, is_item, is_heading, in_text
    )


def _nested_boxes(paths: list[str]) -> dict[int, int]:
    """Return the paths that lead into boxes which hold, or lie in, boxes of the same make: steps down to the box.

    The link is all there is in the box beside the list: what stands in a paragraph or a heading is in a section of text
    with sections of its own.
    """
    number = {path: place for place, path in enumerate(paths)}
    found: dict[int, int] = {}
    for path in paths:
        steps = path.split("/")
        tags = [step[: step.index(".")] if "." in step else step for step in steps]
        for inner in range(len(steps) - 2, 0, -1):
            if tags[inner] not in BOXES and (tags[inner] not in DRESS or tags[inner] in HEADINGS):
                break
            # Without a class boxes are all of one make.
            if tags[inner] not in BOXES or tags[inner] == steps[inner]:
                continue
            outer = next((k for k in range(inner - 1, max(inner - MAX_BETWEEN, 0), -1) if steps[k] == steps[inner]), -1)
            # Boxes right inside boxes are no list: what extends what, down to the page at hand.
            is_listed = 0 <= outer < inner - 1
            head = number.get("/".join(steps[: outer + 1] + steps[inner + 1 :]), -1) if is_listed else -1
            if head >= 0:
                found[number[path]] = inner + 1
                found.setdefault(head, outer + 1)
                break
    return found


def _last_smaller(level: Ints, page: Ints, is_out: Flags) -> Ints:
    """Return for each link the last one before it on its page with a smaller level; -1 = none."""
    found = np.full(len(level), -1, np.int64)
    if not len(level):
        return found
    place = np.arange(len(level))
    first_of_page = np.searchsorted(page, page)
    for value in np.unique(level[~is_out])[1:].tolist():
        asked = np.flatnonzero((level == value) & ~is_out)
        last = np.maximum.accumulate(np.where((level < value) & ~is_out, place, -1))
        found[asked] = np.where(last[asked] >= first_of_page[asked], last[asked], -1)
    return found


def _containing(before: Ints, path: Ints, items: _Items, is_head: Flags) -> Ints:
    """Climb from the last shallower link to the first one whose item contains the link."""
    head = before.copy()
    waiting = np.flatnonzero(head >= 0)
    result = np.full(len(before), -1, np.int64)
    width = max(len(items.steps), 1)
    for _ in range(MAX_CLIMB):
        if not len(waiting):
            break
        codes, place = numbered(path[head[waiting]] * width + path[waiting])
        holds = np.array([_holds(items, code // width, code % width) for code in codes.tolist()], np.bool_)[place]
        holds &= is_head[head[waiting]]
        result[waiting[holds]] = head[waiting[holds]]
        waiting = waiting[~holds]
        head[waiting] = before[head[waiting]]
        waiting = waiting[head[waiting] >= 0]
    return result


def _holds(items: _Items, outer: int, inner: int) -> bool:
    way = items.steps[outer]
    heads = items.is_item[outer] or (items.is_heading[outer] and items.is_item[inner])
    return bool(heads) and items.steps[inner][: len(way)] == way


def _only_close(head: Ints, web: SiteWeb, items: _Items) -> Ints:
    """Keep heads that stand right before what they head.

    Equal paths do not prove that two links stand in one item: the second may stand in the next item, whose own head is
    no link. What the way down does not explain shows in the preorder numbers: in one item only the content of the head
    lies between. Where a design puts more there (an icon, a button), it does so every time; but not words, which are
    the head that is no link, unless all heads have as many: the words of the button.
    """
    links = web.links
    length = np.array([path.count("/") + 1 for path in web.paths], np.int64)
    nested = np.flatnonzero(head >= 0)
    # The first link below each head tells for all that follow it below the same head.
    _, place = np.unique(head[nested], return_index=True)
    first = nested[place]
    top = head[first]
    way_down = length[links.path[first]] - items.depth[links.path[top]]
    extra = links.node[first] - links.node[top] - 1 - way_down
    form = links.path[top] * max(len(web.paths), 1) + links.path[first]
    _, form = numbered(form)
    has_words_between = (first == top + 1) & (links.gap[first] > SIGN_BYTES)
    has_words_between &= ~_is_toggle(form, links.gap[first], links.target_id[top])
    believed = (extra <= CLOSE) | (_is_usual(form, extra) & ~has_words_between)
    result = head.copy()
    is_believed = np.zeros(len(head), np.bool_)
    is_believed[top[believed]] = True
    result[nested] = np.where(is_believed[head[nested]], head[nested], -1)
    return result


def _is_toggle(form: Ints, words: Ints, head: Ints) -> Flags:
    """Tell which words between a head and its list stand, as long, behind nearly all heads of that form."""
    if not len(form):
        return np.zeros(0, np.bool_)
    _, kind = numbered(form * (1 << 21) + np.clip(words, 0, 1 << 20))
    cells, first = np.unique(np.stack([kind, head], axis=1), axis=0, return_index=True)
    alike = np.bincount(cells[:, 0])
    heads = np.bincount(form[first])
    toggle: Flags = (alike[kind] >= USUAL_CASES) & (alike[kind] >= TOGGLE_SHARE * heads[form])
    return toggle


def _only_first_list(head: Ints, web: SiteWeb, items: _Items) -> Ints:
    """Keep below a heading only what stands in one segment with the first link below it."""
    links = web.links
    nested = np.flatnonzero(head >= 0)
    below_heading = nested[items.is_heading[links.path[head[nested]]]]
    headings, place = np.unique(head[below_heading], return_index=True)
    first = below_heading[place]
    segment = links.segment[first[np.searchsorted(headings, head[below_heading])]]
    result = head.copy()
    result[below_heading[links.segment[below_heading] != segment]] = -1
    return result


def _is_usual(form: Ints, extra: Ints) -> Flags:
    if not len(form):
        return np.zeros(0, np.bool_)
    extra = np.clip(extra, 0, 1 << 20)
    cells, place, count = np.unique(form * (1 << 21) + extra, return_inverse=True, return_counts=True)
    of_form = np.bincount(form)
    share = count / of_form[cells >> 21]
    usual: Flags = ((share >= USUAL_SHARE) & (count >= USUAL_CASES))[place]
    # If some heads of this form stand right before what they head, those that do not are no heads.
    has_close = np.zeros(len(of_form), np.bool_)
    has_close[form[extra <= CLOSE]] = True
    return usual & ~has_close[form]
