"""What do menus cost a page, with bare Lexbor parsing of the same pages as 1?

    python bench/menus.py $CORPORA/apache/apache.warc.gz $SCRATCH/apache

The workspace is mined from the archive, at least ``--only read,captures,pages,aliases``. Counted is processor time of
the whole stage: reading the tables of the page pass, everything between, and the rows that are handed to the workspace;
reading and writing of files by the run itself are not. Parsing is measured before and after, because machines change
their pace.
"""

import argparse
import time
from pathlib import Path

from page_pass import loader, parse_bare

from sitestrata.menus.rows import menus_to_tables
from sitestrata.menus.stage import mine_menus
from sitestrata.menus.web import read_web
from sitestrata.run.workspace import open_workspace


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("warc", type=Path)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--every", type=int, default=12, help="parse every so many pages")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    bodies = loader(options.warc, options.every)()
    workspace = open_workspace(options.workspace)
    pages = workspace.count("pages")
    parse, read, mine, rows = [], [], [], []
    for _ in range(options.rounds):
        parse.append(spent(lambda: parse_bare(bodies))[0] / len(bodies.bodies))
        reader = workspace.reader()
        read.append(spent(lambda reader=reader: read_web(reader))[0] / pages)
        cost, menus = spent(lambda reader=reader: mine_menus(reader))
        mine.append(cost / pages)
        rows.append(spent(lambda reader=reader, menus=menus: menus_to_tables(reader, menus))[0] / pages)
        parse.append(spent(lambda: parse_bare(bodies))[0] / len(bodies.bodies))
    whole = min(mine) + min(rows)
    unit = min(parse)
    print(
        f"{pages:,} pages, {workspace.count('links'):,} links; processor milliseconds a page, best of {options.rounds}"
    )
    print(f"bare Lexbor parse   {1000 * unit:.3f}")
    for name, cost in (
        ("menus, whole stage", whole),
        ("  reading tables", min(read)),
        ("  finding menus", min(mine) - min(read)),
        ("  rows of tables", min(rows)),
    ):
        print(f"{name:<19} {1000 * cost:.3f} = {cost / unit:.2f} x")


def spent(call):
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


if __name__ == "__main__":
    main()
