"""Data tables of every orientation, with and without ``th``, spanned, nested or of ARIA roles, and their truth.

Paper: OntoMiner 4.2
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

__all__ = ["ARIA_ORIENTATIONS", "ORIENTATIONS", "TableTruth", "layout_table", "make_table"]

ORIENTATIONS = (
    "column",
    "row",
    "row-column",
    "multi-header-column",
    "multi-header-row",
    "multi-header-row-column",
    "none",
)


ARIA_ORIENTATIONS = ("column", "row", "row-column", "none")  # which need no spans


@dataclass(frozen=True, slots=True)
class TableTruth:
    """What is true about one table of a page."""

    is_data: bool
    orientation: str
    header_cells: tuple[tuple[int, int], ...] = ()
    n_rows: int | None = None
    n_cols: int | None = None
    title_rows: tuple[int, ...] = ()
    nested: bool = False
    aria: bool = False  # built of other elements
    also: tuple[str, ...] = ()  # other orientations that a reader may take it for


_LAYOUT = TableTruth(is_data=False, orientation="none")
_NESTED_LAYOUT = TableTruth(is_data=False, orientation="none", nested=True)


def layout_table(*, nested: bool = False) -> TableTruth:
    """Return the truth of a table that only places things."""
    return _NESTED_LAYOUT if nested else _LAYOUT


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    head: bool = False
    rows: int = 1
    columns: int = 1


def _value(rng: Random, kind: int) -> str:
    number = int(rng.random() * 9000)
    if kind == 0:
        return str(number)
    if kind == 1:
        return f"{number / 10:.1f}"
    if kind == 2:
        return f"{number / 100:.2f}"
    if kind == 3:
        return f"{number % 100} %"
    if kind == 4:
        return f"{8 + number % 12}:{number % 6}0"
    if kind == 5:
        return f"{number % 28 + 1}.{number % 12 + 1}.{1990 + number % 35}"
    return f"€ {number / 100:.2f}"


def make_table(
    rng: Random,
    words: list[str],
    *,
    orientation: str,
    use_th: bool,
    attributes: str,
    nested: bool = False,
    aria: bool = False,
) -> tuple[str, TableTruth]:
    """Return one data table as HTML with its truth; ``words`` are the labels it may use.

    With ``aria`` it is built of other elements, provided that it needs no spans (`ARIA_ORIENTATIONS`).
    """
    pick = iter(words * 4)
    n_rows, n_cols = 3 + int(rng.random() * 7), 3 + int(rng.random() * 4)
    kinds = [int(rng.random() * 7) for _ in range(max(n_rows, n_cols))]
    top, left = _header_depth(orientation)
    if orientation == "row":
        kinds_of_row = [int(rng.random() * 7) for _ in range(n_rows)]
        body = [[_Cell(_value(rng, kinds_of_row[r])) for _ in range(n_cols)] for r in range(n_rows)]
    else:
        body = [[_Cell(_value(rng, kinds[c])) for c in range(n_cols)] for _ in range(n_rows)]
    has_names = orientation == "column" and rng.random() < 0.6
    if has_names:  # a first column of names that are data, not headers
        for r in range(n_rows):
            body[r][0] = _Cell(f"{next(pick)} {r + 1}")
    grid: list[list[_Cell]] = []
    bold = not use_th and rng.random() < 0.6
    # Without th and without bold only an empty corner tells headers on the left from a first column of names.
    corner = rng.random() < 0.5 and (use_th or bold)
    if top:
        grid.extend(_top_rows(pick, top=top, left=left, n_cols=n_cols, corner=corner))
    grid.extend(_with_left(pick, body, left))
    title = rng.random() < 0.12
    width = left + n_cols
    if title:
        grid.insert(0, [_Cell(next(pick), columns=width)])
    height = int(title) + top + n_rows
    heads = tuple(
        (r, c) for r in range(int(title), height) for c in range(width) if (r < int(title) + top) or (c < left)
    )
    # Unless the markup tells, names on the left can be read as headers, and headers on the left as names.
    also: tuple[str, ...] = ()
    if not use_th and not bold:
        also = {"column": ("row-column",) if has_names else (), "row-column": ("column",)}.get(orientation, ())
    is_aria = aria and not title and orientation in ARIA_ORIENTATIONS
    truth = TableTruth(
        is_data=True,
        orientation=orientation,
        header_cells=heads,
        n_rows=height,
        n_cols=width,
        title_rows=(0,) if title else (),
        nested=nested,
        aria=is_aria,
        also=also,
    )
    caption = f"<caption>{next(pick)}</caption>" if rng.random() < 0.2 else ""
    if is_aria:
        return _render_aria(grid, attributes, top=top, use_headers=use_th, bold=bold, grouped=rng.random() < 0.5), truth
    sections = use_th and top and rng.random() < 0.4 and not title
    html = _render(grid, use_th=use_th, bold=bold, top=int(title) + top if sections else 0)
    return f"<table{attributes}>{caption}{html}</table>", truth


def _header_depth(orientation: str) -> tuple[int, int]:
    return {
        "column": (1, 0),
        "row": (0, 1),
        "row-column": (1, 1),
        "multi-header-column": (2, 0),
        "multi-header-row": (0, 2),
        "multi-header-row-column": (1, 2),
        "none": (0, 0),
    }[orientation]


def _top_rows(pick: Iterator[str], *, top: int, left: int, n_cols: int, corner: bool) -> list[list[_Cell]]:
    corner_text = next(pick) if corner else ""
    if top == 1:
        first = [_Cell(corner_text, head=True, columns=left)] if left else []
        return [first + [_Cell(next(pick), head=True) for _ in range(n_cols)]]
    rows: list[list[_Cell]] = [[], []]
    if left:
        rows[0].append(_Cell(corner_text, head=True, rows=2, columns=left))
    c = 0
    while c < n_cols:  # groups of two columns under one heading; a last single column spans both header rows
        if n_cols - c >= 2:
            rows[0].append(_Cell(next(pick), head=True, columns=2))
            rows[1] += [_Cell(next(pick), head=True), _Cell(next(pick), head=True)]
            c += 2
        else:
            rows[0].append(_Cell(next(pick), head=True, rows=2))
            c += 1
    return rows


def _with_left(pick: Iterator[str], body: list[list[_Cell]], left: int) -> list[list[_Cell]]:
    if left == 0:
        return body
    if left == 1:
        return [[_Cell(next(pick), head=True), *row] for row in body]
    rows = []
    r = 0
    while r < len(body):  # groups of two or three rows under one heading
        size = min(3 if len(body) - r == 3 else 2, len(body) - r)
        for k in range(size):
            group = [_Cell(next(pick), head=True, rows=size)] if k == 0 else []
            rows.append([*group, _Cell(next(pick), head=True), *body[r + k]])
        r += size
    return rows


def _render(grid: list[list[_Cell]], *, use_th: bool, bold: bool, top: int) -> str:
    lines = []
    for number, row in enumerate(grid):
        cells = []
        for cell in row:
            span = (f' rowspan="{cell.rows}"' if cell.rows > 1 else "") + (
                f' colspan="{cell.columns}"' if cell.columns > 1 else ""
            )
            tag = "th" if cell.head and use_th else "td"
            text = f"<b>{cell.text}</b>" if cell.head and bold and cell.text else cell.text
            cells.append(f"<{tag}{span}>{text}</{tag}>")
        line = f"<tr>{''.join(cells)}</tr>\n"
        if top and number == 0:
            line = f"<thead>{line}"
        if top and number == top - 1:
            line += "</thead><tbody>"
        lines.append(line)
    return "".join(lines) + ("</tbody>" if top else "")


def _render_aria(
    grid: list[list[_Cell]], attributes: str, *, top: int, use_headers: bool, bold: bool, grouped: bool
) -> str:
    """Return a table of ``div`` and ``span`` elements (WAI-ARIA 1.2: table, row, cell and their headers)."""
    lines = []
    for number, row in enumerate(grid):
        cells = []
        for cell in row:
            role = ("columnheader" if number < top else "rowheader") if cell.head and use_headers else "cell"
            text = f"<b>{cell.text}</b>" if cell.head and bold and cell.text else cell.text
            cells.append(f'<span role="{role}">{text}</span>')
        lines.append(f'<div role="row">{"".join(cells)}</div>\n')
    if grouped:
        head, body = "".join(lines[:top]), "".join(lines[top:])
        inner = (f'<div role="rowgroup">{head}</div>' if head else "") + f'<div role="rowgroup">{body}</div>'
    else:
        inner = "".join(lines)
    return f'<div role="table"{attributes}>{inner}</div>'
