"""Are the answers of two addresses the same page? Pairs of captured addresses -> verdicts.

``SAME``: nothing the parse tells differs, and the links go to the same places. ``SIMILAR``: the same title and heading,
sizes within a tenth, half of the links in common: what a page with a clock, a counter or a random teaser looks like on
a second visit, but also what two pages of one long list look like; so it supports only rules under which such pairs
are rare. ``DIFFERENT``: anything else. ``UNKNOWN``: there is no content to compare.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata.identity.captured import COUNTS, FILE, MISSING, PAGE, REDIRECT, SILENT, Captured, Ids, positions
from sitestrata.identity.links import SKETCH, LinkSketches
from sitestrata.identity.rules import loosest_path, scope

__all__ = ["DIFFERENT", "SAME", "SIMILAR", "UNKNOWN", "Contents", "follow", "pages_to_sketch"]

DIFFERENT, UNKNOWN, SIMILAR, SAME = -1, 0, 1, 2
_SIZES = [COUNTS.index(name) for name in ("node_count", "link_count", "text_length")]
_MIN_SIZE_RATIO = 0.9  # between two visits of one page; measured on nothing but meant to be tight
_MIN_COMMON_LINKS = 0.5

Verdicts = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that is needed to compare two captured addresses."""

    captured: Captured
    final: Ids  # row where a redirect ends, itself for others; -1 = outside the captures, in a loop, no telling answer
    last: Ids  # row of the last redirect on the way; -1 in a loop; itself for others
    sketches: LinkSketches

    def compare(self, left: Ids, right: Ids) -> Verdicts:
        """Return a verdict for each pair of rows, redirects followed."""
        left, right = self.final[left], self.final[right]
        has_both = (left >= 0) & (right >= 0)
        left, right = np.where(has_both, left, 0), np.where(has_both, right, 0)
        kinds = self.captured.kind[left], self.captured.kind[right]
        verdict = np.full(len(left), DIFFERENT, dtype=np.int8)
        pages = np.flatnonzero((kinds[0] == PAGE) & (kinds[1] == PAGE))
        verdict[pages] = self._compare_pages(left[pages], right[pages])
        digest = self.captured.digest
        verdict[(kinds[0] == FILE) & (kinds[1] == FILE) & (digest[left] == digest[right])] = SAME
        verdict[(kinds[0] == MISSING) & (kinds[1] == MISSING)] = UNKNOWN
        verdict[left == right] = SAME
        verdict[~has_both] = UNKNOWN
        return verdict

    def same_links(self, left: Ids, right: Ids) -> npt.NDArray[np.bool_]:
        """Tell for each pair of rows of pages whether their links go to the same places in the same order."""
        one, other = positions(self.sketches.rows, left), positions(self.sketches.rows, right)
        captured = self.captured
        equal: npt.NDArray[np.bool_] = captured.links_digest[left] == captured.links_digest[right]
        # The same bytes in the same place: every link says the same, but for those back to the page itself.
        equal |= (captured.digest[left] == captured.digest[right]) & (captured.place[left] == captured.place[right])
        if len(self.sketches.rows):
            sequence = self.sketches.sequence
            equal |= (one >= 0) & (other >= 0) & (sequence[one] == sequence[other])
        return equal

    @property
    def has_links(self) -> npt.NDArray[np.bool_]:
        """Tell of each row whether it has links that can agree or disagree: those back to the page itself cannot."""
        has: npt.NDArray[np.bool_] = self.captured.counts[:, COUNTS.index("link_count")] > 0
        has[self.sketches.rows] = self.sketches.others > 0
        return has

    def link_words(self, rows: Ids) -> npt.NDArray[np.uint64]:
        """Return a word for the links of each row by which pages can be sorted so that equal links come together."""
        at = positions(self.sketches.rows, rows)
        words = self.captured.links_digest[rows].astype(np.uint64)
        if len(self.sketches.rows):
            words = np.where(at >= 0, self.sketches.sequence[at], words)
        return words

    def _compare_pages(self, left: Ids, right: Ids) -> Verdicts:
        captured = self.captured
        counts = captured.counts[left], captured.counts[right]
        same_links = self.same_links(left, right)
        same_names = captured.names[left] == captured.names[right]
        is_same = same_names & same_links & (counts[0] == counts[1]).all(axis=1)
        low, high = np.minimum(*counts)[:, _SIZES], np.maximum(*counts)[:, _SIZES]
        is_near = (low >= _MIN_SIZE_RATIO * high).all(axis=1)
        same_bytes = captured.digest[left] == captured.digest[right]  # then other links mean another page
        is_similar = same_names & is_near & (same_links | (self._common_links(left, right) & ~same_bytes))
        return np.where(is_same, SAME, np.where(is_similar, SIMILAR, DIFFERENT)).astype(np.int8)

    def _common_links(self, left: Ids, right: Ids) -> npt.NDArray[np.bool_]:
        one, other = positions(self.sketches.rows, left), positions(self.sketches.rows, right)
        if not len(self.sketches.rows):
            return np.zeros(len(left), dtype=bool)
        minima = self.sketches.minima
        share = (minima[one] == minima[other]).sum(axis=1) / SKETCH
        is_common: npt.NDArray[np.bool_] = (one >= 0) & (other >= 0) & (share >= _MIN_COMMON_LINKS)
        return is_common


