"""Does `sitestrata site --live` find real sites that are served on loopback, and go on after kill -9?

    python bench/live_served.py WS TRUTH.tsv HOMES --proxy http://127.0.0.1:8099 [--sample N] [--kills N]

WS is a workspace of the served pages; it only tells which addresses stand for one page. Every site is searched from its
home page and from a random page by the command itself, through a proxy that answers for all hosts. With --kills each
search is repeated: killed so often on its way, continued with --resume; the answer must be the same, and the WARC must
hold no address twice.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from site_starts import Case, add_arguments, draw_starts, read_case
from warcio.archiveiterator import ArchiveIterator


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_arguments(parser)
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", default=["home", "random"], choices=["home", "random"])
    parser.add_argument("--without", action="store_true", help="addresses withheld")
    options = parser.parse_args()
    case = read_case(options)
    for kind in options.kinds:
        scores, shares = [], []
        for site, (start,) in draw_starts(case, kind, options.draws):
            with tempfile.TemporaryDirectory() as folder:
                command = live_command(case.web.urls[start], Path(folder, "site.warc.gz"), options)
                began = time.monotonic()
                record = run(command)
                seconds = time.monotonic() - began
                found, inside = pages_of(case, record)
                score = 2 * len(inside & case.sites[site]) / (len(inside) + len(case.sites[site]))
                scores.append(score)
                shares.append(len(found) / len(case.sites[site]))
                text = f"F1 {score:.3f}, {shares[-1]:.2f} pages a true page, {record['stopped']}, {seconds:.0f} s"
                if options.kills:
                    text += "; " + killed(case.web.urls[start], Path(folder), record, options)
                print(f"{kind} {site} {case.web.urls[start]}: {text}", flush=True)
        count = len(scores)
        print(f"{kind}: F1 {sum(scores) / count:.3f}, fetched {sum(shares) / count:.3f} ({count} starts)", flush=True)


def live_command(start: str, out: Path, options: argparse.Namespace) -> list[str]:
    flags = ["--proxy", options.proxy, "--delay", "0", "--contact", "bench@example.org", "--form", "json"]
    flags += ["--no-url-evidence"] if options.without else []
    return [sys.executable, "-m", "sitestrata", "site", start, "--live", "-o", str(out), *flags]


def run(command: list[str]) -> dict:
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def pages_of(case: Case, record: dict) -> tuple[set[int], set[int]]:
    """Return the pages that were fetched, and those inside; addresses that stand for one page are one page."""
    inside = {case.page_of[url] for url in record["chosen"]["pages"] if url in case.page_of}
    return inside | {case.page_of[url] for url in record["outside"] if url in case.page_of}, inside


def killed(start: str, folder: Path, whole: dict, options: argparse.Namespace) -> str:
    """Search again with kills on the way, and say whether the answer is the same."""
    out, size = folder / "again.warc.gz", held(Path(whole["warc"]))
    command = [*live_command(start, out, options), "--resume"]
    kills = 0
    for share in range(1, options.kills + 1):
        search = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        goal = size * share / (options.kills + 1)
        while search.poll() is None and held(out) < goal:
            time.sleep(0.05)
        kills += search.poll() is None
        search.send_signal(signal.SIGKILL)
        search.wait()
    record = run(command)
    same = record["chosen"]["pages"] == whole["chosen"]["pages"]
    with out.open("rb") as file:
        urls = Counter(
            one.rec_headers["WARC-Target-URI"] for one in ArchiveIterator(file) if one.rec_type == "response"
        )
    return f"{kills} kills: {'same answer' if same else 'ANOTHER ANSWER'}, most often kept {max(urls.values())}"


def held(out: Path) -> int:
    return out.stat().st_size if out.exists() else 0


if __name__ == "__main__":
    main()
