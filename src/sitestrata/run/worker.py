"""The process that does one job after another for a `sitestrata.run.crew.Crew`.

Started as a fresh interpreter, not by forking: the parent may have threads, and a caller's main module is never
imported a second time. It ends when its parent does.
"""

import ctypes
import mmap
import os
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sitestrata.errors import Error, WorkspaceError

__all__ = ["CELL", "Tick", "WriteError", "cpu_seconds", "forget_peak", "main", "peak_memory"]

CELL = struct.Struct("<q")  # what the worker is at: a number that it changes as it goes on
PR_SET_PDEATHSIG = 1  # prctl(2), Linux

Tick = Callable[[int], None]


class WriteError(WorkspaceError):
    """Our own output could not be written: the disk's fault, no other page would fare better."""


def main(pipe: int, cell: int, memory_limit: int) -> None:
    """Take jobs from a pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    _die_with_parent()
    sys.meta_path.insert(0, _WithoutPandas())
    connection = Connection(pipe)
    with mmap.mmap(cell, CELL.size) as memory:

        def tick(position: int) -> None:
            CELL.pack_into(memory, 0, position)

        is_limited = False
        while True:
            try:
                function, arguments = connection.recv()
            except EOFError:
                return
            except Exception as error:  # the job's function cannot be found: no job of this kind will ever run
                complaint = Error(f"A worker cannot run the job: {type(error).__name__}: {error}")
                connection.send(("fatal", complaint, 0))
                continue
            if not is_limited:  # after the first job's imports: the limit is for pages, not for libraries
                is_limited = True
                _limit_memory(memory_limit)
            connection.send(_attempt(function, arguments, tick))


class _WithoutPandas(MetaPathFinder):
    """Has Arrow find no pandas: it loads it for its first array, a third of the time that starting a worker takes."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:  # noqa: ARG002 - the protocol
        if name == "pandas":
            raise ModuleNotFoundError("workers use no pandas", name=name)


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...], tick: Tick) -> tuple[str, Any, int]:
    try:
        answer, kind = function(*arguments, tick), "done"
    except Error as error:  # what we raise on purpose is never one page's fault: a file is gone, a disk is full
        answer, kind = error, "fatal"
    except MemoryError:
        answer, kind = "it needs more memory than the limit allows", "out-of-memory"
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        answer, kind = f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})", "internal-error"
    return kind, answer, peak_memory()


def peak_memory() -> int:
    """Return the most memory this process has used, in bytes."""
    if Path("/proc/self/status").exists():
        # Not getrusage(2): its figure is inherited from the parent, as it was when it started us.
        return _status("VmHWM")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024  # bytes there, kilobytes elsewhere


def forget_peak() -> None:
    """Have `peak_memory` count from now on, where the system can do that (proc(5))."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def cpu_seconds() -> float:
    """Return the processor time of this process and of those it started that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _limit_memory(limit: int) -> None:
    """Let allocations beyond ``limit`` bytes on top of what is in use fail, where the system can do that."""
    if limit <= 0 or sys.platform != "linux":
        return
    in_use = _status("VmData")
    resource.setrlimit(resource.RLIMIT_DATA, (in_use + limit, in_use + limit))


def _status(name: str) -> int:
    """Return a size from proc(5), in bytes."""
    with Path("/proc/self/status").open(encoding="ascii", errors="replace") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(f"{name}:"))


def _die_with_parent() -> None:
    """Ask Linux to kill us when our parent dies; elsewhere we notice at the next look at the pipe."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
