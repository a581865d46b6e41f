"""How one line of a table contrasts with the lines below it: the specification of ``contrast.pyx``.

A table is a stack of planes of equal size, one entry a slot; `sitestrata.partition.tables.look` tells what they mean.
"""

from itertools import compress

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

(
    CELL,
    KIND,
    LENGTH,
    SHAPE,
    WORDS,
    MARKED,
    BOLD,
    LINKED,
    COLON,
    SPANNED,
    STRETCHED,
    HEAD,
    SCOPED,
    CROSS_SCOPED,
) = range(14)
PLANES = 14
FEATURES = 23
EMPTY, TEXT, VALUE, NUMBER = 0, 1, 2, 4  # values are dates, times, and then numbers of four sorts

CONSISTENT = 0.7  # share of cells with one shape
BRIEF = 60  # characters
LONGEST_RATIO = 3.0  # of lengths, natural logarithm


def line_contrast(planes: Ints, line: int) -> Floats:
    """Compare one row with the rows below it; the rows above it are taken to be headers."""
    features = np.zeros(FEATURES)
    if line >= planes.shape[1] or planes.shape[2] == 0:
        return features
    look = planes[:, line:]
    kind, shape, words, length, cell = (look[plane] for plane in (KIND, SHAPE, WORDS, LENGTH, CELL))
    shown = kind[0] != EMPTY
    below = kind[1:] != EMPTY
    n_shown = max(int(shown.sum()), 1)
    n_below = max(int(below.sum()), 1)

    def shares(plane: int) -> tuple[float, float]:
        """Return the share among the shown cells of the first row, and among those below."""
        flags = look[plane] != 0
        return float((flags[0] & shown).sum()) / n_shown, float((flags[1:] & below).sum()) / n_below

    marked, marked_below = shares(MARKED)
    bold, bold_below = shares(BOLD)
    linked, linked_below = shares(LINKED)
    dominant, agreement = _dominant(kind[1:], below)
    shape_dominant, shape_agreement = _dominant(shape[1:], below)
    has_below = below.any(axis=0)
    both = shown & has_below
    n_both = max(int(both.sum()), 1)
    alike_below = (shape[0] == shape_dominant) & (shape_agreement >= 0.5)
    unlike_below = (shape[0] != shape_dominant) & (shape_agreement >= CONSISTENT) & (below.sum(axis=0) > 1)
    unlike_below &= kind[0] == TEXT
    values_below = (dominant >= VALUE) & (agreement >= 0.5) & has_below
    median = np.log1p(_median(length[1:], below))
    difference = np.clip(median - np.log1p(length[0]), -LONGEST_RATIO, LONGEST_RATIO)[both]
    repeated = (words[1:] == words[0]) & below & (cell[1:] != cell[0])
    distinct = len(set(words[0][shown].tolist())) / max(len(set(cell[0][shown].tolist())), 1)
    columns = len(shown)
    features[:] = (
        marked,
        marked - marked_below,
        shares(SCOPED)[0],
        float((look[HEAD, 0] != 0).any()),
        bold - bold_below,
        max(linked_below - linked, 0.0),
        float((values_below & (kind[0] == TEXT)).sum()) / n_both,
        float((both & alike_below & (kind[0] == dominant)).sum()) / n_both,
        float((both & unlike_below).sum()) / n_both,
        float((kind[0] >= NUMBER).sum()) / n_shown,
        float((look[COLON, 0] != 0).sum()) / n_shown,
        float(np.maximum(difference, 0).sum()) / n_both,
        float(np.maximum(-difference, 0).sum()) / n_both,
        float(repeated.any(axis=0).sum()) / n_both,
        distinct,
        1.0 - int(shown.sum()) / columns,
        float(columns > 1 and not shown[0] and int(shown[1:].sum()) / (columns - 1) > 0.7),
        float(len(kind) < 3),
        _varied(words[1:], below),
        float(length[0].max() <= BRIEF),
        float(line > 0),
        *(_under(planes, line) if line else (0.0, 0.0)),
    )
    return features


def _under(planes: Ints, line: int) -> tuple[float, float]:
    """Return the shares of a row's slots below a spanning header cell, and inside a cell of the row above."""
    cell, spanned = planes[CELL], planes[SPANNED]
    inside = cell[line] == cell[line - 1]
    grouped = ~inside & (spanned[line - 1] > 1) & (spanned[line] < spanned[line - 1])
    return int(grouped.sum()) / len(inside), int((inside & (cell[line] >= 0)).sum()) / len(inside)


def _dominant(values: Ints, shown: Flags) -> tuple[Ints, Floats]:
    """Return, column by column, the most frequent of the shown values (the smaller of equals) and its share."""
    best, share = [], []
    for line, flags in zip(values.T.tolist(), shown.T.tolist(), strict=True):
        some = list(compress(line, flags))
        value = min(set(some), key=lambda one: (-some.count(one), one), default=-1)
        best.append(value)
        share.append(some.count(value) / max(len(some), 1))
    return np.array(best, dtype=np.int32), np.array(share)


def _median(values: Ints, shown: Flags) -> Floats:
    medians = []
    for line, flags in zip(values.T.tolist(), shown.T.tolist(), strict=True):
        some = sorted(compress(line, flags))
        middle = len(some) // 2
        medians.append((some[middle] if len(some) % 2 else (some[middle - 1] + some[middle]) / 2) if some else 0.0)
    return np.array(medians)


def _varied(words: Ints, shown: Flags) -> float:
    """Return the mean share of distinct texts in the columns."""
    shares = []
    for line, flags in zip(words.T.tolist(), shown.T.tolist(), strict=True):
        some = list(compress(line, flags))
        if len(some) > 1:
            shares.append(len(set(some)) / len(some))
    return sum(shares) / len(shares) if shares else 0.0
