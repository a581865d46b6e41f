"""The download handler: Scrapy's engine asks it for a URL, it returns the exchange as it went over the wire.

Scrapy's own handler keeps neither header lines as received nor the bytes of a chunked body, buffers in memory, and
connects to whatever a name resolves to. This one stands on the same Twisted HTTP client and connection pool, and adds
what an archive and a hostile Web ask for: the wire bytes (`message.py`), checked addresses (`connect.py`), limits on
size, silence and duration.
"""

import os
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet import reactor as _reactor
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IResolutionReceiver
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.task import deferLater
from twisted.web._newclient import HEADER, HTTP11ClientProtocol, HTTPClientParser
from twisted.web._newclient import Request as WireRequest
from twisted.web.client import URI, HTTPConnectionPool, ResponseDone
from twisted.web.http import PotentialDataLoss
from twisted.web.http_headers import Headers
from zope.interface import implementer

from sitestrata import urls
from sitestrata.sources.crawl.connect import Connector, Resolve, proxy_authorization
from sitestrata.sources.crawl.message import Exchange, TooLarge
from sitestrata.sources.crawl.options import CrawlOptions

__all__ = ["DownloadHandler", "IncompleteError", "proxy_for"]

CHECK_EVERY = 2.0  # seconds between two looks at the clock of an answer
STALE_PAUSE = 0.5  # seconds before the second try on a fresh connection
KEEP_ALIVE = 15.0  # seconds an idle connection is kept


class IncompleteError(Exception):
    """No answer, or no complete status line and headers, arrived; ``is_ours`` if we hung up."""

    def __init__(self, message: str, *, is_ours: bool = False) -> None:
        super().__init__(message)
        self.is_ours = is_ours


