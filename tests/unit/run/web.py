"""A small web as WARC files, and the first stages of the plan, for tests of runs."""

import gzip
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from sitestrata.run import mine as mining
from sitestrata.run.plan import PLAN, prerequisites, stages_named

__all__ = ["FOUNDATION", "PAGES", "add_revisit", "mine", "page", "write_warc"]

# What a run does with stages shows on these; what the later stages do is their own tests' business.
_ALIASES = stages_named(PLAN, ["aliases"])
FOUNDATION = (*prerequisites(PLAN, _ALIASES), *_ALIASES)
mine = partial(mining.mine, plan=FOUNDATION)


def page(title: str, links: Iterable[str], *, text: str = "Some text.") -> str:
    items = "".join(f'<li><a href="{link}">{link.strip("/") or "home"}</a></li>' for link in links)
    return f"<!doctype html><title>{title}</title><ul class=menu>{items}</ul><p>{text}</p>"


_HOSTS = ("one.example", "two.example", "three.example")
PAGES: dict[str, str] = {
    f"http://{host}/p{number}": page(
        f"{host} {number}", [f"/p{other}" for other in range(8)] + [f"http://{_HOSTS[0]}/p0", f"/gone{number}"]
    )
    for host in _HOSTS
    for number in range(8)
}


def write_warc(path: Path, pages: Mapping[str, str | bytes], *, date: str = "2026-01-01T00:00:00Z") -> Path:
    with path.open("wb") as file:
        for number, (url, body) in enumerate(pages.items()):
            content = body if isinstance(body, bytes) else body.encode()
            kind = "css" if url.endswith(".css") else "html"
            http = (
                f"HTTP/1.1 200 OK\r\nContent-Type: text/{kind}; charset=utf-8\r\n".encode()
                + f"Content-Length: {len(content)}\r\n\r\n".encode()
                + content
            )
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012d}>\r\n"
                f"WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            ).encode()
            file.write(gzip.compress(head + http + b"\r\n\r\n", mtime=0))
    return path


def add_revisit(path: Path, url: str, *, of: str) -> None:
    """Append a record that says: the same as that address, at the time `write_warc` gives all."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    head = (
        "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0001-000000000000>\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-02-02T00:00:00Z\r\n"
        "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n"
        f"WARC-Refers-To-Target-URI: {of}\r\nWARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    ).encode()
    with path.open("ab") as file:
        file.write(gzip.compress(head + http + b"\r\n\r\n", mtime=0))
