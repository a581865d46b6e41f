"""The tables of a workspace -> the facts that it answers with."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.evaluate.facts import Facts
from sitestrata.evaluate.formats.tree import trail_of
from sitestrata.model import TableReader

__all__ = ["answer_of_tables"]


def answer_of_tables(reader: TableReader, tables: Collection[str], *, name: str) -> Facts:
    """Return what a workspace says: its pages with their canonical addresses, and the aliases of others."""
    if "pages" not in tables:
        return Facts(name)
    pages = reader.read("pages", ["url_id", "url", "title", "breadcrumb"])
    trail = pa.array([trail_of(crumbs or []) for crumbs in pages["breadcrumb"].to_pylist()], pa.string())
    pages = pages.drop_columns(["breadcrumb"]).append_column("trail", trail)
    aliases: dict[str, str] = {}
    if "aliases" in tables:
        known = reader.read("aliases", ["url_id", "url", "canonical", "is_captured"])
        pages = pages.join(known.select(["url_id", "canonical"]), "url_id", join_type="left outer")
        others = known.filter(pc.not_equal(known["url"], known["canonical"]))
        aliases = dict(zip(others["url"].to_pylist(), others["canonical"].to_pylist(), strict=True))
    return Facts(name, pages=pages.drop_columns(["url_id"]).sort_by("url"), aliases=aliases)
