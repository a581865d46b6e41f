"""A grid -> `Look`: arrays of what its slots look like, and how one line contrasts with the others.

Judging a table means comparing lines: a header line differs from what it heads in markup (``th``, bold), in the kind of
value (words over numbers), in length, in links. A `Look` holds these as arrays; `line_features` compares one line with
the rest, and the same code serves rows and columns, because a Look can be turned (`Look.turned`).

Long tables are judged by a sample of their lines: the first ones and evenly spaced others.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load
from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.values import NUMERIC, read_value

__all__ = ["LINE_FEATURES", "Look", "line_features", "look_at"]

FIRST_LINES = 24  # always looked at
EDGE = 4  # lines at the top that may be headers though they are numbers
FIRST_YEAR, LAST_YEAR = 1500, 2100
RUN = 2  # years that follow one another; of other numbers there must be more
SHAPED = 48  # characters whose shape is told
SAMPLED_LINES = 48  # beside them, evenly spaced

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

kernel = load("contrast")

_CELL, _KIND, _LENGTH, _SHAPE, _WORDS = kernel.CELL, kernel.KIND, kernel.LENGTH, kernel.SHAPE, kernel.WORDS
_MARKED, _BOLD, _LINKED, _COLON, _HEAD = kernel.MARKED, kernel.BOLD, kernel.LINKED, kernel.COLON, kernel.HEAD
_SPANNED, _STRETCHED, _SCOPED, _CROSS_SCOPED = kernel.SPANNED, kernel.STRETCHED, kernel.SCOPED, kernel.CROSS_SCOPED

EMPTY, TEXT, VALUE = range(3)
# Of the values, dates and times come first: they head lines as words do.
_KINDS = {kind: number for number, kind in enumerate(("empty", "text", "date", "time", *NUMERIC))}
# What one record says is of many sorts: where columns are compared, numbers are numbers, and hours are days.
_COARSE = np.array([_KINDS[kind] for kind in ("empty", "text", "date", "date", *["number"] * len(NUMERIC))])


@dataclass(slots=True, eq=False)
class Look:
    """What the slots of the looked-at lines look like: a stack of planes, each with one entry a slot.

    CELL: index of the cell, -1 = none. KIND: EMPTY, TEXT, or from VALUE on the kind of value. LENGTH: characters.
    SHAPE: number of the text's shape, which classes of characters follow one another. WORDS: number of the text itself,
    to find repetitions.
    SPANNED and STRETCHED: slots the cell covers along the line (columns) and across it (rows).
    Flags: MARKED, header by markup; BOLD; LINKED, all of it is link text; COLON, ends in one; HEAD, its row stands in a
    thead; SCOPED, the markup says that it heads its column (turned: its row); CROSS_SCOPED, the other way round.
    """

    planes: Ints

    def plane(self, number: int) -> Ints:
        """Return one of the planes."""
        one: Ints = self.planes[number]
        return one

    @property
    def cell(self) -> Ints:
        """Return the plane CELL."""
        return self.plane(kernel.CELL)

    @property
    def kind(self) -> Ints:
        """Return the plane KIND."""
        return self.plane(kernel.KIND)

    @property
    def length(self) -> Ints:
        """Return the plane LENGTH."""
        return self.plane(kernel.LENGTH)

    @property
    def shape(self) -> Ints:
        """Return the plane SHAPE."""
        return self.plane(kernel.SHAPE)

    @property
    def marked(self) -> Ints:
        """Return the plane MARKED."""
        return self.plane(kernel.MARKED)

    @property
    def spanned(self) -> Ints:
        """Return the plane SPANNED."""
        return self.plane(kernel.SPANNED)

    def turned(self) -> "Look":
        """Return the same with rows and columns exchanged."""
        turned = self.planes[_TURNED].transpose(0, 2, 1)
        turned[kernel.HEAD] = 0
        turned[kernel.KIND] = _COARSE[turned[kernel.KIND]]
        return Look(turned)

    def without(self, rows: int, columns: int) -> "Look":
        """Return the same without some leading rows and columns."""
        return Look(self.planes[:, rows:, columns:])

    def taking(self, rows: list[int]) -> "Look":
        """Return some of the rows."""
        return Look(self.planes[:, rows])


# The planes of a turned look: along and across change places.
_TURNED = list(range(kernel.PLANES))
_TURNED[kernel.SPANNED], _TURNED[kernel.STRETCHED] = kernel.STRETCHED, kernel.SPANNED
_TURNED[kernel.SCOPED], _TURNED[kernel.CROSS_SCOPED] = kernel.CROSS_SCOPED, kernel.SCOPED


def look_at(grid: Grid) -> Look:
    """Look at a grid, or at a sample of its lines."""
    rows, columns = _sample(grid.rows), _sample(grid.columns)
    slots = grid.slots.data
    planes = np.zeros((kernel.PLANES, len(rows), len(columns)), dtype=np.int32)
    out = planes.data
    shapes: dict[str, int] = {"": 0}
    texts: dict[str, int] = {"": 0}
    # Cells in the order of their numbers, so that shapes and texts are numbered by it.
    first: dict[int, tuple[int, int, int]] = {}
    for number in sorted({slots[row, column] for row in rows for column in columns}):
        if number >= 0:
            text = grid.cells[number].text
            first[number] = (
                _KINDS[read_value(text).kind],
                shapes.setdefault(_shape(text[:SHAPED]), len(shapes)),
                texts.setdefault(text.casefold(), len(texts)),
            )
    for i, row in enumerate(rows):
        is_head = grid.sections[row] == "head"
        for j, column in enumerate(columns):
            number = slots[row, column]
            out[_HEAD, i, j] = is_head
            out[_CELL, i, j] = number
            if number < 0:
                continue
            one = grid.cells[number]
            out[_KIND, i, j], out[_SHAPE, i, j], out[_WORDS, i, j] = first[number]
            out[_LENGTH, i, j] = len(one.text)
            out[_MARKED, i, j] = one.is_header
            out[_BOLD, i, j] = one.emphasised
            out[_LINKED, i, j] = one.leaves > 0 and one.linked == one.leaves
            out[_COLON, i, j] = one.text.endswith((":", "：")) if one.text else False
            out[_SPANNED, i, j] = one.colspan
            out[_STRETCHED, i, j] = one.rowspan
            if one.scope is not None:
                out[_SCOPED, i, j] = one.scope in ("col", "colgroup")
                out[_CROSS_SCOPED, i, j] = one.scope in ("row", "rowgroup")
    _name_by_numbers(grid, planes, rows, columns)
    return Look(planes)


def _name_by_numbers(grid: Grid, planes: Ints, rows: list[int], columns: list[int]) -> None:
    """Take the numbers of a first row for words if they name what stands below: years, or counted up."""
    for i in range(min(len(rows) - 1, EDGE)):
        kinds = planes[_KIND, i]
        if kinds.max() < VALUE:
            continue
        if _counts(grid, rows[i], columns) and not _counts(grid, rows[i + 1], columns):
            kinds[kinds != EMPTY] = TEXT
        return


def _counts(grid: Grid, row: int, columns: list[int]) -> bool:
    """Tell whether the numbers of a row are a run of years, or are counted up: then they name what stands below."""
    slots = grid.slots.data
    numbers: list[int] = []
    last = -1
    for column in columns:
        cell = slots[row, column]
        if cell >= 0 and cell != last:
            text = grid.cells[cell].text
            if text.isdecimal() and len(text) < 5:
                numbers.append(int(text))
            elif read_value(text).kind in NUMERIC:
                return False
        last = cell
    if len(numbers) < RUN:
        return False
    step = numbers[1] - numbers[0]
    are_years = numbers[0] >= FIRST_YEAR
    are_counted = len(numbers) > RUN and step != 0
    for i in range(1, len(numbers)):
        are_counted = are_counted and numbers[i] - numbers[i - 1] == step
        are_years = are_years and FIRST_YEAR <= numbers[i] <= LAST_YEAR and (numbers[i] - numbers[i - 1]) * step >= 0
    return are_counted or (are_years and numbers[0] != numbers[len(numbers) - 1])


def _sample(count: int) -> list[int]:
    if count <= FIRST_LINES + SAMPLED_LINES:
        return list(range(count))
    rest = np.linspace(FIRST_LINES, count - 1, SAMPLED_LINES).astype(np.int32).tolist()
    return sorted({*range(FIRST_LINES), *rest})


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


def line_features(whole: Look, line: int) -> Floats:
    """Compare one row of a look with the rows below it; features as in LINE_FEATURES.

    The rows above it are taken to be headers.
    """
    features: Floats = kernel.line_contrast(whole.planes, line)
    return features
