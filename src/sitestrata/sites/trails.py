"""Links that lead up: declared breadcrumbs, visible breadcrumbs, and links that play the same role on many pages.

*Visible breadcrumbs* are known by their prefix property, in any language and markup: page p shows a row of links
(t1 .. tk), page tk shows (t1 .. tk-1) at the same place, and so on up to t1, which shows none. No menu has this
property, because its items show the other items.

*Up-links* are known by their role: links with one label (or one place) on many pages whose targets differ from page to
page. The role leads up if following it never runs in a circle, if several pages share a target, if the targets
themselves play the role (all but the top ones), and if they link back. "Next" fails because no two pages share a
target, "home" because all do, an item of a local menu because the page it leads to does not link itself.

Cost: sorts of the links.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct, distinct_pairs, numbered
from sitestrata.sites.site_web import SiteWeb

__all__ = ["Ways", "declared_trails", "declared_up", "has_link", "link_pairs", "role_links", "visible_trails"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

MIN_ROLE_PAGES = 3
MIN_SHARING = 1.2  # pages a target, on average: what leads up is shared
NAVIGATION_POWER = 6  # three quarters of the pages link a favourite article too, all of them link a section
MIN_TARGETS = 2  # a role with one target is a link to the home page
MAX_TRAIL = 12  # links; longer rows are lists
MIN_TRUST = 0.5  # share of the longer rows at a place that must have the prefix property
MIN_FURTHER = 3  # rows one step longer that must follow rows which begin outside the site
LONG_TRAIL = 0.8  # belief in a verified row of three links or more, wherever it stands
UNVERIFIED = 0.5  # belief in a row at such a place that has not
ONE_END = 0.8  # share of all pages that end in one page, for it to be a link of the template
ONE_END_PAGES = 12  # of a few pages all may be in one section
MAX_ROWS_A_PAGE = 1.3  # a page has one breadcrumb, perhaps a second one at the bottom; prose has many rows
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
    page, above = distinct_pairs(links.page[chosen], links.target[chosen])
    return Ways(page, above, 1.0 / np.bincount(page, minlength=len(web))[page])


def link_pairs(web: SiteWeb) -> Ints:
    """Return the sorted codes ``page * n + target`` of all links inside the site."""
    links = web.links
    inside = links.target >= 0
    return distinct(links.page[inside] * max(len(web), 1) + links.target[inside])


def has_link(pairs: Ints, count: int, page: Ints, target: Ints) -> Flags:
    """Tell whether pages link targets, by the codes of `link_pairs`."""
    if not len(pairs):
        return np.zeros(len(page), np.bool_)
    codes = page * max(count, 1) + target
    place = np.minimum(np.searchsorted(pairs, codes), len(pairs) - 1)
    found: Flags = pairs[place] == codes
    return found


def visible_trails(web: SiteWeb, pairs: Ints) -> Ways:
    """Find rows of links with the prefix property; the page above is the last link of the row.

    At a place that holds breadcrumbs most of the pages above also link the page at hand.
    """
    runs = _runs(web)
    if not len(runs.page):
        return Ways(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    rows = _Index(_row_key(runs.page, runs.path, runs.digest))
    # A row of one link is no segment of its own, so on the page it may run on into something else.
    openings = _Index(_row_key(runs.page, runs.path, runs.opening))
    # Row j is the row above row i if page(j) is the last target of i and j's targets are i's without the last.
    above = np.where(runs.length > 2, rows.find(_row_key(runs.last, runs.path, runs.before_last)), -1)
    opens = openings.find(_row_key(runs.last, runs.path, runs.before_last)) >= 0
    # A menu may look the same, but its first page shows the second item at the same place; one that is left alone by
    # that is no segment any more, and so stands at another place.
    is_menu = np.isin(_row_key(runs.first, runs.place, runs.second), runs.shown)
    is_menu |= rows.find(_row_key(runs.first, runs.path, runs.second)) >= 0
    # Invariant: a row is verified if the row above it is, and a row of two links if the second page opens with the
    # first link and the first page does not show the second.
    verified = (runs.length == 2) & opens & ~is_menu & (runs.last >= 0)
    verified |= _begins_outside(runs, above)
    for _ in range(MAX_TRAIL):
        grown = verified | ((above >= 0) & verified[np.maximum(above, 0)])
        if np.array_equal(grown, verified):
            break
        verified = grown
    leads = (runs.last >= 0) & (runs.last != runs.page)
    leads &= ~_is_everywhere(runs, len(web)) | (runs.last == web.entry)
    back = leads & has_link(pairs, len(web), np.maximum(runs.last, 0), runs.page)
    answer = np.minimum(1.0, 2 * _share(runs.place, back, int(runs.place.max()) + 1))
    trust = (_trust(runs, verified) * answer)[runs.place]
    # Three links in a row do not have the property by chance; two may, and one always has.
    sure = np.where(verified & (runs.length > 2), np.maximum(trust, LONG_TRAIL * answer[runs.place]), trust)
    # Where a place is a breadcrumb on most pages, rows that cannot be verified (pages not captured) are believed less.
    sure = np.where(verified | (runs.length == 1), sure, UNVERIFIED * sure)
    # A place that mostly holds a single link is that of a logo, even if a trail stands there on some pages.
    is_long = _share(runs.place, runs.length > 1, int(runs.place.max()) + 1)[runs.place]
    sure = np.where(runs.length == 1, sure * np.minimum(1.0, 2 * is_long), sure)
    chosen = np.flatnonzero(leads & ((trust >= MIN_TRUST) | (sure >= MIN_TRUST)))
    return Ways(runs.page[chosen], runs.last[chosen], sure[chosen])


def _begins_outside(runs: "_Runs", above: Ints) -> Flags:
    """Tell which rows lead from pages of other sites, which cannot be asked, to a first page of this one.

    A row of links to other sites and one page looks the same, but no page is told to lie below the pages that show it.
    """
    begins = (above >= 0) & runs.is_outside[np.maximum(above, 0)] & (runs.last >= 0)
    goes_on = (above >= 0) & begins[np.maximum(above, 0)]
    places = int(runs.place.max()) + 1
    kept: Flags = begins & (np.bincount(runs.place[goes_on], minlength=places) >= MIN_FURTHER)[runs.place]
    return kept


def _is_everywhere(runs: "_Runs", count: int) -> Flags:
    """Tell which rows end on nearly all pages of the site in one page: in the licence, in one of two lists."""
    _, end, uses = np.unique(runs.place * (count + 1) + runs.last, return_inverse=True, return_counts=True)
    is_everywhere: Flags = uses[end] > max(ONE_END * count, ONE_END_PAGES)
    return is_everywhere


def _trust(runs: "_Runs", verified: Flags) -> Floats:
    """Return for each place the share of its longer rows that are verified; 0 for places that hold several rows a page.

    A row of one link proves nothing by itself: its place must hold longer rows that are verified.
    """
    places = int(runs.place.max()) + 1
    is_long = runs.length > 1
    share: Floats = np.bincount(runs.place[verified & is_long], minlength=places) / np.maximum(
        np.bincount(runs.place[is_long], minlength=places), 1
    )
    width = int(runs.page.max()) + 1
    pages = distinct(runs.place * width + runs.page) // width
    rows_a_page = np.bincount(runs.place, minlength=places) / np.maximum(np.bincount(pages, minlength=places), 1)
    trusted: Floats = np.where(rows_a_page <= MAX_ROWS_A_PAGE, share, 0.0)
    return trusted


class _Index:
    """Finds the first row that has a key."""

    def __init__(self, keys: NDArray[np.uint64]) -> None:
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def find(self, wanted: NDArray[np.uint64]) -> Ints:
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[at] == wanted, self._order[at], -1)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Rows of links in one segment at one DOM path; a link to the page itself at the end is left off."""

    page: Ints
    path: Ints  # number of the DOM path of its links
    place: Ints  # number of that path and the path of the segment together
    length: Ints
    first: Ints  # row of the page its first link leads to; -1 = unknown
    last: Ints
    is_outside: Flags  # none of its links leads to a page of the site
    opening: NDArray[np.uint64]  # digest of the first target alone
    second: NDArray[np.uint64]  # of the second target, as if it were alone
    digest: NDArray[np.uint64]  # of its targets in order
    before_last: NDArray[np.uint64]  # of all but the last
    shown: NDArray[np.uint64]  # keys of all links of all rows: page, place and target


