"""How do the time and memory of `sitestrata mine` grow with the size of the crawl?

    python bench/scaling.py --sizes 1000 4000 16000 64000 --work $SCRATCH

Generates the sample web at each size (once, not timed) and mines it into a fresh workspace by the command that a user
types. Peak memory is that of all its processes together.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from timing import Contender, arguments, growth, report

from sitestrata import sample


def main() -> None:
    parser = arguments(__doc__, rounds=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000, 16000, 64000], help="pages")
    parser.add_argument("--work", type=Path, required=True, help="folder for the webs and workspaces")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", help="stages to run, as for `sitestrata mine --only`")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    webs = {size: web(options.work, size, options.seed) for size in options.sizes}

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
        f"the WARC files have {megabytes} MB. The sample web is drawn from seed {options.seed}."
    )
    report("How does mining grow with the crawl?", [curve], data=webs.values(), notes=notes, record=options.record)
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


def sum_of_sizes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.parquet"))


if __name__ == "__main__":
    main()
