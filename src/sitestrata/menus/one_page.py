"""Menu links of one page alone: which links belong to its header, footer and menus.

With a whole collection menus are told by repetition (`sitestrata.menus.stage`). For a single page only its own
structure speaks: where a link stands, how long the labels of its list are, how much text stands between, where the
links lead and whether the page repeats them. A logistic model weighs these signs; the answer is half that of the link,
half that of its list. Neither words nor class names are looked at; landmarks are one sign among many.

The weights were fitted by ``bench/fit_page_menus.py``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.page import PageFacts
from sitestrata.segments import Segments
from sitestrata.urls import host

__all__ = ["FEATURES", "PageMenuLinks", "find_menu_links", "link_features", "smooth", "text_before"]

MENU = 0.4  # probability from which on a link is a menu link; precision and recall are then about equal

FEATURES = (
    "constant",
    "place",
    "place squared",
    "among the first 30 links",
    "among the first 100 links",
    "among the last 30 links",
    "among the last 60 links",
    "words",
    "words of the list",
    "spread of words",
    "links of the list",
    "linked text of the list",
    "depth of the address",
    "depth of addresses of the list",
    "long name in the address",
    "other host",
    "other hosts of the list",
    "repeated on the page",
    "repeated targets of the list",
    "picture",
    "in a list item",
    "under a heading",
    "in a paragraph",
    "in navigation",
    "in a header",
    "in a footer",
    "in the main part",
    "first screen",
    "links before long text",
    "links behind long text",
    "branch before the main part",
    "branch behind the main part",
    "text of the branch",
    "linked text of the branch",
    "words of the branch",
    "depth of addresses of the branch",
    "long names of the branch",
    "repeated targets of the branch",
    "links of the branch",
    "small branch before",
    "small branch behind",
    "text before the branch",
    "text behind the branch",
    "under headings of the branch",
)
WEIGHTS: tuple[float, ...] = (
    -2.02,  # constant
    0.30,  # place
    1.35,  # place squared
    0.18,  # among the first 30 links
    0.19,  # among the first 100 links
    0.88,  # among the last 30 links
    0.17,  # among the last 60 links
    0.09,  # words
    -0.10,  # words of the list
    -0.13,  # spread of words
    0.13,  # links of the list
    0.85,  # linked text of the list
    0.13,  # depth of the address
    -0.16,  # depth of addresses of the list
    -0.26,  # long name in the address
    0.02,  # other host
    0.01,  # other hosts of the list
    0.06,  # repeated on the page
    0.03,  # repeated targets of the list
    -0.18,  # picture
    0.94,  # in a list item
    -0.25,  # under a heading
    0.58,  # in a paragraph
    1.87,  # in navigation
    -0.01,  # in a header
    -0.60,  # in a footer
    -0.75,  # in the main part
    1.13,  # first screen
    1.13,  # links before long text
    0.54,  # links behind long text
    0.86,  # branch before the main part
    -0.49,  # branch behind the main part
    0.21,  # text of the branch
    0.37,  # linked text of the branch
    -0.08,  # words of the branch
    -0.44,  # depth of addresses of the branch
    -1.58,  # long names of the branch
    -1.04,  # repeated targets of the branch
    0.33,  # links of the branch
    0.45,  # small branch before
    0.64,  # small branch behind
    -2.15,  # text before the branch
    -2.33,  # text behind the branch
    -1.98,  # under headings of the branch
)

LONG_LABEL = 4.0  # words
SMALL = 0.15  # share of the page's text
MAIN_PART = 0.4  # share of an element's text that its largest child must hold, for the main part to be in there
LONG_TEXT = 60  # characters of a text that is no link

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PageMenuLinks:
    """The links of a page, as numbers of `PageFacts.links`, and how likely each is a menu link."""

    probability: Floats

    def links(self) -> Ints:
        """Return the menu links."""
        return np.flatnonzero(self.probability >= MENU)


def find_menu_links(facts: PageFacts, segments: Segments) -> PageMenuLinks:
    """Tell which links of a page are menu links."""
    features = link_features(facts, segments)
    odds = features @ np.array(WEIGHTS)
    return PageMenuLinks(smooth(1 / (1 + np.exp(-odds)), segments))


def smooth(probability: Floats, segments: Segments) -> Floats:
    """Give the links of a segment what they have in common: half their own, half their list's."""
    owner = segments.of_link
    inside = owner >= 0
    count = np.maximum(np.bincount(owner[inside], minlength=len(segments)), 1)
    mean = np.bincount(owner[inside], weights=probability[inside], minlength=len(segments)) / count
    answer = probability.copy()
    answer[inside] = (probability[inside] + mean[owner[inside]]) / 2
    return answer


