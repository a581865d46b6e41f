"""All maximal cliques of a graph by Bron-Kerbosch on bit sets; twin: ``cliques_twin.py``."""

import numpy as np

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

cnp.import_array()

cdef extern from *:
    """
    #define count_bits(x) __builtin_popcountll(x)
    #define low_bit(x) __builtin_ctzll(x)
    """
    int count_bits(uint64_t) noexcept nogil
    int low_bit(uint64_t) noexcept nogil


cdef struct Found:
    int64_t *first
    int32_t *members
    Py_ssize_t cliques
    Py_ssize_t size
    Py_ssize_t clique_room
    Py_ssize_t member_room


def maximal_cliques(
    const int64_t[::1] indptr, const int32_t[::1] indices, int min_size, int64_t max_cliques, int64_t max_steps
):
    """Return where each clique begins, the members of all, and whether all were found within the limits."""
    cdef Py_ssize_t count = indptr.shape[0] - 1
    cdef int32_t[::1] order = np.empty(max(count, 1), np.int32)
    cdef int32_t[::1] place = np.empty(max(count, 1), np.int32)
    cdef Py_ssize_t widest = 0, node
    cdef Found found
    cdef bint is_complete
    for node in range(count):
        widest = max(widest, indptr[node + 1] - indptr[node])
    _degeneracy(indptr, indices, order, place, widest)
    memset(&found, 0, sizeof(Found))
    try:
        found.clique_room = 64
        found.member_room = 512
        found.first = <int64_t *> malloc(found.clique_room * sizeof(int64_t))
        found.members = <int32_t *> malloc(found.member_room * sizeof(int32_t))
        if found.first == NULL or found.members == NULL:
            raise MemoryError
        found.first[0] = 0
        with nogil:
            is_complete = _search(indptr, indices, order, place, widest, min_size, max_cliques, max_steps, &found)
        first = np.empty(found.cliques + 1, np.int64)
        members = np.empty(found.size, np.int32)
        memcpy(cnp.PyArray_DATA(first), found.first, (found.cliques + 1) * sizeof(int64_t))
        if found.size:
            memcpy(cnp.PyArray_DATA(members), found.members, found.size * sizeof(int32_t))
        return first, members, bool(is_complete)
    finally:
        free(found.first)
        free(found.members)


cdef _degeneracy(
    const int64_t[::1] indptr, const int32_t[::1] indices, int32_t[::1] order, int32_t[::1] place, Py_ssize_t widest
):
    cdef Py_ssize_t count = indptr.shape[0] - 1, k, edge, head
    cdef int32_t node, other, swap
    cdef int32_t[::1] by_degree
    cdef int32_t[::1] degree = np.diff(np.asarray(indptr)).astype(np.int32)
    cdef int64_t[::1] start = np.zeros(widest + 2, np.int64)
    if count == 0:
        return
    for k in range(count):
        start[degree[k] + 1] += 1
    for k in range(widest + 1):
        start[k + 1] += start[k]
    by_degree = np.argsort(np.asarray(degree), kind="stable").astype(np.int32)
    for k in range(count):
        order[k] = by_degree[k]
    for k in range(count):
        place[order[k]] = <int32_t> k
    for k in range(count):
        node = order[k]
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if degree[other] > degree[node]:
                head = start[degree[other]]
                swap = order[head]
                order[place[other]] = swap
                order[head] = other
                place[swap] = place[other]
                place[other] = <int32_t> head
                start[degree[other]] += 1
                degree[other] -= 1


