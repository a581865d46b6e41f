"""A grid -> `Look`: arrays of what its slots look like, and how one line contrasts with the others.

Judging a table means comparing lines: a header line differs from what it heads in markup (``th``, bold), in the kind of
value (words over numbers), in length, in links. A `Look` holds these as arrays; `line_features` compares one line with
the rest, and the same code serves rows and columns, because a Look can be turned (`Look.turned`).

Long tables are judged by a sample of their lines: the first ones and evenly spaced others.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, groupby

import numpy as np
import numpy.typing as npt

from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.values import NUMERIC

__all__ = ["LINE_FEATURES", "Look", "line_features", "look_at"]

FIRST_LINES = 24  # always looked at
SHAPED = 48  # characters whose shape is told
SAMPLED_LINES = 48  # beside them, evenly spaced

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

EMPTY, TEXT, NUMBER, DATE = range(4)
_KINDS = {"empty": EMPTY, "text": TEXT, "date": DATE, "time": DATE, **dict.fromkeys(NUMERIC, NUMBER)}


@dataclass(slots=True, eq=False)
class Look:
    """What the slots of the looked-at lines look like; all arrays have one entry a slot."""

    rows: Ints  # which rows of the grid
    columns: Ints
    cell: Ints  # index of the cell; -1 = none
    kind: Ints  # EMPTY, TEXT, NUMBER, DATE
    length: Ints  # characters
    shape: Ints  # number of the text's shape: which classes of characters follow one another
    words: Ints  # number of the text itself, to find repetitions
    marked: Flags  # header by markup
    bold: Flags
    linked: Flags  # all of it is link text
    colon: Flags  # ends in a colon
    spanned: Ints  # slots the cell covers along the line (columns)
    stretched: Ints  # slots the cell covers across the line (rows)
    head: Flags  # row stands in a thead
    scoped: Flags  # the markup says that it heads its column (turned: its row)
    cross_scoped: Flags  # the markup says that it heads its row (turned: its column)

    def turned(self) -> "Look":
        """Return the same with rows and columns exchanged."""
        return Look(
            rows=self.columns,
            columns=self.rows,
            cell=self.cell.T,
            kind=self.kind.T,
            length=self.length.T,
            shape=self.shape.T,
            words=self.words.T,
            marked=self.marked.T,
            bold=self.bold.T,
            linked=self.linked.T,
            colon=self.colon.T,
            spanned=self.stretched.T,
            stretched=self.spanned.T,
            head=np.zeros_like(self.head.T),
            scoped=self.cross_scoped.T,
            cross_scoped=self.scoped.T,
        )

    def without(self, rows: int, columns: int) -> "Look":
        """Return the same without some leading rows and columns."""
        parts = {
            name: getattr(self, name)[rows:, columns:] for name in self.__slots__ if name not in ("rows", "columns")
        }
        return Look(rows=self.rows[rows:], columns=self.columns[columns:], **parts)

    def taking(self, rows: Ints) -> "Look":
        """Return some of the rows."""
        parts = {name: getattr(self, name)[rows] for name in self.__slots__ if name not in ("rows", "columns")}
        return Look(rows=self.rows[rows], columns=self.columns, **parts)


def look_at(grid: Grid) -> Look:
    """Look at a grid, or at a sample of its lines."""
    rows, columns = _sample(grid.rows), _sample(grid.columns)
    cell = grid.slots[np.ix_(rows, columns)]
    wanted = np.unique(cell[cell >= 0]).tolist()
    cells = [grid.cells[number] for number in wanted]
    place = np.full(len(grid.cells) + 1, len(cells), dtype=np.int32)  # the last stands for no cell
    place[wanted] = np.arange(len(cells), dtype=np.int32)
    at = place[cell]
    shapes: dict[str, int] = {"": 0}
    texts: dict[str, int] = {"": 0}

    def column(values: list[int]) -> Ints:
        return np.array([*values, 0], dtype=np.int32)[at]

    def flags(values: list[bool]) -> Flags:
        return np.array([*values, False], dtype=bool)[at]

    heads = np.array([grid.sections[row] == "head" for row in rows], dtype=bool)
    return Look(
        rows=rows,
        columns=columns,
        cell=cell,
        kind=column([_KINDS[one.value.kind] for one in cells]),
        length=column([len(one.text) for one in cells]),
        shape=column([shapes.setdefault(_shape(one.text[:SHAPED]), len(shapes)) for one in cells]),
        words=column([texts.setdefault(one.text.casefold(), len(texts)) for one in cells]),
        marked=flags([one.is_header for one in cells]),
        bold=flags([one.emphasised for one in cells]),
        linked=flags([one.leaves > 0 and one.linked == one.leaves for one in cells]),
        colon=flags([one.text.endswith((":", "：")) for one in cells]),
        spanned=column([one.colspan for one in cells]),
        stretched=column([one.rowspan for one in cells]),
        head=np.repeat(heads[:, None], len(columns), axis=1),
        scoped=flags([one.scope in ("col", "colgroup") for one in cells]),
        cross_scoped=flags([one.scope in ("row", "rowgroup") for one in cells]),
    )


def _sample(count: int) -> Ints:
    if count <= FIRST_LINES + SAMPLED_LINES:
        return np.arange(count, dtype=np.int32)
    rest = np.linspace(FIRST_LINES, count - 1, SAMPLED_LINES).astype(np.int32)
    return np.unique(np.concatenate([np.arange(FIRST_LINES, dtype=np.int32), rest]))


@lru_cache(maxsize=65_536)
def _shape(text: str) -> str:
    """Return the runs of character classes of a text: letters, digits, everything else but spaces.

    >>> _shape("Nov 2, 2004")
    'aa9.9'
    """
    classes = ("" if char.isspace() else "a" if char.isalpha() else "9" if char.isdecimal() else "." for char in text)
    pieces: list[str] = []
    for group, _ in groupby(classes):
        if group or (pieces and pieces[-1] != " "):
            pieces.append(group or " ")
        if len(pieces) > 12:
            break
    return "".join(pieces).replace(" ", "")


# What `line_features` tells about the first line of a look; differences are to the lines below it.
LINE_FEATURES = (
    "marked",  # share of its cells that the markup calls headers
    "marked more",  # difference of that share
    "scoped",  # says that it heads what is below
    "in head",  # stands in a thead
    "bold more",  # difference of the shares of bold cells
    "linked less",  # difference of the shares of linked cells, where below is linked
    "words over values",  # lines across whose values are numbers or dates, but its own cell is text
    "like below",  # lines across in which its cell has the kind and the shape that most cells below have
    "unlike below",  # lines across whose cells below share a shape that its own cell, a text, does not have
    "number itself",  # share of its cells that are numbers, amounts, quantities; days and hours head lines as words do
    "colon",  # share of its cells that end in a colon
    "shorter",  # how much shorter its texts are than those below, log scale, bounded
    "longer",  # the same in the other direction
    "repeated below",  # share of its texts that occur again in the same line across
    "distinct",  # its texts differ from one another
    "empty",  # share of empty cells
    "corner empty",  # its first cell is empty and hardly another one is
    "few below",  # less than two lines below
    "varied below",  # share of lines across whose cells below differ from one another
    "brief",  # its longest text is short enough for a heading
    "second",  # a header line stands above it
    "under groups",  # share of its cells that stand under a header that spans several of them
    "from above",  # share of its slots that a header above reaches into
)

CONSISTENT = 0.7  # share of cells with one shape
BRIEF = 60  # characters
LONGEST_RATIO = 3.0  # of lengths, natural logarithm


def line_features(whole: Look, line: int) -> Floats:
    """Compare one row of a look with the rows below it; features as in LINE_FEATURES.

    The rows above it are taken to be headers.
    """
    look = whole.without(line, 0)
    features = np.zeros(len(LINE_FEATURES))
    if look.cell.shape[0] == 0 or look.cell.shape[1] == 0:
        return features
    first, rest = 0, slice(1, None)
    shown = look.kind[first] != EMPTY
    below = look.kind[rest] != EMPTY
    n_shown = max(int(shown.sum()), 1)
    n_below = max(int(below.sum()), 1)
    mean = _Mean(shown, below, n_shown, n_below)
    marked, marked_below = mean.of(look.marked)
    bold, bold_below = mean.of(look.bold)
    linked, linked_below = mean.of(look.linked)
    dominant, agreement = _dominant(look.kind[rest], below)
    shape_dominant, shape_agreement = _dominant(look.shape[rest], below)
    has_below = below.any(axis=0)
    both = shown & has_below
    n_both = max(int(both.sum()), 1)
    alike_below = (look.shape[first] == shape_dominant) & (shape_agreement >= 0.5)
    unlike_below = (look.shape[first] != shape_dominant) & (shape_agreement >= CONSISTENT) & (below.sum(axis=0) > 1)
    unlike_below &= look.kind[first] == TEXT
    values_below = (dominant >= NUMBER) & (agreement >= 0.5) & has_below
    lengths = np.log1p(look.length[first])
    median = np.log1p(_median(look.length[rest], below))
    difference = np.clip(median - lengths, -LONGEST_RATIO, LONGEST_RATIO)[both]
    repeated = (look.words[rest] == look.words[first]) & below & (look.cell[rest] != look.cell[first])
    features[:] = (
        marked,
        marked - marked_below,
        float(look.scoped[first][shown].mean()) if shown.any() else 0.0,
        float(look.head[first].any()),
        bold - bold_below,
        max(linked_below - linked, 0.0),
        float((values_below & (look.kind[first] == TEXT)).sum()) / n_both,
        float((both & alike_below & (look.kind[first] == dominant)).sum()) / n_both,
        float((both & unlike_below).sum()) / n_both,
        float((look.kind[first] == NUMBER).sum()) / n_shown,
        float(look.colon[first].sum()) / n_shown,
        float(np.maximum(difference, 0).mean()) if both.any() else 0.0,
        float(np.maximum(-difference, 0).mean()) if both.any() else 0.0,
        float(repeated.any(axis=0).sum()) / n_both,
        len(set(look.words[first][shown].tolist())) / len(set(look.cell[first][shown].tolist()))
        if shown.any()
        else 0.0,
        1.0 - shown.mean(),
        float(not shown[0] and shown[1:].mean() > 0.7) if len(shown) > 1 else 0.0,
        float(look.cell.shape[0] < 3),
        _varied(look.words[rest], below),
        float(look.length[first].max() <= BRIEF),
        float(line > 0),
        *(_under(whole, line) if line else (0.0, 0.0)),
    )
    return features


def _under(look: Look, line: int) -> tuple[float, float]:
    """Return the shares of a row's slots below a spanning header cell, and inside a cell of the row above."""
    inside = look.cell[line] == look.cell[line - 1]
    grouped = ~inside & (look.spanned[line - 1] > 1) & (look.spanned[line] < look.spanned[line - 1])
    return float(grouped.mean()), float((inside & (look.cell[line] >= 0)).mean())


@dataclass(slots=True, eq=False)
class _Mean:
    shown: Flags
    below: Flags
    n_shown: int
    n_below: int

    def of(self, flags: Flags) -> tuple[float, float]:
        """Return the share among the shown cells of the first row, and among those below."""
        return (
            float((flags[0] & self.shown).sum()) / self.n_shown,
            float((flags[1:] & self.below).sum()) / self.n_below,
        )


def _dominant(values: Ints, shown: Flags) -> tuple[Ints, Floats]:
    """Return, column by column, the most frequent of the shown values (the smaller of equals) and its share."""
    best, share = [], []
    for line, flags in zip(values.T.tolist(), shown.T.tolist(), strict=True):
        counts = Counter(compress(line, flags))
        value, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=(-1, 0))
        best.append(value)
        share.append(count / max(counts.total(), 1))
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
