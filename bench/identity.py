"""How do time and memory of URL identity grow with the collection?

    python bench/identity.py --sizes 10000 30000 100000 300000

Makes a web of hosts that redirect http to https and the bare host to www, serve a folder also under index.html, and
link to each other with tracking parameters; writes its tables as Parquet and runs the stages over them.
A page brings about 15 distinct addresses, most of them never captured; one page in ten was captured under two.
"""

import random
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from timing import Contender, arguments, growth, report

from sitestrata.identity import IdentityOptions
from sitestrata.identity.captured import COUNTS
from sitestrata.identity.tables import REDIRECTS
from sitestrata.model import TABLES
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.engine import Step
from sitestrata.run.plan import PLAN, stages_named
from sitestrata.run.storage import FileReader
from sitestrata.urls import url_id

PAGES_PER_HOST = 500
LINKS = 40
CHUNK = 5_000
STAGES = stages_named(PLAN, ["hosts", "evidence", "remainders", "bonds", "aliases"])


def find_aliases(folder: Path, tables: dict[str, list[Path]]) -> list[Path]:
    """Run the stages of identity one after the other, as the embedded engine does."""
    engine = EmbeddedEngine(1, 4 << 30)
    files = dict(tables)
    for stage in STAGES:
        reader = FileReader({name: files[name] for name in (*stage.needs, stage.by) if name}, spill=folder / "spill")
        step = Step(stage, IdentityOptions(), reader, folder / stage.name, lambda _: None)
        files |= (engine.relational if stage.scope == "relational" else engine.collection)(step)
    return files["aliases"]


def address(page: int) -> str:
    host = page // PAGES_PER_HOST
    return f"https://www.host{host}.example/section{page % 20}/item-{page:08d}/"


def write(pages: int, folder: Path) -> None:
    """Write captures, pages, links and urls of a web of so many pages, with the columns that the stage reads."""
    writers: dict[str, pq.ParquetWriter] = {}
    known: set[str] = set()
    for start in range(0, pages, CHUNK):
        for name, table in tables_of(range(start, min(start + CHUNK, pages)), pages, known).items():
            if name not in writers:
                writers[name] = pq.ParquetWriter(folder / f"{name}.parquet", table.schema)
            writers[name].write_table(table)
    for writer in writers.values():
        writer.close()


def tables_of(numbers: range, pages: int, known: set[str]) -> dict[str, pa.Table]:
    captures: list[tuple[str, int, str, str | None]] = []
    parsed: list[tuple[str, int, int]] = []
    links: list[tuple[int, int, int]] = []
    urls: list[str] = []
    for number in numbers:
        choose = random.Random(number)
        url = address(number)
        near = [address(choose.randrange(pages)) for _ in range(3)]
        marked = [f"{near[0]}?utm_source=p{number}", near[1].replace("https", "http"), f"{near[2]}index.html"]
        outside = [f"http://other{choose.randrange(pages)}.example/path/{n}" for n in range(2)]
        own = [f"{url}part-{n}.html" for n in range(9)]
        twins = [f"{url}index.html", url.replace("https://www.", "http://")]
        captures.append((url, 200, f"{number:032x}", None))
        parsed.append((url, number, 0))
        if number % 10 == 0:  # a second address; its links to itself differ, so both pages' links will be compared
            captures.append((twins[0], 200, f"{number:032x}", None))
            parsed.append((twins[0], number, 1))
            menu = [address(number - number % PAGES_PER_HOST + n) for n in range(LINKS - 15)]
            for page in (url, twins[0]):
                targets = [page, *menu, *own, *marked, *outside]
                links.extend((url_id(page), ordinal, url_id(target)) for ordinal, target in enumerate(targets))
        if number % 7 == 0:
            captures.append((twins[1], 301, "", url))
        urls.extend([url, *own, *marked, *outside, *twins])
    urls = sorted(set(urls) - known)
    known.update(urls)
    redirects = [row for row in captures if row[3] is not None]
    return {
        REDIRECTS: pa.table(
            {
                "url_id": pa.array([url_id(row[3] or "") for row in redirects], pa.int64()),
                "url": [row[3] for row in redirects],
                "page": pa.array([url_id(row[0]) for row in redirects], pa.int64()),
            }
        ),
        "captures": pa.table(
            {
                "url_id": pa.array([url_id(row[0]) for row in captures], pa.int64()),
                "url": [row[0] for row in captures],
                "source": ["w"] * len(captures),
                "offset": pa.array([0] * len(captures), pa.int64()),
                "fetched_at": pa.array([None] * len(captures), TABLES["captures"].schema.field("fetched_at").type),
                "status": pa.array([row[1] for row in captures], pa.int32()),
                "location": pa.array([row[3] for row in captures], pa.string()),
                "digest": [row[2] for row in captures],
                "is_html": [row[1] == 200 for row in captures],
            }
        ),
        "pages": pa.table(
            {
                "url_id": pa.array([url_id(row[0]) for row in parsed], pa.int64()),
                "url": [row[0] for row in parsed],
                "title": [f"Page {row[1]}" for row in parsed],
                "heading": pa.array([None] * len(parsed), pa.string()),
                "canonical_link": pa.array([None] * len(parsed), pa.string()),
                "links_digest": pa.array([row[1] * 2 + row[2] for row in parsed], pa.int64()),
                **{name: pa.array([500 + row[1] % 1000 for row in parsed], pa.int64()) for name in COUNTS},
            }
        ),
        "links": pa.table(
            {
                name: pa.array([row[column] for row in links], type_)
                for column, (name, type_) in enumerate(
                    {"page": pa.int64(), "ordinal": pa.int32(), "target": pa.int64()}.items()
                )
            }
        ),
        "urls": pa.table({"url_id": pa.array(map(url_id, urls), pa.int64()), "url": urls}),
    }


def main() -> None:
    parser = arguments(__doc__, rounds=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=[3_000, 10_000, 30_000, 100_000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        for size in options.sizes:
            folder = Path(root) / str(size)
            folder.mkdir()
            write(size, folder)
            addresses = pq.read_metadata(folder / "urls.parquet").num_rows
            print(f"wrote {size:,} pages, {addresses:,} addresses", file=sys.stderr)

        def contender_of(size: int) -> Contender:
            def run(folder: Path) -> list[int]:
                tables = {path.stem: [path] for path in folder.glob("*.parquet")}
                made = FileReader({"aliases": find_aliases(folder / "made", tables)}).read("aliases")
                return [made.num_rows, int((made["url_id"].to_numpy() != made["page_id"].to_numpy()).sum())]

            return Contender("find_aliases", run, prepare=lambda: Path(root) / str(size), answer=list)

        outcome = growth("find_aliases", options.sizes, contender_of, rounds=options.rounds)
        report("URL identity over a growing web (size = pages)", [outcome], record=options.record)
        print("addresses and aliases:", outcome.answers)


if __name__ == "__main__":
    main()