cdef bint _search(
    const int64_t[::1] indptr,
    const int32_t[::1] indices,
    const int32_t[::1] order,
    const int32_t[::1] place,
    Py_ssize_t widest,
    int min_size,
    int64_t max_cliques,
    int64_t max_steps,
    Found *found,
) noexcept nogil:
    """Search below every node in turn; a level of the stack holds P, X and the branches left, all as bit sets."""
    cdef Py_ssize_t count = indptr.shape[0] - 1, turn, near, words, k, i, j, depth, levels, word
    cdef Py_ssize_t most_words = (widest + 63) // 64
    cdef int64_t steps = 0
    cdef int32_t node, other
    cdef uint64_t *adjacent = NULL
    cdef uint64_t *stack = NULL
    cdef uint64_t *p
    cdef uint64_t *x
    cdef uint64_t *left
    cdef uint64_t *row
    cdef uint64_t *next_p
    cdef int32_t *chosen = NULL
    cdef int32_t *number = NULL
    cdef bint is_complete = True, any_x
    cdef Py_ssize_t size_p, best, most, now, branch
    cdef uint64_t bits
    number = <int32_t *> malloc(max(count, 1) * sizeof(int32_t))
    chosen = <int32_t *> malloc((widest + 2) * sizeof(int32_t))
    if number == NULL or chosen == NULL:
        free(number)
        free(chosen)
        return False
    for k in range(count):
        number[k] = -1
    for turn in range(count):
        node = order[turn]
        near = indptr[node + 1] - indptr[node]
        if near + 1 < min_size:
            continue
        words = max((near + 63) // 64, 1)
        # A clique below this node has at most as many further members as it has later neighbours.
        levels = 2
        for k in range(indptr[node], indptr[node + 1]):
            if place[indices[k]] > turn:
                levels += 1
        adjacent = <uint64_t *> realloc(adjacent, max(near, 1) * words * sizeof(uint64_t))
        stack = <uint64_t *> realloc(stack, levels * 3 * words * sizeof(uint64_t))
        if adjacent == NULL or stack == NULL:
            is_complete = False
            break
        memset(adjacent, 0, max(near, 1) * words * sizeof(uint64_t))
        for k in range(near):
            number[indices[indptr[node] + k]] = <int32_t> k
        for k in range(near):
            other = indices[indptr[node] + k]
            row = adjacent + k * words
            for i in range(indptr[other], indptr[other + 1]):
                j = number[indices[i]]
                if j >= 0:
                    row[j >> 6] |= (<uint64_t> 1) << (j & 63)
        for k in range(near):
            number[indices[indptr[node] + k]] = -1
        p = stack
        x = p + words
        memset(p, 0, 2 * words * sizeof(uint64_t))
        for k in range(near):
            if place[indices[indptr[node] + k]] > turn:
                p[k >> 6] |= (<uint64_t> 1) << (k & 63)
            else:
                x[k >> 6] |= (<uint64_t> 1) << (k & 63)
        depth = 0
        branch = -1  # -1: the level has just been entered
        while depth >= 0:
            p = stack + depth * 3 * words
            x = p + words
            left = x + words
            if branch == -1:
                steps += 1
                if steps > max_steps:
                    is_complete = False
                    break
                size_p = 0
                any_x = False
                for word in range(words):
                    size_p += count_bits(p[word])
                    any_x = any_x or x[word] != 0
                if size_p == 0:
                    if not any_x and depth + 1 >= min_size:
                        if found.cliques >= max_cliques or not _keep(found, indptr, indices, node, chosen, depth):
                            is_complete = False
                            break
                    depth -= 1
                    branch = 0
                    continue
                if depth + 1 + size_p < min_size:
                    depth -= 1
                    branch = 0
                    continue
                best = 0
                most = -1
                for word in range(words):
                    bits = p[word] | x[word]
                    while bits:
                        k = word * 64 + low_bit(bits)
                        bits &= bits - 1
                        row = adjacent + k * words
                        now = 0
                        for i in range(words):
                            now += count_bits(p[i] & row[i])
                        if now > most:
                            most = now
                            best = k
                row = adjacent + best * words
                for word in range(words):
                    left[word] = p[word] & ~row[word]
            # Take the next branch, if there is one.
            k = -1
            for word in range(words):
                if left[word]:
                    k = word * 64 + low_bit(left[word])
                    left[word] &= left[word] - 1
                    break
            if k < 0:
                depth -= 1
                branch = 0
                continue
            row = adjacent + k * words
            next_p = stack + (depth + 1) * 3 * words
            for word in range(words):
                next_p[word] = p[word] & row[word]
                next_p[words + word] = x[word] & row[word]
            p[k >> 6] &= ~((<uint64_t> 1) << (k & 63))
            x[k >> 6] |= (<uint64_t> 1) << (k & 63)
            chosen[depth] = <int32_t> k
            depth += 1
            branch = -1
        if not is_complete:
            break
    free(number)
    free(chosen)
    free(adjacent)
    free(stack)
    return is_complete


cdef bint _keep(
    Found *found,
    const int64_t[::1] indptr,
    const int32_t[::1] indices,
    int32_t node,
    const int32_t *chosen,
    Py_ssize_t depth,
) noexcept nogil:
    """Store a clique, sorted; say whether there was memory for it."""
    cdef Py_ssize_t k, j, begin
    cdef int32_t value
    cdef void *room
    if found.cliques + 2 > found.clique_room:
        room = realloc(found.first, 2 * found.clique_room * sizeof(int64_t))
        if room == NULL:
            return False
        found.first = <int64_t *> room
        found.clique_room *= 2
    while found.size + depth + 1 > found.member_room:
        room = realloc(found.members, 2 * found.member_room * sizeof(int32_t))
        if room == NULL:
            return False
        found.members = <int32_t *> room
        found.member_room *= 2
    begin = found.size
    found.members[begin] = node
    for k in range(depth):
        value = indices[indptr[node] + chosen[k]]
        j = begin + k + 1
        while j > begin and found.members[j - 1] > value:
            found.members[j] = found.members[j - 1]
            j -= 1
        found.members[j] = value
    found.size += depth + 1
    found.cliques += 1
    found.first[found.cliques] = found.size
    return True
