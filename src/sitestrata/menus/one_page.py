"""Menu links of one page alone: which links belong to its header, footer and menus.

With a whole collection menus are told by repetition (`sitestrata.menus.stage`). For a single page only its own
structure speaks: how much text stands before and behind its branch of the page, how long the labels and addresses of
its branch and list are, how much of their text is linked. Sixty small trees weigh these signs (`page_menu_trees`); the
answer is half that of the link, half that of its list. Neither words nor class names nor landmarks are looked at.

The trees were fitted by ``bench/fit_page_menus.py``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.menus.page_menu_trees import BASE, TREES
from sitestrata.page import PageFacts
from sitestrata.segments import Segments

__all__ = ["FEATURES", "PageMenuLinks", "find_menu_links", "judge", "link_features", "smooth", "text_before"]

MENU = 0.45  # probability from which on a link is a menu link; precision and recall are then about equal

FEATURES = (
    "text before the branch",
    "text behind the branch",
    "text of the branch",
    "linked text of the branch",
    "links of the branch",
    "words of the branch",
    "long names of the branch",
    "depth of addresses of the branch",
    "repeated targets of the branch",
    "under headings of the branch",
    "linked text of the list",
    "links of the list",
    "words of the list",
    "in a list item",
    "before long text",
)

LONG_LABEL = 4.0  # words
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
    return PageMenuLinks(smooth(judge(link_features(facts, segments)), segments))


def judge(features: Floats, base: float = BASE, trees: tuple[tuple[float, ...], ...] = TREES) -> Floats:
    """Return how likely each row is a menu link, without its neighbours: trees of two questions each, added up."""
    odds = np.full(len(features), base)
    for first, limit, left, left_limit, right, right_limit, *leaves in trees:
        is_right = features[:, int(first)] > limit
        is_second = np.where(is_right, features[:, int(right)] > right_limit, features[:, int(left)] > left_limit)
        odds += np.array(leaves)[2 * is_right + is_second]
    chance: Floats = 1 / (1 + np.exp(-odds))
    return chance


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
    words = np.log1p(np.array([len(links.label[number].split()) for number in range(count)], float))
    address = links.address
    depth = np.log1p(np.array([_depth(url) for url in address], float))
    long_name = np.array([_has_long_name(url) for url in address], float)
    _, which, times = np.unique(links.target, return_inverse=True, return_counts=True)
    repeated = (times[which] > 1).astype(float)
    in_list, in_heading = _around(facts, node)
    holder = segments.node.astype(np.int64)
    shown = text[end[holder]] - text[holder]
    density = (linked[end[holder]] - linked[holder]) / np.maximum(shown, 1)
    roots, group = np.unique(_branches(facts, node, text), return_inverse=True)
    branch_text = text[end[roots]] - text[roots]
    branch_linked = linked[end[roots]] - linked[roots]
    of_branch = len(roots)
    columns = [
        np.sqrt(text[roots] / total)[group],
        np.sqrt(1 - text[end[roots]] / total)[group],
        np.sqrt(branch_text / total)[group],
        (branch_linked / np.maximum(branch_text, 1))[group],
        np.log1p(_size(group, of_branch)),
        _mean(words, group, of_branch),
        _mean(long_name, group, of_branch),
        _mean(depth, group, of_branch),
        _mean(repeated, group, of_branch),
        _mean(in_heading, group, of_branch),
        _given(density, owner, 0.5),
        np.log1p(_size(owner, len(segments))),
        _mean(words, owner, len(segments)),
        in_list,
        _before_long_text(facts, node),
    ]
    return np.stack(columns, axis=1)


def text_before(facts: PageFacts) -> tuple[Floats, Floats]:
    """Return how many characters of visible text, and of linked text, stand before each node (and after the last)."""
    leaves = facts.leaves
    length = np.array([len(facts.leaf_text(leaf)) for leaf in range(len(leaves))], float)
    count = len(facts.dom) + 1
    all_text = np.bincount(leaves.node + 1, weights=length, minlength=count)
    linked = np.bincount(leaves.node + 1, weights=length * (leaves.link >= 0), minlength=count)
    return np.cumsum(all_text), np.cumsum(linked)


def _before_long_text(facts: PageFacts, node: Ints) -> Floats:
    """Tell which links stand before the first long text that is no link."""
    leaves = facts.leaves
    long = (
        int(leaves.node[leaf])
        for leaf in range(len(leaves))
        if leaves.link[leaf] < 0 and len(facts.leaf_text(leaf)) >= LONG_TEXT
    )
    return (node < next(long, -1)).astype(float)


def _around(facts: PageFacts, node: Ints) -> tuple[Floats, Floats]:
    """Tell which links stand in a list item and which under a heading: the nearest of these, or a paragraph, counts."""
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
    return found[0], found[1]


def _branches(facts: PageFacts, node: Ints, text: Floats) -> Ints:
    """Return for each link the branch of the page it stands in, as a node.

    From the root down, the main part is in the child with most text; its siblings are branches. Where no child holds
    enough, its children are the branches of the main part.
    """
    dom = facts.dom
    branch = np.zeros(len(node), np.int64)
    holder = 0
    while True:
        children = list(dom.children(holder))
        sizes = [float(text[dom.end[child]] - text[child]) for child in children]
        largest = int(np.argmax(sizes)) if sizes else -1
        is_main = largest >= 0 and sizes[largest] >= MAIN_PART * max(sum(sizes), 1.0)
        first, last = np.searchsorted(node, [holder, int(dom.end[holder])])
        for child in children:
            a, b = np.searchsorted(node[first:last], [child, int(dom.end[child])]) + first
            branch[a:b] = child
        if not is_main:
            return branch
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
