"""Tables of text with a header line: which page is of which site, which address stands for which page.

``url`` and ``site`` are enough; ``subsite``, ``subsite_nav``, ``canonical``, ``parent``, ``title``, ``confidence`` are
used where they are there. TSV is taken literally (a quote is a character), CSV as RFC 4180 says. The CSV that
``sitestrata pages`` prints is read as an answer, the truth of the sample web as gold; the form is the same.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from sitestrata.errors import SourceError
from sitestrata.evaluate.facts import Facts
from sitestrata.evaluate.formats.tree import parent_in_breadcrumb

__all__ = ["page_table", "read"]


def read(path: Path) -> Facts | None:
    """Read a table of pages or of aliases; None if it is neither."""
    header = _header(path)
    if {"url", "site"} <= header.keys():
        return Facts(path.parent.name if path.name == "truth.tsv" else path.stem, pages=page_table(_columns(path)))
    for source, target in (("url", "target"), ("from", "to")):
        if {source, target} <= header.keys():
            table = _columns(path)
            return Facts(
                path.stem, aliases=dict(zip(table[source].to_pylist(), table[target].to_pylist(), strict=True))
            )
    return None


def page_table(table: pa.Table) -> pa.Table:
    """Keep the columns that tasks use; empty text means none.

    ``own_site`` is the strict reading of some gold: a subsite that replaces the menu (``subsite_nav`` own) is a site.
    """
    names = table.column_names
    columns: dict[str, pa.ChunkedArray] = {"url": table["url"].cast(pa.string())}
    for name in ("canonical", "site", "subsite", "parent", "title", "trail"):
        if name in names:
            text = table[name].cast(pa.string())
            columns[name] = pc.if_else(pc.equal(text, ""), None, text)
    if "parent" not in columns and "breadcrumb" in names:
        columns["parent"] = pa.chunked_array([_parents(table["breadcrumb"].to_pylist())])
    if "subsite_nav" in names and "subsite" in columns:
        own = pc.equal(table["subsite_nav"].cast(pa.string()), "own")
        subsite = pc.if_else(own, pc.fill_null(columns["subsite"], ""), "")
        columns["own_site"] = pc.binary_join_element_wise(columns["site"], subsite, "/")
    if "confidence" in names:
        value = table["confidence"]
        if pa.types.is_string(value.type):
            value = pc.if_else(pc.equal(value, ""), None, value)
        columns["confidence"] = value.cast(pa.float64())
    return pa.table(columns)


def _parents(breadcrumbs: list[Any]) -> pa.Array:
    steps = (json.loads(crumbs) if isinstance(crumbs, str) and crumbs else crumbs for crumbs in breadcrumbs)
    return pa.array([parent_in_breadcrumb(crumbs or []) for crumbs in steps], pa.string())


def _header(path: Path) -> dict[str, pa.DataType]:
    with path.open(encoding="utf-8") as file:
        line = file.readline().rstrip("\r\n").removeprefix("\ufeff")
    names = line.split("\t" if path.suffix == ".tsv" else ",")
    return {name.strip().strip('"'): pa.string() for name in names}


def _columns(path: Path) -> pa.Table:
    header = _header(path)
    is_tsv = path.suffix == ".tsv"
    try:
        return csv.read_csv(
            path,
            parse_options=csv.ParseOptions(
                delimiter="\t" if is_tsv else ",",
                quote_char=False if is_tsv else '"',
                newlines_in_values=not is_tsv,
            ),
            convert_options=csv.ConvertOptions(column_types=header, strings_can_be_null=False),
        )
    except pa.ArrowInvalid as error:
        raise SourceError(f"{path} cannot be read as a table: {error}") from error
