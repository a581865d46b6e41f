"""A look at a grid -> its header lines: title rows, header rows on top, header columns, and what other rows are.

Lines are taken one after the other from the edge inwards: the first is a header if the log odds of its contrast with
what follows are positive; the next is tried only below a header. Markup counts where there is any; without it, the
content alone decides. Then the rows inside the body are told apart: repeated headers, section labels, units, totals.

Paper: OntoMiner 4.2.2 (Data Table Template Identifier; its own clustering is in `sitestrata.partition.tables.paper`)
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sitestrata.partition.tables.grids import Grid, GridCell
from sitestrata.partition.tables.look import EMPTY, TEXT, VALUE, Floats, Look, kernel, line_features
from sitestrata.partition.tables.values import CURRENCIES, NUMERIC, decimal_mark, read_value
from sitestrata.partition.tables.weights import LEFT, TOP, log_odds

__all__ = ["EXTRA_FEATURES", "Headers", "find_headers", "header_rows", "left_features", "orientation_of", "title_rows"]

MAX_TOP = 4  # header rows; more were never seen to be meant
MAX_LEFT = 3  # header columns
BRIEF = 60  # characters of a key
COLONS = (":", "：")
PAIR = 2  # columns
FEW = 4  # rows: by content alone a first of so few is hardly told from the others
MOST = 0.75  # of the keys
MAX_ADDENDS = 2_000  # rows that are added up to find totals
TOLERANCE = 0.006  # relative, of a total: what rounding may leave

EXTRA_FEATURES = (
    "has header rows",
    "has no name",  # the header rows are empty above it
    "groups rows",  # share of its slots in cells that span several rows
    "unmarked",  # the markup calls the header rows headers, but none of its own cells
    "under corner",  # the corner spans several columns, it is one of them, and no other header does
)

# SI Brochure, 9th edition, tables 2, 4, 7 and 8, and what computers count in.
_SYMBOL = (
    r"(?:[QRYZEPTGMkhdcmµμunpfazyrq]|da|[KMGTPE]i)?"
    r"(?:m|g|s|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|Ω|S|Wb|T|H|lm|lx|Bq|Gy|Sv|kat|L|l|t|Da|eV|bar|B|bit|bps|Wh|dB)[²³]?"
    r"|°[CF]?|min|h|d|ha|au|rad|sr|ft|in|lb|oz|mi|yd|psi|rpm|mph|ppm|[$€£¥]|%|‰"
)
_SYMBOLS = re.compile(rf"(?:{_SYMBOL})(?:\s?[/·*]\s?(?:{_SYMBOL}))*")
_BRACKETED = re.compile(r"[(\[（［].{1,24}[)\]）］]|[%‰°$€£¥]")


@dataclass(frozen=True, slots=True)
class Headers:
    """The header lines of a grid, in slots of the grid."""

    titles: int  # leading rows that are one cell over all columns
    top: int  # header rows below the titles
    left: int  # header columns
    roles: tuple[str, ...]  # of each row: title, header, unit, data, total, section
    again: int = 0  # columns after which the header columns come again; 0 = they do not

    def cells(self, columns: int) -> tuple[tuple[int, int], ...]:
        """Return the slots that are headers."""
        found = []
        for row, role in enumerate(self.roles):
            if role in ("header", "unit"):
                found += [(row, column) for column in range(columns)]
            elif role in ("data", "total"):
                found += [(row, column) for column in self.left_columns(columns)]
        return tuple(found)

    def left_columns(self, columns: int) -> list[int]:
        """Return the header columns."""
        starts = range(0, columns, self.again) if self.again else (0,)
        return [start + column for start in starts for column in range(self.left)]


def find_headers(grid: Grid, look: Look) -> Headers:
    """Find the header lines of a grid."""
    titles = title_rows(look)
    below = look.without(titles, 0)
    if not below.cell.size:
        return Headers(0, 0, 0, ("data",) * grid.rows)
    if _has_pairs_side_by_side(below):
        return Headers(titles, 0, 1, _row_roles(grid, titles, 0, 1), again=PAIR)
    top = 0
    while top < min(MAX_TOP, below.cell.shape[0] - 1) and (
        log_odds(TOP, line_features(below, top)) > 0 or _is_marked(below, top)
    ):
        if top and (_is_full(below.cell[top].tolist()) or _ends_marked(below, top)):
            break  # it names the rows that follow, not columns, or the author says where the headers end
        top += 1
    if top > 1 and _is_unit_row(grid, titles + top - 1, 0):
        top -= 1
    if top and (_begins_with_label(below) or _is_pair(grid, below)):
        top = 0
    elif not top and (_names_keys(grid, below) or _is_bold(below)):
        top = 1
    left = _left_columns(below, top)
    if top and not left and _has_empty_corner(below, top):
        left = 1
    if not top and not left and _holds_pairs(below):
        left = 1
    # A line of headers heads something: where all would be headers, the weaker side gives way.
    if left >= below.cell.shape[1]:
        left = 0
    roles = _row_roles(grid, titles, top, left)
    return Headers(titles, top, left, roles)


def _has_pairs_side_by_side(below: Look) -> bool:
    """Tell whether every second column, from the first, is set apart as labels are: pairs in several columns."""
    cell = below.cell
    if cell.shape[1] < 2 * PAIR or cell.shape[1] % PAIR:
        return False
    shown = below.kind != EMPTY
    shown[:, 1:] &= cell[:, 1:] != cell[:, :-1]  # a value that reaches over the next pair
    if (shown[:, ::PAIR].sum(axis=0) < 2).any() or not shown[:, 1::PAIR].any(axis=0).all():
        return False
    for flag in (kernel.MARKED, kernel.COLON, kernel.BOLD):
        is_set = (below.plane(flag) != 0) & shown
        if is_set[:, ::PAIR].sum() == shown[:, ::PAIR].sum() and not is_set[:, 1::PAIR].any():
            return True
    return False


def _begins_with_label(below: Look) -> bool:
    """Tell whether the first row begins as every other does, with a label before a colon: then it is a record too."""
    first = below.plane(kernel.COLON)[:, 0]
    shown = below.kind[:, 0] != EMPTY
    return bool(first[0] and first[shown].all() and not below.marked[0, 1:].any())


def _is_pair(grid: Grid, below: Look) -> bool:
    """Tell whether the first row is a pair of key and value as the others are: no markup, and like them in both.

    That it is shorter says nothing: of two or three pairs one is the shortest. In longer tables the keys must be such
    as no header is: all of them links, code, or begun with a small letter.
    """
    rows, columns = below.cell.shape
    if below.marked[0, 1:].any() or below.plane(kernel.HEAD)[0].any() or below.kind[0, 0] == EMPTY:
        return False
    if below.marked[0, 0]:
        return columns == PAIR and bool(below.marked[:, 0].all() and not below.marked[:, 1:].any())
    pairs = 0
    for column in range(columns):
        cells = dict.fromkeys(below.cell[:, column].tolist())
        shown = [grid.cells[cell] for cell in cells if cell >= 0 and grid.cells[cell].text]
        if below.kind[0, column] == EMPTY or len(shown) < 2 or shown[0].text in [cell.text for cell in shown[1:]]:
            continue
        pairs += 1
        are_values = bool(2 * (below.kind[1:, column] >= VALUE).sum() >= len(shown) - 1)
        if pairs > PAIR or (are_values and below.kind[0, column] == TEXT):
            return False
        if _is_set_apart(shown[0], shown[1:], is_key=column == 0):
            return False
        if column == 0 and rows > FEW and not _are_keys(shown):
            return False
    return pairs > 0


def _are_keys(cells: Sequence[GridCell]) -> bool:
    small = [cell.text[0].islower() for cell in cells]
    return _is_linked(cells) or all(cell.is_code for cell in cells) or (small[0] and sum(small) >= MOST * len(small))


def _names_keys(grid: Grid, below: Look) -> bool:
    """Tell whether the first row is brief words over keys that are mostly code or all links, unlike its own first."""
    if (below.kind[0] != TEXT).any() or below.length[0].max() > BRIEF or len(below.cell) <= PAIR:
        return False
    cells = dict.fromkeys(below.cell[:, 0].tolist())
    first, *others = [grid.cells[cell] for cell in cells if cell >= 0 and grid.cells[cell].text]
    are_code = sum(other.is_code for other in others) >= MOST * len(others) and not first.is_code
    return len(others) >= PAIR and (are_code or (_is_linked(others) and not _is_linked([first])))


def _holds_pairs(below: Look) -> bool:
    """Tell whether rows are pairs of a brief key, each another, and a longer text; other columns are nearly empty."""
    shown = below.kind != EMPTY
    filled = [column for column in range(shown.shape[1]) if 2 * shown[:, column].sum() > len(shown)]
    if len(filled) != PAIR or filled[0] != 0 or not shown[:, 0].all():
        return False
    keys = below.plane(kernel.WORDS)[:, 0].tolist()
    lengths = below.length[:, filled]
    are_brief = lengths[:, 0].max() <= BRIEF and bool(2 * (lengths[:, 0] < lengths[:, 1]).sum() > len(shown))
    return are_brief and len(set(keys)) == len(keys)


def _is_set_apart(first: GridCell, others: Sequence[GridCell], *, is_key: bool) -> bool:
    """Tell whether a cell looks unlike all others of its column, which look alike."""
    sorts = {_sort(other) for other in others}
    if is_key:
        return (len(sorts) == 1 and _sort(first) not in sorts) or (_is_linked(others) and not _is_linked([first]))
    has_colon = first.text.endswith(COLONS) and not any(other.text.endswith(COLONS) for other in others)
    is_bold = first.emphasised and not any(other.emphasised for other in others)
    return has_colon or is_bold


def _sort(cell: GridCell) -> tuple[bool, bool, bool, bool]:
    """Return whether a text is code, and what it begins with: a capital, another letter, a digit, or a sign."""
    start = cell.text[0]
    return cell.is_code, start.isupper(), start.isalpha(), start.isdecimal()


def _is_linked(cells: Sequence[GridCell]) -> bool:
    return all(cell.leaves == cell.linked for cell in cells)


def _is_marked(look: Look, line: int) -> bool:
    """Tell whether the markup calls all that a row shows headers, and most of what is below it not.

    Authors leave headers unmarked; what they mark they mean.
    """
    if _is_full(look.cell[line].tolist()):
        return False
    shown = look.kind[line:] != EMPTY
    marked = (look.marked[line:] != 0) & shown
    if shown[0].sum() < min(2, shown.shape[1]) or marked[0].sum() < shown[0].sum():
        return False
    return bool(2 * marked[1:].sum() < shown[1:].sum())


def _is_bold(below: Look) -> bool:
    """Tell whether the first row is words in bold, and nothing below it, its first column apart, is bold at all."""
    bold, kind = below.plane(kernel.BOLD), below.kind
    if _is_full(below.cell[0].tolist()) or (kind[0, 1:] != TEXT).any() or len(kind) <= PAIR:
        return False
    return bool(bold[0, 1:].all() and not bold[1:, 1:].any() and (bold[0, 0] or kind[0, 0] == EMPTY))


def _ends_marked(look: Look, line: int) -> bool:
    """Tell whether the row above is all ``th``, or bold, and this one not at all, nor in a thead."""
    if look.marked[line].any() or look.plane(kernel.HEAD)[line].any():
        return False
    bold, shown = look.plane(kernel.BOLD), look.kind != EMPTY
    is_bold = bool(bold[line - 1][shown[line - 1]].all()) and not bold[line][shown[line]].any()
    return is_bold or bool(look.marked[line - 1].all())


def title_rows(look: Look) -> int:
    """Count the leading rows that are one cell over all columns; at least one other row follows them."""
    count = 0
    while count < look.cell.shape[0] - 1 and _is_full(look.cell[count].tolist()):
        count += 1
    return 0 if count == look.cell.shape[0] - 1 and _is_full(look.cell[count].tolist()) else count


def left_features(below: Look, top: int, column: int) -> Floats:
    """Compare a column with those right of it, in the rows below the header rows.

    The features are those of a row and EXTRA_FEATURES.
    """
    body = below.without(top, 0)
    turned = _body(below, top).turned()
    unnamed = top > 0 and not any(below.kind[:top, column].tolist())  # EMPTY is 0
    spans = turned.spanned[column].tolist()
    grouping = sum([span > 1 for span in spans]) / max(len(spans), 1)
    unmarked = top > 0 and bool(below.marked[:top].mean() > 0.5) and not any(body.marked[:, column].tolist())
    extra = (float(top > 0), float(unnamed), grouping, float(unmarked), float(_under_corner(below, top, column)))
    return np.array([*line_features(turned, column).tolist(), *extra])


def _body(below: Look, top: int) -> Look:
    """Return the rows below the header rows, without those that are one cell over all columns."""
    body = below.without(top, 0)
    lines = [number for number, row in enumerate(body.cell.tolist()) if not _is_full(row)]
    return body if len(lines) == body.cell.shape[0] else body.taking(lines)


def _under_corner(below: Look, top: int, column: int) -> bool:
    """Tell whether a column stands under a corner that alone of all header cells spans several columns."""
    if not top or below.spanned[0, column] < 2 or below.cell[0, column] != below.cell[0, 0]:
        return False
    return not bool((below.spanned[0, below.cell[0] != below.cell[0, 0]] > 1).any())


def header_rows(roles: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield, row by row, the header rows that hold there: the run of them last seen."""
    rows: tuple[int, ...] = ()
    before = ""
    for row, role in enumerate(roles):
        if role == "header":
            rows = (*rows, row) if before == role else (row,)
        yield rows
        before = role


