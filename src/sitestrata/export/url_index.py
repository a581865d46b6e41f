"""Captures -> rows under the column names of the Common Crawl URL index, with our own columns behind them.

Queries written for that index (by host, by registered domain, by SURT key, by place in the WARC files) run on these
rows unchanged. Three values differ in kind and say so: ``content_digest`` is ours and begins with its algorithm,
``warc_filename`` is the file as it was given, and offsets are 64 bits wide, for files above 2 GiB.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pyarrow as pa

from sitestrata.urls import host

__all__ = ["SCHEMA", "index_batches", "index_row", "surt_key"]

BATCH = 10_000  # rows in memory at a time
SCHEMA = pa.schema(
    [
        # https://github.com/commoncrawl/cc-index-table, cc-index-schema-flat.json
        ("url_surtkey", pa.string()),
        ("url", pa.string()),
        ("url_host_name", pa.string()),
        ("url_host_tld", pa.string()),
        ("url_host_2nd_last_part", pa.string()),
        ("url_host_3rd_last_part", pa.string()),
        ("url_host_4th_last_part", pa.string()),
        ("url_host_5th_last_part", pa.string()),
        ("url_host_registry_suffix", pa.string()),
        ("url_host_registered_domain", pa.string()),
        ("url_host_private_suffix", pa.string()),
        ("url_host_private_domain", pa.string()),
        ("url_host_name_reversed", pa.string()),
        ("url_protocol", pa.string()),
        ("url_port", pa.int32()),
        ("url_path", pa.string()),
        ("url_query", pa.string()),
        ("fetch_time", pa.timestamp("ms", tz="UTC")),
        ("fetch_status", pa.int16()),
        ("fetch_redirect", pa.string()),
        ("content_digest", pa.string()),
        ("content_mime_type", pa.string()),
        ("content_mime_detected", pa.string()),
        ("content_charset", pa.string()),
        ("content_languages", pa.string()),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int64()),
        ("warc_record_length", pa.int64()),
        # Ours; null for what is no page.
        ("sitestrata_page", pa.string()),
        ("sitestrata_site", pa.string()),
        ("sitestrata_site_name", pa.string()),
        ("sitestrata_subsite", pa.string()),
        ("sitestrata_title", pa.string()),
        ("sitestrata_method", pa.string()),
        ("sitestrata_confidence", pa.float64()),
    ]
)

_PARTS = re.compile(r"(https?)://(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*)(?::([0-9]*))?([^?#]*)(?:\?([^#]*))?")
_ADDRESS = re.compile(r"\[|[0-9]{1,3}(?:\.[0-9]{1,3}){3}\Z")
_WWW = re.compile(r"www[0-9]*\.")
# Characters that the key leaves as they are; all others are percent-encoded.
_KEPT = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
# Session ids in the forms that common servers give them.
_PATH_SESSION = re.compile(r"/\((?:(?:[a-z]\([0-9a-z]{24}\))+|[0-9a-z]{24})\)(?=/[^?]+\.aspx)")
_QUERY_SESSION = re.compile(
    r"(?:j?sessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|\Z)|aspsessionid[a-z]{8}=[a-z]{24}(?:&|\Z)|cfid=[^&]+&cftoken=[^&]+(?:&|\Z)"
)


def index_batches(captures: Iterable[Mapping[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of captures, some thousands at a time."""
    rows: list[dict[str, Any]] = []
    for capture in captures:
        rows.append(index_row(capture))
        if len(rows) == BATCH:
            yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)
            rows = []
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)


def index_row(capture: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of one capture: what the index derives from the address, what was captured, and what we found."""
    url = capture["url"]
    match = _PARTS.match(url)
    scheme, port, path, query = match.groups() if match else (None, None, None, None)
    return {
        **_host_columns(host(url)),
        "url_surtkey": surt_key(url),
        "url": url,
        "url_protocol": scheme,
        "url_port": int(port) if port else None,
        "url_path": path,
        "url_query": query,
        "fetch_time": capture["fetched_at"],
        "fetch_status": capture["status"],
        "fetch_redirect": capture["location"],
        "content_digest": f"blake2b-128:{capture['digest']}" if capture["digest"] else None,
        "content_mime_type": capture["media_type"] or None,
        "content_mime_detected": "text/html" if capture["is_html"] else None,
        "content_charset": capture["charset"],
        "content_languages": capture["language"],
        "warc_filename": capture["source"],
        "warc_record_offset": capture["offset"],
        "warc_record_length": capture["length"] or None,
        "sitestrata_page": capture["canonical"],
        "sitestrata_site": capture["site"],
        "sitestrata_site_name": capture["site_name"],
        "sitestrata_subsite": capture["subsite"],
        "sitestrata_title": capture["title"],
        "sitestrata_method": capture["method"],
        "sitestrata_confidence": capture["confidence"],
    }


def surt_key(url: str) -> str:
    """Return the key by which URL indexes sort and join: SURT of the address without what rarely tells pages apart.

    No scheme, no ``www``, lower case, no final slash, no session id, parameters in order, escapes undone where they
    need not be.

    >>> surt_key("https://www.Example.org/A/%7Eb/?Y=1&x")
    'org,example)/a/~b?x&y=1'
    """
    match = _PARTS.match(url)
    if match is None:
        return url.lower()
    scheme, port, path, query = match.groups()
    name = _WWW.sub("", host(url).lower(), count=1) if _WWW.match(host(url).lower()) else host(url).lower()
    key = ",".join(reversed(name.strip(".").split("."))) if not name.startswith("[") else name
    if port and port != {"http": "80", "https": "443"}[scheme]:
        key += f":{port}"
    key += ")" + _path_key(path)
    if query:
        kept = _QUERY_SESSION.sub("", _escaped_once(_unescaped(query)).lower())
        key += "?" + "&".join(sorted(kept.split("&"), key=lambda item: item.split("=", 1))) if kept else ""
    return key


def _path_key(path: str) -> str:
    pieces = _unescaped(path).split(b"/")
    kept = b"/" + b"/".join(piece for piece in pieces if piece not in (b"", b"."))
    return _PATH_SESSION.sub("", _escaped_once(kept).lower())


def _unescaped(text: str) -> bytes:
    content, before = text.encode(), b""
    while content != before:
        before, content = content, unquote_to_bytes(content)
    return content


def _escaped_once(content: bytes) -> str:
    return quote_from_bytes(content, safe=_KEPT.encode())


@cache
def _suffixes(is_registry: bool) -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=is_registry)


@cache
def _host_columns(name: str) -> dict[str, str | None]:
    if not name or _ADDRESS.match(name):  # an IP address has no parts
        return {"url_host_name": name or None}
    parts = name.strip(".").split(".")
    last: list[str | None] = [*reversed(parts), None, None, None, None]
    registry, private = _suffixes(is_registry=True), _suffixes(is_registry=False)
    return {
        "url_host_name": name,
        "url_host_tld": last[0],
        "url_host_2nd_last_part": last[1],
        "url_host_3rd_last_part": last[2],
        "url_host_4th_last_part": last[3],
        "url_host_5th_last_part": last[4],
        "url_host_registry_suffix": registry.publicsuffix(name),
        "url_host_registered_domain": registry.privatesuffix(name),
        "url_host_private_suffix": private.publicsuffix(name),
        "url_host_private_domain": private.privatesuffix(name),
        "url_host_name_reversed": ".".join(reversed(parts)),
    }
