"""What do label hierarchy and tables cost, measured by the parse of the same pages?

python bench/partition_cost.py $CORPORA/apache/apache.warc.gz --every 30
python bench/partition_cost.py --growth
"""

from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from gold_pages import captures
from selectolax.lexbor import LexborHTMLParser
from timing import Contender, arguments, growth

from sitestrata.page import PageFacts, UnusablePageError, read_page
from sitestrata.partition.tables import TableOptions, read_tables
from sitestrata.partition.tree import find_tree

RUNS = 5


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("warc", type=Path, nargs="?")
    parser.add_argument("--every", type=int, default=1, help="look at one of so many captures")
    parser.add_argument("--growth", action="store_true")
    options = parser.parse_args()
    if options.growth:
        grown = growth("label hierarchy", [1_000, 2_400, 10_000, 40_000, 100_000], contender)
        print(grown)
        return
    ratios: dict[str, list[float]] = {"read": [], "tree": [], "tables": [], "tree of pages with tables": []}
    times: dict[str, list[float]] = {"parse": [], "read": [], "tree": [], "tables": []}
    for url, body in islice(captures(options.warc), 0, None, options.every):
        try:
            facts = read_page(body, url)
        except UnusablePageError:
            continue
        if len(facts.leaves) < 10:
            continue
        parse = least(lambda body=body: LexborHTMLParser(body))
        times["parse"].append(parse)
        for name, work in (
            ("read", lambda body=body, url=url: read_page(body, url)),
            ("tree", lambda facts=facts: find_tree(facts)),
            ("tables", lambda facts=facts: read_tables(facts, TableOptions())),
        ):
            took = least(work)
            times[name].append(took)
            ratios[name].append(took / parse)
        if facts.table_count:
            ratios["tree of pages with tables"].append(ratios["tree"][-1])
    print(f"{len(times['parse'])} pages, parse {1000 * median(times['parse']):.2f} ms at the median")
    for name, values in ratios.items():
        print(f"{name}: {median(values):.1f}x the parse at the median of {len(values)}")


def least(work: Any) -> float:
    """Return the CPU seconds of the fastest of some runs."""
    took = []
    for _ in range(RUNS):
        began = process_time()
        work()
        took.append(process_time() - began)
    return max(min(took), 1e-6)


def contender(size: int) -> Contender:
    def prepare() -> PageFacts:
        part = "<div><h2>Head {0}</h2><ul><li><a href=/{0}a>One</a><li><a href=/{0}b>Two</a><li>Three</ul><p>Text</div>"
        return read_page("".join(part.format(n) for n in range(size // 5)).encode(), "https://example.org/")

    return Contender(f"{size} leaves", find_tree, prepare=prepare)


if __name__ == "__main__":
    main()