def link_features(facts: PageFacts, segments: Segments) -> Floats:
    """Return one row a link, one column a feature."""
    links = facts.links
    count = len(links)
    if not count:
        return np.zeros((0, len(FEATURES)))
    owner = segments.of_link.astype(np.int64)
    text, linked = text_before(facts)
    node = links.node.astype(np.int64)
    end = facts.dom.end.astype(np.int64)
    total = max(int(text[-1]), 1)
    place = text[node] / total
    words = np.log1p(np.array([len(links.label[number].split()) for number in range(count)], float))
    address = links.address
    depth = np.log1p(np.array([_depth(url) for url in address], float))
    own = host(facts.url).removeprefix("www.")
    other = np.array([own not in host(url) for url in address], float)
    long_name = np.array([_has_long_name(url) for url in address], float)
    _, which, times = np.unique(links.target, return_inverse=True, return_counts=True)
    repeated = (times[which] > 1).astype(float)
    in_list, in_heading, in_paragraph = _around(facts, node)
    holder = segments.node.astype(np.int64)
    shown = text[end[holder]] - text[holder]
    density = (linked[end[holder]] - linked[holder]) / np.maximum(shown, 1)
    rank = np.arange(count)
    before, behind = _long_text(facts, node)
    branch, side = _branches(facts, node, text)
    roots, group = np.unique(branch, return_inverse=True)
    branch_text = (text[end[roots]] - text[roots])[group]
    branch_linked = (linked[end[roots]] - linked[roots])[group]
    share = branch_text / total
    ahead, left = (text[roots] / total)[group], (1 - text[end[roots]] / total)[group]
    of_branch = len(roots)
    landmark = links.landmark
    columns = [
        np.ones(count),
        place,
        place**2,
        rank < 30,
        rank < 100,
        rank >= count - 30,
        rank >= count - 60,
        words,
        _mean(words, owner, len(segments)),
        np.abs(words - _mean(words, owner, len(segments))),
        np.log1p(_size(owner, len(segments))),
        _given(density, owner, 0.5),
        depth,
        _mean(depth, owner, len(segments)),
        long_name,
        other,
        _mean(other, owner, len(segments)),
        repeated,
        _mean(repeated, owner, len(segments)),
        links.label_source == 2,
        in_list,
        in_heading,
        in_paragraph,
        landmark == 2,
        landmark == 1,
        landmark == 5,
        landmark == 3,
        place < 0.1,
        before,
        behind,
        side < 0,
        side > 0,
        np.sqrt(share),
        branch_linked / np.maximum(branch_text, 1),
        _mean(words, group, of_branch),
        _mean(depth, group, of_branch),
        _mean(long_name, group, of_branch),
        _mean(repeated, group, of_branch),
        np.log1p(_size(group, of_branch)),
        (side < 0) & (share < SMALL),
        (side > 0) & (share < SMALL),
        np.sqrt(ahead),
        np.sqrt(left),
        _mean(in_heading, group, of_branch),
    ]
    return np.stack([np.asarray(column, float) for column in columns], axis=1)