def orientation_of(top: int, left: int) -> str:
    """Name the orientation of a table with so many header rows and columns (OntoMiner, Figure 5)."""
    if top and left:
        return "row-column" if top == left == 1 else "multi-header-row-column"
    if top:
        return "column" if top == 1 else "multi-header-column"
    if left:
        return "row" if left == 1 else "multi-header-row"
    return "none"


def _left_columns(below: Look, top: int) -> int:
    columns = _body(below, top).turned()
    left = 0
    while left < min(MAX_LEFT, below.cell.shape[1] - 1) and (
        log_odds(LEFT, left_features(below, top, left)) > 0 or _is_marked(columns, left)
    ):
        left += 1
    return left


def _has_empty_corner(below: Look, top: int) -> bool:
    """Tell whether the first column alone has no name, and holds brief words, each once: it names the rows."""
    if any(below.kind[:top, 0].tolist()) or not below.kind[:top, 1:].any(axis=0).all():  # EMPTY is 0
        return False
    body = _body(below, top)
    if len(body.cell) < 2 or (body.kind[:, 0] != TEXT).any():
        return False
    words = body.plane(kernel.WORDS)[:, 0].tolist()
    return len(set(words)) == len(words) and bool(body.length[:, 0].max() <= BRIEF)


def _is_full(row: Sequence[int]) -> bool:
    return len(row) > 1 and row[0] >= 0 and row.count(row[0]) == len(row)


