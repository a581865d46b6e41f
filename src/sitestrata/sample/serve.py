"""The sample web as live websites on loopback, for tests and the demo.

One port serves every host, told apart by the Host header; it is also a plain HTTP proxy, so a crawler needs no change
of its name resolution. Pages are made when they are asked for. There is no TLS: serve a web made with ``http_only``.
"""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from sitestrata.sample.truth import answer, redirect, robots
from sitestrata.sample.web import Capture, Node
from sitestrata.sample.world import World

__all__ = ["make_server"]

_NOT_FOUND = b"<html><head><title>404</title></head><body><h1>404</h1></body></html>\n"
_Answer = Callable[[], Capture]


def make_server(world: World, *, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a web on the loopback address; run its ``serve_forever``, then ``server_close`` it."""
    answers = _answers(world)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16  # headers and body in one packet: loopback would wait 40 ms for the second

        def do_GET(self) -> None:
            """Answer with a page."""
            self._reply(with_body=True)

        def do_HEAD(self) -> None:
            """Answer with the headers of a page."""
            self._reply(with_body=False)

        def _reply(self, *, with_body: bool) -> None:
            address = self.path if "://" in self.path else f"http://{_name(self.headers.get('Host'))}{self.path}"
            found = answers.get(address)
            capture = found() if found else Capture(address, 404, (("Content-Type", "text/html"),), _NOT_FOUND)
            self.send_response(capture.status)
            for name, value in capture.headers:
                if name != "Server":
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(capture.body)))
            self.end_headers()
            if with_body:
                self.wfile.write(capture.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Say nothing: a crawl of a thousand pages would fill the terminal."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def _name(host: str | None) -> str:
    return (host or "").rpartition(":")[0] if ":" in (host or "") else host or ""


def _answers(world: World) -> dict[str, _Answer]:
    answers: dict[str, _Answer] = {}
    for group in world.groups():
        for site in group.sites:
            for node in site.nodes:
                if node.captured:
                    answers[node.url] = _page(node)
                    if site.prefix == "/":
                        answers.setdefault(f"{node.host}/robots.txt", _robots(node.host))
            for address, kind, node in site.aliases:
                answers[address] = _page(node, address) if kind == "same" else _redirect(address, kind, node)
    return answers


def _page(node: Node, address: str | None = None) -> _Answer:
    return lambda: answer(node, address)


def _redirect(address: str, kind: str, node: Node) -> _Answer:
    return lambda: redirect(address, kind, node)


def _robots(host: str) -> _Answer:
    return lambda: robots(host)
