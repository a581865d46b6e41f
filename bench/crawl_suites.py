"""Public test data against the crawler's readers: robots.txt vectors, real robots.txt files, compression bombs.

    python bench/crawl_suites.py --vectors vectors.json --real robots-real/ --bombs scrapy-compressed/

Vectors are a JSON list of {robots, agent, url, allowed}; real files are a folder; bombs are files bomb-CODING.bin.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from sitestrata.sources.codings import TooLargeError, undo_codings
from sitestrata.sources.crawl.robots import parse_robots

CODINGS = {"br": b"br", "deflate": b"deflate", "gzip": b"gzip", "zstd": b"zstd"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--bombs", type=Path)
    parser.add_argument("--limit", type=int, default=8 << 20)
    parser.add_argument("--bomb", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bomb:
        return explode(arguments.bomb, arguments.limit)
    bad = 0
    if arguments.vectors:
        cases = json.loads(arguments.vectors.read_text())
        wrong = [c for c in cases if parse_robots(c["robots"].encode()).allows(c["url"], c["agent"]) != c["allowed"]]
        print(f"robots.txt vectors: {len(cases) - len(wrong)} of {len(cases)}")
        bad += len(wrong)
    if arguments.real:
        began = time.perf_counter()
        files = sorted(path for path in arguments.real.iterdir() if path.is_file())
        for path in files:
            robots = parse_robots(path.read_bytes())
            robots.allows("http://example.org/a/b?c=d", "sitestrata")
            robots.crawl_delay("sitestrata")
        print(f"real robots.txt files: {len(files)} read without error in {time.perf_counter() - began:.2f} s")
    if arguments.bombs:
        for path in sorted(arguments.bombs.glob("bomb-*.bin")):
            command = [sys.executable, __file__, "--bomb", str(path), "--limit", str(arguments.limit)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            result, peak = json.loads(done.stdout)
            bad += peak > arguments.limit + (64 << 20)
            print(f"{path.name}: {path.stat().st_size:,} bytes, {result}, {peak / 1e6:.1f} MB more memory")
    return 1 if bad else 0


def explode(path: Path, limit: int) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    coding = CODINGS[path.stem.removeprefix("bomb-")]
    try:
        body, _ = undo_codings(path.read_bytes(), [coding], limit=limit, max_codings=5)
        result = f"{len(body):,} bytes unpacked"
    except TooLargeError:
        result = f"refused at {limit:,} bytes"
    print(json.dumps([result, 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