def _row_roles(grid: Grid, titles: int, top: int, left: int) -> tuple[str, ...]:
    roles = ["title"] * titles + ["header"] * top + ["data"] * (grid.rows - titles - top)
    first = titles + top
    lines = grid.slots.tolist()
    for row in range(first, grid.rows):
        if _is_full(lines[row]):
            roles[row] = "section"
    # Several tables in one: a header row that is printed again.
    texts = [*[cell.text for cell in grid.cells], ""]
    known = {tuple([texts[cell] for cell in lines[row]]) for row in range(titles, first)} - {("",) * grid.columns}
    starts = {line[0] for line in known}
    if known:
        for row in range(first, grid.rows):
            # Most rows differ in their first cell.
            if roles[row] == "data" and texts[lines[row][0]] in starts:
                roles[row] = "header" if tuple([texts[cell] for cell in lines[row]]) in known else "data"
    if top:  # or another one, which the markup tells
        for row in _marked_rows(grid, lines, first):
            roles[row] = "header"
    if titles and any(pair == ("section", "header") for pair in pairwise(roles)):
        roles[titles - 1] = "section"  # the titles of the other tables are sections: so is that of the first
    if top and first < grid.rows and roles[first] == "data" and _is_unit_row(grid, first, left):
        roles[first] = "unit"
    for row in _total_rows(grid, roles, left):
        roles[row] = "total"
    return tuple(roles)