def text_before(facts: PageFacts) -> tuple[Floats, Floats]:
    """Return how many characters of visible text, and of linked text, stand before each node (and after the last)."""
    leaves = facts.leaves
    length = np.array([len(facts.leaf_text(leaf)) for leaf in range(len(leaves))], float)
    count = len(facts.dom) + 1
    all_text = np.bincount(leaves.node + 1, weights=length, minlength=count)
    linked = np.bincount(leaves.node + 1, weights=length * (leaves.link >= 0), minlength=count)
    return np.cumsum(all_text), np.cumsum(linked)


def _long_text(facts: PageFacts, node: Ints) -> tuple[Floats, Floats]:
    """Tell which links stand before the first and behind the last long text that is no link."""
    leaves = facts.leaves
    long = [
        int(leaves.node[leaf])
        for leaf in range(len(leaves))
        if leaves.link[leaf] < 0 and len(facts.leaf_text(leaf)) >= LONG_TEXT
    ]
    if not long:
        return np.zeros(len(node)), np.zeros(len(node))
    return (node < long[0]).astype(float), (node > long[-1]).astype(float)


def _around(facts: PageFacts, node: Ints) -> tuple[Floats, Floats, Floats]:
    """Tell which links stand in a list item, under a heading, in a paragraph: the nearest of these counts."""
    kinds = {"li": 0, "dd": 0, "dt": 0, "h1": 1, "h2": 1, "h3": 1, "h4": 1, "h5": 1, "h6": 1, "p": 2}
    found = np.zeros((3, len(node)))
    for number, start in enumerate(node.tolist()):
        for step, holder in enumerate(facts.dom.ancestors(start)):
            kind = kinds.get(facts.dom.tag_name(holder))
            if kind is not None:
                found[kind, number] = 1.0
                break
            if step > 6:
                break
    return found[0], found[1], found[2]


def _branches(facts: PageFacts, node: Ints, text: Floats) -> tuple[Ints, Ints]:
    """Return for each link the branch it stands in, and whether that is before (-1) or behind (1) the main part.

    From the root down, the main part is in the child with most text; its siblings are branches. Where no child holds
    enough, its children are the branches of the main part (0).
    """
    dom = facts.dom
    branch, side = np.zeros(len(node), np.int64), np.zeros(len(node), np.int64)
    holder = 0
    while True:
        children = list(dom.children(holder))
        sizes = [float(text[dom.end[child]] - text[child]) for child in children]
        largest = int(np.argmax(sizes)) if sizes else -1
        is_main = largest >= 0 and sizes[largest] >= MAIN_PART * max(sum(sizes), 1.0)
        first, last = np.searchsorted(node, [holder, int(dom.end[holder])])
        for place, child in enumerate(children):
            a, b = np.searchsorted(node[first:last], [child, int(dom.end[child])]) + first
            branch[a:b] = child
            side[a:b] = (place > largest) - (place < largest) if is_main else 0
        if not is_main:
            return branch, side
        holder = children[largest]


def _depth(url: str) -> int:
    path = url.split("?", 1)[0].split("/")[3:]
    return len([step for step in path if step]) + ("?" in url)


def _has_long_name(url: str) -> bool:
    """Tell whether an address ends like that of an article: many words or a long number."""
    name = url.rstrip("/").rpartition("/")[2]
    return name.count("-") + name.count("_") >= LONG_LABEL or sum(letter.isdigit() for letter in name) > LONG_LABEL


def _size(owner: Ints, count: int) -> Floats:
    size = np.bincount(owner[owner >= 0], minlength=count)
    return np.where(owner >= 0, size[np.maximum(owner, 0)] if count else 1, 1).astype(float)


def _mean(values: Floats, owner: Ints, count: int) -> Floats:
    inside = owner >= 0
    total = np.bincount(owner[inside], weights=values[inside], minlength=count)
    size = np.maximum(np.bincount(owner[inside], minlength=count), 1)
    result = values.copy()
    result[inside] = (total / size)[owner[inside]]
    return result


def _given(values: Floats, owner: Ints, otherwise: float) -> Floats:
    result = np.full(len(owner), otherwise)
    result[owner >= 0] = values[owner[owner >= 0]]
    return result
