"""What does Spark cost on top of the embedded engine, a page and at the start?

    python bench/spark.py --sizes 1000 4000 10000 --work $SCRATCH

Generates the sample web at each size (once, not timed) and mines it with both engines, on two cores of this machine
(``--workers 2`` and ``--master local[2]``), by the commands that a user types. What counts is processor time; a line
through the sizes parts what a page costs from what a run costs. The tables of both must have equal canonical digests.

PySpark's daemon ignores SIGCHLD, so the time of its Python workers is lost: that of Spark is a lower bound.
"""

import ctypes
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scaling import web
from timing import Contender, arguments, measure

from sitestrata.run.workspace import open_workspace

PR_SET_CHILD_SUBREAPER = 36  # prctl(2): orphans, as Java is one when the command ends, become children of ours


def main() -> None:
    parser = arguments(__doc__, rounds=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000, 10000], help="pages")
    parser.add_argument("--work", type=Path, required=True, help="folder for the webs and workspaces")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    cpu: dict[str, list[float]] = {"embedded": [], "spark": []}
    for size in options.sizes:
        source = web(options.work, size, options.seed)
        answers = []
        for name, words in (
            ("embedded", ["--workers", "2"]),
            ("spark", ["--engine", "spark", "--master", "local[2]", "--spark-conf", "spark.driver.memory=1g"]),
        ):
            out = options.work / f"{name}-{size}"
            shutil.rmtree(out, ignore_errors=True)
            found = [measure(contender(name, source, out, words)) for _ in range(options.rounds)]
            best = min(found, key=lambda one: one.cpu)
            cpu[name].append(best.cpu)
            answers.append(best.answer)
            task = max(record.peak_memory for record in open_workspace(out).manifest.stages.values())
            print(
                f"{name:9} {size:>9,} pages: {best.cpu:8.1f} s CPU, {best.wall:8.1f} s wall, all processes "
                f"{best.peak / 1e6:,.0f} MB, largest process of a stage {task / 1e6:,.0f} MB",
                flush=True,
            )
            for stage, record in open_workspace(out).manifest.stages.items():
                print(f"    {stage:11} {record.seconds:8.1f} s wall {record.peak_memory / 1e6:8,.0f} MB")
        print("tables equal" if answers[0] == answers[1] else "TABLES DIFFER", flush=True)
    if len(options.sizes) > 1:
        for name, seconds in cpu.items():
            page, start = np.polyfit(options.sizes, seconds, 1)
            print(f"{name}: {page * 1e3:.2f} ms CPU a page and {start:.1f} s a run")
        first, last = (np.array([cpu["spark"][i], cpu["embedded"][i]]) for i in (0, -1))
        per_page = (last - first) / (options.sizes[-1] - options.sizes[0])
        grown = math.log(options.sizes[-1] / options.sizes[0])
        print(f"a page more costs Spark at least {per_page[0] / per_page[1]:.2f} times as much (see above)")
        print(f"growth of Spark's CPU: exponent {math.log(last[0] / first[0]) / grown:.2f}")


def contender(name: str, source: Path, out: Path, words: list[str]) -> Contender:
    """Return one engine on one web."""

    def run(_: object) -> None:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        command = [sys.executable, "-m", "sitestrata", "mine", str(source), "-o", str(out), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                os.wait()
            except ChildProcessError:
                return

    def answer(_: object) -> Any:
        workspace = open_workspace(out)
        return {table: workspace.digest(table) for table in workspace.tables}

    return Contender(name, run, prepare=lambda: None, runs_programs=True, answer=answer)


if __name__ == "__main__":
    main()