def _marked_rows(grid: Grid, lines: Sequence[Sequence[int]], first: int) -> list[int]:
    """Return the rows inside the body that are headers by their markup, and by what they say: totals are marked too."""
    found = []
    for row in range(first + 1, grid.rows - 1):
        cells = [grid.cells[number] for number in dict.fromkeys(lines[row]) if number >= 0]
        shown = [cell for cell in cells if cell.text]
        if len(shown) < 2 or not all(cell.is_header and cell.row == row for cell in shown):
            continue
        if all(read_value(cell.text).kind == "text" for cell in shown) and grid.sections[row] != "foot":
            found.append(row)
    # Where most rows are marked, the markup says nothing.
    return found if 3 * len(found) < grid.rows - first else []


def _is_unit_row(grid: Grid, row: int, left: int) -> bool:
    """Tell whether a row below the headers only says in what the numbers below it are measured."""
    texts = [grid.text(row, column) for column in range(left, grid.columns)]
    shown = [text for text in texts if text]
    if len(shown) < max(1, len(texts) // 2) or row + 1 >= grid.rows:
        return False
    if all(_BRACKETED.fullmatch(text) for text in shown):
        return True
    # Without brackets: nothing in front, and all of them units; one letter may be short for a word.
    return not texts[0] and all(map(_is_unit, shown)) and any(len(text) > 1 for text in shown)


def _is_unit(text: str) -> bool:
    """Tell whether a text is a unit: symbols of the SI, with a prefix or not, and what they make up; money; shares."""
    return bool(_BRACKETED.fullmatch(text) or text in CURRENCIES or _SYMBOLS.fullmatch(text))


def _total_rows(grid: Grid, roles: Sequence[str], left: int) -> list[int]:
    """Find rows whose numbers are the sums of the rows above them, back to the total or section before.

    A total of totals adds these up. A row of numbers in a tfoot sums the others up in some way.
    """
    totals: list[int] = []
    decimal = decimal_mark(cell.text for cell in grid.cells[:MAX_ADDENDS])
    group: list[list[float | None]] = []
    sums: list[list[float | None]] = []
    for row in range(min(grid.rows, MAX_ADDENDS)):
        if roles[row] != "data":
            if roles[row] == "section":
                group = []
            continue
        numbers = [_number(grid, row, column, decimal) for column in range(left, grid.columns)]
        is_last = row + 1 == grid.rows or roles[row + 1] != "data"
        if len(group) >= 2 and _adds_up(group, numbers, is_last=is_last):
            totals.append(row)
            group = []
            sums.append(numbers)
        elif not group and len(sums) >= 2 and _adds_up(sums, numbers, is_last=is_last):
            totals.append(row)
            sums = []
        elif (
            grid.sections[row] == "foot" and "foot" not in grid.sections[:1] and any(one is not None for one in numbers)
        ):
            totals.append(row)
        else:
            group.append(numbers)
    return totals


def _adds_up(rows: Sequence[Sequence[float | None]], numbers: Sequence[float | None], *, is_last: bool) -> bool:
    right = wrong = most = 0
    for column, number in enumerate(numbers):
        if number is None:
            continue
        addends = [value for row in rows if (value := row[column])]  # zeros add nothing
        if len(addends) < 2 or all(two == one + 1 for one, two in pairwise([*addends, number])):
            continue  # rows that are counted: one and two are three
        is_sum = abs(sum(addends) - number) <= abs(number) * TOLERANCE
        right += is_sum
        wrong += not is_sum
        most = max(most, len(addends))
    # One column may add up by chance where numbers are small; two, or one without a counter-example, hardly do. Of one
    # column, two numbers and their sum at the end, or three and theirs, are enough.
    return right > wrong and right >= 1 and (right >= 2 or (wrong == 0 and (is_last or most > 2)))


def _number(grid: Grid, row: int, column: int, decimal: str | None) -> float | None:
    index = int(grid.slots[row, column])
    if index < 0:
        return None
    value = read_value(grid.cells[index].text, decimal)
    return value.number if value.kind in NUMERIC else None
