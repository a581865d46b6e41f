"""How a crawler opens a connection: only to addresses it may talk to, directly or through a proxy.

The name is resolved once, every address is checked, and the socket connects to the very address that was checked: a
DNS answer that changes between check and use cannot happen. The address of the peer is looked at once more when the
connection stands, before a byte is sent. Behind a proxy the proxy is trusted (it resolves the names), and only
addresses and names that are private by their spelling are refused here.
"""

import base64
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from twisted.internet.defer import Deferred, inlineCallbacks
from twisted.internet.endpoints import TCP4ClientEndpoint, TCP6ClientEndpoint, wrapClientTLS
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator, IStreamClientEndpoint
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.ssl import CertificateOptions, optionsForClientTLS
from zope.interface import implementer

from sitestrata.sources.crawl.addresses import is_public, refuse_by_name

__all__ = ["Connector", "ProxyRefusedError", "RefusedAddressError", "Resolve"]

Resolve = Callable[[str], "Deferred[list[str]]"]
CONNECT_TIMEOUT = 20  # seconds for each address
MAX_ADDRESSES = 4  # of one name that are tried


class RefusedAddressError(Exception):
    """The address is not one that a crawl may talk to."""


class ProxyRefusedError(Exception):
    """The proxy did not open a tunnel."""


@dataclass(frozen=True, slots=True)
class Connector:
    """Makes endpoints for origins; one for a whole crawl."""

    reactor: Any
    resolve: Resolve
    allow_private: bool = False
    check_certificates: bool = True

    def endpoint(self, scheme: str, host: str, port: int, proxy: str | None) -> IStreamClientEndpoint:
        """Return the endpoint of an origin, through a proxy if one is given."""
        if not self.allow_private:
            reason = refuse_by_name(f"{scheme}://{host}/")
            if reason:
                raise RefusedAddressError(reason)
        tls = self._tls(host.strip("[]")) if scheme == "https" else None
        if proxy is None:
            plain: IStreamClientEndpoint = _CheckedEndpoint(self, host.strip("[]"), port, is_trusted=False)
            return wrapClientTLS(tls, plain) if tls else plain
        parts = urlsplit(proxy)
        assert parts.hostname is not None
        plain = _CheckedEndpoint(
            self, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80), is_trusted=True
        )
        if parts.scheme == "https":
            plain = wrapClientTLS(self._tls(parts.hostname), plain)
        if tls is None:
            return plain
        return wrapClientTLS(tls, _TunnelEndpoint(plain, host, port, proxy_authorization(proxy)))

    def _tls(self, host: str) -> Any:
        if self.check_certificates:
            return optionsForClientTLS(host)
        return _UncheckedTls(host)


def proxy_authorization(proxy: str) -> bytes | None:
    """Return the value of Proxy-Authorization that a proxy's URL asks for, or None."""
    parts = urlsplit(proxy)
    if parts.username is None:
        return None
    user = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return b"Basic " + base64.b64encode(user)


@implementer(IStreamClientEndpoint)
class _CheckedEndpoint:
    """Resolves, checks and connects to the checked address."""

    def __init__(self, connector: Connector, host: str, port: int, *, is_trusted: bool) -> None:
        self._connector = connector
        self._host = host
        self._port = port
        self._is_checked = not (is_trusted or connector.allow_private)

    @inlineCallbacks
    def connect(self, factory: Factory) -> Generator[Any, Any, Protocol]:
        """Connect to the first address that is allowed and answers."""
        addresses = [self._host] if _is_literal(self._host) else (yield self._connector.resolve(self._host))
        allowed = [each for each in addresses if not self._is_checked or is_public(each)]
        if addresses and not allowed:
            raise RefusedAddressError(f"{self._host} resolves to {addresses[0]}, which is not a public address")
        last: Exception = RefusedAddressError(f"{self._host} has no address")
        for address in allowed[:MAX_ADDRESSES]:
            kind = TCP6ClientEndpoint if ":" in address else TCP4ClientEndpoint
            try:
                protocol = yield kind(self._connector.reactor, address, self._port, timeout=CONNECT_TIMEOUT).connect(
                    _PeerCheck(factory, self._is_checked)
                )
            except Exception as error:
                last = error
                continue
            return protocol
        raise last


