"""Endless sets of addresses, told by what they give rather than by how they look.

Calendars, session ids, sort orders and filters make addresses without end. No list of names recognises them, but they
have one thing in common: their pages stop telling anything new. Addresses that differ only in numbers, tokens and
query values form a *group*; every fetched page of a group is *barren* if neither its text (numbers and tokens masked)
nor its links hold anything that the group has not shown before. A group whose pages are nearly all barren is closed,
and what is left of it is put aside. Articles with numbers in their address go on for ever, because each brings text.

Two things are told from the address alone: a folder nested in itself, and an address of absurd length. A third trap,
the page that leads to a copy of itself one folder deeper (soft 404s that link relatively), is told in `live.py`: a few
links on, copies are no longer followed.
"""

import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

from sitestrata import urls
from sitestrata.sources.crawl.frontier import Frontier

__all__ = ["Traps", "mask", "refuse_by_shape"]

MAX_URL = 2083  # characters; what browsers and Heritrix accept
MAX_SEGMENTS = 30  # folders in one path
MAX_REPEATS = 3  # times that a run of segments may follow itself
MAX_SAME = 4  # times that one segment may occur in a path
MIN_FETCHED = 8  # pages of a group before it can be closed
BARREN_SHARE = 0.8  # of a group's last pages that must be barren to close it
MIN_NEW = 2  # new pieces of text that make a page worth while
NEW_SHARE = 0.05  # and the share of all its pieces they must make up
MAX_SEEN = 4096  # pieces of text remembered for one group

# Numbers, and tokens that look drawn at random: hexadecimal with a digit, or letters mixed with digits, 8 and more.
_VARIABLE = re.compile(
    r"[0-9]+(?![0-9A-Za-z])|(?<![0-9A-Za-z])(?=[0-9a-fA-F-]*[0-9])[0-9a-fA-F-]{8,}(?![0-9A-Za-z])"
    r"|(?<![0-9A-Za-z])(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[0-9A-Za-z]{12,}(?![0-9A-Za-z])|[0-9]+"
)
_REPEAT = re.compile(rf"/((?:[^/]+/){{1,8}}?)(?:\1){{{MAX_REPEATS - 1},}}")
_SPACE = re.compile(r"\s+")


def mask(text: str) -> str:
    """Replace numbers and random tokens by one sign."""
    return _VARIABLE.sub("0", text)


def refuse_by_shape(url: str) -> str | None:
    """Return why an address is a trap by its shape alone, or None."""
    if len(url) > MAX_URL:
        return "address too long"
    path = url[url.find("/", url.find("://") + 3) :].partition("?")[0]
    segments = path.split("/")
    if len(segments) - 1 > MAX_SEGMENTS:
        return "too many folders"
    # A final file name takes part as a folder would: /a/a/a is as nested as /a/a/a/.
    if len(segments) > MAX_REPEATS and _REPEAT.search(path if path.endswith("/") else path + "/"):
        return "folder nested in itself"
    named = [segment for segment in segments if segment and not segment.isdigit()]
    if len(named) > MAX_SAME and max(map(named.count, named)) > MAX_SAME:
        return "folder nested in itself"
    return None


@dataclass(slots=True)
class _Group:
    family: int
    fetched: int = 0
    barren: int = 0  # an average over the last pages, in thousandths
    is_closed: bool = False
    seen: set[int] = field(default_factory=set)


class Traps:
    """Watches groups of addresses; its state lives in the frontier."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self._groups: dict[int, _Group] = {}
        self._closed: dict[int, int] = {}  # family -> closed groups
        for key, family, fetched, barren, is_closed, seen in frontier.trap_groups():
            self._groups[key] = _Group(family, fetched, barren, bool(is_closed), set(array("I", seen)))
            if is_closed:
                self._closed[family] = self._closed.get(family, 0) + 1

    def is_closed(self, url: str) -> bool:
        """Tell whether an address belongs to a group that tells nothing new."""
        keys = group_of(url)
        if keys is None:
            return False
        key, family = keys
        group = self._groups.get(key)
        if group is not None:
            return group.is_closed
        # Every further combination of a family that has proved barren again and again starts with less credit.
        return self._closed.get(family, 0) > MIN_FETCHED

    def observe(self, url: str, pieces: Iterable[str], links: Iterable[str]) -> bool:
        """Take note of a fetched page; tell whether its group has just been closed."""
        keys = group_of(url)
        if keys is None:
            return False
        key, family = keys
        group = self._groups.setdefault(key, _Group(family))
        if group.is_closed:
            return False
        is_barren = self._is_barren(group, family, pieces, links)
        group.fetched += 1
        # A mean over the first pages, an average over the last MIN_FETCHED ones after that.
        weight = min(group.fetched, MIN_FETCHED)
        group.barren += ((1000 if is_barren else 0) - group.barren) // weight
        credit = max(1, MIN_FETCHED >> self._closed.get(family, 0))
        if group.fetched >= credit + 1 and group.barren >= BARREN_SHARE * 1000 * credit / (credit + 1):
            group.is_closed = True
            group.seen.clear()
            self._closed[family] = self._closed.get(family, 0) + 1
        seen = array("I", sorted(group.seen)).tobytes()
        self._frontier.put_trap_group((key, family, group.fetched, group.barren, int(group.is_closed), seen))
        return group.is_closed

    def _is_barren(self, group: _Group, family: int, pieces: Iterable[str], links: Iterable[str]) -> bool:
        news = count = 0
        for piece in pieces:
            count += 1
            key = _hash32(_normal(piece))
            if key not in group.seen:
                news += 1
                if len(group.seen) < MAX_SEEN:
                    group.seen.add(key)
        if group.fetched == 0:
            return False
        if news >= MIN_NEW and news >= NEW_SHARE * count:
            return False
        return not any((keys := group_of(link)) is None or keys[1] != family for link in links)


def group_of(url: str) -> tuple[int, int] | None:
    """Return the group and the family of an address, or None if nothing in it can vary without end.

    A group is a host, a path with its variable parts masked, and the names of the query's parameters. A family leaves
    the query and the variable end of the path out: the months and the days of one calendar are one family.
    """
    start = url.find("/", url.find("://") + 3)
    path, question, query = url[start:].partition("?")
    masked = mask(path)
    if not question and masked == path:
        return None
    names = sorted({part.partition("=")[0] for part in query.split("&")})
    site = url[:start]
    family = masked.rstrip("0/-_.")
    return urls.url_id(f"{site}{masked}?{'&'.join(names)}"), urls.url_id(f"{site}{family}")


def _normal(piece: str) -> bytes:
    return _SPACE.sub(" ", mask(piece)).strip().lower().encode("utf-8", "surrogatepass")


def _hash32(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=4).digest(), "little")
