"""Workers may crash, hang, run out of memory or raise: the run goes on and knows what happened where."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from sitestrata.errors import WorkspaceError
from sitestrata.run.crew import Crew, Failure, Job
from sitestrata.run.worker import Tick, WriteError


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers import the functions below by name."""
    monkeypatch.syspath_prepend(Path(__file__).parents[__name__.count(".")])


def square(numbers: list[int], tick: Tick) -> list[int]:
    for position, number in enumerate(numbers):
        tick(position)
        if number == -1:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == -2:
            while True:
                pass
        if number == -6:
            time.sleep(60)
        if number == -3:
            raise ValueError("three")
        if number == -4:
            bytearray(1 << 33)
        if number == -5:
            raise WriteError("No space left on device: ws")
    return [number * number for number in numbers]


def loaded(name: str, tick: Tick) -> bool:
    import pyarrow as pa

    return len(pa.array([name])) == 1 and name in sys.modules


def halves(job: Job, failure: Failure) -> Iterable[Job]:
    numbers = job.arguments[0]
    if len(numbers) > 1:
        at = max(failure.position, 0)
        for piece in (numbers[:at], numbers[at : at + 1], numbers[at + 1 :]):
            if piece:
                yield Job(square, (piece,))


def test_a_worker_loads_no_pandas_with_its_first_array() -> None:
    with Crew(1, time_limit=20) as crew:
        assert [False, True] == [
            is_there for _, is_there in crew.run(Job(loaded, (name,)) for name in ("pandas", "re"))
        ]


def test_results_come_back_whatever_the_number_of_workers() -> None:
    jobs = [Job(square, ([number, number + 1],)) for number in range(20)]

    with Crew(2, time_limit=20) as crew:
        results = sorted(result for _, result in crew.run(jobs))

    assert [[n * n, (n + 1) ** 2] for n in range(20)] == results


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (-1, "crashed"),
        (-2, "timeout"),
        pytest.param(-6, "timeout", marks=pytest.mark.slow),
        (-3, "internal-error"),
        (-4, "out-of-memory"),
    ],
)
def test_one_bad_piece_is_found_and_the_rest_is_done(number: int, reason: str) -> None:
    jobs = [Job(square, ([1, 2],)), Job(square, ([3, number, 5],)), Job(square, ([6],))]

    with Crew(2, time_limit=0.5, memory_limit=1 << 30) as crew:
        outcomes = list(crew.run(jobs, again=halves))

    failures = [(job.arguments[0], outcome.reason) for job, outcome in outcomes if isinstance(outcome, Failure)]
    done = sorted(n for _, outcome in outcomes if not isinstance(outcome, Failure) for n in outcome)
    assert [([number], reason)] == failures
    assert [1, 4, 9, 25, 36] == done


def test_a_full_disk_ends_the_run() -> None:
    with Crew(1, time_limit=20) as crew, pytest.raises(WorkspaceError, match="No space left"):
        list(crew.run([Job(square, ([-5],))]))


def test_jobs_are_taken_only_when_a_worker_is_free() -> None:
    taken: list[int] = []

    def jobs() -> Iterable[Job]:
        for number in range(50):
            taken.append(number)
            yield Job(square, ([number],))

    with Crew(2, time_limit=20) as crew:
        results = crew.run(jobs())
        next(results)
        seen = len(taken)
        list(results)

    assert seen <= 4


def test_workers_die_with_their_parent(tmp_path: Path) -> None:
    """After kill -9 of the parent no worker goes on writing."""
    code = (
        "from tests_crew_parent import job\nfrom sitestrata.run.crew import Crew\n"
        "with Crew(1, time_limit=99) as crew:\n list(crew.run([job()]))"
    )
    helper = (
        "import os, sys, time\nfrom sitestrata.run.crew import Job\n"
        "def sleep(tick):\n print(os.getpid(), file=sys.stderr, flush=True)\n time.sleep(99)\n"
        "def job():\n return Job(sleep, ())\n"
    )
    (tmp_path / "tests_crew_parent.py").write_text(helper)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, env=environment)
    assert parent.stderr is not None
    worker = int(parent.stderr.readline())
    parent.kill()
    parent.wait()
    parent.stderr.close()
    deadline = time.monotonic() + 10
    while _is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert not _is_running(worker)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(status.stdout) and not status.stdout.startswith("Z")
