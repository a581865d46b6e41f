"""What all processes that a program starts take together: processor time, and memory where shared pages count once.

The kernel adds up the time of children that were waited for, and keeps the peak of the largest single process. Neither
is enough for a program with workers: PySpark's daemon ignores the end of its children (SIGCHLD), so nobody waits for
them and their time is lost. So every descendant is looked at ten times a second and its last figures are kept; what a
process does between the last look and its end is missed, at most a tenth of a second each.
"""

import ctypes
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

__all__ = ["ProcessTree", "adopt_orphans"]

SAMPLE_SECONDS = 0.1
KIB = 1024
PR_SET_CHILD_SUBREAPER = 36  # prctl(2): orphans, as Java is one when the command ends, become children of ours


@dataclass(slots=True)
class ProcessTree:
    """Samples all descendants of this process while it is entered."""

    peak: int = 0  # bytes of all together
    largest: dict[str, int] = field(default_factory=dict)  # bytes of the largest process of each program
    _seconds: dict[tuple[int, str], float] = field(default_factory=dict)  # by process and when it began
    _done: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def cpu(self) -> float:
        """Return the processor time so far, in seconds, user and system."""
        return sum(list(self._seconds.values()))

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def _sample(self) -> None:
        own = _words(os.getpid())  # a child that still has our command line has not become its program yet
        while not self._done.wait(SAMPLE_SECONDS):
            together = 0
            for process in _descendants(os.getpid()):
                self._note_time(process)
                if _words(process) != own:
                    memory = _proportional(process)
                    together += memory
                    program = _read(f"/proc/{process}/comm").strip() or "ended"
                    self.largest[program] = max(self.largest.get(program, 0), memory)
            self.peak = max(self.peak, together)

    def _note_time(self, process: int) -> None:
        fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()  # the name before it may hold anything
        if fields:
            began = fields[19]  # tells a process from a later one of the same number: proc(5)
            self._seconds[process, began] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def adopt_orphans() -> None:
    """Have descendants whose parent ends become children of this process, so that they stay in the tree."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _descendants(process: int) -> list[int]:
    found, open_ = [], [process]
    while open_:
        folder = Path(f"/proc/{open_.pop()}/task")
        children = [int(word) for path in folder.glob("*/children") for word in _read(path).split()]
        found += children
        open_ += children
    return found


def _words(process: int) -> str:
    return _read(f"/proc/{process}/cmdline")


def _proportional(process: int) -> int:
    lines = _read(f"/proc/{process}/smaps_rollup").splitlines()
    return next((int(line.split()[1]) * KIB for line in lines if line.startswith("Pss:")), 0)


def _read(path: str | Path) -> str:
    """Return what proc(5) says; nothing where the process has ended meanwhile, or there is no /proc."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
