"""A web of HTML pages in memory, as the tables that a stage with collection scope reads."""

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa

from sitestrata.model import TABLES, Alias, Capture, table_from_records
from sitestrata.run.page_pass import pass_over
from sitestrata.urls import url_id


class HtmlWeb:
    """Tables of the page pass over some pages; every address stands for itself unless ``aliases`` says otherwise."""

    def __init__(self, pages: Mapping[str, str], *, aliases: Mapping[str, str] | None = None) -> None:
        made = pass_over((_capture(url), body.encode()) for url, body in pages.items())
        self.tables = {
            name: pa.Table.from_batches(made.get(name, []), TABLES[name].schema)
            for name in ("pages", "links", "segments", "urls")
        }
        for name in ("menus", "menu_pages"):  # as if none had been found
            self.tables[name] = TABLES[name].schema.empty_table()
        urls = {row["url"] for row in self.tables["urls"].to_pylist()} | set(pages)
        known = aliases or {}
        self.tables["aliases"] = table_from_records(
            "aliases",
            [
                Alias(url_id(url), url, url_id(known.get(url, url)), known.get(url, url), (), url in pages)
                for url in sorted(urls)
            ],
        )

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a whole table, or some of its columns."""
        return self.tables[name].select(list(columns)) if columns is not None else self.tables[name]

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Stream a table."""
        yield from self.read(name, columns).to_batches(max_chunksize=50)

    def query(self, sql: str) -> pa.Table:
        """Answer a query over the tables."""
        with duckdb.connect(":memory:") as connection:
            for name, table in self.tables.items():
                connection.register(name, table)
            return connection.sql(sql).to_arrow_table()


def menu(items: Mapping[str, str], *, tag: str = "ul", here: str | None = None) -> str:
    """Return a list of links; the page at hand is printed without one."""
    parts = [
        f"<li>{label}</li>" if url == here else f'<li><a href="{url}">{label}</a></li>' for label, url in items.items()
    ]
    return f"<{tag}>{''.join(parts)}</{tag}>"


def _capture(url: str) -> Capture:
    return Capture(
        url_id=url_id(url),
        url=url,
        source="memory",
        offset=0,
        length=0,
        record_type="response",
        fetched_at=None,
        status=200,
        media_type="text/html",
        charset="utf-8",
        location=None,
        robots=None,
        size=0,
        digest="",
        is_html=True,
    )
