"""Kill -9 a crawl again and again, resume it, and see whether anything is lost, doubled or half-written.

    python bench/crawl_kill.py --kills 100 --seed 1

A website of some hundred pages is served on loopback. Crawls of it are killed with SIGKILL, every second at a random
instant, the others inside a write: after some of the bytes of a WARC record, between the WARC and the commit, in the
middle of an SQL statement, on either side of COMMIT, around the renaming of a full WARC. Each is resumed until it ends.
Then must hold: the pages fetched are exactly the pages there are; every WARC record is whole and its digests agree;
every page has one record; and no page was asked for more often than once, plus once for every kill that found it in
flight. Seeds are printed: the same seed gives the same kills inside writes.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from warcio.archiveiterator import ArchiveIterator

PAGES = 240
PLACES = ("half-record", "after-record", "in-statement", "before-commit", "after-commit", "rotation")
CONCURRENCY = 4


def links_of(n: int) -> list[int]:
    """Return where page n leads: every page is reached, by several ways."""
    return sorted({(2 * n + 1) % PAGES, (2 * n + 2) % PAGES, (n * 7 + 3) % PAGES, 0})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked: ClassVar[Counter[str]] = Counter()

    def do_GET(self) -> None:
        self.asked[self.path] += 1
        if self.path == "/robots.txt":
            body, status = b"", 404
        else:
            n = int(self.path.strip("/p") or 0)
            anchors = "".join(f"<a href='/p{m}'>{m}</a>" for m in links_of(n))
            filler = random.Random(n).randbytes(3000).hex()
            body, status = f"<html><body><h1>Page {n}</h1><p>{filler}</p>{anchors}</body></html>".encode(), 200
            time.sleep(0.002)
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: killed clients hang up."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--kills-a-crawl", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--victim", nargs=4, metavar=("URL", "OUT", "PLACE", "COUNT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.victim:
        return victim(*arguments.victim)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/p0"
    killed = crawls = failures = 0
    places: Counter[str] = Counter()
    while killed < arguments.kills:
        seed = arguments.seed + crawls
        with tempfile.TemporaryDirectory() as folder:
            found = torture(
                url, Path(folder) / "o.warc.gz", seed, min(arguments.kills_a_crawl, arguments.kills - killed)
            )
        killed += sum(found.values())
        places += found
        crawls += 1
        faults = found_faults
        print(f"seed {seed}: {sum(found.values())} kills ({dict(found)}): {'; '.join(faults) or 'intact'}", flush=True)
        failures += bool(faults)
        if not found:
            print("no kill happened: the crawl was too short")
            return 1
    print(f"{killed} kills in {crawls} crawls of {PAGES} pages, {dict(places)}: {failures} crawls with faults")
    return 1 if failures else 0


found_faults: list[str] = []


def torture(url: str, out: Path, seed: int, kills: int) -> Counter[str]:
    """Kill one crawl some times, let it end, and check it."""
    rng = random.Random(seed)
    Handler.asked.clear()
    done: Counter[str] = Counter()
    while sum(done.values()) < kills:
        is_timed = rng.random() < 0.5
        place = "none" if is_timed else rng.choice(PLACES)
        count = rng.randint(1, 2 if place == "rotation" else 40)
        process = start(url, out, place, count)
        if is_timed:
            time.sleep(rng.uniform(0.5, 4.0))
            process.kill()
        code = process.wait(timeout=120)
        if code == -signal.SIGKILL:
            done[place if not is_timed else "any instant"] += 1
        elif code == 0:
            break  # it ended before it could be killed
        else:
            raise SystemExit(f"the crawl failed with code {code}")
    final = start(url, out, "none", 0)
    if final.wait(timeout=300) != 0:
        raise SystemExit("the last resumed crawl failed")
    found_faults[:] = check(out, sum(done.values()), url)
    return done


def start(url: str, out: Path, place: str, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, "--victim", url, str(out), place, str(count)])


def check(out: Path, kills: int, url: str) -> list[str]:
    faults: list[str] = []
    base = url.removesuffix("/p0")
    seen: Counter[str] = Counter()
    for path in sorted(out.parent.glob("*.warc.gz")):
        with path.open("rb") as file:
            try:
                for record in ArchiveIterator(file, check_digests="raise"):
                    record.content_stream().read()
                    if record.rec_type in ("response", "revisit"):
                        seen[record.rec_headers.get_header("WARC-Target-URI").removeprefix(base)] += 1
            except Exception as error:
                faults.append(f"{path.name} is broken: {error}")
    wanted = {f"/p{n}" for n in range(PAGES)}
    if set(seen) != wanted:
        faults.append(f"{len(wanted - set(seen))} pages missing, {len(set(seen) - wanted)} too many")
    if any(count > 1 for count in seen.values()):
        faults.append(f"{sum(count > 1 for count in seen.values())} pages with two records")
    again = sum(count - 1 for path, count in Handler.asked.items() if path != "/robots.txt")
    if again > kills * CONCURRENCY:
        faults.append(f"{again} requests repeated after {kills} kills with {CONCURRENCY} in flight")
    return faults


def victim(url: str, out: str, place: str, count: str) -> int:
    """Crawl in this process; die at the count-th passage of a place."""
    from sitestrata.sources.crawl import frontier, warc_out
    from sitestrata.sources.crawl.engine import run
    from sitestrata.sources.crawl.options import CrawlOptions

    left = int(count)

    def passes(where: str) -> bool:
        nonlocal left
        if where != place:
            return False
        left -= 1
        return left <= 0

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    put, write, commit, rename = (
        warc_out.WarcOut._put,
        warc_out.WarcOut.write,
        frontier.Frontier.commit,
        warc_out.WarcOut._rotate_if_full,
    )

    def half_put(self: warc_out.WarcOut, data: bytes) -> None:
        if passes("half-record"):
            put(self, data[: len(data) // 2])
            self._file.flush()  # type: ignore[union-attr]
            die()
        put(self, data)

    def write_then(self: warc_out.WarcOut, *arguments: object) -> object:
        written = write(self, *arguments)  # type: ignore[arg-type]
        if passes("after-record"):
            die()
        return written

    def commit_around(self: frontier.Frontier) -> None:
        if self._is_open and passes("before-commit"):
            die()
        was_open = self._is_open
        commit(self)
        if was_open and passes("after-commit"):
            die()

    def rotate_around(self: warc_out.WarcOut) -> None:
        before = self.serial
        rename(self)
        if self.serial > before and passes("rotation"):
            die()

    warc_out.WarcOut._put = half_put  # type: ignore[method-assign]
    warc_out.WarcOut.write = write_then  # type: ignore[method-assign,assignment]
    frontier.Frontier.commit = commit_around  # type: ignore[method-assign]
    warc_out.WarcOut._rotate_if_full = rotate_around  # type: ignore[method-assign]
    options = CrawlOptions(
        allow_private=True, delay=0, proxy="", per_host=CONCURRENCY, rotate=200_000, contact="bench@example.org"
    )

    def arm(crawl: object) -> None:
        if place == "in-statement":
            # Called every few steps of SQLite's machine: the kill falls inside a statement, inside a transaction.
            database = crawl.frontier._db  # type: ignore[attr-defined]
            database.set_progress_handler(lambda: die() if passes("in-statement") else None, 40)

    run([url], Path(out), options, resume=True, on_open=arm)
    return 0


if __name__ == "__main__":
    sys.exit(main())
