"""Progress on standard error: bars on a terminal, a line per stage in a log, JSON lines for a program that watches."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Self

import click

__all__ = ["FORMS", "shown_progress"]

FORMS = ("auto", "lines", "json")


@contextmanager
def shown_progress(form: str = "auto") -> Iterator[Any]:
    """Yield a callback for `sitestrata.run.mine.mine` that shows how far the run is."""
    if form == "json":
        yield _Json()
    elif form == "auto" and sys.stderr.isatty():
        with _Bars() as bars:
            yield bars
    else:
        yield _Lines()


class _Bars:
    """A bar per stage."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._progress.stop()

    def __call__(self, progress: Any) -> None:
        if progress.is_skipped:
            return
        if progress.stage not in self._tasks:
            self._tasks[progress.stage] = self._progress.add_task(progress.stage, total=None)
        if progress.is_finished:
            total = self._progress.tasks[self._tasks[progress.stage]].total or 1
            self._progress.update(self._tasks[progress.stage], completed=total, total=total)
        else:
            self._progress.update(self._tasks[progress.stage], completed=progress.done, total=progress.total or 1)


class _Lines:
    """A line when a stage begins, and now and then while it goes on: for logs and pipes."""

    EVERY = 30.0  # seconds

    def __init__(self) -> None:
        self._stage = ""
        self._said = 0.0

    def __call__(self, progress: Any) -> None:
        now = time.monotonic()
        if (
            progress.is_skipped
            or progress.is_finished
            or (progress.stage == self._stage and now - self._said < self.EVERY)
        ):
            return
        self._stage, self._said = progress.stage, now
        click.echo(f"{progress.stage}: {progress.done:,} of {progress.total:,}", err=True)


class _Json:
    """A JSON object a line: whenever a stage begins or ends, and a few times a second while it goes on."""

    EVERY = 0.2  # seconds

    def __init__(self) -> None:
        self._stage = ""
        self._said = 0.0

    def __call__(self, progress: Any) -> None:
        now = time.monotonic()
        is_step = not (progress.is_skipped or progress.is_finished) and progress.stage == self._stage
        if is_step and progress.done < progress.total and now - self._said < self.EVERY:
            return
        self._stage, self._said = progress.stage, now
        click.echo(json.dumps(asdict(progress)), err=True)
