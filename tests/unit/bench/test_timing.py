"""The benchmark frame measures what it says."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from provenance import command_line, digest
from results import render
from timing import Contender, compare, exponent, growth, measure, report


@pytest.mark.slow
@pytest.mark.alone
def test_ratio_is_that_of_the_two_times() -> None:
    contenders = [
        Contender("slow", lambda: time.sleep(0.06)),
        Contender("quick", lambda: time.sleep(0.02)),
    ]

    slow, quick = compare(contenders, against="quick", rounds=3, quiet=True)

    assert 2 < slow.ratio < 4
    assert 1 == quick.ratio
    assert slow.ratio_low <= slow.ratio <= slow.ratio_high


def test_preparation_and_warm_up_are_not_timed() -> None:
    contender = Contender("late", lambda _: None, prepare=lambda: time.sleep(0.1), warm_ups=1)

    assert measure(contender).wall < 0.05


def test_peak_memory_is_the_runs_own_and_does_not_leak_into_the_next() -> None:
    big = measure(Contender("big", lambda: len(bytearray(b"x") * 60_000_000)))
    small = measure(Contender("small", lambda: None))

    assert big.peak > 50_000_000
    assert small.peak < 10_000_000


def test_time_of_a_program_counts() -> None:
    code = "x = 0\nfor i in range(3_000_000): x += i"

    measured = measure(Contender("program", lambda: subprocess.run([sys.executable, "-c", code], check=True)))

    assert measured.cpu > 0.02
    assert measured.peak > 1_000_000


def test_different_answers_are_told() -> None:
    contenders = [Contender("one", lambda: 1, answer=int), Contender("two", lambda: 2, answer=int)]

    one, two = compare(contenders, rounds=1, quiet=True)

    assert one.agrees is False
    assert two.agrees is None


def test_a_failing_contender_stops_the_benchmark_with_its_traceback() -> None:
    def fail() -> None:
        raise ValueError("no such table")

    with pytest.raises(RuntimeError, match="no such table"):
        measure(Contender("broken", fail))


def test_exponent_of_a_power_law_is_found() -> None:
    sizes = [10, 100, 1000, 10000]

    assert abs(exponent(sizes, [3 * size**1.5 for size in sizes]) - 1.5) < 1e-9


def test_growth_needs_four_sizes() -> None:
    with pytest.raises(ValueError, match="at least 4"):
        growth("x", [1, 2, 3], lambda _: Contender("x", lambda: None))


@pytest.mark.slow
@pytest.mark.alone
def test_growth_of_linear_work_is_about_one() -> None:
    found = growth("sum", [1, 2, 4, 8], lambda n: Contender("sum", lambda: time.sleep(0.03 * n)), rounds=2, quiet=True)

    assert 0.6 < found.exponent < 1.3
    assert 3 == len(found.steps)


def test_recorded_outcome_becomes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data.txt"
    data.write_text("x")
    outcome = compare([Contender("a", lambda: 1), Contender("b", lambda: 1)], rounds=1, quiet=True)
    curve = growth("c", [1, 2, 4, 8], lambda n: Contender("c", lambda: time.sleep(0.001 * n)), rounds=1, quiet=True)

    report("Is a faster than b?", outcome, data=[data], record=tmp_path / "out" / "a.json")
    report("How does c grow?", [curve], record=tmp_path / "out" / "b.json")

    page = render(tmp_path / "out")
    assert "## Is a faster than b?" in page
    assert f"data.txt `{digest(data)}`" in page
    assert "time grows with size^" in page
    assert "a  " in capsys.readouterr().out
    assert "comparison" == json.loads((tmp_path / "out" / "a.json").read_text())["kind"]


def test_commands_name_the_variable_rather_than_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORPORA", "/some/where")

    written = command_line(["sitestrata", "eval", "/some/where/docs", "--gold", "my file"])

    assert "sitestrata eval $CORPORA/docs --gold 'my file'" == written


def test_memory_of_all_processes_of_a_program_counts_together() -> None:
    child = "x = bytearray(b'x') * 40_000_000; print('ready', flush=True); input()"
    parent = f"""
import subprocess, sys, time
command = [sys.executable, "-c", {child!r}]
both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
for process in both:
    process.stdout.readline()
time.sleep(1)
for process in both:
    process.communicate("end\\n")
"""

    measured = measure(
        Contender("two", lambda: subprocess.run([sys.executable, "-c", parent], check=True), runs_programs=True)
    )

    assert 75_000_000 < measured.peak < 150_000_000


def test_time_of_children_that_nobody_waits_for_counts() -> None:
    """As PySpark's daemon does: it ignores SIGCHLD, and the kernel forgets what its workers took."""
    parent = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0:
    while time.process_time() < 1:
        pass
    os._exit(0)
try:
    os.wait()
except ChildProcessError:
    pass
"""

    measured = measure(
        Contender("lost", lambda: subprocess.run([sys.executable, "-c", parent], check=True), runs_programs=True)
    )

    assert 0.8 < measured.cpu < 1.3
