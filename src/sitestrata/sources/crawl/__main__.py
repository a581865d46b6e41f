"""The child's side of `sitestrata.sources.crawl.session`."""

import json
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sitestrata.errors import Error
from sitestrata.sources.crawl.options import CrawlOptions


def _tell(kind: str, value: Any) -> None:
    try:
        sys.stdout.write(json.dumps({kind: value}) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        return  # nobody listens any more: the closed input ends the crawl


def main() -> int:
    """Run one crawl as told on standard input."""
    first = json.loads(sys.stdin.readline())
    options = CrawlOptions.from_json(json.dumps(first["options"]))
    from twisted.internet import reactor

    from sitestrata.sources.crawl.engine import run
    from sitestrata.sources.crawl.live import Crawl

    is_asked: bool = first["is_asked"]

    def listen(crawl: Crawl) -> None:
        crawl.scheduler.is_open = is_asked
        threading.Thread(target=_listen, args=(crawl, reactor), daemon=True).start()

    try:
        result = run(
            first["seeds"],
            Path(first["out"]),
            options,
            resume=first["resume"],
            on_progress=lambda progress: _tell("progress", asdict(progress)),
            on_note=lambda note: _tell("note", note),
            on_fetched=(lambda fetched: _tell("fetched", asdict(fetched))) if is_asked else None,
            on_open=listen,
        )
    except Error as error:
        _tell("error", {"kind": type(error).__name__, "message": str(error)})
        return 1
    _tell("result", asdict(result))
    return 0


def _listen(crawl: Any, reactor: Any) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        reactor.callFromThread(crawl.take_wants, [(str(url), float(priority)) for url, priority in message["want"]])
    reactor.callFromThread(_end, crawl)


def _end(crawl: Any) -> None:
    crawl.scheduler.is_open = False
    crawl.scheduler.stop()
    crawl.scheduler.wake()


if __name__ == "__main__":
    sys.exit(main())
