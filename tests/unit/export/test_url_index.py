"""The columns of the Common Crawl URL index."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surt import surt as ia_surt

from sitestrata.export.url_index import SCHEMA, index_batches, index_row, surt_key
from sitestrata.urls import normalise

CAPTURE = {
    "url": "https://www.shop.example.co.uk:8443/A/b.html?x=1",
    "fetched_at": datetime(2026, 1, 1, tzinfo=UTC),
    "status": 200,
    "location": None,
    "digest": "ab" * 16,
    "media_type": "text/html",
    "charset": "utf-8",
    "language": "en",
    "is_html": True,
    "source": "crawl.warc.gz",
    "offset": 3_000_000_000,
    "length": 17,
    **dict.fromkeys(("canonical", "site", "site_name", "subsite", "title", "method", "confidence")),
}


def test_columns_that_come_from_the_address() -> None:
    row = index_row(CAPTURE)

    assert {
        "url_host_name": "www.shop.example.co.uk",
        "url_host_tld": "uk",
        "url_host_2nd_last_part": "co",
        "url_host_3rd_last_part": "example",
        "url_host_4th_last_part": "shop",
        "url_host_5th_last_part": "www",
        "url_host_registry_suffix": "co.uk",
        "url_host_registered_domain": "example.co.uk",
        "url_host_name_reversed": "uk.co.example.shop.www",
        "url_protocol": "https",
        "url_port": 8443,
        "url_path": "/A/b.html",
        "url_query": "x=1",
    }.items() <= row.items()


def test_private_suffixes_are_told_from_registries() -> None:
    row = index_row({**CAPTURE, "url": "http://me.github.io/"})

    assert ("io", "github.io") == (row["url_host_registry_suffix"], row["url_host_registered_domain"])
    assert ("github.io", "me.github.io") == (row["url_host_private_suffix"], row["url_host_private_domain"])


def test_an_ip_address_has_no_parts() -> None:
    row = index_row({**CAPTURE, "url": "http://192.0.2.7/"})

    assert "192.0.2.7" == row["url_host_name"]
    assert "url_host_tld" not in row


def test_rows_fit_the_schema_whatever_is_missing() -> None:
    bare = {
        **CAPTURE,
        "fetched_at": None,
        "digest": "",
        "media_type": "",
        "charset": None,
        "language": None,
        "length": 0,
    }

    (batch,) = index_batches([CAPTURE, bare])

    assert SCHEMA == batch.schema
    assert [3_000_000_000] * 2 == batch["warc_record_offset"].to_pylist()
    assert ["blake2b-128:" + "ab" * 16, None] == batch["content_digest"].to_pylist()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "https://www2.example.org:443/",
        "http://EXAMPLE.org:8080/A/B/",
        "http://example.org/a//b/./c",
        "http://example.org/%7Ea/%2541?b=%2C&A=1",
        "http://example.org/?sid=0123456789abcdef0123456789abcdef&x=1",
        "http://example.org/p?x=1&PHPSESSID=0123456789abcdef0123456789abcdef",
        "http://example.org/p?jsessionid=0123456789abcdef0123456789abcdef",
        "http://example.org/p?cfid=1&cftoken=2&a=b",
        "http://example.org/(S(0123456789abcdefghijklmn))/p.aspx?a",
        "http://example.org/?",
        "http://example.org/p?b&a=&a=1",
        "http://192.0.2.7/x",
        "http://www.example.org/é?ü",
    ],
)
def test_keys_are_those_of_web_archives(url: str) -> None:
    address = normalise(url)
    assert address is not None

    assert ia_surt(address) == surt_key(address)


@given(st.lists(st.sampled_from(["a", "B", "%7e", "%41", "~", "x y", "=", "&", "?", ";", "|"]), max_size=8))
def test_keys_of_any_mixture_are_those_of_web_archives(pieces: list[str]) -> None:
    address = normalise("http://www.example.org/" + "".join(pieces))
    assert address is not None

    assert ia_surt(address) == surt_key(address)
