"""Links that lead up: declared breadcrumbs, visible breadcrumbs, and links that play the same role on many pages.

*Visible breadcrumbs* are known by their prefix property, in any language and markup: page p shows a row of links
(t1 .. tk), page tk shows (t1 .. tk-1) at the same place, and so on up to t1, which shows none. No menu has this
property, because its items show the other items.

*Up-links* are known by their role: links with one label (or one place) on many pages whose targets differ from page to
page. The role leads up if following it never runs in a circle, if several pages share a target, if the targets
themselves play the role (all but the top ones), and if they link back. "Next" fails because no two pages share a target,
"home" because all do, an item of a local menu because the page it leads to does not link itself.

Cost: sorts of the links.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.sites.site_web import SiteWeb

__all__ = ["Ways", "declared_trails", "declared_up", "has_link", "link_pairs", "role_links", "visible_trails"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

MIN_ROLE_PAGES = 3
MIN_SHARING = 1.2  # pages a target, on average: what leads up is shared
MIN_TARGETS = 2  # a role with one target is a link to the home page
MAX_TRAIL = 12  # links; longer rows are lists
_PRIME = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Ways:
    """Claims that ``above`` is the page above ``page``, each with the share of belief that it deserves."""

    page: Ints
    above: Ints
    belief: Floats

    def __len__(self) -> int:
        """Return the number of claims."""
        return len(self.page)


def declared_trails(web: SiteWeb) -> Ways:
    """Read the page above off the breadcrumbs that markup declares: the last step that leads to another page."""
    order = np.arange(len(web.crumb_page))
    leads = (web.crumb_target >= 0) & (web.crumb_target != web.crumb_page)
    # Of a trail that goes on behind a step for the page itself (a reader's history) nothing is believed.
    last = np.full(len(web), -1, np.int64)
    np.maximum.at(last, web.crumb_page[leads], order[leads])
    page = np.flatnonzero(last >= 0)
    return Ways(page, web.crumb_target[last[page]], np.ones(len(page)))


def declared_up(web: SiteWeb) -> Ways:
    """Read the page above off links that are declared with rel=up."""
    links = web.links
    chosen = links.is_up & (links.target >= 0) & (links.target != links.page)
    pairs = np.unique(np.stack([links.page[chosen], links.target[chosen]], axis=1), axis=0)
    page, count = np.unique(pairs[:, 0], return_counts=True)
    return Ways(pairs[:, 0], pairs[:, 1], 1.0 / count[np.searchsorted(page, pairs[:, 0])])


def link_pairs(web: SiteWeb) -> Ints:
    """Return the sorted codes ``page * n + target`` of all links inside the site."""
    links = web.links
    inside = links.target >= 0
    return np.unique(links.page[inside] * max(len(web), 1) + links.target[inside])


def has_link(pairs: Ints, count: int, page: Ints, target: Ints) -> Flags:
    """Tell whether pages link targets, by the codes of `link_pairs`."""
    if not len(pairs):
        return np.zeros(len(page), np.bool_)
    codes = page * max(count, 1) + target
    place = np.minimum(np.searchsorted(pairs, codes), len(pairs) - 1)
    found: Flags = pairs[place] == codes
    return found


def visible_trails(web: SiteWeb) -> Ways:
    """Find rows of links with the prefix property; the page above is the last link of the row."""
    runs = _runs(web)
    none = Ways(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    if not len(runs.page):
        return none
    # A row on page tk may close with tk itself; so each row is looked up with and without that.
    key = _row_key(runs.page, runs.place, runs.digest)
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]

    def find(page: Ints, place: Ints, digest: NDArray[np.uint64]) -> Ints:
        wanted = _row_key(page, place, digest)
        at = np.minimum(np.searchsorted(sorted_key, wanted), len(sorted_key) - 1)
        return np.where(sorted_key[at] == wanted, order[at], -1)

    # Row j is the row above row i if page(j) is the last target of i and j's targets are i's without the last.
    above = np.where(runs.length > 1, find(runs.last, runs.place, runs.before_last), -1)
    is_top = (runs.length == 1) & ~_shows(runs, runs.last)
    # Invariant: a row is verified if the row above it is, and a row of one link if its target shows no row there.
    verified = is_top.copy()
    for _ in range(MAX_TRAIL):
        grown = verified | ((above >= 0) & verified[np.maximum(above, 0)])
        if np.array_equal(grown, verified):
            break
        verified = grown
    # A row of one link proves nothing by itself: its place must hold longer rows that are verified too.
    long_rows = np.bincount(runs.place[verified & (runs.length > 1)], minlength=int(runs.place.max()) + 1)
    all_long = np.bincount(runs.place[runs.length > 1], minlength=len(long_rows))
    trust = long_rows / np.maximum(all_long, 1)
    chosen = np.flatnonzero(verified & (long_rows[runs.place] > 0) & (runs.last != runs.page))
    # Where a place is a breadcrumb on most pages, rows that cannot be verified (pages not captured) are believed less.
    doubtful = np.flatnonzero(~verified & (trust[runs.place] > 0.5) & (long_rows[runs.place] > 1) & (runs.last >= 0))
    doubtful = doubtful[runs.last[doubtful] != runs.page[doubtful]]
    return Ways(
        np.concatenate([runs.page[chosen], runs.page[doubtful]]),
        np.concatenate([runs.last[chosen], runs.last[doubtful]]),
        np.concatenate([0.5 + 0.5 * trust[runs.place[chosen]], 0.5 * trust[runs.place[doubtful]]]),
    )


@dataclass(frozen=True, slots=True)
class _Runs:
    """Rows of links that follow one another at one DOM path, the page's own link at the end left off."""

    page: Ints
    place: Ints  # number of the DOM path
    length: Ints
    last: Ints  # row of the page its last link leads to; -1 = unknown
    digest: NDArray[np.uint64]  # of its targets in order
    before_last: NDArray[np.uint64]  # of all but the last


