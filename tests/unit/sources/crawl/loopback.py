"""A small website on loopback that misbehaves as told, and remembers what it was asked."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sitestrata.sources.crawl import CrawlOptions, CrawlResult, crawl

Answer = tuple[int, dict[str, str], bytes]


class Site:
    """Pages by path (without query, or with), and what was asked for."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer | Callable[[Handler], Answer | None]] = {}
        self.asked: list[str] = []
        self.times: list[float] = []
        self.headers: list[dict[str, str]] = []
        self.open = 0
        self.most_open = 0
        self.base = ""
        self._lock = threading.Lock()

    def page(self, path: str, *links: str, text: str = "", status: int = 200, head: str = "", **headers: str) -> None:
        """Add an HTML page with links."""
        anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
        body = (
            f"<!DOCTYPE html><html><head><title>{path}</title>{head}</head><body><h1>{path} {text}</h1>{anchors}</body>"
        )
        self.pages[path] = (status, {"Content-Type": "text/html; charset=utf-8", **_names(headers)}, body.encode())

    def put(self, path: str, body: bytes, status: int = 200, **headers: str) -> None:
        """Add any answer."""
        self.pages[path] = (status, _names(headers), body)

    def enter(self) -> None:
        with self._lock:
            self.open += 1
            self.most_open = max(self.open, self.most_open)

    def leave(self) -> None:
        with self._lock:
            self.open -= 1

    @property
    def counts(self) -> Counter[str]:
        """How often each path was asked for."""
        return Counter(self.asked)


def _names(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def do_GET(self) -> None:
        site = self.site
        site.asked.append(self.path)
        site.times.append(time.monotonic())
        site.headers.append(dict(self.headers))
        site.enter()
        try:
            found = site.pages.get(self.path) or site.pages.get(self.path.partition("?")[0])
            if found is None:
                found = next(
                    (page for key, page in site.pages.items() if key.endswith("*") and self.path.startswith(key[:-1])),
                    None,
                )
            if found is None:
                found = (404, {"Content-Type": "text/html"}, b"<h1>404</h1>")
            answer = found(self) if callable(found) else found
            if answer is not None:
                status, headers, body = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Transfer-Encoding" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            site.leave()

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving(host: str = "127.0.0.1") -> Iterator[Site]:
    """Run a site on a free port of loopback."""
    site = Site()
    handler = type("Bound", (Handler,), {"site": site})
    server = ThreadingHTTPServer((host, 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    site.base = f"http://{host}:{server.server_address[1]}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


def run(
    site: Site, out: Path, *paths: str, resume: bool = False, notes: list[str] | None = None, **options: object
) -> CrawlResult:
    """Crawl a site as fast as it answers."""
    chosen = CrawlOptions(
        **{"allow_private": True, "delay": 0.0, "backoff": 0.05, "proxy": "", "contact": "crawl@example.org", **options}
    )  # type: ignore[arg-type]
    seeds = [site.base + path for path in paths or ("/",)]
    return crawl(seeds, out, chosen, resume=resume, on_note=notes.append if notes is not None else None)
