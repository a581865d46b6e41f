"""Which network addresses a crawler may talk to.

A page is hostile: its links may point at the machine that crawls, at its neighbours or at a cloud's metadata service.
Names are no protection, because a name may mean anything; so the check is made on the address that the socket connects
to (`connect.py`). This module only answers two questions: is this IP address a public one, and does this URL name a
private place already by its spelling (the only check that is left behind a proxy).
"""

import ipaddress
from ipaddress import IPv4Address, IPv6Address

from sitestrata import urls

__all__ = ["is_public", "refuse_by_name"]

# Embeddings of an IPv4 address in an IPv6 one: prefix, and how many bits lie behind the IPv4 address.
_EMBEDDED = (
    (ipaddress.IPv6Network("::/96"), 0),  # IPv4-compatible, RFC 4291 2.5.5.1
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped, RFC 4291 2.5.5.2
    (ipaddress.IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated, RFC 2765
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),  # NAT64, RFC 6052
    (ipaddress.IPv6Network("2002::/16"), 80),  # 6to4, RFC 3056
)
# Special-purpose blocks (IANA registries) that `is_global` does not cover in every Python version, or where it says
# yes although no website lives there.
_NEVER = tuple(
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # shared address space, RFC 6598
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays, RFC 7526
        "198.18.0.0/15",  # benchmarking
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",
        "64:ff9b:1::/48",  # local-use NAT64, RFC 8215
        "100::/64",  # discard, RFC 6666
        "2001::/23",  # Teredo, ORCHID, benchmarking, ...
        "2001:db8::/32",
        "3fff::/20",  # documentation, RFC 9637
        "5f00::/16",  # segment routing, RFC 9602
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",  # site-local, deprecated
        "ff00::/8",  # multicast
    )
)
# Names that mean the own machine or the own network: RFC 6761, 6762, 8375, and ICANN's .internal.
_PRIVATE_SUFFIXES = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "ip6-localhost",
    "ip6-loopback",
)


def is_public(address: str | IPv4Address | IPv6Address) -> bool:
    """Tell whether an IP address may belong to a public website, looking through IPv4 embedded in IPv6.

    >>> is_public("93.184.215.14"), is_public("::ffff:127.0.0.1"), is_public("64:ff9b::a9fe:a9fe")
    (True, False, False)
    """
    if isinstance(address, str):
        try:
            address = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
    if any(address in block for block in _NEVER if block.version == address.version):
        return False
    if isinstance(address, IPv6Address):
        for block, behind in _EMBEDDED:
            if address in block:
                return is_public(IPv4Address((int(address) >> behind) & 0xFFFFFFFF))
    return address.is_global and not address.is_multicast


def refuse_by_name(url: str) -> str | None:
    """Return why a URL in canonical form points into a private network by its very spelling, or None.

    The canonical form has already turned every spelling of an IPv4 address (decimal, octal, hexadecimal, short,
    full-width digits) into four decimal numbers.
    """
    name = urls.host(url).rstrip(".").lower()
    if not name:
        return "no host"
    if name.startswith("["):
        return None if is_public(name.strip("[]")) else f"{name} is not a public address"
    if name.replace(".", "").isdigit():
        return None if is_public(name) else f"{name} is not a public address"
    if any(name == suffix or name.endswith("." + suffix) for suffix in _PRIVATE_SUFFIXES):
        return f"{name} names the own machine or network"
    return None
