"""One step of MCL, column by column: expand, prune, inflate (twin: mcl_twin.py).

Columns are independent, so each is one thread's work and the result does not depend on their number. A thread adds a
column up in a dense row of n floats, and remembers which rows it touched.
"""

import numpy as np

from cython.parallel cimport parallel, prange, threadid
from libc.math cimport pow
from libc.string cimport memcpy

cdef extern from *:
    """
    #include <stdlib.h>
    typedef struct { float value; int row; } entry;
    /* a before b: larger value first, then smaller row */
    static inline int before(entry a, entry b) {
        return a.value > b.value || (a.value == b.value && a.row < b.row);
    }
    /* Move the k first entries (in the order of `before`) to the front: Hoare's quickselect, all keys differ. */
    static void select_first(entry *e, int n, int k) {
        int lo = 0, hi = n - 1;
        while (lo < hi) {
            entry a = e[lo], b = e[lo + (hi - lo) / 2], c = e[hi], p;
            if (before(a, b)) { p = before(b, c) ? b : (before(a, c) ? c : a); }
            else { p = before(a, c) ? a : (before(b, c) ? c : b); }
            int i = lo, j = hi;
            while (i <= j) {
                while (before(e[i], p)) i++;
                while (before(p, e[j])) j--;
                if (i <= j) { entry s = e[i]; e[i] = e[j]; e[j] = s; i++; j--; }
            }
            if (k - 1 <= j) hi = j;
            else if (k - 1 >= i) lo = i;
            else return;
        }
    }
    /* The last of the n first entries, in the order of `before`. */
    static entry last_of(const entry *e, int n) {
        entry worst = e[0];
        for (int i = 1; i < n; i++) if (before(worst, e[i])) worst = e[i];
        return worst;
    }
    /* Fill e with the touched rows of at least some value, in the order they were touched. */
    static int gather(const float *acc, const int *touched, int m, float least, entry *e) {
        int count = 0;
        for (int i = 0; i < m; i++) {
            entry x = { acc[touched[i]], touched[i] };
            if (x.value >= least) e[count++] = x;
        }
        return count;
    }
    /* Of more than k gathered entries keep the k largest and what ties with the last of them, or just k where more than
       `width` tie; in the order they were touched. */
    static int keep_largest(const float *acc, const int *touched, int m, entry *e, int count, int k, int width) {
        if (count <= k) return count;
        select_first(e, count, k);
        entry worst = last_of(e, k);
        int tied = k;
        for (int i = k; i < count; i++) tied += e[i].value == worst.value;
        if (tied <= width) return gather(acc, touched, m, worst.value, e);
        count = 0;
        for (int i = 0; i < m; i++) {
            entry x = { acc[touched[i]], touched[i] };
            if (!before(worst, x)) e[count++] = x;
        }
        return count;
    }
    /* acc[rows] += w * vals; new rows are appended to touched; returns the new number of touched rows.
       An untouched row holds -1, which no sum of products can. */
    static int add_column(const int *rows, const float *vals, long long len, float w, float *acc, int *touched, int m) {
        for (long long i = 0; i < len; i++) {
            int r = rows[i];
            float old = acc[r];
            if (old < 0.0f) { touched[m++] = r; old = 0.0f; }
            acc[r] = old + w * vals[i];
        }
        return m;
    }
    """
    ctypedef struct entry:
        float value
        int row
    int gather(const float *acc, const int *touched, int m, float least, entry *e) noexcept nogil
    int keep_largest(const float *acc, const int *touched, int m, entry *e, int count, int k, int width) noexcept nogil
    int add_column(const int *rows, const float *vals, long long length, float w, float *acc, int *touched, int m) noexcept nogil

cdef enum:
    BLOCK = 2048  # columns between two moments at which finished columns are packed
    WIDEST = 4  # times the entries to keep that a column may have for ties