def _runs(web: SiteWeb) -> _Runs:
    links = web.links
    on_page = np.flatnonzero(~links.in_head & (links.path >= 0))
    page, path = links.page[on_page], links.path[on_page]
    if not len(on_page):
        empty = np.zeros(0, np.int64)
        return _Runs(empty, empty, empty, empty, empty.astype(np.uint64), empty.astype(np.uint64))
    starts = np.concatenate([[True], (page[1:] != page[:-1]) | (path[1:] != path[:-1])])
    first = np.flatnonzero(starts)
    number = np.cumsum(starts) - 1
    length = np.diff(np.concatenate([first, [len(on_page)]]))
    short = length <= MAX_TRAIL + 1
    own = links.target[on_page] == page
    end = first + length - 1
    # A trail may print the page itself as its last link.
    ends_with_self = own[end]
    length = length - ends_with_self
    end = end - ends_with_self
    place_in_run = np.arange(len(on_page)) - first[number]
    word = (links.target_id[on_page].astype(np.uint64) * _PRIME) ^ (
        (place_in_run + 1).astype(np.uint64) * np.uint64(0xD1B54A32D192ED03)
    )
    word = (word ^ (word >> np.uint64(29))) * _PRIME
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(word, dtype=np.uint64)])
    kept = np.flatnonzero(short & (length >= 1))
    first, end, length = first[kept], end[kept], length[kept]
    return _Runs(
        page=page[first],
        place=path[first],
        length=length,
        last=links.target[on_page][end],
        digest=total[end + 1] - total[first],
        before_last=total[end] - total[first],
    )


def _row_key(page: Ints, place: Ints, digest: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = page.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9) ^ place.astype(np.uint64) * np.uint64(
        0x94D049BB133111EB
    )
    return (digest ^ mixed) * _PRIME


def _shows(runs: _Runs, page: Ints) -> Flags:
    """Tell for each run whether ``page`` shows any row at the same place."""
    width = int(runs.place.max()) + 1
    shown = np.unique(runs.page * width + runs.place)
    wanted = page * width + runs.place
    place = np.minimum(np.searchsorted(shown, wanted), len(shown) - 1)
    found: Flags = (page < 0) | (shown[place] == wanted)
    return found


def role_links(web: SiteWeb, pairs: Ints) -> Ways:
    """Find links whose role is to lead up."""
    links = web.links
    count = max(len(web), 1)
    usable = np.flatnonzero(~links.in_head & ~links.has_fragment)
    by_label = links.path[usable] * max(len(web.labels), 1) + links.label[usable]
    by_place = -1 - links.path[usable]
    found = [_roles(web, usable, role, pairs, count) for role in (by_label, by_place)]
    return Ways(
        np.concatenate([one.page for one in found]),
        np.concatenate([one.above for one in found]),
        np.concatenate([one.belief for one in found]),
    )


def _roles(web: SiteWeb, usable: Ints, role: Ints, pairs: Ints, count: int) -> Ways:
    links = web.links
    none = Ways(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    _, role = np.unique(role, return_inverse=True)
    page, target = links.page[usable], links.target[usable]
    cells, first, size = np.unique(role * count + page, return_index=True, return_counts=True)
    # One link a page: "more" and "read on" stand many times on a page and play no such role.
    alone = size == 1
    role_count = int(role.max(initial=0)) + 1
    many = np.bincount(cells[~alone] // count, minlength=role_count)
    cells, first = cells[alone], first[alone]
    role, page, target = cells // count, cells % count, target[first]
    single = np.bincount(role, minlength=role_count)
    leads = (target >= 0) & (target != page)
    chosen = leads & (single[role] >= MIN_ROLE_PAGES) & (many[role] * 4 <= single[role])
    role, page, target = role[chosen], page[chosen], target[chosen]
    if not len(role):
        return none
    pages = np.bincount(role, minlength=role_count)
    image = np.unique(role * count + target)
    targets = np.bincount(image // count, minlength=role_count)
    fits = (targets[role] >= MIN_TARGETS) & (pages[role] >= MIN_SHARING * targets[role])
    role, page, target = role[fits], page[fits], target[fits]
    if not len(role):
        return none
    code = role * count + page  # sorted, each once
    up = np.searchsorted(code, role * count + target)
    has_up = (up < len(code)) & (code[np.minimum(up, len(code) - 1)] == role * count + target)
    up = np.where(has_up, up, -1)
    circles = _in_circles(up)
    back = has_link(pairs, count, target, page)
    role_share = _share(role, back, role_count) * (1.0 - _share(role, circles, role_count))
    # Share of the targets that play the role themselves; the top page does not.
    image = np.unique(role * count + target)
    plays = np.isin(image, code)
    image_role = image // count
    playing = np.bincount(image_role, weights=plays, minlength=role_count) / np.maximum(
        np.bincount(image_role, minlength=role_count) - 1, 1
    )
    belief = role_share[role] * np.minimum(playing, 1.0)[role] * np.where(back, 1.0, 0.3)
    kept = (belief > 0.2) & ~circles
    return Ways(page[kept], target[kept], belief[kept])


def _in_circles(up: Ints) -> Flags:
    """Tell which nodes never come to an end when one follows ``up``."""
    at = up
    for _ in range(len(up).bit_length() + 1):
        at = np.where(at >= 0, at[at], -1)
    circles: Flags = at >= 0
    return circles


def _share(role: Ints, is_so: Flags, role_count: int) -> Floats:
    share: Floats = np.bincount(role, weights=is_so, minlength=role_count) / np.maximum(
        np.bincount(role, minlength=role_count), 1
    )
    return share
