"""The frame of all benchmarks: named contenders, same data, same process set-up, interleaved, ratios with spread.

A benchmark file answers one question (`python bench/tables.py ...`). It makes a list of `Contender` and calls `compare`
(who is faster, by which factor?) or `growth` (how does one grow with its input?), then `report`. See bench/README.md.

Every measurement runs in a forked child of its own, so that no contender inherits another's caches, warm allocator or
peak memory; preparation and warm-up calls happen in that child and are not timed. Rounds interleave the contenders and
rotate who goes first, and ratios are taken *within* a round: a machine that slows down for a minute slows both sides.
"""

import argparse
import gc
import json
import math
import multiprocessing
import resource
import statistics
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from process_tree import ProcessTree
from provenance import commit, digest, machine, own_command

__all__ = ["Contender", "Growth", "Measurement", "Result", "arguments", "compare", "exponent", "growth", "report"]

ROUNDS = 5
MIN_SIZES = 4  # METHODS E: growth exponent over at least four sizes
KIB = 1024


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to answer the question.

    ``prepare`` runs in the child before the clock starts and its result is the argument of ``run``; without it ``run``
    is called with no argument. ``answer`` boils what ``run`` returned down to something small that can be compared
    between contenders (a count, a digest), so that nobody wins by doing less.
    """

    name: str
    run: Callable[..., Any]
    prepare: Callable[[], Any] | None = None
    answer: Callable[[Any], Any] | None = None
    warm_ups: int = 0
    runs_programs: bool = False  # then time and peak are those of its processes, all together


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one run of one contender took."""

    wall: float  # seconds
    cpu: float  # seconds, user + system, with child processes
    peak: int  # bytes of memory above what the child held when the clock started; of programs it runs: all
    answer: Any = None


@dataclass(frozen=True, slots=True)
class Result:
    """One contender beside the one it is compared with."""

    name: str
    wall: float  # median seconds
    cpu: float
    peak: int  # largest
    ratio: float  # median over rounds of wall / wall of the reference; 1 for the reference itself
    ratio_low: float  # first quartile
    ratio_high: float  # third quartile
    cpu_ratio: float
    answer: Any
    agrees: bool | None  # with the reference; None = no answer to compare


@dataclass(frozen=True, slots=True)
class Growth:
    """How one contender grows: time ~ size ** exponent, and memory likewise."""

    name: str
    sizes: list[int]
    wall: list[float]
    cpu: list[float]
    peak: list[int]
    answers: list[Any]
    exponent: float  # of the wall time, least squares on logarithms
    steps: list[float] = field(default_factory=list)  # exponent between neighbouring sizes: does it bend?
    cpu_exponent: float = math.nan  # steadier than that of the wall time where the machine does other things too
    memory_exponent: float = math.nan


def measure(contender: Contender) -> Measurement:
    """Run a contender once, in a child process of its own."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(contender, sender))
    child.start()
    sender.close()
    try:
        outcome = receiver.recv()
    except EOFError:
        child.join()
        raise RuntimeError(f"{contender.name}: the child process died (exit code {child.exitcode})") from None
    child.join()
    if isinstance(outcome, str):
        raise RuntimeError(f"{contender.name} failed:\n{outcome}")
    return outcome


def compare(
    contenders: Sequence[Contender], *, against: str | None = None, rounds: int = ROUNDS, quiet: bool = False
) -> list[Result]:
    """Measure contenders in interleaved rounds and relate each to ``against`` (the last one if not given)."""
    names = [contender.name for contender in contenders]
    reference = against or names[-1]
    if reference not in names or len(set(names)) != len(names):
        raise ValueError(f"contenders {names} must have distinct names, {reference!r} among them")
    runs: dict[str, list[Measurement]] = {name: [] for name in names}
    for number in range(rounds):
        shift = number % len(contenders)
        for contender in [*contenders[shift:], *contenders[:shift]]:
            runs[contender.name].append(measure(contender))
        if not quiet:
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return [_relate(name, runs[name], runs[reference], is_reference=name == reference) for name in names]


def growth(
    name: str,
    sizes: Sequence[int],
    contender_of: Callable[[int], Contender],
    *,
    rounds: int = 3,
    quiet: bool = False,
) -> Growth:
    """Measure one contender at each size and fit the exponent; rounds go through all sizes, not size by size."""
    if len(sizes) < MIN_SIZES:
        raise ValueError(f"an exponent needs at least {MIN_SIZES} sizes, not {len(sizes)}")
    runs: dict[int, list[Measurement]] = {size: [] for size in sizes}
    for number in range(rounds):
        for size in sizes:
            runs[size].append(measure(contender_of(size)))
            if not quiet:
                print(f"round {number + 1} of {rounds}: {name}, size {size:,}", file=sys.stderr)
    wall = [statistics.median(run.wall for run in runs[size]) for size in sizes]
    cpu = [statistics.median(run.cpu for run in runs[size]) for size in sizes]
    peak = [max(run.peak for run in runs[size]) for size in sizes]
    return Growth(
        name=name,
        sizes=list(sizes),
        wall=wall,
        cpu=cpu,
        peak=peak,
        answers=[runs[size][0].answer for size in sizes],
        exponent=exponent(sizes, wall),
        steps=[exponent(sizes[i : i + 2], wall[i : i + 2]) for i in range(len(sizes) - 1)],
        cpu_exponent=exponent(sizes, cpu),
        memory_exponent=exponent(sizes, peak),
    )


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Fit ``value = a * size ** b`` by least squares on logarithms and return b."""
    if any(value <= 0 for value in values):
        return math.nan
    x = [math.log(size) for size in sizes]
    y = [math.log(value) for value in values]
    return statistics.linear_regression(x, y).slope


