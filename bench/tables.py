"""Are tables read better, and how fast, than by pandas.read_html?

    python bench/gold_pages.py $CORPORA/homepages/tables.jsonl -o $SCRATCH/fragments.warc.gz
    python bench/tables.py $SCRATCH/fragments.warc.gz $CORPORA/homepages/tables.jsonl

Both get the same fragments, one table each. A grid is right if it has the rows and columns of the HTML Standard's table
model, a header if the right number of rows on top, and only those, are headers. pandas has no idea of layout tables and
of headers on the left: only data tables count, and only rows on top.
"""

from io import StringIO
from pathlib import Path

from gold_pages import captures
from timing import Contender, arguments, compare, report

from sitestrata.evaluate.formats.recognise import read_facts
from sitestrata.page import read_page
from sitestrata.partition.tables import find_tables


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("warc", type=Path)
    parser.add_argument("gold", type=Path)
    options = parser.parse_args()
    gold = {fact.url: fact for fact in read_facts([options.gold]).tables if fact.is_data}
    pages = [(url, body) for url, body in captures(options.warc) if url in gold]
    right = {"sitestrata": [0, 0], "pandas": [0, 0]}
    for url, body in pages:
        ours = find_tables(read_page(body, url))[0]
        cells = set(gold[url].header_cells or ())
        titles = ours.row_roles.count("title")
        top = titles
        while top < ours.rows and all((top, column) in cells for column in range(ours.columns)):
            top += 1
        shape = (ours.rows, ours.columns)
        theirs = pandas_shape(body)
        found = sum(role == "header" for role in ours.row_roles[: titles + 5])
        for name, (grid, rows) in (("sitestrata", (shape, found)), ("pandas", theirs)):
            right[name][0] += grid == shape
            right[name][1] += rows == top - titles
    for name, (grids, headers) in right.items():
        print(f"{name}: {grids} of {len(pages)} grids, {headers} header rows right")

    contenders = [
        Contender(
            "sitestrata",
            lambda some: [find_tables(read_page(b, u)) for u, b in some],
            prepare=lambda: pages,
            warm_ups=1,
        ),
        Contender("pandas", lambda some: [pandas_shape(b) for _, b in some], prepare=lambda: pages, warm_ups=1),
    ]
    outcome = compare(contenders, against="pandas", rounds=options.rounds)
    report("Tables: sitestrata against pandas.read_html", outcome, data=[options.gold], record=options.record)


def pandas_shape(body: bytes) -> tuple[tuple[int, int], int]:
    """Return rows and columns as pandas reads them, and how many header rows it finds; nothing where it gives up."""
    import pandas as pd

    try:
        frame = pd.read_html(StringIO(body.decode()), flavor="lxml")[0]
    except (ValueError, ImportError):
        return (0, 0), -1
    has_header = not all(isinstance(name, int) for name in frame.columns)
    rows = frame.columns.nlevels if has_header else 0
    return (len(frame) + rows, frame.shape[1]), rows


if __name__ == "__main__":
    main()
