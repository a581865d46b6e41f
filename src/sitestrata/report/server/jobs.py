"""Runs of ``sitestrata mine`` that the person starts from the browser: a process each, one at a time.

The process is the ordinary command, so whatever happens to it the server goes on, and what it did is kept
as if it had been typed. Cancelling sends it the signal that Ctrl-C would.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sitestrata.errors import UsageError, WorkspaceLocked

__all__ = ["Job", "Jobs", "Status", "mine_command"]

LOG_LINES = 2000
LOG_LINE = 2000  # characters
KEPT_JOBS = 20
GRACE_SECONDS = 10.0  # between asking a run to stop and stopping it

Status = Literal["running", "done", "failed", "cancelled"]


@dataclass(slots=True)
class Job:
    """One run, as far as it has come."""

    number: int
    command: list[str]
    began: float
    status: Status = "running"
    ended: float | None = None
    stages: dict[str, dict[str, Any]] = field(default_factory=dict)  # in the order they began
    log: deque[str] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    dropped: int = 0  # lines of the log that are gone


def mine_command(
    out: Path,
    *,
    sources: Sequence[str] = (),
    base_url: str | None = None,
    max_pages: int | None = None,
    contact: str | None = None,
    allow_private: bool = False,
    workers: int | None = None,
) -> list[str]:
    """Return the command that mines into a workspace; without sources it continues with those it has."""
    for source in sources:
        if source.startswith("-") or not source.strip() or not source.isprintable():
            raise UsageError(f"{source!a} is neither a file, nor a folder, nor a web address.")
        if not source.startswith(("http://", "https://")) and not any(mark in source for mark in "*?["):
            path = Path(source)
            if not path.is_absolute():
                raise UsageError(f"{source!a}: give the whole path, beginning with /.")
            if not path.exists():
                raise UsageError(f"There is no file or folder {source!a}.")
    command = [sys.executable, "-m", "sitestrata", "mine", "--progress", "json", "-o", str(out)]
    if (out / "manifest.json").exists():
        command.append("--resume")
    elif not sources:
        raise UsageError("There is nothing mined yet: name a source.")
    for flag, value in (
        ("--base-url", base_url),
        ("--max-pages", max_pages),
        ("--contact", contact),
        ("--workers", workers),
    ):
        if value:
            command += [f"{flag}={value}"]
    if allow_private:
        command.append("--allow-private")
    return [*command, "--", *sources]


class Jobs:
    """The runs of this server, the newest last."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._jobs: dict[int, Job] = {}
        self._processes: dict[int, subprocess.Popen[str]] = {}
        self._count = 0

    def start(self, command: Sequence[str]) -> Job:
        """Start a run; there can be only one."""
        with self._lock:
            if any(job.status == "running" for job in self._jobs.values()):
                raise WorkspaceLocked("A run is at work already. Wait for it to end, or cancel it.")
            self._count += 1
            job = Job(self._count, list(command), self._clock())
            process = subprocess.Popen(  # noqa: S603 - our own command; what the person typed comes after "--"
                job.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,  # Ctrl-C is for the server, which then ends its runs itself
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
            self._jobs[job.number] = job
            self._processes[job.number] = process
            for number in sorted(self._jobs)[:-KEPT_JOBS]:
                del self._jobs[number], self._processes[number]
        threading.Thread(target=self._follow, args=(job, process), daemon=True).start()
        return job

    def _follow(self, job: Job, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with self._lock:
                _note(job, line.rstrip("\n"))
        code = process.wait()
        with self._lock:
            job.ended = self._clock()
            if job.status == "running":
                job.status = "done" if code == 0 else "failed"

    def cancel(self, number: int) -> Job | None:
        """Ask a run to stop; what it did is kept."""
        with self._lock:
            job, process = self._jobs.get(number), self._processes.get(number)
            if job is None or process is None:
                return None
            if job.status != "running":
                return job
            job.status = "cancelled"
        _signal(process, signal.SIGTERM)
        killer = threading.Timer(GRACE_SECONDS, _signal, (process, signal.SIGKILL))
        killer.daemon = True
        killer.start()
        return job

    def get(self, number: int) -> Job | None:
        """Return a run."""
        with self._lock:
            return self._jobs.get(number)

    def all(self) -> list[Job]:
        """Return the runs, the newest first."""
        with self._lock:
            return [self._jobs[number] for number in sorted(self._jobs, reverse=True)]

    def close(self) -> None:
        """End what is still running, and wait for it."""
        for job in self.all():
            if job.status == "running":
                self.cancel(job.number)
        for process in self._processes.values():
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[str], number: int) -> None:
    if process.poll() is None:
        # The run ends its workers itself when it is asked; only what does not listen is ended as a group.
        if number == signal.SIGKILL:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


def _note(job: Job, line: str) -> None:
    """Take in one line that a run printed: progress as JSON, or something for the log."""
    if line.startswith('{"stage"'):
        try:
            row = json.loads(line)
            stage, done, total = str(row["stage"]), int(row["done"]), int(row["total"])
        except (ValueError, KeyError, TypeError):
            pass
        else:
            state = "skipped" if row.get("is_skipped") else "done" if row.get("is_finished") else "running"
            before = job.stages.get(stage, {})
            if state == "done" and before:
                done = total = before["total"]
            job.stages[stage] = {"stage": stage, "done": done, "total": total, "state": state}
            return
    if len(job.log) == LOG_LINES:
        job.dropped += 1
    job.log.append(line[:LOG_LINE])
