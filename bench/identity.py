"""How do time and memory of URL identity grow with the collection?

    python bench/identity.py --sizes 10000 30000 100000 300000

Makes a web of hosts that redirect http to https and the bare host to www, serve a folder also under index.html, and
link to each other with tracking parameters; writes its tables as Parquet and runs the stage over them.
A page has 15 distinct addresses that no other page has, most of them never captured, and 40 links.
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from timing import Contender, arguments, growth, report

from sitestrata.identity import find_aliases
from sitestrata.model import TABLES
from sitestrata.urls import url_id

PAGES_PER_HOST = 500
CHUNK = 5_000


class Tables:
    """A folder of Parquet files, read as a TableReader reads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        return pq.read_table(self.folder / f"{name}.parquet", columns=columns)

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        yield from pq.ParquetFile(self.folder / f"{name}.parquet").iter_batches(batch_size=65_536, columns=columns)

    def query(self, sql: str) -> pa.Table:
        raise NotImplementedError(sql)


def address(page: int) -> str:
    host = page // PAGES_PER_HOST
    return f"https://www.host{host}.example/section{page % 20}/item-{page:08d}/"


def write(pages: int, folder: Path) -> None:
    """Write captures, pages, links and urls of a web of so many pages."""
    names = ("captures", "pages", "links", "urls")
    paths = {name: folder / f"{name}.parquet" for name in names}
    schemas = {
        name: pa.schema([field for field in TABLES[name].schema if field.name in COLUMNS[name]]) for name in names
    }
    writers = {name: pq.ParquetWriter(path, schemas[name]) for name, path in paths.items()}
    for start in range(0, pages, CHUNK):
        rows = rows_of(range(start, min(start + CHUNK, pages)), pages)
        for name in names:
            writers[name].write_table(pa.Table.from_pylist(rows[name], schema=schemas[name]))
    for writer in writers.values():
        writer.close()


COLUMNS = {
    "captures": {"url_id", "url", "source", "offset", "fetched_at", "status", "location", "digest", "is_html"},
    "pages": {
        "url_id",
        "url",
        "title",
        "heading",
        "canonical_link",
        "links_digest",
        "node_count",
        "link_count",
        "leaf_count",
        "text_length",
        "linked_text_length",
    },
    "links": {"page", "ordinal", "target"},
    "urls": {"url_id", "url"},
}


def rows_of(numbers: range, pages: int) -> dict[str, list[dict[str, object]]]:
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in COLUMNS}

    def capture(url: str, status: int, digest: str, location: str | None = None) -> None:
        rows["captures"].append(
            {
                "url_id": url_id(url),
                "url": url,
                "source": "w",
                "offset": 0,
                "fetched_at": None,
                "status": status,
                "location": location,
                "digest": digest,
                "is_html": status == 200,
            }
        )

    def page_row(url: str, number: int, links: list[str]) -> None:
        rows["pages"].append(
            {
                "url_id": url_id(url),
                "url": url,
                "title": f"Page {number}",
                "heading": None,
                "canonical_link": None,
                "links_digest": number,
                "node_count": 500,
                "link_count": len(links),
                "leaf_count": 200,
                "text_length": 4000 + number % 1000,
                "linked_text_length": 700,
            }
        )
        me = url_id(url)
        rows["links"].extend({"page": me, "ordinal": n, "target": url_id(link)} for n, link in enumerate(links))

    for number in numbers:
        choose = random.Random(number)
        url = address(number)
        menu = [address(number - number % PAGES_PER_HOST + n) for n in range(20)]
        near = [address(choose.randrange(pages)) for _ in range(6)]
        own = [f"{url}part-{n}.html" for n in range(9)]
        marked = [f"{near[0]}?utm_source=p{number}", near[1].replace("https", "http"), f"{near[2]}index.html"]
        outside = [f"http://other{choose.randrange(pages)}.example/path/{n}" for n in range(2)]
        links = [*menu, *near, *own, *marked, *outside]
        capture(url, 200, f"{number:032x}")
        page_row(url, number, links)
        if number % 10 == 0:
            capture(f"{url}index.html", 200, f"{number:032x}")
            page_row(f"{url}index.html", number, links)
        if number % 7 == 0:
            capture(url.replace("https://www.", "http://"), 301, "", url)
        fresh = {url, *own, *marked, *outside, f"{url}index.html", url.replace("https://www.", "http://")}
        rows["urls"].extend({"url_id": url_id(text), "url": text} for text in sorted(fresh))
    return rows


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
            def run(tables: Tables) -> list[int]:
                made = find_aliases(tables)["aliases"]
                count = aliases = 0
                for batch in made:
                    count += batch.num_rows
                    aliases += int((np.asarray(batch["url_id"]) != np.asarray(batch["page_id"])).sum())
                return [count, aliases]

            return Contender("find_aliases", run, prepare=lambda: Tables(Path(root) / str(size)), answer=list)

        outcome = growth("find_aliases", options.sizes, contender_of, rounds=options.rounds)
        report("URL identity over a growing web (size = pages)", [outcome], record=options.record)
        print("addresses and aliases:", outcome.answers)


if __name__ == "__main__":
    main()
