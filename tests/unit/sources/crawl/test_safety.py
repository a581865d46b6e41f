"""What a hostile Web tries: private addresses by every way, names that change their meaning, bodies that explode."""

import gzip
import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard
from twisted.internet.defer import Deferred, succeed
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.testing import MemoryReactorClock

from sitestrata.sources.crawl.connect import Connector, RefusedAddressError, proxy_authorization
from sitestrata.sources.crawl.download import proxy_for

from .loopback import Handler, serving
from .test_addresses import PRIVATE_URLS

PUBLIC = "93.184.215.14"


def connector(reactor: Any, *answers: list[str], allow_private: bool = False) -> Connector:
    """Resolve every name to the next of some answers."""
    left = list(answers)

    def resolve(name: str) -> Deferred[list[str]]:
        return succeed(left.pop(0))

    return Connector(reactor, resolve, allow_private=allow_private)


def connect(made: Connector, host: str, proxy: str | None = None) -> Any:
    errors: list[Any] = []
    made.endpoint("http", host, 80, proxy).connect(Factory.forProtocol(Protocol)).addErrback(errors.append)
    return errors[0].value if errors else None


def test_socket_connects_to_the_address_that_was_checked() -> None:
    reactor = MemoryReactorClock()
    assert connect(connector(reactor, [PUBLIC]), "example.org") is None

    assert [client[:2] for client in reactor.tcpClients] == [(PUBLIC, 80)]


def test_name_that_changes_its_meaning_is_refused_when_it_turns_private() -> None:
    reactor = MemoryReactorClock()
    made = connector(reactor, [PUBLIC], ["127.0.0.1"], ["::ffff:10.0.0.1", "fe80::1"])

    assert connect(made, "rebind.example") is None
    assert isinstance(connect(made, "rebind.example"), RefusedAddressError)
    assert isinstance(connect(made, "rebind.example"), RefusedAddressError)
    assert [client[0] for client in reactor.tcpClients] == [PUBLIC]


def test_of_a_mixed_answer_only_public_addresses_are_tried() -> None:
    reactor = MemoryReactorClock()
    connect(connector(reactor, ["10.0.0.1", PUBLIC]), "mixed.example")

    assert [client[0] for client in reactor.tcpClients] == [PUBLIC]


def test_peer_of_the_connected_socket_is_looked_at_again() -> None:
    reactor = MemoryReactorClock()
    connect(connector(reactor, [PUBLIC]), "example.org")
    factory = reactor.tcpClients[0][2]
    address = type("Address", (), {"host": "127.0.0.1"})

    assert factory.buildProtocol(address) is None


def test_private_address_is_allowed_on_request() -> None:
    reactor = MemoryReactorClock()
    connect(connector(reactor, ["127.0.0.1"], allow_private=True), "localhost")

    assert [client[0] for client in reactor.tcpClients] == ["127.0.0.1"]


def test_proxy_is_trusted_but_private_spellings_never_reach_it() -> None:
    reactor = MemoryReactorClock()
    made = connector(reactor, ["127.0.0.1"])
    connect(made, "example.org", "http://127.0.0.1:3128")

    assert [client[:2] for client in reactor.tcpClients] == [("127.0.0.1", 3128)]
    with pytest.raises(RefusedAddressError):
        connect(made, "169.254.169.254", "http://127.0.0.1:3128")


def test_proxies_of_the_environment_are_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://user:p%40ss@proxy.example:3128")
    monkeypatch.setenv("no_proxy", "intern.example")

    assert proxy_for("http://example.org/", None) == "http://user:p%40ss@proxy.example:3128"
    assert proxy_for("https://example.org/", None) is None
    assert proxy_for("http://www.intern.example/", None) is None
    assert proxy_for("http://example.org/", "") is None
    assert proxy_for("https://example.org/", "http://other:1") == "http://other:1"
    assert proxy_authorization("http://user:p%40ss@proxy.example:3128") == b"Basic dXNlcjpwQHNz"


