"""The tables of a workspace: one Arrow schema each, the columns being the fields of the record of the same name.

A table also names its sort key. Engines may write rows in any order and in any number of shards; the canonical digest
of a table is taken over its rows sorted by that key, which is how two engines are compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Protocol

import pyarrow as pa

__all__ = ["TABLES", "Relations", "Table", "TableReader", "table_from_records"]


@dataclass(frozen=True, slots=True)
class Table:
    """Schema and sort key of one table, and what one row of it is."""

    name: str
    row: str  # one row per ...
    key: tuple[str, ...]
    schema: pa.Schema


class TableReader(Protocol):
    """How a stage with collection scope reads its inputs; engines implement it, stages never open a file."""

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a whole table (or some of its columns), in no particular order."""
        ...

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Stream a table that may be larger than memory, in no particular order, which is the same each time."""
        ...

    def query(self, sql: str) -> pa.Table:
        """Answer a query in the SQL that DuckDB and Spark share; tables go by their names."""
        ...


class Relations(Protocol):
    """How a relational stage works: by queries in the SQL that DuckDB and Spark share; no rows come back to it."""

    def keep(self, name: str, sql: str) -> None:
        """Answer a query and keep the rows under a name for the queries after it; an earlier one of it is replaced."""
        ...

    def number(self, sql: str) -> int:
        """Answer a query of one number."""
        ...


def table_from_records(name: str, records: Iterable[Any]) -> pa.Table:
    """Turn records into an Arrow table of the schema that ``TABLES`` holds under ``name``."""
    schema = TABLES[name].schema
    rows = list(records)
    columns = [pa.array([_plain(getattr(row, field.name)) for row in rows], field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _plain(value: Any) -> Any:
    """Return a value as Arrow takes it: a record inside a record as a dictionary."""
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        return [asdict(item) for item in value]
    return value


def _table(name: str, row: str, key: tuple[str, ...], /, **columns: pa.DataType) -> tuple[str, Table]:
    nullable = {column for column, type_ in columns.items() if isinstance(type_, _Optional)}
    fields = [
        pa.field(column, type_.type if isinstance(type_, _Optional) else type_, nullable=column in nullable)
        for column, type_ in columns.items()
    ]
    return name, Table(name, row, key, pa.schema(fields))


@dataclass(frozen=True, slots=True)
class _Optional:
    type: pa.DataType


_ID = pa.int64()
_INT = pa.int32()
_LONG = pa.int64()
_REAL = pa.float64()
_TEXT = pa.string()
_TIME = pa.timestamp("ms", tz="UTC")
_CRUMBS = pa.list_(pa.struct([pa.field("label", _TEXT), pa.field("url", _TEXT)]))

TABLES: dict[str, Table] = dict(
    [
        _table(
            "captures",
            "fetched answer",
            ("url_id", "source", "offset"),
            url_id=_ID,
            url=_TEXT,
            source=_TEXT,
            offset=_LONG,
            length=_LONG,
            record_type=_TEXT,
            fetched_at=_Optional(_TIME),
            status=_INT,
            media_type=_TEXT,
            charset=_Optional(_TEXT),
            location=_Optional(_TEXT),
            robots=_Optional(_TEXT),
            size=_LONG,
            digest=_TEXT,
            is_html=pa.bool_(),
            keys=pa.list_(_ID),
            original_source=_Optional(_TEXT),
            original_offset=_Optional(_LONG),
        ),
        _table(
            "pages",
            "HTML capture that was chosen and parsed",
            ("url_id",),
            url_id=_ID,
            url=_TEXT,
            title=_Optional(_TEXT),
            language=_Optional(_TEXT),
            charset=_TEXT,
            canonical_link=_Optional(_TEXT),
            base=_TEXT,
            robots=_Optional(_TEXT),
            refresh=_Optional(_TEXT),
            heading=_Optional(_TEXT),
            breadcrumb=_CRUMBS,
            node_count=_INT,
            link_count=_INT,
            leaf_count=_INT,
            table_count=_INT,
            text_length=_LONG,
            linked_text_length=_LONG,
            links_digest=_ID,
            template=pa.list_(_ID),
            resources=pa.list_(_ID),
        ),
        _table(
            "links",
            "edge out of a page",
            ("page", "ordinal"),
            page=_ID,
            ordinal=_INT,
            target=_ID,
            fragment=_Optional(_TEXT),
            kind=_TEXT,
            label=_TEXT,
            label_source=_TEXT,
            rel=_Optional(_TEXT),
            landmark=_Optional(_TEXT),
            path=_TEXT,
            segment=_INT,
            node=_INT,
            gap=_INT,
        ),
        _table(
            "segments",
            "link segment of a page (MenuMiner 4)",
            ("page", "ordinal"),
            page=_ID,
            ordinal=_INT,
            parent=_INT,
            path=_TEXT,
            links=pa.list_(_INT),
            node=_INT,
        ),
        _table(
            "data_tables",
            "table of a page (OntoMiner 4.2)",
            ("page", "index"),
            page=_ID,
            index=_INT,
            source=_TEXT,
            node=_INT,
            parent=_INT,
            is_data=pa.bool_(),
            score=_REAL,
            orientation=_TEXT,
            title=_Optional(_TEXT),
            rows=_INT,
            columns=_INT,
            grid=pa.list_(pa.list_(_TEXT)),
            header_cells=pa.list_(pa.list_(_INT)),
            row_roles=pa.list_(_TEXT),
        ),
        _table(
            "table_values",
            "data cell of a data table",
            ("page", "index", "record", "attribute"),
            page=_ID,
            index=_INT,
            record=_INT,
            attribute=_INT,
            record_path=pa.list_(_TEXT),
            path=pa.list_(_TEXT),
            value=_TEXT,
            kind=_TEXT,
            number=_Optional(_REAL),
            unit=_Optional(_TEXT),
            date=_Optional(_TEXT),
        ),
        _table("urls", "URL that occurs anywhere", ("url_id",), url_id=_ID, url=_TEXT),
        _table(
            "aliases",
            "URL and the page it stands for",
            ("url_id",),
            url_id=_ID,
            url=_TEXT,
            page_id=_ID,
            canonical=_TEXT,
            rules=pa.list_(_TEXT),
            is_captured=pa.bool_(),
        ),
        _table(
            "menus",
            "menu, on all pages that show it",
            ("menu",),
            menu=_ID,
            role=_TEXT,
            confidence=_REAL,
            kind=_TEXT,
            signature=_TEXT,
            parent=_Optional(_ID),
            pages=_LONG,
            items=_INT,
            clique=pa.list_(_ID),
            home_share=_REAL,
            outside_share=_REAL,
            position=_REAL,
            landmark=_Optional(_TEXT),
            reason=_TEXT,
        ),
        _table(
            "menu_items",
            "entry of a menu",
            ("menu", "ordinal"),
            menu=_ID,
            ordinal=_INT,
            parent=_INT,
            level=_INT,
            label=_TEXT,
            target=_Optional(_ID),
            url=_Optional(_TEXT),
            pages=_LONG,
            is_core=pa.bool_(),
        ),
        _table(
            "menu_pages",
            "page and a menu it shows",
            ("page", "menu"),
            page=_ID,
            menu=_ID,
            capture=_ID,
            segments=pa.list_(_INT),
            links=pa.list_(_INT),
            current=_Optional(_INT),
        ),
        _table(
            "main_menus",
            "entry of the main menu of a site",
            ("site", "ordinal"),
            site=_ID,
            ordinal=_INT,
            level=_INT,
            label=_TEXT,
            target=_Optional(_ID),
            url=_Optional(_TEXT),
            menu=_Optional(_ID),
        ),
        _table(
            "boundaries",
            "page and the site it belongs to",
            ("page_id",),
            page_id=_ID,
            site=_ID,
            section=_ID,
            method=_TEXT,
            confidence=_REAL,
            section_votes=_REAL,
            rival_votes=_REAL,
            rival_section=_Optional(_ID),
            tie=_Optional(_REAL),
            address=_Optional(_REAL),
        ),
        _table(
            "sites",
            "logical website",
            ("site",),
            site=_ID,
            entry_url=_TEXT,
            name=_TEXT,
            hosts=pa.list_(_TEXT),
            pages=_LONG,
            sections=_LONG,
            parent=_Optional(_ID),
            method=_TEXT,
            confidence=_REAL,
        ),
        _table(
            "regions",
            "page and a region it is looked at in; none where the collection is one region",
            ("page", "group"),
            group=_ID,
            page=_ID,
            own=pa.bool_(),
        ),
        _table(
            "site_addresses",
            "address of a page of a site, or of a part of a very large one",
            ("page", "group"),
            group=_ID,
            page=_ID,
        ),
        _table(
            "tree",
            "page and its place in the hierarchy of its site (MenuMiner 6.3)",
            ("page_id",),
            page_id=_ID,
            site=_ID,
            parent=_Optional(_ID),
            position=_INT,
            depth=_INT,
            label=_TEXT,
            evidence=pa.list_(_TEXT),
            votes=_REAL,
            rival=_Optional(_ID),
            rival_votes=_REAL,
            document=_Optional(_ID),
            subsite=_Optional(_ID),
        ),
        _table(
            "subsites",
            "part of a site that a reader sees as a unit (MenuMiner 6.3)",
            ("subsite",),
            subsite=_ID,
            site=_ID,
            pages=_LONG,
            sign=_TEXT,
            navigation=_TEXT,
        ),
        _table(
            "profiles",
            "site, what it calls itself and how it gives access to its pages",
            ("site",),
            site=_ID,
            name=_TEXT,
            name_source=_TEXT,
            keywords=pa.list_(_TEXT),
            access=_TEXT,
            depth=_INT,
            documents=_LONG,
        ),
        _table(
            "objectives",
            "partition of the pages into sites and what it is worth",
            ("partition",),
            partition=_TEXT,
            parts=_LONG,
            value=_REAL,
        ),
        _table(
            "concepts",
            "concept of a domain (OntoMiner 5.3)",
            ("concept",),
            concept=_ID,
            domain=_ID,
            label=_TEXT,
            language=_Optional(_TEXT),
            support=_INT,
            sites=pa.list_(_ID),
            urls=pa.list_(_TEXT),
            is_frequent=pa.bool_(),
            confidence=_REAL,
        ),
        _table(
            "labels",
            "label of a concept",
            ("concept", "label"),
            concept=_ID,
            label=_TEXT,
            language=_Optional(_TEXT),
            support=_INT,
            evidence=_TEXT,
            merged_with=_Optional(_TEXT),
            confidence=_REAL,
        ),
        _table(
            "is_a",
            "broader and narrower concept (OntoMiner 5.4)",
            ("parent", "child"),
            parent=_ID,
            child=_ID,
            domain=_ID,
            support=_INT,
            confidence=_REAL,
            distance=_INT,
            is_facet=pa.bool_(),
            evidence=pa.list_(_TEXT),
            pages=pa.list_(_TEXT),
        ),
        _table(
            "instances",
            "record that a page shows (OntoMiner 6)",
            ("page", "instance"),
            page=_ID,
            instance=_ID,
            domain=_Optional(_ID),
            concept=_Optional(_ID),
            name=_TEXT,
            url=_Optional(_TEXT),
            kind=_TEXT,
            template=_Optional(_ID),
            node=_INT,
            same_as=_ID,
            confidence=_REAL,
        ),
        _table(
            "attributes",
            "attribute of a record",
            ("page", "instance", "ordinal"),
            page=_ID,
            instance=_ID,
            ordinal=_INT,
            label=_Optional(_TEXT),
            value=_TEXT,
            kind=_TEXT,
            number=_Optional(_REAL),
            unit=_Optional(_TEXT),
            url=_Optional(_TEXT),
            path=_TEXT,
            node=_INT,
        ),
        _table(
            "templates",
            "place of an instance template (OntoMiner 6.2)",
            ("template", "ordinal"),
            template=_ID,
            ordinal=_INT,
            path=_TEXT,
            label=_Optional(_TEXT),
            kind=_TEXT,
            pages=_LONG,
        ),
        _table(
            "rejects",
            "input that could not be used",
            ("input", "stage", "reason", "detail"),
            input=_TEXT,
            stage=_TEXT,
            reason=_TEXT,
            detail=_TEXT,
        ),
        _table("wants", "page that an algorithm asks for", ("url",), url=_TEXT, why=_TEXT, priority=pa.float64()),
    ]
)
