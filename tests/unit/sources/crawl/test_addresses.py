"""Which addresses a crawl may talk to, in every spelling."""

import pytest

from sitestrata import urls
from sitestrata.sources.crawl.addresses import is_public, refuse_by_name

# Spellings of private places that tools have been tricked with: loopback, link-local (cloud metadata), private nets,
# shared space, documentation, multicast, reserved, and IPv4 in every IPv6 disguise.
PRIVATE_URLS = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.255.255.254/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://0x7F.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://0177.0.0.01/",
    "http://2130706433/",
    "http://127.0.0.1./",
    "http://１２７.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://user:pass@127.0.0.1/",
    "http://example.org@127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http:\\\\127.0.0.1/",
    "http:127.0.0.1/",
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xA9FEA9FE/",
    "http://0251.0376.0251.0376/",
    "http://100.64.0.1/",
    "http://192.0.0.8/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://198.51.100.7/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://239.255.255.250/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000::0001]:8000/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2002:c0a8:1::1]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[100::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://anything.localhost/",
    "http://localhost.localdomain/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://router.lan/",
    "http://nas.home.arpa/",
    "http://ip6-localhost/",
]


@pytest.mark.parametrize("text", PRIVATE_URLS)
def test_private_place_is_refused_in_every_spelling(text: str) -> None:
    url = urls.normalise(text)

    assert url is None or refuse_by_name(url) is not None


@pytest.mark.parametrize(
    "text",
    [
        "http://example.org/",
        "https://93.184.215.14/",
        "http://8.8.8.8/",
        "http://1.1/",
        "http://[2606:2800:220:1:248:1893:25c8:1946]/",
        "http://[64:ff9b::808:808]/",
        "http://[2002:808:808::1]/",
        "http://localhost.example.org/",
    ],
)
def test_public_place_is_not_refused(text: str) -> None:
    url = urls.normalise(text)
    assert url is not None

    assert refuse_by_name(url) is None


def test_nonsense_is_not_public() -> None:
    assert not is_public("not an address")
    assert not is_public("fe80::1%eth0")
