"""Are tables read better, and how fast, than by pandas.read_html?

    python bench/tables.py $CORPORA/wikipedia-tables

Both get the same tables, one document each: those of which the data set has a grid that others cleaned by hand and
programme, one header row (levels joined) and the body below it. A body is right if it has the columns and rows of that
grid and nine of ten of its cells say the same, a header if all its names do; references in brackets, signs and case do
not count, nor do columns without any text. What is a header is left to either: pandas takes ``thead`` and leading rows
of ``th``. With --strip there are no ``th`` and no classes.

pandas: flavor lxml, thousands None, keep_default_na False, every column converted to text, so that it reads what stands
there; it is timed without the conversion, for which it reads twice. Times are of all from bytes to tables.
"""

import json
import re
from collections.abc import Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from gold_pages import captures, strip
from selectolax.lexbor import LexborHTMLParser
from timing import Contender, arguments, compare, report

from sitestrata.page import read_page
from sitestrata.partition.tables import find_tables

MOST = 0.9  # of the cells of a body

Read = tuple[list[str], list[list[str]]]  # the header, one name a column; the body
Row = Sequence[str]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strip", action="store_true", help="take class, id, role and style away; th becomes td")
    options = parser.parse_args()
    with (options.folder / "pages.jsonl").open(encoding="utf-8") as file:
        gold = {row["url"]: row for row in map(json.loads, file)}
    tables = []
    for url, body in captures(options.folder / "pages.warc.gz"):
        found = LexborHTMLParser(body).css("table")
        row = gold.get(url)
        if row is not None and row["gold_grid_table_index"] is not None:
            html = (found[row["gold_grid_table_index"]].html or "").encode()
            tables.append((strip(html) if options.strip else html, truth(row["grid_tsv"])))
    bodies = [body for body, _ in tables]
    for name, read in (
        ("sitestrata", ours),
        ("pandas.read_html", theirs),
        ("the same, told that the first row is the header", partial(theirs, header=0)),
    ):
        right = [judge(read(body), wanted) for body, wanted in tables]
        grids, headers, both = (sum(column) for column in zip(*right, strict=True))
        print(f"{name}: of {len(tables)} tables {grids} bodies right, {headers} headers, {both} both")
    contenders = [
        Contender("sitestrata", lambda some: [ours(body) for body in some], prepare=lambda: bodies, warm_ups=1),
        Contender("pandas", lambda some: [read_html(body) for body in some], prepare=lambda: bodies, warm_ups=1),
    ]
    outcome = compare(contenders, against="pandas", rounds=options.rounds)
    report("Tables: sitestrata against pandas.read_html", outcome, data=[], record=options.record)


def truth(tsv: str) -> Read:
    lines = [[cell.replace("\\n", " ") for cell in line.split("\t")] for line in tsv.rstrip("\n").split("\n")]
    return lines[0], lines[1:]


def ours(body: bytes) -> Read:
    table = find_tables(read_page(body, "https://example.org/"))[0]
    titles = next((row for row, role in enumerate(table.row_roles) if role != "title"), 0)
    below = next((row for row in range(titles, table.rows) if table.row_roles[row] != "header"), table.rows)
    return joined(table.grid[titles:below]), [list(row) for row in table.grid[below:]]


def theirs(body: bytes, **settings: Any) -> Read:
    """Return what pandas reads, every column as text: for that it must be told how many there are."""
    columns = read_html(body, **settings).shape[1]
    frame = read_html(body, converters=dict.fromkeys(range(columns), str), **settings)
    names = [name if isinstance(name, tuple) else (name,) for name in frame.columns]
    if all(isinstance(name[0], int) for name in names):
        names = [() for _ in names]
    levels = list(zip(*names, strict=True))
    return joined([[str(cell) for cell in level] for level in levels]), frame.astype(str).to_numpy().tolist()


def read_html(body: bytes, **settings: Any) -> Any:
    import pandas as pd

    return pd.read_html(StringIO(body.decode()), flavor="lxml", thousands=None, keep_default_na=False, **settings)[0]


def joined(levels: Sequence[Row]) -> list[str]:
    """Return the names of columns: what their header cells say, each once."""
    return [" ".join(dict.fromkeys(column)) for column in zip(*levels, strict=True)]


def judge(read: Read, wanted: Read) -> tuple[bool, bool, bool]:
    (names, body), (true_names, true_body) = shown(read), shown(wanted)
    is_header = [plain(name) for name in names] == [plain(name) for name in true_names]
    is_shaped = len(body) == len(true_body) and all(len(a) == len(b) for a, b in zip(body, true_body, strict=True))
    is_body = False
    if is_shaped:
        rows = zip(body, true_body, strict=True)
        cells = [(plain(a), plain(b)) for row, true in rows for a, b in zip(row, true, strict=True)]
        is_body = sum(a == b for a, b in cells) >= MOST * len(cells)
    return is_body, is_header, is_body and is_header


def shown(read: Read) -> Read:
    """Leave out columns that are empty from top to bottom, as the data set does for some: they hold colours."""
    names, body = read
    width = max((len(row) for row in body), default=0)
    if any(len(row) != width for row in body):
        return read
    kept = [column for column in range(width) if any(plain(row[column]) for row in body)]
    names = [names[column] for column in kept] if len(names) == width else names
    return names, [[row[column] for column in kept] for row in body]


def plain(text: str) -> str:
    return "".join(char for char in re.sub(r"\[[^\]]*\]", "", text).casefold() if char.isalnum())


if __name__ == "__main__":
    main()
