"""Addresses -> sitemap files and their index, as sitemaps.org says (protocol 0.9).

A file holds addresses of one origin, at most 50,000 of them and at most 50 MiB; several files have an index.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import BinaryIO

from sitestrata.export.escape import iri, xml_text

__all__ = ["MAX_ADDRESS", "MAX_BYTES", "MAX_URLS", "is_listable", "write_index", "write_sitemaps"]

# https://www.sitemaps.org/protocol.html
MAX_URLS = 50_000
MAX_BYTES = 52_428_800
MAX_ADDRESS = 2_048  # an address must be shorter
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

_HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n'.encode()
_FOOT = b"</urlset>\n"
_INDEX_HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n'.encode()


def is_listable(url: str) -> bool:
    """Tell whether a sitemap may list an address."""
    return len(iri(url)) < MAX_ADDRESS


def write_sitemaps(
    urls: Iterable[str],
    open_part: Callable[[], AbstractContextManager[BinaryIO]],
    *,
    max_bytes: int = MAX_BYTES,
) -> int:
    """Write addresses of one origin into as many files as it takes and return how many addresses there were."""
    entries = (f"<url><loc>{xml_text(iri(url))}</loc></url>\n".encode() for url in urls)
    entry = next(entries, None)
    total = 0
    while entry is not None:
        with open_part() as file:
            file.write(_HEAD)
            size, count = len(_HEAD) + len(_FOOT), 0
            while entry is not None and count < MAX_URLS and (count == 0 or size + len(entry) <= max_bytes):
                file.write(entry)
                size, count = size + len(entry), count + 1
                entry = next(entries, None)
            file.write(_FOOT)
        total += count
    return total


def write_index(places: Iterable[str], file: BinaryIO) -> None:
    """Write the index of several sitemaps, by the addresses at which they will be found."""
    file.write(_INDEX_HEAD)
    for place in places:
        file.write(f"<sitemap><loc>{xml_text(iri(place))}</loc></sitemap>\n".encode())
    file.write(b"</sitemapindex>\n")
