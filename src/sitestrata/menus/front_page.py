"""The contents of a site as its entry page lists them: links of that page -> the list that leads into the site.

Manuals and directories have no bar: their front page lists the chapters, and the other pages know the next one only.
The region is taken that holds nearly all of the page's links into the site and not much else. Of a list with lists
below its entries the entries themselves count: the chapters, not each section of each chapter. Links in sentences and
links to places in pages (a list of figures) count only where hardly any other leads into the site. A frameset shows its
frames: that counts which leads into the site with the largest share of its links.

Paper: MenuMiner 6.4 (what takes the place of a main menu where no menu is shared)
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, pairwise, zip_longest
from typing import Any

from sitestrata.menus.containers import ITEM_TAGS
from sitestrata.model import TableReader
from sitestrata.page.paths import parse_path
from sitestrata.urls import host

__all__ = [
    "MENTION",
    "FrontLink",
    "FrontPage",
    "children",
    "contents_of",
    "panels_of",
    "read_front_pages",
]

MIN_ITEMS = 3
REGION = 0.7  # share of the page's links into the site that the region must hold
PURE = 0.5  # share of the region's links that lead into the site
# Elements that hold a piece of a sentence, and such as a link stands at the head of (HTML Standard 4.4, 4.5, 4.9).
PHRASING = frozenset(
    {"a", "abbr", "b", "bdi", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "samp"}
    | {"small", "span", "strong", "sub", "sup", "tt", "u", "var"}
)
HEADED = frozenset({"li", "dt", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "summary"})
PROSE = 100  # bytes of text on both sides of a link in a sentence; what describes an entry is shorter
MENTION = 25  # the same of a link that leads out of the site: what describes its entries is not among them
ITEMS = 0.8  # share of the pages of the site that items of lists lead to, for the other links not to count
WHOLE = 0.3  # the same of links to whole pages: a list of figures leads to more pages than the contents list
NEARLY_ALL = 0.8  # share of the links around a bar that are of menus
HEADING = 48  # bytes of text between two lists, from which on it is more than a heading
MIN_SECTIONS = 3  # of one make beside one another, each with a list, for none of them to be the contents
MIN_SUBLISTS = 2  # lists that stand behind an entry each, for the entries to be those of an outer list


@dataclass(frozen=True, slots=True)
class FrontLink:
    """A hyperlink of an entry page."""

    node: int
    segment: int
    target: int  # id of the page it leads to
    url: str
    label: str
    gap: int = 0  # bytes of text between the link before and this one
    text: int = 0  # bytes of running text on both sides; none in an item of a list, a cell or a heading
    is_item: bool = True  # stands in such an item, cell or heading
    to_place: bool = False  # leads to a place in a page


@dataclass(frozen=True, slots=True)
class FrontPage:
    """Hyperlinks of one page in document order."""

    links: tuple[FrontLink, ...]
    segments: dict[int, tuple[int, int]]  # ordinal -> (parent, node)
    rare: dict[int, frozenset[int]] = field(default_factory=dict)  # target that few pages link -> these
    frames: tuple["FrontPage", ...] = ()  # of a frameset: what it shows
    paths: dict[int, str] = field(default_factory=dict)  # of segments
    columns: dict[int, frozenset[int]] = field(default_factory=dict)  # segment -> all lists of the column it stands in


def contents_of(front: FrontPage, own: frozenset[int]) -> list[FrontLink]:
    """Return the entries of the list that leads into the site, in document order; none if there is no such list.

    Args:
        front: the entry page, without links to itself.
        own: ids of the pages of the site.
    """
    lists = [(frame, contents_of(frame, own)) for frame in front.frames]
    if any(contents for _, contents in lists):
        return max(lists, key=lambda item: sum(link.target in own for link in item[1]) / max(len(item[0].links), 1))[1]
    front = replace(front, links=_good(front.links, own, WHOLE, lambda link: not link.to_place))
    listed = replace(front, links=tuple(link for link in front.links if link.text < PROSE))
    items = replace(front, links=_good(listed.links, own, ITEMS, lambda link: link.is_item))
    regions = [_contents(some, own) for some in (listed, items)]
    return max((_items(some, own) for some in regions), key=lambda some: _reach(some, own)) or _contents(front, own)


def _items(contents: list[FrontLink], own: frozenset[int]) -> list[FrontLink]:
    return list(_good(contents, own, ITEMS, lambda link: link.is_item))


def _good(
    links: Sequence[FrontLink], own: frozenset[int], share: float, is_good: Callable[[FrontLink], bool]
) -> tuple[FrontLink, ...]:
    """Leave out links that are not good, if those that are lead to a good share of the pages that all lead to."""
    good = tuple(link for link in links if is_good(link))
    return good if _reach(good, own) >= max(MIN_ITEMS, share * _reach(links, own)) else tuple(links)


def _reach(links: Iterable[FrontLink], own: frozenset[int]) -> int:
    return len(own & {link.target for link in links})


def _contents(front: FrontPage, own: frozenset[int]) -> list[FrontLink]:
    below = children(front)
    heads = _count_leads(front, _entries(front, below, -1, own), own)
    leads = _count_leads(front, front.links, own)
    total, everything = heads[-1], leads[-1]
    if total < MIN_ITEMS:
        return []
    region = -1
    while not _is_outer_list(below[region], own) and not _are_sections(front, below[region], heads):
        inner = [
            child
            for child in below[region]
            if isinstance(child, int)
            and (heads[child] >= REGION * total or leads[child] >= max(REGION * everything, everything - MIN_ITEMS))
        ]
        if not inner:
            break
        region = inner[0]
    # Of several links to a page the first item of a list counts, else the first link.
    found = sorted(_entries(front, below, region, own), key=lambda link: (link.is_item, -link.node))
    entries = {link.target: link for link in found}
    chosen = sorted(entries.values(), key=lambda link: link.node)
    chosen = _from_own_host(chosen, own)
    inside = sum(link.target in own for link in chosen)
    return chosen if inside >= max(MIN_ITEMS, PURE * len(chosen)) else []


def _are_sections(front: FrontPage, children: list[FrontLink | int], heads: Mapping[int, int]) -> bool:
    """Tell whether lists of one make stand beside one another: the largest of them is no list of all."""
    makes = Counter(
        (step.tag, step.classes)
        for child in children
        if isinstance(child, int) and heads[child] >= MIN_ITEMS
        for step in parse_path(front.paths.get(child, ""))[-1:]
    )
    return max(makes.values(), default=0) >= MIN_SECTIONS


def _from_own_host(links: list[FrontLink], own: frozenset[int]) -> list[FrontLink]:
    """Leave out what stands before the contents and leads to other hosts: where the source is kept, whom to thank."""
    hosts = {host(link.url) for link in links if link.target in own}
    return list(dropwhile(lambda link: host(link.url) not in hosts, links))


def panels_of(front: FrontPage, own: frozenset[int], bar: frozenset[int], known: frozenset[int]) -> list[FrontLink]:
    """Return the links into the site that stand with a bar in a place of their own, its drop-downs kept apart.

    Nothing else stands there: nearly all of these links are of ``known`` segments, with but a heading between them.

    Args:
        front: the entry page.
        own: ids of the pages of the site.
        bar: segments of the bar.
        known: segments of menus that stand on the same pages.
    """
    above = {front.segments[segment][0] for segment in bar} - bar
    if len(above) != 1 or -1 in above:
        return []
    inside = [link for link in front.links if not above.isdisjoint(_upward(front, link.segment))]
    is_known = sum(link.segment in known for link in inside) >= NEARLY_ALL * len(inside)
    if not is_known or any(link.gap >= HEADING for link in inside[1:]):
        return []
    return [link for link in inside if link.target in own]


def read_front_pages(reader: TableReader, pages: Iterable[int]) -> dict[int, FrontPage]:
    """Read the hyperlinks of some pages, given by id; links to the page itself are left out."""
    wanted = sorted(pages)
    found: dict[int, FrontPage] = {}
    frames: dict[int, list[int]] = {}
    for some in _chunks(wanted):
        found.update(_read_chunk(reader, some))
        rows = reader.query(
            "SELECT l.page, l.kind, coalesce(a.page_id, l.target) AS frame FROM links l LEFT JOIN aliases a"  # noqa: S608 - numbers
            " ON a.url_id = l.target WHERE l.kind IN ('frame', 'iframe')"
            f" AND l.page IN ({_among(some)}) ORDER BY l.page, l.ordinal"
        )
        for row in rows.to_pylist():
            # What a page with links of its own shows inside itself is a film or an advertisement.
            if row["kind"] == "frame" or row["page"] not in found:
                frames.setdefault(row["page"], []).append(row["frame"])
    for some in _chunks(sorted({frame for shown in frames.values() for frame in shown} - set(found))):
        found.update(_read_chunk(reader, some))
    for page, shown in frames.items():
        there = tuple(found[frame] for frame in shown if frame in found)
        found[page] = replace(found.get(page, FrontPage((), {})), frames=there)
    return {page: found[page] for page in wanted if page in found}


_CHUNK = 2_000  # pages a query
FEW_PAGES = 20  # that link a target, for these to be told one by one


def _chunks(pages: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(pages), _CHUNK):
        yield pages[start : start + _CHUNK]


def _among(pages: Sequence[int]) -> str:
    return ", ".join(str(int(page)) for page in pages)


def _read_chunk(reader: TableReader, pages: Sequence[int]) -> Iterator[tuple[int, FrontPage]]:
    among = _among(pages)
    links = reader.query(
        "SELECT l.page, l.node, l.segment, l.label, l.path, l.gap, l.fragment, coalesce(a.page_id, l.target) AS target,"  # noqa: S608 - numbers
        " coalesce(a.canonical, u.url) AS url FROM links l LEFT JOIN aliases a ON a.url_id = l.target"
        f" LEFT JOIN urls u ON u.url_id = l.target WHERE l.segment >= 0 AND l.page IN ({among})"
        " ORDER BY l.page, l.ordinal"
    )
    segments = reader.query(
        f"SELECT page, ordinal, parent, node, path FROM segments WHERE page IN ({among}) ORDER BY page, ordinal"  # noqa: S608
    )
    linked = reader.query(
        "SELECT t.page_id AS target, s.page_id AS page FROM links l JOIN aliases s ON s.url_id = l.page"  # noqa: S608 - numbers
        " JOIN (SELECT l.target FROM links l JOIN"
        f" (SELECT DISTINCT target FROM links WHERE page IN ({among}) AND segment >= 0) w ON w.target = l.target"
        f" GROUP BY l.target HAVING count(DISTINCT l.page) <= {FEW_PAGES}) f ON f.target = l.target"
        " JOIN aliases t ON t.url_id = l.target WHERE NOT t.is_captured"
    )
    rare: dict[int, set[int]] = {}
    for target, page in zip(linked["target"].to_pylist(), linked["page"].to_pylist(), strict=True):
        rare.setdefault(target, set()).add(page)
    trees: dict[int, dict[int, tuple[int, int]]] = {}
    paths: dict[int, dict[int, str]] = {}
    boxes: dict[int, dict[int, list[tuple[int, str]]]] = {}
    for row in segments.to_pylist():
        trees.setdefault(row["page"], {})[row["ordinal"]] = (row["parent"], row["node"])
        paths.setdefault(row["page"], {})[row["ordinal"]] = row["path"]
        boxes.setdefault(row["page"], {}).setdefault(row["parent"], []).append((row["ordinal"], row["path"]))
    rows: dict[int, list[FrontLink]] = {}
    listed = links.to_pylist()
    for row, behind in zip_longest(listed, listed[1:]):
        boxes.get(row["page"], {}).pop(row["segment"], None)  # lists among which links stand are no column
        if row["target"] != row["page"] and row["url"]:
            place = (row["node"], row["segment"], row["target"], row["url"], row["label"], row["gap"])
            is_item = _is_headed(row["path"])
            text = 0 if is_item else _text_beside(row, behind)
            rows.setdefault(row["page"], []).append(FrontLink(*place, text, is_item, bool(row["fragment"])))
    for page, some in rows.items():
        its = {link.target: frozenset(rare[link.target]) for link in some if link.target in rare}
        columns = _columns(boxes.get(page, {}))
        yield page, FrontPage(tuple(some), trees.get(page, {}), its, paths=paths.get(page, {}), columns=columns)


def _is_headed(path: str) -> bool:
    """Tell whether a link stands in an item of a list, a cell or a heading, not in a paragraph there."""
    tags = (step.tag for step in reversed(parse_path(path)))
    return next((tag for tag in tags if tag not in PHRASING), "") in HEADED


def _text_beside(row: dict[str, Any], behind: dict[str, Any] | None) -> int:
    """Return how much text a link has before and behind it, the less of both."""
    is_last = behind is None or behind["page"] != row["page"]
    return int(row["gap"] if behind is None or is_last else min(row["gap"], behind["gap"]))


def _columns(boxes: Mapping[int, Sequence[tuple[int, str]]]) -> dict[int, frozenset[int]]:
    """Return the column of each segment in one: segments of one shape, as far as tags go, that are all below another.

    Args:
        boxes: segment -> those directly below it and their paths; -1 is the page.
    """
    found: dict[int, frozenset[int]] = {}
    for parent, inside in boxes.items():
        if parent >= 0 and len({tuple(step.tag for step in parse_path(path)) for _, path in inside}) == 1:
            found.update(dict.fromkeys((box for box, _ in inside), frozenset(box for box, _ in inside)))
    return found


def _count_leads(front: FrontPage, links: Iterable[FrontLink], own: frozenset[int]) -> Counter[int]:
    """Return to how many pages of the site the links in each segment lead; each counts where it is listed first."""
    first: dict[int, FrontLink] = {}
    for link in links:
        if link.target in own:
            first.setdefault(link.target, link)
    return Counter(segment for link in first.values() for segment in _upward(front, link.segment))


def _upward(front: FrontPage, segment: int) -> Iterator[int]:
    while segment >= 0:
        yield segment
        segment = front.segments[segment][0]
    yield -1


def children(front: FrontPage) -> dict[int, list[FrontLink | int]]:
    """Return what stands in each segment, links and segments in document order; -1 is the page."""
    places: dict[int, list[tuple[int, int, FrontLink | int]]] = {-1: []}
    for segment, (parent, node) in front.segments.items():
        places.setdefault(segment, [])
        places.setdefault(parent, []).append((node, segment, segment))
    for link in front.links:
        places.setdefault(link.segment, []).append((link.node, -1, link))
    return {
        segment: [child for _, _, child in sorted(some, key=lambda place: place[:2])]
        for segment, some in places.items()
    }


def _is_outer_list(children: list[FrontLink | int], own: frozenset[int]) -> bool:
    """Tell whether these are entries some of which have a list of their own behind them."""
    entries = {child.target for child in children if not isinstance(child, int) and child.target in own}
    behind = sum(isinstance(child, int) and not isinstance(before, int) for before, child in pairwise(children))
    return behind >= MIN_SUBLISTS and (len(entries) >= MIN_ITEMS or len(entries) == behind)


def _is_pair(children: list[FrontLink | int]) -> bool:
    """Tell whether this is an entry with a list of one: it makes no segment of its own (rule 2)."""
    return len(children) == 2 and not any(isinstance(child, int) for child in children)


def _tag(front: FrontPage, segment: int) -> str:
    steps = parse_path(front.paths.get(segment, ""))
    return steps[-1].tag if steps else ""


def _entries(
    front: FrontPage, below: dict[int, list[FrontLink | int]], region: int, own: frozenset[int]
) -> Iterator[FrontLink]:
    stack = [iter(below[region])]
    outer = [_is_outer_list(below[region], own)]
    before: list[FrontLink | int | None] = [None]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            outer.pop()
            before.pop()
            continue
        previous, before[-1] = before[-1], child
        if not isinstance(child, int):
            yield child
        elif outer[-1] and _is_pair(below[child]) and _tag(front, child) in ITEM_TAGS:
            stack.append(iter(below[child][:1]))
            outer.append(False)
            before.append(None)
        elif not (outer[-1] and isinstance(previous, FrontLink)):
            stack.append(iter(below[child]))
            outer.append(_is_outer_list(below[child], own))
            before.append(None)
