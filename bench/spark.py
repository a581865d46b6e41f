"""What does Spark cost on top of the embedded engine, a page and at the start?

    python bench/spark.py --sizes 1000 4000 10000 --work $SCRATCH
    python bench/spark.py --sizes 10000 1000000 --small --work $SCRATCH

Generates the sample web at each size (once, not timed) and mines it with both engines, on two cores of this machine
(``--workers 2`` and ``--master local[2]``), by the commands that a user types. What counts is processor time, of all
processes (`process_tree`) and by stage; a line through the sizes parts what a page costs from what a run costs. The
tables of both must have equal canonical digests.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from process_tree import ProcessTree, adopt_orphans
from scaling import small_web, web
from timing import arguments, exponent

from sitestrata.run.workspace import open_workspace

ENGINES = {
    "embedded": ("--workers", "2"),
    "spark": ("--engine", "spark", "--master", "local[2]", "--spark-conf", "spark.driver.memory=1g"),
}
_STAGE_BEGINS = re.compile(r"stage \w+ begins")
_STAGE_ENDS = re.compile(r"stage (\w+) took")


@dataclass(frozen=True, slots=True)
class Run:
    """What one engine took for one web."""

    cpu: float  # seconds, as all below
    wall: float
    by_stage: dict[str, float]  # CPU; under "" what comes before the first and after the last
    tree: ProcessTree
    digests: dict[str, str]


def main() -> None:
    parser = arguments(__doc__, rounds=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000, 10000], help="pages")
    parser.add_argument("--work", type=Path, required=True, help="folder for the webs and workspaces")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="plain small pages instead of the sample web")
    parser.add_argument("--only", help="stages to run, as for `sitestrata mine --only`")
    parser.add_argument("--resume", action="store_true", help="go on with what an earlier --only has left")
    parser.add_argument("--engines", nargs="+", choices=tuple(ENGINES), default=list(ENGINES))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    adopt_orphans()
    best: dict[str, list[Run]] = {name: [] for name in options.engines}
    for size in options.sizes:
        source = (small_web if options.small else web)(options.work, size, options.seed)
        for name in options.engines:
            words = (*ENGINES[name], *(("--only", options.only) if options.only else ()))
            out = options.work / f"{name}-{'small-' if options.small else ''}{size}"
            command = ("--resume", "-o", str(out)) if options.resume else (str(source), "-o", str(out))
            runs = [measured(out, (*command, *words), resume=options.resume) for _ in range(options.rounds)]
            best[name].append(min(runs, key=lambda run: run.cpu))
            print(f"{name:9} {size:>9,} pages: {described(best[name][-1])}", flush=True)
        lines = [best[name][-1] for name in options.engines]
        for stage in lines[0].by_stage:
            print(f"    {stage or '(start)':11} " + " ".join(f"{run.by_stage[stage]:8.1f} s CPU" for run in lines))
        if len(lines) > 1:
            print("tables equal" if lines[0].digests == lines[1].digests else "TABLES DIFFER", flush=True)
    if len(options.sizes) > 1:
        compare(options.sizes, {name: [run.cpu for run in runs] for name, runs in best.items()})


def measured(out: Path, words: tuple[str, ...], *, resume: bool) -> Run:
    """Mine a web by the command that a user types."""
    if not resume:
        shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "sitestrata", "mine", "-v", *words]
    by_stage = {"": 0.0}
    with ProcessTree() as tree:
        began, before = time.perf_counter(), 0.0
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert run.stderr is not None
        said = []
        for line in run.stderr:
            said.append(line)
            if _STAGE_BEGINS.search(line):
                before = tree.cpu
            elif found := _STAGE_ENDS.search(line):
                by_stage[found[1]] = tree.cpu - before
        wall = time.perf_counter() - began
        if run.wait() != 0:
            raise RuntimeError("".join(said[-20:]))
        _wait_for_all()
    by_stage[""] = tree.cpu - sum(by_stage.values())
    workspace = open_workspace(out)
    digests = {table: workspace.digest(table) for table in workspace.tables}
    return Run(tree.cpu, wall, by_stage, tree, digests)


def described(run: Run) -> str:
    """Say in a line what a run took."""
    largest = ", ".join(f"{program} {size / 1e6:,.0f} MB" for program, size in sorted(run.tree.largest.items()))
    return f"{run.cpu:8.1f} s CPU, {run.wall:8.1f} s wall, {run.tree.peak / 1e6:,.0f} MB together; largest: {largest}"


def compare(sizes: list[int], cpu: dict[str, list[float]]) -> None:
    """Part the cost of a page from that of a run, and say how both engines grow."""
    pages = {}
    for name, seconds in cpu.items():
        pages[name], start = np.polyfit(sizes, seconds, 1)
        print(f"{name}: {pages[name] * 1e3:.2f} ms CPU a page and {start:.1f} s a run", end="; ")
        above = exponent(sizes, [one - max(start, 0.0) for one in seconds])
        print(f"grows with pages^{exponent(sizes, seconds):.2f}, ^{above:.2f} without what a run costs")
    if len(pages) > 1:
        print(f"a page more costs Spark {pages['spark'] / pages['embedded']:.2f} times as much")


def _wait_for_all() -> None:
    """Wait for what the command left behind: Java ends when it notices."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
