"""Python twin of the ``containers`` kernel: which strands form one menu, as the segments of pages hold them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["ITEM", "LIST", "join_strands"]

Ints32 = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

ITEM, LIST = 1, 2  # what a tag is by its own meaning; 0: it may be a region of the page
SAME_SPREAD = 0.8  # share of pages that parts of one menu have in common
SAME_STEP = 0.8  # share of the items that begin alike
STATIC = 0.8  # share of the links in a menu that stand on other pages too
MIN_PANELS = 2  # drop-downs behind a bar
MIN_SINGLES = 2  # links among which sub-lists may stand; fewer may be a logo and a button
GUEST_SPREAD = 0.5  # the same of lists that lead elsewhere
GUEST_HOME = 0.5  # a list of which fewer targets show it belongs to the menu it stands in, on however many sites it is


@dataclass(slots=True)
class _Part:
    """A subtree: one of its strands if it is one menu, how widespread it is, and how many links it has."""

    strand: int = -1
    pages: int = 0
    links: int = 0
    static: int = 0  # of the links
    is_whole: bool = False
    is_guest: bool = False  # leads elsewhere


@dataclass(frozen=True, slots=True)
class _Kinds:
    """How elements look: kinds are numbered in the order of tag, classes and id."""

    tag: list[int]
    meaning: list[int]  # of a tag
    classes: list[frozenset[int]]
    name: list[int]

    def are_alike(self, steps: Sequence[int]) -> bool:
        """Tell whether nearly all have one tag and, but for items, share a class, or have neither class nor id."""
        kinds = Counter(steps)
        first, _ = min(kinds.items(), key=lambda item: (-item[1], item[0]))
        alike = sum(count for other, count in kinds.items() if self._is_like(first, other))
        return alike >= SAME_STEP * len(steps)

    def _is_like(self, one: int, other: int) -> bool:
        if self.tag[one] != self.tag[other]:
            return False
        mine, theirs = self.classes[one], self.classes[other]
        is_same = not mine and not theirs and self.name[one] == self.name[other]
        return self.meaning[self.tag[one]] == ITEM or bool(mine & theirs) or is_same

    def meaning_of(self, steps: Iterable[int]) -> int:
        """Return what the commonest tag means."""
        tags = Counter(self.tag[step] for step in steps)
        return self.meaning[min(tags.items(), key=lambda item: (-item[1], item[0]))[0]]


def join_strands(
    parent: Ints32,
    meaning: Bytes,
    segment_kind: Ints32,
    segment_named: Bytes,
    first_link: Ints,
    strand: Ints,
    pages: Ints,
    home_share: npt.NDArray[np.float64],
    link_kind: Ints32,
    link_named: Bytes,
    kind_tag: Ints32,
    tag_meaning: Bytes,
    first_class: Ints32,
    classes: Ints32,
    kind_name: Ints32,
    strand_count: int,
) -> Ints:
    """Return for each strand the first one of its menu.

    Segments come in document order, so parents before children, and may be those of many pages; the strands of each
    page are numbered apart. The links of segment s are ``first_link[s] : first_link[s + 1]``; a link without a strand
    has -1. The kind of a segment is that of its first step below its parent, and whether it is named, that this step
    has a class; likewise of a link below its segment.
    """
    bounds, listed = first_class.tolist(), classes.tolist()
    kinds = _Kinds(
        kind_tag.tolist(),
        tag_meaning.tolist(),
        [frozenset(listed[a:b]) for a, b in pairwise(bounds)],
        kind_name.tolist(),
    )
    root = list(range(strand_count))
    below: list[list[int]] = [[] for _ in parent]
    for segment, above in enumerate(parent.tolist()):
        if above >= 0:
            below[above].append(segment)
    parts = [_Part() for _ in parent]
    strands, spread, shares = strand.tolist(), pages.tolist(), home_share.tolist()
    looks = link_kind.tolist(), link_named.tolist(), segment_kind.tolist(), segment_named.tolist()
    for segment in range(len(parent) - 1, -1, -1):
        links = range(int(first_link[segment]), int(first_link[segment + 1]))
        inner = [child for child in below[segment] if parts[child].links]
        part = parts[segment]
        part.links = len(links) + sum(parts[child].links for child in inner)
        part.static = sum(strands[link] >= 0 for link in links) + sum(parts[child].static for child in inner)
        if part.static:
            bar = _bar(root, [(strands[link], spread[link], shares[link]) for link in links if strands[link] >= 0])
            steps = [looks[0][link] for link in links]
            is_apart = _is_apart(int(meaning[segment]), steps, [looks[2][child] for child in inner])
            look = partial(_is_list, int(meaning[segment]), links, inner, parts, kinds, looks)
            _join(part, bar, [parts[child] for child in inner], is_apart, not inner or look(), root)
    return np.array([_find(root, one) for one in range(strand_count)], np.int64)


def _join(part: _Part, bar: _Part, inner: list[_Part], is_apart: bool, is_list: bool, root: list[int]) -> None:
    """Decide whether a segment with all that is in it is one menu; if not, what is in it stands alone."""
    whole = [item for item in inner if item.is_whole]
    everything = [item for item in [bar, *whole] if item.links]
    part.pages = (
        bar.pages
        if bar.links > 1 or not whole
        else _common_spread([(item.pages, item.links) for item in [bar, *whole]])
    )
    inside = [
        item
        for item in everything
        if (_is_same(item.pages, part.pages) or (item.is_guest and item.pages > part.pages))
        and not (item is bar and bar.links == 1 and is_apart)
    ]
    if not part.pages or not is_list:
        return
    for item in inside:
        part.strand = _unite(root, part.strand, item.strand)
    part.is_guest = all(item.is_guest for item in inside)
    # A submenu that only some pages show may hang from an item; beside the items it makes two menus of one column.
    hangs = bar.links > 1 and any(item is bar for item in inside)
    part.is_whole = (part.static >= STATIC * part.links and (len(inside) == len(everything) or hangs)) or (
        hangs and len(whole) == len(inner)
    )


def _bar(root: list[int], static: list[tuple[int, int, float]]) -> _Part:
    """Return the direct links of a segment that are most widespread, as a part."""
    if not static:
        return _Part()
    pages = _common_spread([(spread, 1) for _, spread, _ in static])
    shares = 0.0
    for _, _, share in static:  # one after the other: sum() adds floats in another way
        shares += share
    is_guest = shares < GUEST_HOME * len(static)
    # Other sites have some links of a list that leads elsewhere at the same place too; that makes no submenu of others.
    least = GUEST_SPREAD if is_guest else SAME_SPREAD
    chosen = [link for link in static if min(link[1], pages) >= least * max(link[1], pages)]
    wider = [link for link in static if link[1] > pages and least * link[1] > pages]
    if len(wider) <= len(chosen) / 2:
        chosen += wider
    part = _Part(
        pages=min(spread for _, spread, _ in chosen) if is_guest else pages,
        links=len(chosen),
        static=len(chosen),
        is_whole=True,
        is_guest=all(share < GUEST_HOME for _, _, share in chosen),
    )
    for strand, _, _ in chosen:
        part.strand = _unite(root, part.strand, strand)
    return part


def _is_same(pages: int, others: int) -> bool:
    return min(pages, others) >= SAME_SPREAD * max(pages, others)


def _common_spread(parts: Sequence[tuple[int, int]]) -> int:
    """Return the number of pages that most links of parts (pages, links) nearly have; of equals the larger one."""
    links: Counter[int] = Counter()
    for pages, count in parts:
        links[pages] += count
    return max(links, key=lambda pages: (sum(count for other, count in links.items() if _is_same(other, pages)), pages))


def _is_apart(meaning: int, links: list[int], inner: list[int]) -> bool:
    """Tell whether links begin otherwise than the lists beside them: a logo."""
    return bool(inner) and meaning != LIST and not set(links) & set(inner)


def _is_list(
    meaning: int,
    links: Sequence[int],
    inner: list[int],
    parts: list[_Part],
    kinds: _Kinds,
    looks: tuple[list[int], list[int], list[int], list[int]],
) -> bool:
    """Tell whether what is in a segment are items of one list, each a link, a list, or a link with a list."""
    link_kind, link_named, segment_kind, segment_named = looks
    if meaning == LIST:
        return True
    panels = [child for child in inner if parts[child].links > 1]
    heads = [child for child in inner if parts[child].links == 1]
    lists = [segment_kind[child] for child in panels]
    # Headings that are links stand between the lists, at most one a list.
    singles = [segment_kind[child] for child in heads] + [link_kind[link] for link in links]
    lists_named = any(segment_named[child] for child in panels)
    named = lists_named or any(segment_named[child] for child in heads) or any(link_named[link] for link in links)
    everything = [*lists, *singles]
    if kinds.are_alike(everything) and (kinds.meaning_of(everything) or len(singles) >= len(lists) or named):
        return True
    if len(lists) < 2:
        return False
    has_guest = any(parts[child].is_guest for child in panels)
    is_mixed = len(singles) > MIN_SINGLES and kinds.are_alike(singles)
    is_region = has_guest and len(lists) == 2 and not is_mixed
    is_named = bool(kinds.meaning_of(lists)) or (lists_named and not is_region)
    if kinds.are_alike(lists) and is_named and (len(singles) <= len(lists) + 1 or is_mixed):
        return True
    # A bar with its drop-downs behind it, in containers of their own; without names these look like regions of the
    # page, but regions that all lead within the site, side by side, are hardly ever three.
    return not has_guest and not singles and len(lists) > MIN_PANELS and kinds.are_alike(lists[1:])


def _find(root: list[int], strand: int) -> int:
    while root[strand] != strand:
        root[strand] = root[root[strand]]
        strand = root[strand]
    return strand


def _unite(root: list[int], one: int, other: int) -> int:
    """Make one menu of those of two strands; return its first strand."""
    if one < 0 or other < 0:
        return max(one, other)
    first, second = sorted((_find(root, one), _find(root, other)))
    root[second] = first
    return first
