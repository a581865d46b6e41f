"""The segments of some pages -> which strands form one menu: all drop-downs of a bar, all parts of a side column.

A container is a segment whose children are items of one list: they begin with the same step (``li``, a ``div`` of one
class), and everything in it stands on the same pages. The children of a header (a logo, two lists, a form) do not.
How this is decided: `sitestrata._kernels.containers_twin`. Only a few pages of each template are looked at
(`sitestrata.menus.exemplars` chooses them), so this may look at ids and classes.

Paper: MenuMiner 4 (the segments are organised hierarchically), 6.4 (the main menu)

Differences from the paper: it takes each segment for a menu of its own, and so one drop-down for the whole bar.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load
from sitestrata.page.paths import Step, parse_path

__all__ = ["PageLinks", "PageSegments", "join_strands"]

_kernel = load("containers")
# Elements that are items or lists by their own meaning (HTML Standard 4.4); all others may be regions of a page.
ITEM_TAGS = frozenset({"li", "dt", "dd"})
LIST_TAGS = frozenset({"ul", "ol", "dl", "menu", "dir"})

Ints32 = NDArray[np.int32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PageSegments:
    """Segments of pages, in document order; steps are places in a list of texts."""

    parent: Ints32  # -1 = none
    own_step: Ints  # the last one of its path
    step: Ints  # the first one below its parent


@dataclass(frozen=True, slots=True, eq=False)
class PageLinks:
    """Hyperlinks of these pages, in document order."""

    segment: Ints
    step: Ints  # the first one below its segment
    strand: Ints  # -1 where it belongs to none that counts; those of each page are numbered apart
    pages: Ints  # on how many pages its strand stands
    home_share: NDArray[np.float64]  # how many targets of its strand show it too


def join_strands(segments: PageSegments, links: PageLinks, texts: Sequence[str]) -> Ints:
    """Return for each strand the first one of its menu; ``texts`` are the steps, "" where there is none."""
    steps = [parse_path(text)[0] if text else Step("", None, ()) for text in texts]
    order = np.argsort(links.segment, kind="stable")
    looks = [_look(step) for step in steps]
    kinds = sorted(set(looks))
    number = {look: place for place, look in enumerate(kinds)}
    kind_of = np.array([number[look] for look in looks], np.int32)
    named = np.array([bool(step.classes) for step in steps], np.uint8)
    meaning = np.array([_meaning(step.tag) for step in steps], np.uint8)
    tags = sorted({tag for tag, _, _ in kinds})
    tag_number = {tag: place for place, tag in enumerate(tags)}
    words = {word: place for place, word in enumerate(sorted(set(chain.from_iterable(some for _, some, _ in kinds))))}
    names = {name: place for place, name in enumerate(sorted({name for _, _, name in kinds}))}
    found: Ints = _kernel.join_strands(
        segments.parent,
        meaning[segments.own_step],
        kind_of[segments.step],
        named[segments.step],
        np.searchsorted(links.segment[order], np.arange(len(segments.parent) + 1)),
        links.strand[order],
        links.pages[order],
        links.home_share[order],
        kind_of[links.step[order]],
        named[links.step[order]],
        np.array([tag_number[tag] for tag, _, _ in kinds], np.int32),
        np.array([_meaning(tag) for tag in tags], np.uint8),
        np.cumsum([0, *(len(set(some)) for _, some, _ in kinds)], dtype=np.int32),
        np.array([words[word] for _, some, _ in kinds for word in sorted(set(some))], np.int32),
        np.array([names[name] for _, _, name in kinds], np.int32),
        int(links.strand.max(initial=-1)) + 1,
    )
    return found


def _meaning(tag: str) -> int:
    item, listed = int(_kernel.ITEM), int(_kernel.LIST)
    return item if tag in ITEM_TAGS else listed if tag in LIST_TAGS else 0


def _look(step: Step) -> tuple[str, tuple[str, ...], str]:
    """Return what makes two steps alike: tag, classes and id; of items the tag alone, of lists no id."""
    if step.tag in ITEM_TAGS:
        return step.tag, (), ""
    return step.tag, tuple(sorted(step.classes)), "" if step.tag in LIST_TAGS else step.id or ""
