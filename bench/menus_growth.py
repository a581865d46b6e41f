"""How the menus stage grows with the number of pages, in time and memory.

    python bench/menus_growth.py $SCRATCH/g1000 $SCRATCH/g3000 $SCRATCH/g10000 $SCRATCH/g30000 --rounds 1

The workspaces are mined from the sample web up to the aliases:
``sitestrata mine web.warc.gz -o WS --only read,captures,pages,aliases``.
"""

from pathlib import Path
from typing import Any

from timing import Contender, arguments, growth, report

from sitestrata.menus import MenuOptions, find_menus
from sitestrata.run.workspace import open_workspace


def main() -> None:
    parser = arguments(__doc__, rounds=3)
    parser.add_argument("workspace", type=Path, nargs="+")
    options = parser.parse_args()
    by_size = {count(folder): folder for folder in options.workspace}
    outcome = growth(
        "menus",
        sorted(by_size),
        lambda size: Contender(
            "menus", run, lambda: open_workspace(by_size[size]).reader(), answer=lambda made: made["menus"].num_rows
        ),
        rounds=options.rounds,
    )
    links = open_workspace(by_size[max(by_size)]).count("links")
    note = f"{outcome.peak[-1] / links:.0f} bytes a link at the largest size ({links:,} links), peak above the start."
    report("The menus stage on the sample web, by pages", [outcome], notes=note, record=options.record)


def count(folder: Path) -> int:
    return open_workspace(folder).count("pages")


def run(reader: Any) -> dict[str, Any]:
    return find_menus(reader, MenuOptions())


if __name__ == "__main__":
    main()