def arguments(description: str | None, *, rounds: int = ROUNDS) -> argparse.ArgumentParser:
    """Return a parser with the options every benchmark has; add your own, then parse."""
    parser = argparse.ArgumentParser(
        description=(description or "").partition("\n\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=rounds, help="interleaved repetitions")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write the outcome as JSON for docs/results.md (docs/results/NAME.json)",
    )
    return parser


def report(
    question: str,
    outcome: Sequence[Result] | Sequence[Growth],
    *,
    data: Iterable[Path] = (),
    notes: str = "",
    record: Path | None = None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Print the outcome as a table; with ``record`` also write it down, with command, commit, machine and digests."""
    print(question)
    for line in _table(outcome):
        print(line)
    if notes:
        print(notes)
    if record is None:
        return
    kind = "growth" if outcome and isinstance(outcome[0], Growth) else "comparison"
    content = {
        "question": question,
        "kind": kind,
        "command": own_command(),
        "commit": commit(),
        "machine": machine(),
        "data": {path.name: digest(path) for path in data},
        "notes": notes,
        "rows": [asdict(row) for row in outcome],
        **(extra or {}),
    }
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(json.dumps(content, indent=1, sort_keys=True, default=str) + "\n", encoding="utf-8")
    print(f"recorded in {record}; run `python bench/results.py` to bring docs/results.md up to date", file=sys.stderr)


def _child(contender: Contender, sender: Any) -> None:
    try:
        gc.freeze()  # what the parent left behind is not ours to search
        arguments_ = () if contender.prepare is None else (contender.prepare(),)
        for _ in range(contender.warm_ups):
            contender.run(*arguments_)
        gc.collect()
        _reset_peak()
        held = _resident()
        with ProcessTree() if contender.runs_programs else nullcontext(ProcessTree()) as tree:
            cpu = _cpu(is_own=not contender.runs_programs)
            start = time.perf_counter()
            result = contender.run(*arguments_)
            wall = time.perf_counter() - start
            # Both miss something (children nobody waited for; the last moment of each), so the larger is nearer.
            cpu = max(_cpu(is_own=not contender.runs_programs) - cpu, tree.cpu)
        # A program that was just forked counts as large as we are until it starts, and the kernel remembers that as its
        # peak: samples are exact, the kernel's figure is an upper bound.
        peak = max(_peak() - held, 0) + (tree.peak if contender.runs_programs else _peak_of_children())
        answer = None if contender.answer is None else contender.answer(result)
        sender.send(Measurement(wall, cpu, peak, answer))
    except BaseException:
        sender.send(traceback.format_exc())
    finally:
        sender.close()


def _cpu(*, is_own: bool) -> float:
    """Return the processor time of child processes, and with ``is_own`` of this one: it samples where it has them."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) if is_own else (resource.RUSAGE_CHILDREN,)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, whose))


def _reset_peak() -> None:
    # Linux: 5 sets the high-water mark back to what is resident now (proc(5), clear_refs). Elsewhere peaks include
    # preparation.
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def _status(key: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * KIB for line in lines if line.startswith(key + ":")), None)


def _resident() -> int:
    return _status("VmRSS") or 0


def _peak() -> int:
    return _status("VmHWM") or _maxrss(resource.RUSAGE_SELF)


def _peak_of_children() -> int:
    return _maxrss(resource.RUSAGE_CHILDREN)


def _maxrss(who: int) -> int:
    unit = 1 if sys.platform == "darwin" else KIB
    return resource.getrusage(who).ru_maxrss * unit


def _relate(name: str, runs: list[Measurement], reference: list[Measurement], *, is_reference: bool) -> Result:
    ratios = [run.wall / other.wall for run, other in zip(runs, reference, strict=True)]
    cpu_ratios = [run.cpu / other.cpu if other.cpu else math.nan for run, other in zip(runs, reference, strict=True)]
    low, high = _quartiles(ratios)
    answer, expected = runs[0].answer, reference[0].answer
    return Result(
        name=name,
        wall=statistics.median(run.wall for run in runs),
        cpu=statistics.median(run.cpu for run in runs),
        peak=max(run.peak for run in runs),
        ratio=statistics.median(ratios),
        ratio_low=low,
        ratio_high=high,
        cpu_ratio=statistics.median(cpu_ratios),
        answer=answer,
        agrees=None if is_reference or answer is None or expected is None else answer == expected,
    )


def _quartiles(values: list[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def _table(outcome: Sequence[Result] | Sequence[Growth]) -> list[str]:
    rows: list[list[str]] = []
    for row in outcome:
        if isinstance(row, Growth):
            rows.append([row.name, "size", "seconds", "CPU s", "peak MB", "exponent so far"])
            for i, size in enumerate(row.sizes):
                step = "" if i == 0 else f"{row.steps[i - 1]:.2f}"
                rows.append(
                    ["", f"{size:,}", f"{row.wall[i]:.3f}", f"{row.cpu[i]:.3f}", f"{row.peak[i] / 1e6:.0f}", step]
                )
            rows.append(
                ["", "", "", f"^{row.cpu_exponent:.2f}", f"^{row.memory_exponent:.2f}", f"fit: {row.exponent:.2f}"]
            )
        else:
            if not rows:
                rows.append(["", "seconds", "ratio", "quartiles", "CPU s", "CPU ratio", "peak MB", "same answer"])
            agrees = {None: "", True: "yes", False: "NO"}[row.agrees]
            spread = f"{row.ratio_low:.2f}-{row.ratio_high:.2f}"
            cells = [f"{row.wall:.4f}", f"{row.ratio:.2f}", spread, f"{row.cpu:.4f}", f"{row.cpu_ratio:.2f}"]
            rows.append([row.name, *cells, f"{row.peak / 1e6:.0f}", agrees])
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    ]
