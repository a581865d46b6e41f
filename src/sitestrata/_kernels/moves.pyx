"""Move single nodes between parts while the sum of votes inside parts grows; twin: ``moves_twin.py``."""

import numpy as np

cimport numpy as cnp

cnp.import_array()


def move_nodes(
    const cnp.int64_t[::1] indptr,
    const cnp.int64_t[::1] indices,
    const double[::1] votes,
    cnp.int64_t[::1] part,
    int max_passes,
):
    """Move nodes in place, in order of their number, and return how many moves were made."""
    cdef Py_ssize_t node_count = part.shape[0]
    cdef cnp.int64_t[::1] size = np.bincount(np.asarray(part), minlength=node_count).astype(np.int64)
    cdef double[::1] pull = np.zeros(node_count, np.float64)
    cdef cnp.uint8_t[::1] seen = np.zeros(node_count, np.uint8)
    cdef cnp.int64_t[::1] touched = np.zeros(node_count, np.int64)
    cdef Py_ssize_t node, edge, k, touched_count, moves = 0, moved
    cdef cnp.int64_t home, other, best, empty = 0  # all parts before ``empty`` have nodes
    cdef double best_pull, stay
    cdef int turn
    with nogil:
        for turn in range(max_passes):
            moved = 0
            for node in range(node_count):
                home = part[node]
                touched_count = 0
                for edge in range(indptr[node], indptr[node + 1]):
                    other = part[indices[edge]]
                    if not seen[other]:
                        seen[other] = 1
                        touched[touched_count] = other
                        touched_count += 1
                    pull[other] += votes[edge]
                stay = pull[home] if seen[home] else 0.0
                best = home
                best_pull = stay
                for k in range(touched_count):
                    other = touched[k]
                    if pull[other] > best_pull + 1e-9 or (pull[other] == best_pull and other < best and best != home):
                        best = other
                        best_pull = pull[other]
                for k in range(touched_count):
                    pull[touched[k]] = 0.0
                    seen[touched[k]] = 0
                if best_pull < -1e-9 and size[home] > 1:
                    while size[empty] != 0:
                        empty += 1
                    best = empty
                if best != home:
                    part[node] = best
                    size[home] -= 1
                    if size[home] == 0 and home < empty:
                        empty = home
                    size[best] += 1
                    moved += 1
            moves += moved
            if moved == 0:
                break
    return moves
