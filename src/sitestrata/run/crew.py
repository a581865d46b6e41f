"""A few worker processes that may crash, hang or run out of memory without harm to the run.

The crew hands out one job at a time. A worker notes in a shared cell what it is at; if the note does not change for
longer than the time limit, or the worker dies, it is replaced and the job comes back as a `Failure` that says where it
was. What to do about that (run it again in smaller pieces, give up) is the caller's business.

Time is the worker's own processor time, so that a busy machine does not make honest work look like a hang; a worker
that waits for something that never comes is given more, by the clock.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from mmap import mmap
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sitestrata.run.worker import CELL

__all__ = ["Crew", "Failure", "Job"]

LOOK_EVERY = 0.2  # seconds between two looks at workers that say nothing
START_SECONDS = 120.0  # by the clock, until the first note: an interpreter starts and imports
PATIENCE = 10  # times the time limit, by the clock


@dataclass(frozen=True, slots=True)
class Job:
    """A function of a module, its arguments, and whatever the caller wants to remember about it.

    The function gets one more argument: ``tick(position)``, to be called before each piece of work.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    about: Any = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job came back undone."""

    reason: str  # crashed, timeout, out-of-memory, internal-error
    detail: str
    position: int  # of the last tick; -1 = before the first


class Crew:
    """Worker processes under a time limit (seconds a piece) and a memory limit (bytes a process)."""

    def __init__(self, workers: int, *, time_limit: float, memory_limit: int = 0) -> None:
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.peak_memory = 0
        self.size = workers
        self._hands: list[_Hand] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for hand in self._hands:
            hand.dismiss()
        self._hands = []

    def run(
        self, jobs: Iterable[Job], *, again: Callable[[Job, Failure], Iterable[Job]] | None = None
    ) -> Iterator[tuple[Job, Any]]:
        """Yield each job with its result, or with its `Failure`, as they end.

        ``again`` may return jobs to be done instead of one that failed; that one is then not yielded. Jobs are taken
        from the iterable only when a worker is free, so it may be endless or costly.
        """
        source = iter(jobs)
        waiting: deque[Job] = deque()
        while True:
            self._hand_out(source, waiting)
            busy = [hand for hand in self._hands if hand.job is not None]
            if not busy:
                return
            wait([hand.connection for hand in busy], timeout=LOOK_EVERY)
            for hand in busy:
                ended = hand.look(self.time_limit)
                if ended is None:
                    continue
                job, outcome, memory = ended
                self.peak_memory = max(self.peak_memory, memory)
                if not hand.is_alive:
                    self._hands.remove(hand)
                instead = list(again(job, outcome)) if again and isinstance(outcome, Failure) else []
                if instead:
                    waiting.extend(instead)
                else:
                    yield job, outcome

    def _hand_out(self, source: Iterator[Job], waiting: deque[Job]) -> None:
        idle = [hand for hand in self._hands if hand.job is None]
        while idle or len(self._hands) < self.size:
            job = waiting.popleft() if waiting else next(source, None)
            if job is None:
                return
            if not idle:
                idle.append(_Hand(self.memory_limit))
                self._hands.append(idle[-1])
            idle.pop().begin(job)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a worker was at, and when."""

    position: int
    clock: float
    processor: float


def _processor_seconds(process: int) -> float:
    """Return the processor time of a process; the clock where the system does not tell."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("ascii", "replace")
    except OSError:
        return time.monotonic()
    fields = stat.rpartition(")")[2].split()  # the name before it may hold anything
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime, stime: proc(5)


class _Hand:
    """One worker process as its parent sees it."""

    def __init__(self, memory_limit: int) -> None:
        self.job: Job | None = None
        self._seen = _Seen(-1, 0.0, 0.0)
        with tempfile.TemporaryFile() as file:
            file.write(CELL.pack(-1))
            file.flush()
            self.connection, other = Pipe()
            code = f"from sitestrata.run.worker import main; main({other.fileno()}, {file.fileno()}, {memory_limit})"
            environment = {
                "ARROW_DEFAULT_MEMORY_POOL": "system",
                **os.environ,
                "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path),
            }
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
                [sys.executable, "-P", "-c", code],
                pass_fds=(other.fileno(), file.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # results of a command are the parent's business
                env=environment,
            )
            other.close()
            self._cell = mmap(file.fileno(), CELL.size)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def begin(self, job: Job) -> None:
        CELL.pack_into(self._cell, 0, -1)
        self.job, self._seen = job, self._now(-1)
        with suppress(BrokenPipeError):  # it died while idle: look() finds that out
            self.connection.send((job.function, job.arguments))

    def look(self, time_limit: float) -> tuple[Job, Any, int] | None:
        """Return the job that ended, its result or failure, and the worker's peak memory; None while it goes on."""
        job = self.job
        assert job is not None
        try:
            if self.connection.poll():
                kind, answer, memory = self.connection.recv()
                self.job = None
                if kind == "fatal":
                    raise answer
                return job, answer if kind == "done" else Failure(kind, answer, self._position()), memory
        except (EOFError, ConnectionResetError):
            code = self._process.wait()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return self._give_up(job, "crashed", f"the worker process died ({how})")
        now, seen = self._now(self._position()), self._seen
        if now.position != seen.position:
            self._seen = now
            return None
        patience = max(START_SECONDS, PATIENCE * time_limit) if now.position < 0 else PATIENCE * time_limit
        is_busy = now.position >= 0 and now.processor - seen.processor > time_limit
        if is_busy or now.clock - seen.clock > patience:
            return self._give_up(job, "timeout", f"it took longer than {time_limit:g} s")
        return None

    def dismiss(self) -> None:
        self._process.kill()
        self._process.wait()
        self.connection.close()
        self._cell.close()

    def _give_up(self, job: Job, reason: str, detail: str) -> tuple[Job, Failure, int]:
        failure = Failure(reason, detail, self._position())
        self.dismiss()
        self.job = None
        return job, failure, 0

    def _now(self, position: int) -> "_Seen":
        return _Seen(position, time.monotonic(), _processor_seconds(self._process.pid))

    def _position(self) -> int:
        position: int = CELL.unpack_from(self._cell, 0)[0]
        return position