class DownloadHandler:
    """Fetches one URL over http or https."""

    lazy = False

    def __init__(self, crawler: Any) -> None:
        options: CrawlOptions = crawler.spider.crawl.options
        self._options = options
        resolve: Resolve | None = crawler.spider.resolve
        self._connector = Connector(
            _reactor,
            resolve or resolve_host,
            allow_private=options.allow_private,
            check_certificates=not options.insecure,
        )
        self._pool = HTTPConnectionPool(_reactor, persistent=True)
        self._pool.maxPersistentPerHost = options.per_host
        self._pool.cachedConnectionTimeout = KEEP_ALIVE
        self._pool.retryAutomatically = False  # done by hand: the bytes of every try are kept apart
        self._pool._factory = _WireFactory

    @classmethod
    def from_crawler(cls, crawler: Any) -> "DownloadHandler":
        """Build from Scrapy's settings."""
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """Fetch; the wire bytes go to ``request.meta["answer"]``."""
        exchange, latency, address = await self._fetch(request, is_again=False)
        if exchange.head is None:
            is_ours = exchange.truncated == "time"
            raise IncompleteError("the connection ended before the headers were complete", is_ours=is_ours)
        answer = exchange.answer(address=address, latency=latency)
        request.meta["answer"] = answer
        return Response(request.url, status=answer.status or 599, body=b"")

    async def close(self) -> None:
        """Close the idle connections, without waiting long for the other side."""
        closing: Deferred[None] = self._pool.closeCachedConnections()
        timer = _reactor.callLater(1, _fire, closing)
        await maybe_deferred_to_future(closing)
        if timer.active():
            timer.cancel()

    async def _fetch(self, request: Request, *, is_again: bool) -> tuple[Exchange, float, str | None]:
        options = self._options
        url: str = request.meta["address"]  # Scrapy's own copy may be escaped once more
        parts = urlsplit(url)
        host = urls.host(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        proxy = proxy_for(url, options.proxy)
        is_absolute = proxy is not None and parts.scheme == "http"
        target = url if is_absolute else url[len(urls.origin(url)) - 1 :]
        headers = Headers(request.headers)
        headers.setRawHeaders(b"Host", [parts.netloc.encode("ascii")])
        if is_absolute and proxy and (authorization := proxy_authorization(proxy)):
            headers.setRawHeaders(b"Proxy-Authorization", [authorization])

        exchange = Exchange(request.meta.get("max_body", options.max_body))
        began = time.monotonic()
        endpoint = self._connector.endpoint(parts.scheme, host, port, proxy)
        # Also behind a proxy each host keeps to its own connection: the next request follows the answer before it.
        key = (proxy, parts.scheme, host, port)
        connection: _Wire = await maybe_deferred_to_future(self._pool.getConnection(key, endpoint))
        is_used = connection.was_used
        connection.was_used = True
        connection.exchange = exchange
        finished: Deferred[Any] = Deferred()
        clock = _Clock(exchange, connection, options.timeout, options.idle_timeout)
        wire = WireRequest._construct(
            b"GET", target.encode("ascii"), headers, None, persistent=True, parsedURI=URI.fromBytes(url.encode("ascii"))
        )
        sending: Deferred[Any] = connection.request(wire)
        sending.addCallback(_read_body, finished)
        sending.addErrback(_end_with, finished)
        try:
            ended: _Ended = await maybe_deferred_to_future(finished)
        finally:
            clock.stop()
            connection.exchange = None
        if ended.failure is not None:
            if exchange.received == 0 and is_used and not is_again:
                # The server had closed the kept connection in the meantime: RFC 9112 9.3.1 asks for one more try.
                await maybe_deferred_to_future(deferLater(_reactor, STALE_PAUSE))
                return await self._fetch(request, is_again=True)
            if exchange.received == 0:
                if exchange.truncated == "time":
                    raise IncompleteError("no answer in time", is_ours=True)
                raise IncompleteError(_describe(ended.failure))
            exchange.truncated = exchange.truncated or "disconnect"
        return exchange, (clock.first_byte or time.monotonic()) - began, None if proxy else connection.peer


def resolve_host(name: str) -> "Deferred[list[str]]":
    """Look up every address of a name with the system's resolver."""
    found: list[str] = []
    done: Deferred[list[str]] = Deferred()

    @implementer(IResolutionReceiver)
    class Receiver:
        def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802 - Twisted's name
            pass

        def addressResolved(self, address: Any) -> None:  # noqa: N802 - Twisted's name
            if isinstance(address, IPv4Address | IPv6Address):
                found.append(address.host)

        def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
            done.callback(found)

    _reactor.nameResolver.resolveHostName(Receiver(), name)
    return done


def proxy_for(url: str, given: str | None) -> str | None:
    """Return the proxy for a URL: the one given, or what http_proxy, https_proxy, all_proxy and no_proxy say."""
    if given is not None:
        return given or None
    parts = urlsplit(url)
    proxies = getproxies_environment()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _fire(deferred: "Deferred[None]") -> None:
    if not deferred.called:
        deferred.callback(None)


def _read_body(response: Any, finished: "Deferred[Any]") -> None:
    response.deliverBody(_Sink(finished))


def _end_with(failure: Any, finished: "Deferred[Any]") -> None:
    if not finished.called:
        finished.callback(_Ended(failure))


def _describe(failure: Any) -> str:
    error = failure.value
    reasons = getattr(error, "reasons", None)
    while reasons:
        error = reasons[0].value
        reasons = getattr(error, "reasons", None)
    return f"{type(error).__name__}: {error}".split(os.linesep)[0][:200]


class _Ended:
    """How an answer ended; a bare failure would travel as an error."""

    def __init__(self, failure: Any) -> None:
        self.failure = failure


class _Sink(Protocol):
    """Drops the parsed body (the wire bytes are kept) and tells when it has ended."""

    def __init__(self, finished: "Deferred[Any]") -> None:
        self._finished = finished

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        pass

    def connectionLost(self, reason: Any = None) -> None:  # noqa: N802 - Twisted's name
        if not self._finished.called:
            is_whole = reason.check(ResponseDone, PotentialDataLoss)
            self._finished.callback(_Ended(None if is_whole else reason))


class _Clock:
    """Ends an answer that takes too long in all, or that is silent for too long."""

    def __init__(self, exchange: Exchange, connection: "_Wire", limit: float, silence: float) -> None:
        self.first_byte: float | None = None
        self._exchange = exchange
        self._connection = connection
        self._end = time.monotonic() + limit
        self._silence = silence
        self._heard_at = time.monotonic()
        self._received = 0
        connection.on_first_byte = self._heard_first
        self._timer = _reactor.callLater(CHECK_EVERY, self._look)

    def stop(self) -> None:
        if self._timer.active():
            self._timer.cancel()

    def _heard_first(self) -> None:
        self.first_byte = time.monotonic()

    def _look(self) -> None:
        now = time.monotonic()
        if self._exchange.received > self._received:
            self._received = self._exchange.received
            self._heard_at = now
        if now > self._end or now - self._heard_at > self._silence:
            self._exchange.truncated = "time"
            self._connection.abort()
            return
        self._timer = _reactor.callLater(CHECK_EVERY, self._look)


class _Parser(HTTPClientParser):
    """Skips header lines without a colon, as browsers do."""

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 - Twisted's name
        text = line.rstrip(b"\r")
        if self.state == HEADER and text and text[:1] not in b" \t" and b":" not in text:
            return
        super().lineReceived(line)


class _Tee:
    """A transport that keeps a copy of what is written."""

    def __init__(self, transport: Any, wire: "_Wire") -> None:
        self._transport = transport
        self._wire = wire

    def write(self, data: bytes) -> None:
        if self._wire.exchange is not None:
            self._wire.exchange.sent += data
        self._transport.write(data)

    def writeSequence(self, data: list[bytes]) -> None:  # noqa: N802 - Twisted's name
        self.write(b"".join(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _Wire(HTTP11ClientProtocol):
    """Twisted's HTTP/1.1 client, with the bytes of the current exchange kept."""

    exchange: Exchange | None = None
    on_first_byte: Callable[[], None] | None = None
    was_used = False

    def makeConnection(self, transport: Any) -> None:  # noqa: N802 - Twisted's name
        super().makeConnection(_Tee(transport, self))

    @property
    def peer(self) -> str | None:
        """The IP address at the other end."""
        try:
            return str(self.transport.getPeer().host)
        except AttributeError:
            return None

    def request(self, request: WireRequest) -> "Deferred[Any]":
        sending = super().request(request)
        if self._parser is not None:
            self._parser.__class__ = _Parser  # the class is fixed in the method above; _Parser adds no state
        return sending

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        exchange = self.exchange
        if exchange is not None:
            if exchange.received == 0 and self.on_first_byte is not None:
                self.on_first_byte()
            try:
                exchange.data_received(data)
            except TooLarge:
                self.exchange = None
                self.transport.abortConnection()
                return
        super().dataReceived(data)


class _WireFactory(Factory):
    """Makes `_Wire` for the pool, which calls it with (quiescentCallback, metadata)."""

    noisy = False

    def __init__(self, quiescent_callback: Any, metadata: Any = None) -> None:
        self._quiescent_callback = quiescent_callback
        self._metadata = metadata

    def __repr__(self) -> str:
        return f"_WireFactory({self._metadata!r})"

    def buildProtocol(self, addr: Any) -> _Wire:  # noqa: ARG002, N802 - Twisted's name
        return _Wire(self._quiescent_callback)