# Runs a crawl in which the loopback address 127.0.0.2 passes for public, so that a "public" site can lead elsewhere.
_CRAWL = """
import ipaddress, json, sys
from pathlib import Path
from twisted.internet.defer import succeed
from sitestrata.sources.crawl import addresses, connect
from sitestrata.sources.crawl.engine import run
from sitestrata.sources.crawl.options import CrawlOptions
real = addresses.is_public
connect.is_public = lambda address: str(address) == "127.0.0.2" or real(address)
turns = iter(range(10**6))
def resolve(name):
    return succeed(["127.0.0.2"] if name == "public.example" or next(turns) == 0 else ["127.0.0.1"])
result = run([sys.argv[1]], Path(sys.argv[2]), CrawlOptions(scope="any", delay=0, backoff=0, retries=0, robots=False,
             proxy="", max_time=60), resolve=resolve)
print(json.dumps(result.counts))
"""


@pytest.mark.slow
@pytest.mark.network
def test_no_link_redirect_or_name_leads_to_a_private_server(tmp_path: Path) -> None:
    with serving() as private, serving("127.0.0.2") as public:
        port, own = private.base.rpartition(":")[2], public.base.rpartition(":")[2]
        secrets = [url.replace("127.0.0.1/", f"127.0.0.1:{port}/") for url in PRIVATE_URLS]
        secrets += [
            f"http://localhost:{port}/",
            f"http://[::ffff:127.0.0.1]:{port}/",
            "file:///etc/passwd",
            "gopher://x/",
        ]
        public.page("/", *secrets, *(f"/to/{n}" for n in range(len(secrets))), f"http://rebind.example:{own}/1")
        for number, url in enumerate(secrets):
            public.put(f"/to/{number}", b"", 302, Location=url.encode().decode("latin-1"))
        public.page("/1", f"http://rebind.example:{port}/3")
        command = [sys.executable, "-c", _CRAWL, f"http://public.example:{own}/", str(tmp_path / "o.warc.gz")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    counts = json.loads(done.stdout.splitlines()[-1])

    assert private.asked == []
    assert counts["refused address"] >= 50  # distinct places; more spellings mean the same
    assert counts["redirect"] == len(secrets)
    assert "/1" in public.asked  # the name was public then; when it was looked up again, for /3, it was not


# Prints the peak memory of a crawl of one site, in bytes.
_MEASURE = """
import resource, sys
from pathlib import Path
from sitestrata.sources.crawl.engine import run
from sitestrata.sources.crawl.options import CrawlOptions
options = CrawlOptions(delay=0, backoff=0, proxy="", allow_private=True, max_page=8 << 20, max_body=8 << 20)
run([sys.argv[1]], Path(sys.argv[2]), options)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def _measure(url: str, out: Path) -> int:
    command = [sys.executable, "-c", _MEASURE, url, str(out)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.network
def test_compression_bombs_and_bottomless_bodies_cost_the_limit_at_most(tmp_path: Path) -> None:
    size = 400 << 20
    zero = bytes(1 << 20)
    bombs = {"gzip": _pack(zlib.compressobj(9, zlib.DEFLATED, 31), zero, size)}
    bombs["deflate"] = _pack(zlib.compressobj(9, zlib.DEFLATED, 15), zero, size)
    bombs["zstd"] = _pack(zstandard.ZstdCompressor().compressobj(), zero, size)
    packer = brotli.Compressor(quality=1)
    bombs["br"] = b"".join(packer.process(zero) for _ in range(size >> 20)) + packer.finish()
    bombs["gzip, gzip"] = gzip.compress(bombs["gzip"])

    def bottomless(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()
        handler.close_connection = True
        for _ in range(size >> 20):
            handler.wfile.write(zero)

    with serving() as site:
        site.page("/", *(f"/plain/{n}" for n in range(6)))
        plain = _measure(site.base + "/", tmp_path / "a.warc.gz")
        site.page("/", *(f"/bomb/{n}" for n in range(5)), "/bottomless")
        for number, (coding, body) in enumerate(bombs.items()):
            site.put(f"/bomb/{number}", body, Content_Type="text/html", Content_Encoding=coding)
        site.pages["/bottomless"] = bottomless
        bombed = _measure(site.base + "/", tmp_path / "b.warc.gz")

    assert set(site.asked) >= {f"/bomb/{n}" for n in range(5)} | {"/bottomless"}
    assert bombed - plain < (8 << 20) + (64 << 20)


def _pack(packer: Any, part: bytes, size: int) -> bytes:
    return b"".join(packer.compress(part) for _ in range(size // len(part))) + packer.flush()
