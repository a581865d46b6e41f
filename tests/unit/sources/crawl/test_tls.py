"""Pages behind TLS are fetched if their certificate is good, or if the user says that any will do."""

import ipaddress
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from sitestrata.sources.crawl import CrawlOptions, crawl

PAGES = {"/": b"<a href=/b>b</a>", "/b": b"<a href=/>home</a>"}


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGES.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        pass


def certificate(folder: Path) -> Path:
    """Write a key and a certificate for this machine that it has signed itself, in one file."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + signed.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    pem = certificate(tmp_path)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_address[1]}/", pem
    server.shutdown()
    server.server_close()


@pytest.mark.network
def test_a_certificate_that_is_trusted_is_good(
    site: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, pem = site
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))

    assert 2 == crawl([url], tmp_path / "out.warc.gz", CrawlOptions(allow_private=True, delay=0)).pages


@pytest.mark.network
@pytest.mark.slow
def test_a_certificate_nobody_trusts_is_refused_unless_any_will_do(site: tuple[str, Path], tmp_path: Path) -> None:
    url, _ = site
    careful = CrawlOptions(allow_private=True, delay=0, max_time=3)
    careless = CrawlOptions(allow_private=True, delay=0, insecure=True)

    assert 0 == crawl([url], tmp_path / "careful.warc.gz", careful).pages
    assert 2 == crawl([url], tmp_path / "careless.warc.gz", careless).pages
