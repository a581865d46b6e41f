"""Endless sets of addresses, told by what they give rather than by how they look.

Calendars, session ids, sort orders and filters make addresses without end. No list of names recognises them, but they
have one thing in common: their pages stop telling anything new. Addresses that differ only in numbers, tokens and
query values form a *group*, groups that differ in the query alone a *family*; a fetched page is *barren* if neither its
text (numbers and tokens masked) nor its links hold anything that the family has not shown before. A group whose last
pages are nearly all barren is closed, and what is left of it is put aside; in a family that is barren as a whole no
new group is begun. Articles with numbers in their address go on for ever, because each brings text.

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
MIN_CREDIT = 3  # pages of a group in a family with closed groups
MIN_FAMILY = 32  # pages of a family before its further groups must prove themselves
BARREN_SHARE = 800  # thousandths of the last pages that must be barren to close a group or a family
MIN_NEW = 2  # new pieces of text that make a page worth while
NEW_SHARE = 0.05  # and the share of all its pieces they must make up
MAX_SEEN = 16384  # pieces of text remembered for one family, twice
KEEP_EVERY = 64  # pages of a family between two writes of its texts
_GROUP, _FAMILY = 0, 1

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
class _Watched:
    """A group, or a family of groups: how many pages were fetched and how many of the last ones were barren."""

    fetched: int = 0
    barren: int = 0  # a mean over the last pages, in thousandths
    is_closed: bool = False

    def count(self, *, is_barren: bool, window: int) -> None:
        self.fetched += 1
        weight = min(self.fetched, window)
        self.barren += round(((1000 if is_barren else 0) - self.barren) / weight)


@dataclass(slots=True)
class _Family(_Watched):
    closed_groups: int = 0
    seen: set[int] = field(default_factory=set)  # pieces of text, hashed
    seen_before: set[int] = field(default_factory=set)  # the generation before: memory is bounded, old texts fade

    def is_new(self, key: int) -> bool:
        if key in self.seen or key in self.seen_before:
            return False
        self.seen.add(key)
        if len(self.seen) > MAX_SEEN:
            self.seen, self.seen_before = set(), self.seen
        return True


class Traps:
    """Watches groups of addresses; its state lives in the frontier."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self._groups: dict[int, _Watched] = {}
        self._families: dict[int, _Family] = {}
        for key, kind, fetched, barren, is_closed, seen in frontier.trap_groups():
            if kind == _FAMILY:
                self._families[key] = _Family(fetched, barren, bool(is_closed), seen=set(array("I", seen)))
            else:
                self._groups[key] = _Watched(fetched, barren, bool(is_closed))

    def is_closed(self, url: str) -> bool:
        """Tell whether an address belongs to a group that tells nothing new."""
        keys = group_of(url)
        if keys is None:
            return False
        group = self._groups.get(keys[0])
        if group is not None and group.is_closed:
            return True
        family = self._families.get(keys[1])
        # In a barren family (filters in every combination) a group must have shown something new to go on.
        return family is not None and family.is_closed and (group is None or group.barren == 1000)

    def observe(self, url: str, pieces: Iterable[str], links: Iterable[str]) -> bool:
        """Take note of a fetched page; tell whether its group, or its family, has just been closed."""
        keys = group_of(url)
        if keys is None:
            return False
        group = self._groups.setdefault(keys[0], _Watched())
        family = self._families.setdefault(keys[1], _Family())
        was_closed = group.is_closed or family.is_closed
        is_barren = self._is_barren(family, keys[1], pieces, links)
        group.count(is_barren=is_barren, window=MIN_FETCHED)
        family.count(is_barren=is_barren, window=MIN_FAMILY)
        # The months of a calendar were barren: its days get half of their credit.
        credit = max(MIN_CREDIT, MIN_FETCHED >> family.closed_groups)
        if not group.is_closed and group.fetched >= credit and group.barren >= BARREN_SHARE:
            group.is_closed = True
            family.closed_groups += 1
        family.is_closed = family.fetched >= MIN_FAMILY and family.barren >= BARREN_SHARE
        self._keep(keys[0], keys[1])
        return (group.is_closed or family.is_closed) and not was_closed

    def _keep(self, group_key: int, family_key: int) -> None:
        group, family = self._groups[group_key], self._families[family_key]
        row = (group_key, _GROUP, group.fetched, group.barren, int(group.is_closed), b"")
        self._frontier.put_trap_group(row)
        # The texts are written now and then only: a crash costs a few more pages of a trap, no more.
        if family.fetched % KEEP_EVERY == 1 or family.is_closed or group.is_closed:
            seen = array("I", sorted(family.seen | family.seen_before)).tobytes()
            self._frontier.put_trap_group(
                (family_key, _FAMILY, family.fetched, family.barren, int(family.is_closed), seen)
            )

    def _is_barren(self, family: _Family, family_key: int, pieces: Iterable[str], links: Iterable[str]) -> bool:
        news = count = 0
        for piece in pieces:
            count += 1
            news += family.is_new(_hash32(_normal(piece)))
        if news >= MIN_NEW and news >= NEW_SHARE * count:
            return False
        if family.fetched == 0:
            return False
        return all((keys := group_of(link)) is not None and keys[1] == family_key for link in links)


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
