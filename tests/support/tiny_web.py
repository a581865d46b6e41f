"""A collection of a few captures, written down in the test that needs it."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import duckdb
import pyarrow as pa

from sitestrata.identity import RULES, IdentityOptions
from sitestrata.identity.tables import REDIRECTS
from sitestrata.model import TABLES, Alias, Capture, table_from_records
from sitestrata.run.plan import PLAN, stages_named
from sitestrata.run.relations import DuckRelations
from sitestrata.run.storage import as_batches, conform, schema_of
from sitestrata.urls import normalise, url_id

IDENTITY = ("hosts", "evidence", "remainders", "bonds", "aliases")
# Those that identity reads.
PAGE_COLUMNS = (
    "url_id",
    "url",
    "title",
    "heading",
    "canonical_link",
    "node_count",
    "link_count",
    "leaf_count",
    "text_length",
    "linked_text_length",
    "links_digest",
)


@dataclass
class TinyWeb:
    """Captures, pages and links; reads like a table reader, in shuffled batches if given a seed."""

    captures: list[Capture] = field(default_factory=list)
    pages: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    linked: set[str] = field(default_factory=set)
    seed: int | None = None
    made: dict[str, pa.Table] = field(default_factory=dict)

    def page(
        self,
        url: str,
        text: str = "text",
        *,
        links: Sequence[str] = ("/",),
        title: str = "",
        canonical: str | None = None,
    ) -> "TinyWeb":
        """Add a captured page; two pages of one text and title have the same bytes."""
        targets = [target for href in links if (target := normalise(href, url)) is not None]
        digest = hashlib.sha256(repr((text, title, links)).encode()).hexdigest()[:32]
        self._capture(url, 200, digest=digest)
        words = b"".join(url_id(target).to_bytes(8, "little", signed=True) for target in targets)
        named = normalise(canonical, url) if canonical is not None else None
        self.pages.append(
            {
                "url_id": url_id(url),
                "url": url,
                "title": title or text[:20],
                "heading": None,
                "canonical_link": named,
                "node_count": 10 + len(links),
                "link_count": len(targets),
                "leaf_count": 5 + len(links),
                "text_length": len(text),
                "linked_text_length": 0,
                "links_digest": int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "little", signed=True),
            }
        )
        for ordinal, target in enumerate(targets):
            self.links.append({"page": url_id(url), "ordinal": ordinal, "target": url_id(target)})
        self.linked.update(targets)
        if named is not None:
            self.linked.add(named)
        return self

    def redirect(self, url: str, location: str, *, status: int = 301) -> "TinyWeb":
        """Add a captured redirect."""
        return self._capture(url, status, location=normalise(location, url))

    def missing(self, url: str, *, status: int = 404) -> "TinyWeb":
        """Add an address that was answered with an error."""
        return self._capture(url, status)

    def file(self, url: str, body: str) -> "TinyWeb":
        """Add something captured that is no page."""
        return self._capture(url, 200, digest=hashlib.sha256(body.encode()).hexdigest()[:32])

    def link(self, *urls: str) -> "TinyWeb":
        """Add addresses that are linked but were not captured."""
        self.linked.update(urls)
        return self

    def _capture(self, url: str, status: int, *, digest: str = "", location: str | None = None) -> "TinyWeb":
        assert normalise(url) == url, url
        self.captures.append(
            Capture(
                url_id=url_id(url),
                url=url,
                source="crawl.warc.gz",
                offset=len(self.captures),
                length=1,
                record_type="response",
                fetched_at=datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=len(self.captures)),
                status=status,
                media_type="text/html",
                charset=None,
                location=location,
                robots=None,
                size=1,
                digest=digest,
                is_html=status == 200,
            )
        )
        return self

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a table, as a TableReader does."""
        schema = TABLES["pages"].schema
        urls = self.linked | {capture.url for capture in self.captures}
        tables = {
            "captures": table_from_records("captures", self.captures),
            "pages": pa.Table.from_pylist(self.pages, schema=pa.schema([schema.field(name) for name in PAGE_COLUMNS])),
            "links": pa.Table.from_pylist(
                self.links, schema=pa.schema([("page", pa.int64()), ("ordinal", pa.int32()), ("target", pa.int64())])
            ),
            "urls": pa.table(
                {
                    "url_id": pa.array([url_id(url) for url in sorted(urls)], pa.int64()),
                    "url": pa.array(sorted(urls), pa.string()),
                }
            ),
        }
        table = self.made[name] if name in self.made else tables[name]
        if self.seed is not None:
            order = list(range(table.num_rows))
            random.Random(f"{self.seed}{name}").shuffle(order)
            table = table.take(pa.array(order, pa.int64()))
        return table.select(columns) if columns else table

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Stream a table, as a TableReader does."""
        size = None if self.seed is None else 1 + self.seed % 5
        yield from self.read(name, columns).combine_chunks().to_batches(max_chunksize=size)

    def query(self, sql: str) -> pa.Table:
        """Refuse: the stage under test asks no queries."""
        raise AssertionError(f"no query is asked here: {sql}")

    def identify(self, options: IdentityOptions | None = None) -> dict[str, pa.Table]:
        """Run the stages of identity and return all that they make."""
        options = options or IdentityOptions()
        self.made = {REDIRECTS: self._redirects()}
        for stage in stages_named(PLAN, IDENTITY):
            if stage.scope == "relational":
                with duckdb.connect(":memory:") as connection:
                    for name in stage.needs:
                        connection.register(name, self.read(name))
                    for name, sql in stage.run(DuckRelations(connection), options).items():
                        self.made[name] = conform(schema_of(name), connection.sql(sql).to_arrow_table())
            else:
                for name, rows in stage.run(self, options).items():
                    self.made[name] = pa.Table.from_batches(as_batches(rows), schema=schema_of(name))
        return self.made

    def _redirects(self) -> pa.Table:
        rows = [(url_id(one.location), one.location, one.url_id) for one in self.captures if one.location is not None]
        columns = list(zip(*rows, strict=True)) or [(), (), ()]
        schema = schema_of(REDIRECTS)
        return pa.table(
            [pa.array(values, one.type) for values, one in zip(columns, schema, strict=True)], schema=schema
        )

    def aliases(self, *, rules: tuple[str, ...] = RULES, **options: Any) -> dict[str, Alias]:
        """Run the stage and return its rows by address."""
        rows = self.identify(IdentityOptions(rules=rules, **options))["aliases"].to_pylist()
        found = {row["url"]: Alias(**{**row, "rules": tuple(row["rules"])}) for row in rows}
        assert len(found) == len(rows), "an address has two rows"
        return found

    def same(self, *urls: str, rules: tuple[str, ...] = RULES, **options: Any) -> bool:
        """Tell whether some addresses come out as one page."""
        found = self.aliases(rules=rules, **options)
        return len({found[url].page_id for url in urls}) == 1