def _runs(web: SiteWeb) -> _Runs:
    links = web.links
    # All links of a segment at one path, not only neighbours: a menu that dresses the current item in another way falls
    # into two pieces, of which the first would look like a trail.
    on_page = np.flatnonzero(~links.in_head)
    on_page = on_page[np.lexsort((on_page, links.path[on_page], links.segment[on_page], links.page[on_page]))]
    page, path, segment = links.page[on_page], links.path[on_page], links.segment[on_page]
    target, target_id = links.target[on_page], links.target_id[on_page]
    if not len(on_page):
        empty, words = np.zeros(0, np.int64), np.zeros(0, np.uint64)
        no = np.zeros(0, np.bool_)
        return _Runs(empty, empty, empty, empty, empty, empty, no, words, words, words, words, words)
    differs = (page[1:] != page[:-1]) | (path[1:] != path[:-1]) | (segment[1:] != segment[:-1])
    starts = np.concatenate([[True], differs])
    first = np.flatnonzero(starts)
    number = np.cumsum(starts) - 1
    length = np.diff(np.concatenate([first, [len(on_page)]]))
    short = length <= MAX_TRAIL + 1
    end = first + length - 1
    # A trail may print the page itself as its last link.
    ends_with_self = target[end] == page[end]
    length = length - ends_with_self
    end = end - ends_with_self
    word = _word(target_id, np.arange(len(on_page)) - first[number])
    alone = _word(target_id, np.zeros(len(on_page), np.int64))
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(word, dtype=np.uint64)])
    inside = np.concatenate([[0], np.cumsum(target >= 0)])
    kept = np.flatnonzero(short & (length >= 1))
    width = int(links.container.max()) + 2
    _, place = numbered(path[first] * width + links.container[on_page][first] + 1)
    in_short = short[number]
    shown = distinct(_row_key(page[in_short], place[number[in_short]], alone[in_short]))
    first, end, length, place = first[kept], end[kept], length[kept], place[kept]
    return _Runs(
        page=page[first],
        path=path[first],
        place=place,
        length=length,
        first=target[first],
        last=target[end],
        is_outside=inside[end + 1] == inside[first],
        opening=word[first],
        second=alone[np.minimum(first + 1, end)],
        digest=total[end + 1] - total[first],
        before_last=total[end] - total[first],
        shown=shown,
    )