class _PeerCheck(Factory):
    """Looks at the address of the connected socket before the protocol gets it."""

    noisy = False

    def __init__(self, factory: Factory, is_checked: bool) -> None:
        self._factory = factory
        self._is_checked = is_checked

    def doStart(self) -> None:  # noqa: N802 - Twisted's name
        self._factory.doStart()

    def doStop(self) -> None:  # noqa: N802 - Twisted's name
        self._factory.doStop()

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        if self._is_checked and not is_public(addr.host):
            raise RefusedAddressError(f"{addr.host} is not a public address")
        return self._factory.buildProtocol(addr)


def _is_literal(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


@implementer(IOpenSSLClientConnectionCreator)
class _UncheckedTls:
    """TLS with the server's name but without a look at its certificate (on request only)."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._options = CertificateOptions(verify=False)

    def clientConnectionForTLS(self, protocol: Any) -> Any:  # noqa: ARG002, N802 - Twisted's name
        from OpenSSL import SSL

        connection = SSL.Connection(self._options.getContext(), None)
        if not _is_literal(self._host):
            connection.set_tlsext_host_name(self._host.encode("ascii"))
        return connection


@implementer(IStreamClientEndpoint)
class _TunnelEndpoint:
    """Asks a proxy for a tunnel (CONNECT) before the protocol gets the connection."""

    def __init__(self, proxy: IStreamClientEndpoint, host: str, port: int, authorization: bytes | None) -> None:
        self._proxy = proxy
        target = f"{host}:{port}".encode("ascii")
        self._request = b"CONNECT " + target + b" HTTP/1.1\r\nHost: " + target + b"\r\n"
        if authorization:
            self._request += b"Proxy-Authorization: " + authorization + b"\r\n"
        self._request += b"\r\n"

    @inlineCallbacks
    def connect(self, factory: Factory) -> Generator[Any, Any, Protocol]:
        """Connect to the proxy, ask, and hand the open tunnel to the protocol."""
        ready: Deferred[Protocol] = Deferred()
        yield self._proxy.connect(_TunnelFactory(self._request, factory, ready))
        return (yield ready)


class _TunnelFactory(Factory):
    noisy = False

    def __init__(self, request: bytes, factory: Factory, ready: "Deferred[Protocol]") -> None:
        self.request = request
        self.wrapped = factory
        self.ready = ready

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        return _Tunnel(self, addr)


class _Tunnel(Protocol):
    """Speaks CONNECT, then becomes transparent."""

    _ANSWER = re.compile(rb"HTTP/1\.\d (\d{3})")
    _MAX = 16 * 1024

    def __init__(self, factory: _TunnelFactory, addr: Any) -> None:
        self._tunnel = factory
        self._addr = addr
        self._buffer = b""
        self._inner: Any = None

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        assert self.transport is not None
        self.transport.write(self._tunnel.request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self._inner is not None:
            self._inner.dataReceived(data)
            return
        self._buffer += data
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        if not end:
            if len(self._buffer) > self._MAX:
                self._fail("an endless answer")
            return
        match = self._ANSWER.match(head)
        if match is None or match.group(1) != b"200":
            self._fail(head[:100].decode("ascii", "replace"))
            return
        self._inner = self._tunnel.wrapped.buildProtocol(self._addr)
        self._inner.makeConnection(self.transport)
        if rest:
            self._inner.dataReceived(rest)
        self._tunnel.ready.callback(self._inner)

    def connectionLost(self, reason: Any = None) -> None:  # noqa: N802 - Twisted's name
        if self._inner is not None:
            self._inner.connectionLost(reason)
        elif not self._tunnel.ready.called:
            self._tunnel.ready.errback(ProxyRefusedError("the proxy closed the connection"))

    def _fail(self, detail: str) -> None:
        assert self.transport is not None
        self.transport.loseConnection()
        if not self._tunnel.ready.called:
            self._tunnel.ready.errback(ProxyRefusedError(f"the proxy answered {detail}"))
