"""How do the time and memory of `sitestrata mine` grow with the size of the crawl?

    python bench/scaling.py --sizes 1000 4000 16000 64000 --work $SCRATCH
    python bench/scaling.py --sizes 1000 10000 100000 1000000 --small --only read,captures,pages --work $SCRATCH

Generates the sample web at each size (once, not timed) and mines it into a fresh workspace by the command that a user
types. Peak memory is that of all its processes together. ``--small`` takes plain pages of half a kilobyte instead, of
which a million are written in a minute or two: enough to see what grows with the number of pages.
"""

import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from uuid import UUID

from timing import Contender, arguments, growth, report

from sitestrata import sample

SITE_PAGES = (10, 30, 100, 300, 1000)  # of one small site, in turn
TOPIC_SITES = 30  # that speak of the same things


def main() -> None:
    parser = arguments(__doc__, rounds=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000, 16000, 64000], help="pages")
    parser.add_argument("--work", type=Path, required=True, help="folder for the webs and workspaces")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="plain small pages instead of the sample web")
    parser.add_argument("--only", help="stages to run, as for `sitestrata mine --only`")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    make = small_web if options.small else web
    webs = {size: make(options.work, size, options.seed) for size in options.sizes}

    def contender(size: int) -> Contender:
        workspace = options.work / f"scaling-{size}"
        words = [sys.executable, "-m", "sitestrata", "mine", str(webs[size]), "-o", str(workspace)]
        words += ["--workers", str(options.workers)]
        if options.only:
            words += ["--only", options.only]

        def run(_: object) -> None:
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def prepare() -> None:
            shutil.rmtree(workspace, ignore_errors=True)

        return Contender(
            "mine", run, prepare=prepare, runs_programs=True, answer=lambda _: sum_of_sizes(workspace / "tables")
        )

    curve = growth("mine", options.sizes, contender, rounds=options.rounds)
    pages_per_second = ", ".join(f"{size / wall:,.0f}" for size, wall in zip(curve.sizes, curve.wall, strict=True))
    megabytes = ", ".join(f"{webs[size].stat().st_size / 1e6:,.0f}" for size in curve.sizes)
    notes = (
        f"Pages a second at each size: {pages_per_second}, with {options.workers} workers; "
        f"the WARC files have {megabytes} MB. "
        f"The {'small pages are' if options.small else 'sample web is'} drawn from seed {options.seed}."
    )
    what = f"mining (only {options.only})" if options.only else "mining"
    question = f"How does {what} grow with {'small pages' if options.small else 'the crawl'}?"
    report(question, [curve], data=webs.values(), notes=notes, record=options.record)
    for size in options.sizes:
        shutil.rmtree(options.work / f"scaling-{size}", ignore_errors=True)


def web(folder: Path, size: int, seed: int) -> Path:
    """Return the sample web of a size, generated if it is not there yet."""
    path = folder / f"web-{size}-seed-{seed}.warc.gz"
    if not path.exists():
        print(f"generating {size:,} pages", file=sys.stderr)
        half = path.with_name(f"half-{path.name}")
        sample.write(half, seed=seed, pages=size)
        shutil.rmtree(sample.truth_folder(path), ignore_errors=True)
        sample.truth_folder(half).rename(sample.truth_folder(path))
        half.rename(path)
    return path


def small_web(folder: Path, size: int, seed: int) -> Path:
    """Return sites of small pages, of several sizes, with a menu, neighbours and now and then a link to another site.

    Thirty sites each share a topic, the words of their menus.
    """
    path = folder / f"small-{size}-seed-{seed}.warc.gz"
    if path.exists():
        return path
    print(f"writing {size:,} small pages", file=sys.stderr)
    chance = Random(seed)
    sites = size * len(SITE_PAGES) // sum(SITE_PAGES) + 1
    half = path.with_name(f"half-{path.name}")
    with half.open("wb") as file:
        for number, (site, page, menu) in enumerate(small_pages(size, chance)):
            shown = "".join(f'<li><a href="/{name}/">{name.title()}</a>' for name in menu)
            other = f"http://s{chance.randrange(sites)}.example/p{chance.randrange(10)}.html"
            elsewhere = f" <a href={other}>Elsewhere</a>" if page % 10 == 9 else ""
            body = (
                f"<!doctype html><title>Page {page} of {site}</title><ul>{shown}</ul><h1>Page {page}</h1>"
                f"<p>{chance.getrandbits(200):x}</p><p><a href=/p{page - 1}.html>Back</a> "
                f"<a href=/p{page + 1}.html>On</a>{elsewhere}</p>"
            ).encode()
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
            place = ["", *(f"{name}/" for name in menu)][page] if page <= len(menu) else f"p{page}.html"
            fields = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{UUID(int=number)}>\r\n"
                f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://s{site}.example/{place}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(head) + len(body)}\r\n\r\n"
            )
            packer = zlib.compressobj(1, zlib.DEFLATED, 31)
            file.write(packer.compress(fields.encode() + head + body + b"\r\n\r\n") + packer.flush())
    half.rename(path)
    return path


def small_pages(size: int, chance: Random) -> Iterator[tuple[int, int, list[str]]]:
    """Yield site, page of the site (0 = its home page) and the words of its menu."""
    left = size
    for site in count():
        words = [f"{chr(97 + site // TOPIC_SITES % 26)}{site // TOPIC_SITES // 26}word{word}" for word in range(10)]
        menu = chance.sample(words, 7)
        pages = min(SITE_PAGES[site % len(SITE_PAGES)], left)
        yield from ((site, page, menu) for page in range(pages))
        left -= pages
        if not left:
            return


def sum_of_sizes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.parquet"))


if __name__ == "__main__":
    main()
