"""A crawl in a process of its own, so that any program can have one: Twisted's reactor runs once a process.

The two sides talk in lines of JSON over the child's standard input and output. The child's input is also its lifeline:
when it closes, because the caller has finished or died, the child finishes what is under way and ends.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sitestrata import errors
from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.results import CrawlResult, Fetched, Progress

__all__ = ["AskedCrawl", "crawl"]

Note = Callable[[str], None]


def crawl(
    urls: Sequence[str],
    out: str | os.PathLike[str],
    options: CrawlOptions | None = None,
    *,
    resume: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    on_note: Note | None = None,
) -> CrawlResult:
    """Crawl from some addresses into ``out`` (a name that ends in .warc.gz) and return what was brought.

    Raises UsageError where the call makes no sense, WorkspaceLocked where another crawl is at work on ``out``.
    """
    child = _Child(urls, Path(out), options or CrawlOptions(), resume=resume, is_asked=False)
    try:
        for kind, value in child.messages():
            if kind == "progress" and on_progress is not None:
                on_progress(Progress(**value))
            elif kind == "note" and on_note is not None:
                on_note(value)
            elif kind == "result":
                return _result(value)
    finally:
        child.close()
    raise errors.SourceError(f"the crawl into {out} ended without a result; continue it with --resume")


class AskedCrawl:
    """A crawl that fetches what it is asked for, and nothing else: for algorithms that choose the next page.

    Addresses come and go while it runs: ``want`` some, take each `Fetched` as it comes.
    """

    def __init__(
        self, out: Path, options: CrawlOptions | None = None, *, resume: bool = False, on_note: Note | None = None
    ) -> None:
        asked = replace(options or CrawlOptions(), follow=False)
        self._child = _Child((), out, asked, resume=resume, is_asked=True)
        self._messages = self._child.messages()
        self._on_note = on_note
        self.result: CrawlResult | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def want(self, wants: Iterable[tuple[str, float]]) -> None:
        """Ask for addresses (in canonical form), each with a priority: larger is sooner."""
        self._child.send({"want": list(wants)})

    def fetched(self) -> Iterator[Fetched]:
        """Yield what was asked for as it comes; waits for the next one. Every wanted address comes once."""
        for kind, value in self._messages:
            if kind == "fetched":
                yield Fetched(**value)
            elif kind == "note" and self._on_note is not None:
                self._on_note(value)
            elif kind == "result":
                self.result = _result(value)
        if self.result is None:
            raise errors.SourceError("the crawl was killed; what it fetched is kept, continue with --resume")

    def close(self) -> None:
        """End the crawl; what is under way is finished first."""
        self._child.hang_up()
        for kind, value in self._messages:
            if kind == "result":
                self.result = _result(value)
        self._child.close()


class _Child:
    def __init__(self, urls: Sequence[str], out: Path, options: CrawlOptions, *, resume: bool, is_asked: bool) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sitestrata.sources.crawl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for the caller, who decides
        )
        first = {
            "seeds": list(urls),
            "out": str(out.absolute()),
            "options": asdict(options),
            "resume": resume,
            "is_asked": is_asked,
        }
        self.send(first)

    def send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # the reason comes with the messages

    def messages(self) -> Iterator[tuple[str, Any]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message: dict[str, Any] = json.loads(line)
            [(kind, value)] = message.items()
            if kind == "error":
                raise getattr(errors, value["kind"], errors.SourceError)(value["message"])
            yield kind, value

    def hang_up(self) -> None:
        if self._process.stdin is not None and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                return

    def close(self) -> None:
        self.hang_up()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def _result(value: dict[str, Any]) -> CrawlResult:
    return CrawlResult(**{**value, "files": tuple(value["files"])})
