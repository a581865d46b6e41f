"""Compare what a crawl fetched with what links reach in the WARC that its server serves.

    python serve.py docs.warc.gz --port 8099 &
    sitestrata crawl http://docs.example/ --scope any --proxy http://127.0.0.1:8099 -o out.warc.gz ...
    python bench/crawl_reach.py docs.warc.gz out.warc.gz http://docs.example/

The links of every served page are read independently of the crawl's frontier and followed from the start; answers that
are not in the served WARC are 404s and no pages. Prints pages on one side only; exit code 1 if there are any.
"""

import sys
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from sitestrata import urls
from sitestrata.page import UnusablePageError, read_page
from sitestrata.sources.crawl.traps import refuse_by_shape


def served(path: str) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the links of every 200 answer, and where every redirect leads, of a WARC."""
    pages: dict[str, tuple[str, ...]] = {}
    moved: dict[str, str] = {}
    with Path(path).open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response":
                continue
            url = urls.normalise(record.rec_headers.get_header("WARC-Target-URI")) or ""
            status = int(record.http_headers.get_statuscode())
            kind = record.http_headers.get_header("Content-Type") or ""
            if 300 <= status < 400:
                moved[url] = urls.normalise(record.http_headers.get_header("Location"), url) or ""
            elif status == 200:
                body = record.content_stream().read()
                pages[url] = ()
                if "html" in kind:
                    charset = kind.partition("charset=")[2].strip() or None
                    try:
                        facts = read_page(body, url, charset=charset)
                    except UnusablePageError:
                        continue
                    robots = (facts.robots or "").lower()
                    if "nofollow" not in robots and "none" not in robots:
                        rels = zip(facts.links.address, facts.links.rel, strict=True)
                        pages[url] = tuple(a for a, rel in rels if not rel or "nofollow" not in rel.lower().split())
    return pages, moved


def reach(start: str, pages: dict[str, tuple[str, ...]], moved: dict[str, str]) -> set[str]:
    seen = {start}
    queue = [start]
    for url in queue:
        for link in (moved[url],) if url in moved else pages.get(url, ()):
            if link not in seen:
                seen.add(link)
                queue.append(link)
    return seen & set(pages)


def main() -> int:
    source, out, start = sys.argv[1:4]
    pages, moved = served(source)
    wanted = reach(start, pages, moved)
    got: set[str] = set()
    files = sorted(Path(out).parent.glob(Path(out).name.removesuffix(".warc.gz") + "*.warc.gz"))
    for file in files:
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                record.content_stream().read()
                if record.rec_type in ("response", "revisit") and record.http_headers.get_statuscode() == "200":
                    got.add(record.rec_headers.get_header("WARC-Target-URI"))
    missing, more = sorted(wanted - got), sorted(got - wanted)
    print(f"{len(pages)} served, {len(wanted)} reached by links, {len(got)} fetched")
    print(f"{len(missing)} missing, {len(more)} more")
    for name, found in (("missing", missing), ("more", more)):
        for url in found[:10]:
            print(f"{name}: {url}" + (f" ({refuse_by_shape(url)})" if refuse_by_shape(url) else ""))
    return 1 if missing or more else 0


if __name__ == "__main__":
    sys.exit(main())
