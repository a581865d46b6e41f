"""A page of the workspace, read again -> what can be told of it alone: its label hierarchy and its records.

No stage keeps these for every page, because they take more room than everything else and are wanted for few. A page
is read once and kept for a while, as a view asks for it several times.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sitestrata.instances.listings import Listing
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.model import TreeNode
from sitestrata.ontology.records import page_listings
from sitestrata.page import PageFacts
from sitestrata.partition.decoration import MAX_OTHERS, repeated_texts
from sitestrata.partition.styles import with_styles
from sitestrata.partition.tree import find_tree
from sitestrata.report.server.bodies import UnreadableError, read_facts
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.dressing import screen_sheets
from sitestrata.run.one_page import SAME_MENUS

__all__ = ["PageReading", "RecordPlace", "kept", "read_again"]

KEPT = 12  # pages and what belongs to them
# Sum of the depths of all nodes, which bounds the work: 2 s here for a page of 110,000 nodes; one page in a thousand
# of a crawl is larger.
MAX_WORK = 2_000_000
LONG = 40  # characters of a text that is more than a label
_LINKS = "SELECT unnest(links) AS ordinal FROM menu_pages WHERE capture = ?"


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """A record of a listing: the leaves it covers, and what it is called."""

    first: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class PageReading:
    """One page and what it tells by itself."""

    facts: PageFacts
    text: bytes  # UTF-8
    refusal: str  # why there is neither a hierarchy nor records; "" where there are
    tree: tuple[TreeNode, ...] = ()
    records: tuple[RecordPlace, ...] = ()


def read_again(snapshot: Snapshot, capture: int) -> PageReading:
    """Read a captured page, or return it as it was read before; raises `UnreadableError`."""
    reading: PageReading = kept(snapshot, "readings", capture, lambda: _read(snapshot, capture))
    return reading


def kept(snapshot: Snapshot, kind: str, number: int, make: Callable[[], Any]) -> Any:
    """Return something about a page, made now or not long ago."""
    recent: _Recent = snapshot.once(f"recent {kind}", _Recent)
    return recent.get(number, make)


class _Recent:
    """The few things that were asked for last; what several ask for at once is made once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, _Cell] = OrderedDict()

    def get(self, number: int, make: Callable[[], Any]) -> Any:
        with self._lock:
            cell = self._kept.setdefault(number, _Cell())
            self._kept.move_to_end(number)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        with cell.lock:
            if not cell.is_made:
                cell.value, cell.is_made = make(), True
            return cell.value


class _Cell:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.value: Any = None
        self.is_made = False


def _read(snapshot: Snapshot, capture: int) -> PageReading:
    facts, text = read_facts(snapshot, capture)
    if int(facts.dom.depth.sum()) > MAX_WORK:
        return PageReading(facts, text, "The page is too large for this to be worked out while you wait.")
    nodes = facts.links.node.tolist()
    ordinals = [row["ordinal"] for row in snapshot.rows(_LINKS, capture)] if snapshot.has("menu_pages") else []
    navigation = frozenset(nodes[ordinal] for ordinal in ordinals if 0 <= ordinal < len(nodes))
    places = read_places(facts)
    links = facts.leaves.link
    is_link, in_menu = links >= 0, np.isin(links, np.array(sorted(navigation), dtype=links.dtype))

    def is_none(listing: Listing) -> bool:
        run = slice(listing.records[0].first, listing.records[-1].end)
        is_menu = bool(2 * in_menu[run].sum() > is_link[run].sum())
        # A list of bare labels is a menu too, whoever else shows it.
        is_bare = 2 * sum(not record.values for record in listing.records) > len(listing.records)
        return is_menu or is_bare or _is_prose(places, listing)

    records = [
        RecordPlace(record.first, record.end, places.texts[record.name])
        for listing in page_listings(places, is_frame=is_none)
        for record in listing.records
    ]
    records.sort(key=lambda record: (record.first, record.end))
    styled = with_styles(facts, screen_sheets(snapshot, facts, text))
    decoration = repeated_texts(facts, _others(snapshot, capture)) if snapshot.has("menu_pages") else frozenset()
    tree = find_tree(styled, navigation=navigation, decoration=decoration)
    return PageReading(facts, text, "", tree, tuple(records))


def _others(snapshot: Snapshot, capture: int) -> Iterator[PageFacts]:
    for row in snapshot.rows(SAME_MENUS, capture, capture, MAX_OTHERS):
        try:
            facts, _ = read_facts(snapshot, row["capture"])
        except UnreadableError:
            continue
        yield facts


def _is_prose(page: PagePlaces, listing: Listing) -> bool:
    """Tell whether a listing is running text: its records come to their names after half a sentence."""
    late = sum(
        any(page.link[leaf] is None and len(page.texts[leaf]) > LONG for leaf in range(record.first, record.name))
        for record in listing.records
    )
    return 2 * late > len(listing.records)
