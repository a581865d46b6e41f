"""What stands in front of every request: who may ask, who may change something, and what an answer may do.

The server is for the person at this machine. A page that this person visits elsewhere can make the browser send
requests here, directly or by rebinding a name of its own to 127.0.0.1, so a request must name us as its host, must not
come from another origin, and a change must carry the token that only the printed address holds. Answers tell the
browser to load nothing from anywhere else.
"""

import json
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

__all__ = ["ARCHIVE_POLICY", "TOKEN_HEADER", "UI_POLICY", "Guard", "host_names", "make_token"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

TOKEN_HEADER = "x-sitestrata-token"  # noqa: S105 - the name of a header
BODY_LIMIT = 64 * 1024  # bytes; a decision or a list of sources is far smaller
TARGET_LIMIT = 8192  # bytes of a request's path and query

UI_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# An archived page: an opaque origin, no scripts, no forms, no way out, nothing loaded from anywhere.
ARCHIVE_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), usb=()"),
)
_READS = ("GET", "HEAD")
_ARCHIVE = re.compile(r"/api/pages/-?[0-9]{1,19}/archive")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?", re.IGNORECASE)


def make_token() -> str:
    """Return a new secret for changes."""
    return secrets.token_urlsafe(24)


def host_names(host: str) -> frozenset[str]:
    """Return the names under which a server that listens on ``host`` may be addressed."""
    own = f"[{host}]" if ":" in host else host
    return frozenset({"127.0.0.1", "localhost", "[::1]", own.lower()})


class Guard:
    """ASGI middleware that refuses what does not come from our own pages, and seals every answer."""

    def __init__(self, app: Any, *, hosts: Iterable[str], token: str) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.token = token

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        sealed = _sealed(send)
        if refusal is not None:
            await _refuse(sealed, *refusal)
            return
        await self.app(scope, _limited(receive), sealed)

    def _refusal(self, scope: MutableMapping[str, Any], headers: dict[str, str]) -> tuple[int, str] | None:
        """Return status and reason if the request is not to be answered."""
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > TARGET_LIMIT:
            return 414, "The address is too long."
        if not self._is_own_host(headers.get("host", "")):
            return 421, "This server answers to its own name only."
        origin = headers.get("origin")
        if origin is not None and not self._is_own_origin(origin, headers.get("host", "")):
            return 403, "The request comes from another origin."
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _is_harmless_visit(scope, headers):
            return 403, "The request comes from another site."
        if scope["method"] in _READS:
            return None
        if not secrets.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token.encode()):
            return 401, "Changes need the token: open the address that `sitestrata serve` printed."
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "Send JSON."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > BODY_LIMIT:
            return 413, f"A request may hold {BODY_LIMIT:,} bytes."
        return None

    def _is_own_host(self, host: str) -> bool:
        match = _HOST.fullmatch(host)
        return match is not None and match[1].lower() in self.hosts

    def _is_own_origin(self, origin: str, host: str) -> bool:
        return origin.lower() == f"http://{host.lower()}"


def _is_harmless_visit(scope: MutableMapping[str, Any], headers: dict[str, str]) -> bool:
    """Tell whether a browser goes to a page of ours: as a whole, or in the frame that shows an archived page.

    Such a frame has an opaque origin, so its own links look like those of a stranger. A stranger gains nothing by the
    same request, as the answer may be framed by us alone.
    """
    if headers.get("sec-fetch-mode") != "navigate" or scope["method"] not in _READS:
        return False
    is_archive = _ARCHIVE.fullmatch(scope["path"]) is not None
    return headers.get("sec-fetch-dest") == "document" or (headers.get("sec-fetch-dest") == "iframe" and is_archive)


def _limited(receive: Receive) -> Receive:
    """Cut off a body that is longer than its header says."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > BODY_LIMIT else message

    return limited


def _sealed(send: Send) -> Send:
    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            names = {name.lower() for name, _ in headers}
            headers += [pair for pair in _HEADERS if pair[0] not in names]
            if b"content-security-policy" not in names:
                headers.append((b"content-security-policy", UI_POLICY.encode()))
            if b"cache-control" not in names:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return sealed


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
