"""Finds which strands of links form one menu, as the segments of pages hold them; twin: ``containers_twin.py``."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc, qsort

import numpy as np

ITEM, LIST = 1, 2

cdef enum:
    _ITEM = 1
    _LIST = 2
    _MIN_PANELS = 2
    _MIN_SINGLES = 2
cdef double _SAME_SPREAD = 0.8
cdef double _SAME_STEP = 0.8
cdef double _STATIC = 0.8
cdef double _GUEST_SPREAD = 0.5
cdef double _GUEST_HOME = 0.5


cdef struct Part:
    int64_t strand
    int64_t pages
    int64_t links
    int64_t static
    bint is_whole
    bint is_guest


cdef struct Spread:
    int64_t pages
    int64_t links


cdef struct Kinds:
    const int32_t *tag
    const uint8_t *meaning
    const int32_t *first_class
    const int32_t *classes
    const int32_t *name


cdef int _by_pages(const void *one, const void *other) noexcept nogil:
    cdef int64_t a = (<const Spread *> one).pages
    cdef int64_t b = (<const Spread *> other).pages
    return (a > b) - (a < b)


cdef int _by_value(const void *one, const void *other) noexcept nogil:
    cdef int32_t a = (<const int32_t *> one)[0]
    cdef int32_t b = (<const int32_t *> other)[0]
    return (a > b) - (a < b)


cdef inline bint _is_same(int64_t one, int64_t other) noexcept nogil:
    return <double> min(one, other) >= _SAME_SPREAD * <double> max(one, other)


cdef int64_t _find(int64_t *root, int64_t strand) noexcept nogil:
    while root[strand] != strand:
        root[strand] = root[root[strand]]
        strand = root[strand]
    return strand


cdef int64_t _unite(int64_t *root, int64_t one, int64_t other) noexcept nogil:
    if one < 0 or other < 0:
        return max(one, other)
    one = _find(root, one)
    other = _find(root, other)
    root[max(one, other)] = min(one, other)
    return min(one, other)


cdef int64_t _common_spread(Spread *parts, Py_ssize_t count) noexcept nogil:
    """The number of pages that most links nearly have; of equals the larger one. Sorts the parts."""
    cdef Py_ssize_t at, distinct = 0, low = 0, high = 0
    cdef int64_t total = 0, best = -1, pages = 0
    qsort(parts, count, sizeof(Spread), _by_pages)
    for at in range(count):
        if distinct and parts[distinct - 1].pages == parts[at].pages:
            parts[distinct - 1].links += parts[at].links
        else:
            parts[distinct] = parts[at]
            distinct += 1
    # The numbers that are nearly the same as one lie around it, and move along with it.
    for at in range(distinct):
        while high < distinct and (high <= at or _is_same(parts[high].pages, parts[at].pages)):
            total += parts[high].links
            high += 1
        while not _is_same(parts[low].pages, parts[at].pages):
            total -= parts[low].links
            low += 1
        if total >= best:
            best = total
            pages = parts[at].pages
    return pages


cdef bint _is_like(Kinds *kinds, int32_t one, int32_t other) noexcept nogil:
    if kinds.tag[one] != kinds.tag[other]:
        return False
    if kinds.meaning[kinds.tag[one]] == _ITEM:
        return True
    cdef int32_t i = kinds.first_class[one], j = kinds.first_class[other]
    cdef int32_t i_end = kinds.first_class[one + 1], j_end = kinds.first_class[other + 1]
    if i == i_end and j == j_end:
        return kinds.name[one] == kinds.name[other]
    while i < i_end and j < j_end:
        if kinds.classes[i] == kinds.classes[j]:
            return True
        if kinds.classes[i] < kinds.classes[j]:
            i += 1
        else:
            j += 1
    return False


cdef int32_t _commonest(const int32_t *values, Py_ssize_t count) noexcept nogil:
    """The commonest of some sorted values, of equals the smallest."""
    cdef Py_ssize_t at = 0, begin, longest = 0
    cdef int32_t found = -1
    while at < count:
        begin = at
        while at < count and values[at] == values[begin]:
            at += 1
        if at - begin > longest:
            longest = at - begin
            found = values[begin]
    return found


cdef bint _are_alike(Kinds *kinds, const int32_t *steps, Py_ssize_t count, int32_t *room) noexcept nogil:
    cdef Py_ssize_t at, begin, alike = 0
    cdef int32_t first
    for at in range(count):
        room[at] = steps[at]
    qsort(room, count, sizeof(int32_t), _by_value)
    first = _commonest(room, count)
    at = 0
    while at < count:
        begin = at
        while at < count and room[at] == room[begin]:
            at += 1
        if _is_like(kinds, first, room[begin]):
            alike += at - begin
    return <double> alike >= _SAME_STEP * <double> count


cdef uint8_t _meaning_of(Kinds *kinds, const int32_t *steps, Py_ssize_t count, int32_t *room) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(count):
        room[at] = kinds.tag[steps[at]]
    qsort(room, count, sizeof(int32_t), _by_value)
    return kinds.meaning[_commonest(room, count)]


def join_strands(
    const int32_t[:] parent,
    const uint8_t[:] meaning,
    const int32_t[:] segment_kind,
    const uint8_t[:] segment_named,
    const int64_t[:] first_link,
    const int64_t[:] strand,
    const int64_t[:] pages,
    const double[:] home_share,
    const int32_t[:] link_kind,
    const uint8_t[:] link_named,
    const int32_t[::1] kind_tag,
    const uint8_t[::1] tag_meaning,
    const int32_t[::1] first_class,
    const int32_t[::1] classes,
    const int32_t[::1] kind_name,
    int64_t strand_count,
):
    cdef Py_ssize_t count = parent.shape[0], segment, child, at, most = 0
    roots = np.arange(strand_count, dtype=np.int64)
    if not count or not strand_count:
        return roots
    cdef int64_t[::1] root_view = roots
    cdef int64_t *root = &root_view[0]
    cdef Kinds kinds
    kinds.tag = &kind_tag[0]
    kinds.meaning = &tag_meaning[0]
    kinds.first_class = &first_class[0]
    kinds.classes = &classes[0] if classes.shape[0] else NULL
    kinds.name = &kind_name[0]
    # The children of each segment, first to last.
    cdef int32_t[::1] eldest = np.full(count, -1, np.int32)
    cdef int32_t[::1] sibling = np.full(count, -1, np.int32)
    cdef int64_t[::1] size = np.zeros(count, np.int64)
    cdef int32_t[::1] seen_in = np.full(kind_tag.shape[0], -1, np.int32)  # the last segment with a kind of child
    for segment in range(count - 1, -1, -1):
        size[segment] += first_link[segment + 1] - first_link[segment]
        if parent[segment] >= 0:
            sibling[segment] = eldest[parent[segment]]
            eldest[parent[segment]] = <int32_t> segment
            size[parent[segment]] += 1
    for segment in range(count):
        most = max(most, <Py_ssize_t> size[segment])
    cdef Part *parts = <Part *> malloc(count * sizeof(Part))
    cdef Spread *spreads = <Spread *> malloc((most + 1) * sizeof(Spread))
    cdef int32_t *steps = <int32_t *> malloc((2 * most + 2) * sizeof(int32_t))
    if parts == NULL or spreads == NULL or steps == NULL:
        free(parts)
        free(spreads)
        free(steps)
        raise MemoryError
    cdef int32_t *room = steps + most + 1
    cdef Part *part
    cdef Part bar
    cdef int64_t link, begin, end, static, chosen, wider, common
    cdef double shares, least
    cdef Py_ssize_t whole, inner, lists, singles, inside, everything, first_single
    cdef bint is_guest, is_list, is_apart, takes_wider, named, lists_named, has_guest, is_mixed, is_region, hangs, fits
    with nogil:
        for segment in range(count - 1, -1, -1):
            begin = first_link[segment]
            end = first_link[segment + 1]
            part = &parts[segment]
            part.strand = -1
            part.pages = 0
            part.links = end - begin
            part.static = 0
            part.is_whole = False
            part.is_guest = False
            static = 0
            for link in range(begin, end):
                static += strand[link] >= 0
            part.static = static
            inner = 0
            whole = 0
            child = eldest[segment]
            while child >= 0:
                part.links += parts[child].links
                part.static += parts[child].static
                inner += parts[child].links > 0
                whole += parts[child].links > 0 and parts[child].is_whole
                child = sibling[child]
            if not part.static:
                continue
            # The direct links that are most widespread.
            bar.strand = -1
            bar.pages = 0
            bar.links = 0
            bar.is_guest = False
            if static:
                at = 0
                shares = 0.0
                for link in range(begin, end):
                    if strand[link] >= 0:
                        spreads[at].pages = pages[link]
                        spreads[at].links = 1
                        shares += home_share[link]
                        at += 1
                common = _common_spread(spreads, at)
                is_guest = shares < _GUEST_HOME * <double> static
                least = _GUEST_SPREAD if is_guest else _SAME_SPREAD
                chosen = 0
                wider = 0
                for link in range(begin, end):
                    if strand[link] >= 0:
                        chosen += <double> min(pages[link], common) >= least * <double> max(pages[link], common)
                        wider += pages[link] > common and least * <double> pages[link] > <double> common
                takes_wider = 2 * wider <= chosen
                bar.pages = common
                bar.is_guest = True
                for link in range(begin, end):
                    if strand[link] < 0:
                        continue
                    fits = <double> min(pages[link], common) >= least * <double> max(pages[link], common)
                    if takes_wider and pages[link] > common and least * <double> pages[link] > <double> common:
                        fits = True
                    if fits:
                        bar.links += 1
                        bar.strand = _unite(root, bar.strand, strand[link])
                        if is_guest:
                            bar.pages = min(bar.pages, pages[link])
                        if not home_share[link] < _GUEST_HOME:
                            bar.is_guest = False
            # How widespread the whole is.
            if bar.links > 1 or not whole:
                part.pages = bar.pages
            else:
                spreads[0].pages = bar.pages
                spreads[0].links = bar.links
                at = 1
                child = eldest[segment]
                while child >= 0:
                    if parts[child].links and parts[child].is_whole:
                        spreads[at].pages = parts[child].pages
                        spreads[at].links = parts[child].links
                        at += 1
                    child = sibling[child]
                part.pages = _common_spread(spreads, at)
            if not part.pages:
                continue
            # A list: lists first, then single links.
            lists = 0
            named = False
            has_guest = False
            child = eldest[segment]
            while child >= 0:
                if parts[child].links > 1:
                    steps[lists] = segment_kind[child]
                    lists += 1
                    named = named or segment_named[child]
                    has_guest = has_guest or parts[child].is_guest
                child = sibling[child]
            lists_named = named
            singles = lists
            child = eldest[segment]
            while child >= 0:
                if parts[child].links == 1:
                    steps[singles] = segment_kind[child]
                    singles += 1
                    named = named or segment_named[child]
                child = sibling[child]
            first_single = singles
            for link in range(begin, end):
                steps[singles] = link_kind[link]
                singles += 1
                named = named or link_named[link]
            # The only link beside lists begins otherwise than they do: a logo.
            is_apart = inner > 0 and meaning[segment] != _LIST
            if is_apart and bar.links == 1:
                for at in range(first_single):
                    seen_in[steps[at]] = <int32_t> segment
                for at in range(first_single, singles):
                    if seen_in[steps[at]] == segment:
                        is_apart = False
            singles -= lists
            is_list = inner == 0 or meaning[segment] == _LIST
            if not is_list:
                is_list = _are_alike(&kinds, steps, lists + singles, room) and (
                    _meaning_of(&kinds, steps, lists + singles, room) or singles >= lists or named
                )
            if not is_list and lists >= 2:
                is_mixed = singles > _MIN_SINGLES and _are_alike(&kinds, steps + lists, singles, room)
                is_region = has_guest and lists == 2 and not is_mixed
                if _are_alike(&kinds, steps, lists, room):
                    is_list = (_meaning_of(&kinds, steps, lists, room) or (lists_named and not is_region)) and (
                        singles <= lists + 1 or is_mixed
                    )
                if not is_list:
                    is_list = (
                        not has_guest
                        and not singles
                        and lists > _MIN_PANELS
                        and _are_alike(&kinds, steps + 1, lists - 1, room)
                    )
            if not is_list:
                continue
            # What belongs together.
            inside = 0
            everything = 0
            hangs = False
            part.is_guest = True
            if bar.links:
                everything += 1
                fits = _is_same(bar.pages, part.pages) or (bar.is_guest and bar.pages > part.pages)
                if fits and not (bar.links == 1 and is_apart):
                    inside += 1
                    hangs = bar.links > 1
                    part.strand = _unite(root, part.strand, bar.strand)
                    part.is_guest = bar.is_guest
            whole = 0
            child = eldest[segment]
            while child >= 0:
                if parts[child].links and parts[child].is_whole:
                    whole += 1
                    everything += 1
                    if _is_same(parts[child].pages, part.pages) or (
                        parts[child].is_guest and parts[child].pages > part.pages
                    ):
                        inside += 1
                        part.strand = _unite(root, part.strand, parts[child].strand)
                        part.is_guest = part.is_guest and parts[child].is_guest
                child = sibling[child]
            part.is_whole = (
                <double> part.static >= _STATIC * <double> part.links and (inside == everything or hangs)
            ) or (hangs and whole == inner)
        for at in range(strand_count):
            root[at] = _find(root, at)
    free(parts)
    free(spreads)
    free(steps)
    return roots
