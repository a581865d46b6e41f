"""What does reading a page cost, with bare Lexbor parsing of the same pages as 1?

    python bench/page_pass.py $CORPORA/apache/apache.warc.gz --every 8

Ours is everything the page pass does: decoding, parse, walk, links, segments, leaves, breadcrumbs and Arrow batches.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timing import Contender, arguments, compare, report


@dataclass(frozen=True)
class Pages:
    captures: list[Any]
    bodies: list[bytes]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("warc", type=Path)
    parser.add_argument("--every", type=int, default=8, help="take every so many pages")
    options = parser.parse_args()
    load = loader(options.warc, options.every)
    contenders = [
        Contender("bare Lexbor parse", parse_bare, prepare=load, answer=int),
        Contender("page pass", pass_over_all, prepare=load, answer=int),
    ]
    outcome = compare(contenders, against="bare Lexbor parse", rounds=options.rounds)
    report(f"Reading pages: {options.warc.name}", outcome, data=[options.warc], record=options.record)


def loader(warc: Path, every: int) -> Callable[[], Pages]:
    def load() -> Pages:
        # Imported before the clock starts, for both contenders.
        import selectolax.lexbor  # noqa: F401

        import sitestrata.run.page_pass  # noqa: F401
        from sitestrata.sources import Limits, find_sources, index_source, read_bodies

        (source,) = find_sources([str(warc)])
        found = [item for item in index_source(source, Limits()) if getattr(item, "is_html", False)]
        chosen = [item for item in found if item.status == 200 and item.record_type == "response"][::every]
        pairs = [pair for pair in read_bodies(source, chosen, Limits()) if isinstance(pair, tuple)]
        return Pages([capture for capture, _ in pairs], [body for _, body in pairs])

    return load


def parse_bare(pages: Pages) -> int:
    from selectolax.lexbor import LexborHTMLParser

    return sum(LexborHTMLParser(body).root is not None for body in pages.bodies)


def pass_over_all(pages: Pages) -> int:
    from sitestrata.run.page_pass import pass_over

    batches = pass_over(zip(pages.captures, pages.bodies, strict=True))
    return sum(batch.num_rows for batch in batches["pages"])


if __name__ == "__main__":
    main()