def _word(target: Ints, place: Ints) -> NDArray[np.uint64]:
    word = (target.astype(np.uint64) * _PRIME) ^ ((place + 1).astype(np.uint64) * np.uint64(0xD1B54A32D192ED03))
    mixed: NDArray[np.uint64] = (word ^ (word >> np.uint64(29))) * _PRIME
    return mixed


def _row_key(page: Ints, path: Ints, digest: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = page.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9) ^ path.astype(np.uint64) * np.uint64(
        0x94D049BB133111EB
    )
    return (digest ^ mixed) * _PRIME


def role_links(web: SiteWeb, pairs: Ints, linked: Ints) -> Ways:
    """Find links whose role is to lead up."""
    links = web.links
    usable = np.flatnonzero(~links.in_head & ~links.has_fragment)
    by_label = links.path[usable] * max(len(web.labels), 1) + links.label[usable]
    by_place = -1 - links.path[usable]
    found = [_roles(web, usable, role, pairs, linked) for role in (by_label, by_place)]
    return Ways(
        np.concatenate([one.page for one in found]),
        np.concatenate([one.above for one in found]),
        np.concatenate([one.belief for one in found]),
    )


def _roles(web: SiteWeb, usable: Ints, role: Ints, pairs: Ints, linked: Ints) -> Ways:
    links = web.links
    count = max(len(web), 1)
    none = Ways(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    _, role = numbered(role)
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
    image = distinct(role * count + target)
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
    # What stands above is linked at least as often as what stands below: in a role as a rule, and each page by itself,
    # for pages that every footer has are no details of what they happen to link.
    role_share *= _share(role, linked[target] >= linked[page], role_count) ** 2
    # Share of the targets that play the role themselves; the top page does not.
    image = distinct(role * count + target)
    plays = np.isin(image, code)
    image_role = image // count
    playing = np.bincount(image_role, weights=plays, minlength=role_count) / np.maximum(
        np.bincount(image_role, minlength=role_count) - 1, 1
    )
    belief = role_share[role] * np.minimum(playing, 1.0)[role] * np.where(back, 1.0, 0.3)
    belief *= np.minimum((linked[target] + 1) / (linked[page] + 1), 1.0)
    # Nor does a page of the main navigation, which all pages link, hang elsewhere than below the entry page.
    belief *= 1.0 - (linked[page] / max(count - 1, 1)) ** NAVIGATION_POWER
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