def pages_to_sketch(captured: Captured, canonical: Ids) -> Ids:
    """Choose the rows whose links must be read: pages that could be one page but for their links.

    ``canonical`` holds the row of the page that each row of ``captured.canonical`` names, or -1.
    """
    chosen = np.zeros(len(captured.ids), dtype=bool)
    rows = np.flatnonzero(captured.kind == PAGE)
    texts = captured.urls.take(rows).to_pylist()
    paths = np.fromiter((hash(loosest_path(url)) for url in texts), dtype=np.int64, count=len(rows))
    hosts = np.fromiter((hash(scope(url)) for url in texts), dtype=np.int64, count=len(rows))
    for group in (paths, captured.digest[rows] ^ hosts):
        order = np.lexsort((captured.links_digest[rows], captured.names[rows], group))
        key = np.stack([group[order], captured.names[rows][order]])
        links = captured.links_digest[rows][order]
        follows = (key[:, 1:] == key[:, :-1]).all(axis=0)
        start = np.flatnonzero(np.append(True, ~follows)) if len(rows) else np.zeros(0, dtype=np.int64)
        if not len(start):
            continue
        low, high = np.minimum.reduceat(links, start), np.maximum.reduceat(links, start)
        sizes = np.diff(np.append(start, len(rows)))
        chosen[rows[order[np.repeat(low != high, sizes)]]] = True
    here, there = np.asarray(captured.canonical["row"]), canonical
    here, there = here[there >= 0], there[there >= 0]
    differ = captured.links_digest[here] != captured.links_digest[there]
    chosen[here[differ]] = chosen[there[differ]] = True
    return np.flatnonzero(chosen & (captured.kind == PAGE))


def follow(captured: Captured) -> tuple[Ids, Ids]:
    """Follow the redirects inside the captures.

    Returns for each row the row of the last answer (its own where it does not redirect, -1 where the way leads in a
    loop or to no answer that tells anything) and the row of the last redirect on the way (its own for others, -1 in a
    loop).
    """
    rows = np.arange(len(captured.ids))
    is_redirect = captured.kind == REDIRECT
    step = np.where(is_redirect, positions(captured.ids, captured.target), rows)
    leads_on = is_redirect & (step >= 0) & is_redirect[step]
    last = jump = np.where(leads_on, step, rows)
    # Doubling the step each time, every chain of n redirects has ended after log2(n) + 1 rounds; what has not, loops.
    for _ in range(int(leads_on.sum()).bit_length() + 1):
        last = last[last]
    loops = (jump[last] != last) | (is_redirect[last] & (step[last] == last))
    final = np.where(loops, -1, step[last])
    final[(final >= 0) & (captured.kind[final] == SILENT)] = -1
    return final, np.where(loops, -1, last)