cdef int column(
    long long j, const long long[::1] indptr, const int *indices, const float *values,
    double inflation, float cutoff, int select, int recover, double share, int width,
    float *acc, int *touched, entry *pool, int *out_rows, float *out_values, double *chaos, double *kept,
) noexcept nogil:
    """Write the next column j and return its length."""
    cdef long long place, start
    cdef int m = 0, i, above = 0, count, k, alive = 0
    cdef double whole = 0, mass = 0, total = 0, squares = 0, peak = 0, x
    cdef float v
    for place in range(indptr[j], indptr[j + 1]):
        k = indices[place]
        start = indptr[k]
        m = add_column(indices + start, values + start, indptr[k + 1] - start, values[place], acc, touched, m)
    if m == 0:
        return 0
    # Cut: what is large enough stands in the pool.
    for i in range(m):
        v = acc[touched[i]]
        whole += v
        if v >= cutoff:
            mass += v
            pool[above].value = v
            pool[above].row = touched[i]
            above += 1
    if above == 0 or (above < recover and mass < share * whole):
        # Recover: the largest of the whole column.
        count = keep_largest(acc, touched, m, pool, gather(acc, touched, m, 0, pool), max(recover, 1), width)
    else:
        count = keep_largest(acc, touched, m, pool, above, select, width)
        if above > select and count < recover:
            mass = 0
            for i in range(count):
                mass += pool[i].value
            if mass < share * whole:
                # Recover: the largest of what was not cut.
                above = gather(acc, touched, m, cutoff, pool)
                count = keep_largest(acc, touched, m, pool, above, recover, width)
    for i in range(m):
        acc[touched[i]] = -1.0
    mass = 0
    for i in range(count):
        mass += pool[i].value
        if pool[i].value > peak:
            peak = pool[i].value
    kept[0] += mass
    for i in range(count):
        x = pool[i].value / mass
        squares += x * x
    x = peak / mass - squares
    if x > chaos[0]:
        chaos[0] = x
    if inflation == 2.0:
        for i in range(count):
            x = (pool[i].value / mass) / (peak / mass)
            total += x * x
        for i in range(count):
            x = (pool[i].value / mass) / (peak / mass)
            v = <float> (x * x / total)
            if v > 0:
                out_rows[alive] = pool[i].row
                out_values[alive] = v
                alive += 1
    else:
        for i in range(count):
            total += pow((pool[i].value / mass) / (peak / mass), inflation)
        for i in range(count):
            v = <float> (pow((pool[i].value / mass) / (peak / mass), inflation) / total)
            if v > 0:
                out_rows[alive] = pool[i].row
                out_values[alive] = v
                alive += 1
    return alive


def step(
    const long long[::1] indptr, const int[::1] indices, const float[::1] values,
    double inflation, double cutoff, int select, int recover, double share, int threads,
):
    """Return the next matrix, its chaos and the mean mass that pruning kept."""
    cdef long long n = indptr.shape[0] - 1
    cdef int width = WIDEST * max(select, recover, 1)
    cdef long long first, last, j, used = 0, room, t
    cdef int who
    if n == 0 or indices.shape[0] == 0:
        return np.zeros(n + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32), 0.0, 1.0
    if threads < 1:
        threads = 1
    next_indptr = np.zeros(n + 1, np.int64)
    # Reserved, not touched: only the packed part ever becomes resident.
    room = n * max(select, recover, 1)
    next_indices = np.empty(room, np.int32)
    next_values = np.empty(room, np.float32)
    cdef long long[::1] starts = next_indptr
    cdef int[::1] packed_rows = next_indices
    cdef float[::1] packed_values = next_values
    block_rows = np.empty(BLOCK * width, np.int32)
    block_values = np.empty(BLOCK * width, np.float32)
    cdef int[::1] rows_of_block = block_rows
    cdef float[::1] values_of_block = block_values
    lengths_ = np.zeros(BLOCK, np.int32)
    cdef int[::1] lengths = lengths_
    accumulators = np.full((threads, n), -1.0, np.float32)
    touched_ = np.empty((threads, n), np.int32)
    pools = np.empty((threads, n), np.int64)
    # One cache line and more between the threads' own sums.
    chaos_ = np.zeros((threads, 16))
    kept_ = np.zeros(n)
    cdef float[:, ::1] acc = accumulators
    cdef int[:, ::1] touched = touched_
    cdef long long[:, ::1] pool = pools
    cdef double[:, ::1] chaos = chaos_
    cdef double[::1] kept = kept_
    first = 0
    while first < n:
        last = min(first + BLOCK, n)
        with nogil, parallel(num_threads=threads):
            who = threadid()
            for j in prange(first, last, schedule="dynamic", chunksize=16):
                lengths[j - first] = column(
                    j, indptr, &indices[0], &values[0], inflation, cutoff, select, recover, share, width,
                    &acc[who, 0], &touched[who, 0], <entry *> &pool[who, 0],
                    &rows_of_block[(j - first) * width], &values_of_block[(j - first) * width],
                    &chaos[who, 0], &kept[j],
                )
        t = used + int(lengths_.sum())
        if t > room:  # many ties
            room = 2 * t
            next_indices = np.concatenate([next_indices[:used], np.empty(room - used, np.int32)])
            next_values = np.concatenate([next_values[:used], np.empty(room - used, np.float32)])
            packed_rows, packed_values = next_indices, next_values
        for j in range(first, last):
            t = lengths[j - first]
            if t:
                memcpy(&packed_rows[used], &rows_of_block[(j - first) * width], t * sizeof(int))
                memcpy(&packed_values[used], &values_of_block[(j - first) * width], t * sizeof(float))
            used += t
            starts[j + 1] = used
        first = last
    return next_indptr, next_indices[:used], next_values[:used], float(chaos_.max()), float(kept_.mean())
