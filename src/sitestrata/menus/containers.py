"""The segments of one page -> which of its strands form one menu: all drop-downs of a bar, all parts of a side column.

A container is a segment whose children are items of one list: they begin with the same step (``li``, a ``div`` of one
class), and everything in it stands on the same pages. The children of a header (a logo, two lists, a form) do not.
Only a few pages of each template are looked at (`sitestrata.menus.stage` chooses them), so this may look at paths.

Paper: MenuMiner 4 (the segments are organised hierarchically), 6.4 (the main menu)

Differences from the paper: it takes each segment for a menu of its own, and so one drop-down for the whole bar.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sitestrata.page.paths import Step, parse_path

__all__ = ["PageLink", "PageSegment", "join_strands", "segment_tag"]

SAME_SPREAD = 0.8  # share of pages that parts of one menu have in common
SAME_STEP = 0.8  # share of the items that begin alike
STATIC = 0.8  # share of the links in a menu that stand on other pages too
MIN_PANELS = 2  # drop-downs behind a bar
MIN_SINGLES = 2  # links among which sub-lists may stand; fewer may be a logo and a button
GUEST_SPREAD = 0.5  # the same of lists that lead elsewhere
GUEST_HOME = 0.5  # a list of which fewer targets show it belongs to the menu it stands in, on however many sites it is
# Elements that are items or lists by their own meaning (HTML Standard 4.4); all others may be regions of a page.
ITEM_TAGS = frozenset({"li", "dt", "dd"})
LIST_TAGS = frozenset({"ul", "ol", "dl", "menu", "dir"})


@dataclass(frozen=True, slots=True)
class PageSegment:
    """A segment of one page."""

    ordinal: int
    parent: int  # ordinal; -1 = none
    path: str


@dataclass(frozen=True, slots=True)
class PageLink:
    """A hyperlink of one page; ``strand`` is -1 where it belongs to none that counts."""

    segment: int  # ordinal
    path: str
    strand: int
    pages: int  # on how many pages its strand stands
    home_share: float  # how many targets of its strand show it too


@dataclass(slots=True)
class _Part:
    """A subtree: its strands if it is one menu, how widespread it is, and how many links it has."""

    strands: set[int] = field(default_factory=set)
    pages: int = 0
    links: int = 0
    static: int = 0  # of the links
    is_whole: bool = False
    is_guest: bool = False  # leads elsewhere


def join_strands(segments: Sequence[PageSegment], links: Sequence[PageLink]) -> list[frozenset[int]]:
    """Return the sets of strands of a page that form one menu; every strand is in exactly one."""
    children: dict[int, list[PageSegment]] = {}
    direct: dict[int, list[PageLink]] = {}
    for segment in segments:
        children.setdefault(segment.parent, []).append(segment)
    for link in links:
        direct.setdefault(link.segment, []).append(link)
    found: list[frozenset[int]] = []
    parts: dict[int, _Part] = {}
    # Ordinals are in document order, so children come after their parents.
    for segment in sorted(segments, key=lambda item: -item.ordinal):
        below = [child for child in children.get(segment.ordinal, []) if parts[child.ordinal].links]
        own = direct.get(segment.ordinal, [])
        if any(link.strand >= 0 for link in own) or any(parts[child.ordinal].static for child in below):
            parts[segment.ordinal] = _join(segment, own, below, parts, found)
        else:
            parts[segment.ordinal] = _Part(links=len(own) + sum(parts[child.ordinal].links for child in below))
    for segment in children.get(-1, []):
        if parts[segment.ordinal].is_whole:
            found.append(frozenset(parts[segment.ordinal].strands))
    return _merge([group for group in found if group])


def _join(
    segment: PageSegment,
    links: Sequence[PageLink],
    below: Sequence[PageSegment],
    parts: dict[int, _Part],
    found: list[frozenset[int]],
) -> _Part:
    """Decide whether a segment with all that is in it is one menu; if not, what is in it stands alone."""
    bar = _bar(links)
    whole = [parts[child.ordinal] for child in below if parts[child.ordinal].is_whole]
    part = _Part(
        links=len(links) + sum(parts[child.ordinal].links for child in below),
        static=sum(link.strand >= 0 for link in links) + sum(parts[child.ordinal].static for child in below),
    )
    part.pages = (
        bar.pages
        if bar.links > 1 or not whole
        else _common_spread([(item.pages, item.links) for item in [bar, *whole]])
    )
    inside = [
        item
        for item in [bar, *whole]
        if item.links and (_is_same(item.pages, part.pages) or (item.is_guest and item.pages > part.pages))
    ]
    if bar.links == 1 and _is_apart(segment, links, below):
        inside = [item for item in inside if item is not bar]
    outside = [item for item in [bar, *whole] if item.links and not any(item is other for other in inside)]
    is_list = len(below) == 0 or _is_list(segment, links, below, parts)
    if part.pages and is_list:
        part.strands = set().union(*(item.strands for item in inside))
        part.is_guest = all(item.is_guest for item in inside)
        # A submenu that only some pages show may hang from an item; beside the items it makes two menus of one column.
        hangs = bar in inside and bar.links > 1
        part.is_whole = (part.static >= STATIC * part.links and (not outside or hangs)) or (
            hangs and len(whole) == len(below)
        )
        if not part.is_whole:
            found.append(frozenset(part.strands))
    else:
        outside += inside
    found += [frozenset(item.strands) for item in outside]
    found += [frozenset({link.strand}) for link in links if link.strand >= 0 and link.strand not in bar.strands]
    return part


def _is_apart(segment: PageSegment, links: Sequence[PageLink], below: Sequence[PageSegment]) -> bool:
    """Tell whether the only link beside lists begins otherwise than they do: a logo."""
    depth = segment.path.count("/") + 1
    lists = {_kind(_first_step(child.path, depth)) for child in below}
    return (
        bool(lists)
        and segment_tag(segment) not in LIST_TAGS
        and not any(_kind(_first_step(link.path, depth)) in lists for link in links)
    )


def _is_same(pages: int, others: int) -> bool:
    return min(pages, others) >= SAME_SPREAD * max(pages, others)


def _bar(links: Sequence[PageLink]) -> _Part:
    """Return the direct links of a segment that are most widespread, as a part."""
    static = [link for link in links if link.strand >= 0]
    if not static:
        return _Part()
    pages = _common_spread([(link.pages, 1) for link in static])
    is_guest = sum(link.home_share for link in static) < GUEST_HOME * len(static)
    # Other sites have some links of a list that leads elsewhere at the same place too; that makes no submenu of others.
    least = GUEST_SPREAD if is_guest else SAME_SPREAD
    chosen = [link for link in static if min(link.pages, pages) >= least * max(link.pages, pages)]
    wider = [link for link in static if link.pages > pages and least * link.pages > pages]
    if len(wider) <= len(chosen) / 2:
        chosen += wider
    pages = min(link.pages for link in chosen) if is_guest else pages
    return _Part(
        {link.strand for link in chosen},
        pages,
        len(chosen),
        len(chosen),
        is_whole=True,
        is_guest=all(link.home_share < GUEST_HOME for link in chosen),
    )


def _common_spread(parts: Sequence[tuple[int, int]]) -> int:
    """Return the number of pages that most links of parts (pages, links) nearly have; of equals the larger one."""
    links: Counter[int] = Counter()
    for pages, count in parts:
        links[pages] += count
    return max(
        links,
        key=lambda pages: (sum(count for other, count in links.items() if _is_same(other, pages)), pages),
        default=0,
    )


def _is_list(
    segment: PageSegment, links: Sequence[PageLink], below: Sequence[PageSegment], parts: dict[int, _Part]
) -> bool:
    """Tell whether what is in a segment are items of one list, each a link, a list, or a link with a list."""
    depth = segment.path.count("/") + 1
    if segment_tag(segment) in LIST_TAGS:
        return True
    lists = [_first_step(child.path, depth) for child in below if parts[child.ordinal].links > 1]
    # Headings that are links stand between the lists, at most one a list.
    singles = [_first_step(child.path, depth) for child in below if parts[child.ordinal].links == 1]
    singles += [_first_step(link.path, depth) for link in links]
    everything = [*lists, *singles]
    if _are_alike(everything) and (
        _tag_of(everything) in ITEM_TAGS | LIST_TAGS or len(singles) >= len(lists) or _names(everything)
    ):
        return True
    if len(lists) < 2:
        return False
    has_guest = any(parts[child.ordinal].is_guest for child in below if parts[child.ordinal].links > 1)
    is_mixed = len(singles) > MIN_SINGLES and _are_alike(singles)
    is_region = has_guest and len(lists) == 2 and not is_mixed
    is_named = _tag_of(lists) in ITEM_TAGS | LIST_TAGS or (_names(lists) and not is_region)
    if _are_alike(lists) and is_named and (len(singles) <= len(lists) + 1 or is_mixed):
        return True
    # A bar with its drop-downs behind it, in containers of their own; without names these look like regions of the
    # page, but regions that all lead within the site, side by side, are hardly ever three.
    return not has_guest and not singles and len(lists) > MIN_PANELS and _are_alike(lists[1:])


def segment_tag(segment: PageSegment) -> str:
    """Return the tag of the element that a segment is."""
    return parse_path(segment.path.rpartition("/")[2])[0].tag if segment.path else ""


def _are_alike(steps: Sequence[Step | None]) -> bool:
    """Tell whether nearly all steps have one tag and, but for items, share a class, or have neither class nor id."""
    kinds = Counter(_kind(step) for step in steps)
    (tag, names, name), _ = min(kinds.items(), key=lambda item: (-item[1], item[0]))
    alike = sum(
        count
        for (other, words, own), count in kinds.items()
        if other == tag and (tag in ITEM_TAGS or set(words) & set(names) or (words == names == () and own == name))
    )
    return alike >= SAME_STEP * len(steps)


def _names(steps: Sequence[Step | None]) -> bool:
    return any(step is not None and step.classes for step in steps)


def _tag_of(steps: Sequence[Step | None]) -> str:
    tags = Counter(step.tag if step else "" for step in steps)
    return min(tags.items(), key=lambda item: (-item[1], item[0]))[0]


def _kind(step: Step | None) -> tuple[str, tuple[str, ...], str]:
    if step is None:
        return "", (), ""
    if step.tag in ITEM_TAGS:
        return step.tag, (), ""
    return step.tag, tuple(sorted(step.classes)), "" if step.tag in LIST_TAGS else step.id or ""


def _first_step(path: str, depth: int) -> Step | None:
    steps = path.split("/", depth + 1)
    return parse_path(steps[depth])[0] if len(steps) > depth else None


def _merge(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Join groups that share a strand."""
    root: dict[int, int] = {}

    def find(strand: int) -> int:
        while root.setdefault(strand, strand) != strand:
            root[strand] = root[root[strand]]
            strand = root[strand]
        return strand

    for group in groups:
        first, *others = sorted(group)
        for other in others:
            a, b = sorted((find(first), find(other)))
            root[b] = a
        find(first)
    members: dict[int, set[int]] = {}
    for strand in sorted(root):
        members.setdefault(find(strand), set()).add(strand)
    return [frozenset(group) for _, group in sorted(members.items())]
