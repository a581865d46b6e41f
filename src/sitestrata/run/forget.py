"""Pages that must not be known: their rows leave every table, and later runs leave them out.

What is remembered of a forgotten page is the hash of its address, so that it can be recognised and not be read. Tables
that a stage made of one page at a time are rewritten without it; all later stages are done again, so that the results
are those of a collection that never held the page. Links of other pages that led there lead to the page they stand on,
without a label: the number and order of a page's links are what its segments and menus are told by.
"""

import json
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.model import TABLES
from sitestrata.run.decisions import NAME as DECISIONS
from sitestrata.run.manifest import StageRecord
from sitestrata.run.plan import PLAN, Stage, one_pass
from sitestrata.run.storage import FORGOTTEN, INDEXED, schema_of, write_file
from sitestrata.run.workspace import Workspace, WorkspaceWriter, open_workspace, write_workspace
from sitestrata.sources.blank import blank_records
from sitestrata.urls import normalise, url_id

__all__ = ["Forgotten", "forget_pages", "forgotten_ids", "scrub", "scrub_files"]

# Columns that hold an address, whatever the table; one that names a forgotten page is emptied.
_ADDRESSES = ("base", "canonical", "canonical_link", "location", "refresh", "url")

Ids = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting some pages has come to."""

    addresses: int  # newly forgotten
    rows: int  # removed from the tables of pages
    is_complete: bool  # whether the results were worked out again
    archives: tuple[str, ...]  # sources, which still hold what was captured


def forget_pages(
    folder: str | Path, urls: Sequence[str] = (), *, sites: Sequence[str] = (), plan: Sequence[Stage] = PLAN
) -> Forgotten:
    """Remove pages, and all pages of sites, from a workspace for good.

    Args:
        folder: The workspace.
        urls: Addresses of pages; other addresses of the same page are forgotten with them.
        sites: Addresses of entry pages of sites.
        plan: The stages by which the workspace was made.
    """
    if not urls and not sites:
        raise UsageError("Say which page or which site is to be forgotten.")
    before = open_workspace(folder)
    new = _ids_of(before, urls, sites)
    lent = _lent(before)
    with write_workspace(folder) as workspace:
        known = forgotten_ids(workspace)
        ids = np.union1d(known, new).astype(np.int64)
        _remember(workspace, ids)
        stages = [stage for stage in one_pass(plan) if stage.scope in ("source", "page")]
        orphans = _only_linked_from(workspace, ids)
        rows = sum(_scrub_stage(workspace, stage, ids, orphans) for stage in stages)
        _drop_results(workspace, plan)
        _scrub_decisions(workspace.folder, ids)
        left = _scrub_spool(workspace, ids, lent)
        shutil.rmtree(workspace.folder / "staging", ignore_errors=True)
    if before.manifest.is_finished:
        from sitestrata.run.mine import mine

        mine([], folder, resume=True, plan=plan)
    archives = tuple(item.source.name for item in before.manifest.inputs if item.source.name in left)
    return Forgotten(len(ids) - len(known), rows, before.manifest.is_finished, archives)


def _lent(workspace: Workspace) -> dict[tuple[str, int], Ids]:
    """Return the records whose bodies other captures (revisits) go by, with the ids of the latter."""
    if "captures" not in workspace.tables:
        return {}
    rows = workspace.query(
        "SELECT original_source AS source, original_offset AS place, list(url_id) AS ids FROM captures "
        "WHERE original_source IS NOT NULL GROUP BY ALL"
    ).to_pylist()
    return {(row["source"], row["place"]): np.array(row["ids"], np.int64) for row in rows}


def _scrub_spool(workspace: WorkspaceWriter, ids: Ids, lent: Mapping[tuple[str, int], Ids]) -> set[str]:
    """Blank what is forgotten in the copies that the workspace keeps; name the sources that still hold captures.

    A record stays if a page that is not forgotten was answered with the same body and its capture refers to it.
    """
    spool = (workspace.folder / "spool").absolute()
    left = set()
    for item in workspace.manifest.inputs:
        source = item.source
        path = Path(source.path)
        if not path.is_relative_to(spool) or source.kind == "folder" or not path.exists():
            left.add(source.name)
            continue

        def is_unwanted(url: str, offset: int, name: str = source.name) -> bool:
            others = lent.get((name, offset), np.zeros(0, np.int64))
            return bool(np.isin(url_id(url), ids)) and bool(np.isin(others, ids).all())

        if not blank_records(source, is_unwanted):
            left.add(source.name)
    return left


def forgotten_ids(workspace: Workspace) -> Ids:
    """Return the sorted ids of the addresses that must not be known."""
    name = workspace.manifest.forgotten
    if not name:
        return np.zeros(0, np.int64)
    ids: Ids = pq.read_table(workspace.folder / name)["url_id"].to_numpy()
    return ids


def scrub(table: str, rows: pa.Table, ids: Ids) -> pa.Table:
    """Return the rows of a table without what belongs to forgotten pages, and without their addresses."""
    key = _key(table)
    if key == "input":  # rejects name their input, which may be an address
        kept = rows.filter(pc.invert(_names(rows["input"], ids)))
    else:
        kept = rows.filter(pa.array(~np.isin(rows[key].to_numpy(), ids)))
    if table.removeprefix("_") == "links":
        kept = _turned_back(kept, ids)
    for place, field in enumerate(kept.schema):
        if field.name in _ADDRESSES and pa.types.is_string(field.type):
            column = kept[field.name]
            empty = pa.scalar(None if field.nullable else "", pa.string())
            kept = kept.set_column(place, field, pc.if_else(_names(column, ids), empty, column))
        elif field.name == "breadcrumb":
            kept = kept.set_column(place, field, _without_steps(kept["breadcrumb"], ids, field.type))
    return kept


def scrub_files(files: Mapping[str, Collection[Path]], ids: Ids) -> None:
    """Scrub files that a run has staged, in their place."""
    if not len(ids):
        return
    for table, paths in files.items():
        for path in paths:
            before = pq.read_table(path)
            after = scrub(table, before, ids)
            if not after.equals(before):
                write_file(path, table, [after])


def _ids_of(workspace: Workspace, urls: Sequence[str], sites: Sequence[str]) -> Ids:
    ids: set[int] = set()
    for url in urls:
        address = normalise(url)
        if address is None:
            raise UsageError(f"{url!r} is not a web address. Give it in full, as in https://example.org/")
        ids.add(url_id(address))
    if sites:
        from sitestrata.run.export import site_named

        if "boundaries" not in workspace.tables:
            raise WorkspaceError(f"{workspace.folder} has no sites yet; name the pages instead.")
        numbers = [site_named(workspace, name) for name in sites]
        bounds = workspace.arrow("boundaries", ["page_id", "site"])
        ids.update(bounds.filter(pc.is_in(bounds["site"], pa.array(numbers, pa.int64())))["page_id"].to_pylist())
    if "aliases" in workspace.tables:
        aliases = workspace.arrow("aliases", ["url_id", "page_id"])
        named = np.isin(aliases["url_id"].to_numpy(), list(ids)) | np.isin(aliases["page_id"].to_numpy(), list(ids))
        pages = np.unique(aliases["page_id"].to_numpy()[named])
        ids.update(aliases["url_id"].to_numpy()[np.isin(aliases["page_id"].to_numpy(), pages)].tolist())
    return np.array(sorted(ids), np.int64)


def _remember(workspace: WorkspaceWriter, ids: Ids) -> None:
    name = f"tables/{FORGOTTEN}/forget-{workspace.manifest.runs}-all.parquet"
    write_file(workspace.folder / name, FORGOTTEN, [pa.table({"url_id": ids}, schema=schema_of(FORGOTTEN))])
    before = workspace.manifest.forgotten
    workspace.update(forgotten=name)
    if before and before != name:
        (workspace.folder / before).unlink(missing_ok=True)


def _only_linked_from(workspace: Workspace, ids: Ids) -> Ids:
    """Return the addresses that nothing but forgotten pages speaks of."""
    reader = workspace.reader()
    lost: list[Ids] = []
    kept: list[Ids] = [ids]
    for table, owner, columns in (
        ("links", "page", ["target"]),
        ("pages", "url_id", ["url_id", "canonical_link", "refresh", "resources", "breadcrumb"]),
        (INDEXED, "url_id", ["url_id", "location"]),
    ):
        if table in workspace.manifest.tables():
            for batch in reader.batches(table, list(dict.fromkeys([owner, *columns]))):
                is_lost = np.isin(batch[owner].to_numpy(), ids)
                for name in columns:
                    lost.append(_ids_in(batch[name].filter(pa.array(is_lost))))
                    kept.append(_ids_in(batch[name].filter(pa.array(~is_lost))))
    return np.setdiff1d(np.concatenate(lost), np.concatenate(kept)) if lost else np.zeros(0, np.int64)


def _ids_in(column: pa.Array) -> Ids:
    if pa.types.is_list(column.type):
        column = column.flatten()
    if pa.types.is_struct(column.type):  # steps of breadcrumbs
        column = column.field("url")
    if pa.types.is_string(column.type):
        return np.array([url_id(text) for text in column.drop_null().to_pylist()], np.int64)
    ids: Ids = np.unique(column.to_numpy(zero_copy_only=False)).astype(np.int64)
    return ids


def _scrub_stage(workspace: WorkspaceWriter, stage: Stage, ids: Ids, orphans: Ids) -> int:
    """Rewrite the files of one stage that hold something of forgotten pages; return how many rows are gone."""
    record = workspace.manifest.stages.get(stage.name)
    if record is None:
        return 0
    staging = workspace.staging(f"{stage.name}-forget")
    staged: dict[str, list[Path]] = {}
    keep: dict[str, list[str]] = {}
    rows = dict(record.rows)
    for table, names in record.files.items():
        for name in names:
            before = pq.read_table(workspace.folder / name)
            after = scrub(table, before, np.union1d(ids, orphans) if table in ("urls", "_urls") else ids)
            if after.equals(before):
                keep.setdefault(table, []).append(name)
                continue
            path = staging / table / f"{Path(name).stem.rpartition('-')[2]}.parquet"
            write_file(path, table, [after])
            staged.setdefault(table, []).append(path)
            rows[table] -= before.num_rows - after.num_rows
    gone = sum(record.rows.values()) - sum(rows.values())
    scrubbed: StageRecord = replace(record, rows=rows)
    workspace.commit(stage.name, scrubbed, staged, keep=keep, staging=staging)
    return gone


def _drop_results(workspace: WorkspaceWriter, plan: Sequence[Stage]) -> None:
    """Remove what stages made of many pages at once: it may speak of any of them."""
    kept = {stage.name for stage in one_pass(plan) if stage.scope in ("source", "page")}
    before = workspace.manifest
    workspace.update(stages={name: record for name, record in before.stages.items() if name in kept})
    for name in before.all_files() - workspace.manifest.all_files():
        (workspace.folder / name).unlink(missing_ok=True)
    (workspace.folder / "report.html").unlink(missing_ok=True)


def _scrub_decisions(folder: Path, ids: Ids) -> None:
    """Remove the decisions of a person that name a forgotten page, and such a page among the targets of a menu."""
    path = folder / DECISIONS
    if not path.exists():
        return
    lines = path.read_text("utf-8", errors="replace").splitlines()
    kept = [_without_targets(line, ids) for line in lines if not _decision_names(line, ids)]
    if kept != lines:
        temporary = path.with_suffix(".new")
        temporary.write_text("".join(f"{line}\n" for line in kept), "utf-8")
        temporary.replace(path)


def _decision_names(line: str, ids: Ids) -> bool:
    try:
        row = json.loads(line)
    except ValueError:
        return False
    texts = [value for value in row.values() if isinstance(value, str)] if isinstance(row, dict) else []
    return any(_is_lost(text, ids) for text in texts)


def _without_targets(line: str, ids: Ids) -> str:
    try:
        row = json.loads(line)
    except ValueError:
        return line
    targets = row.get("targets") if isinstance(row, dict) else None
    if not isinstance(targets, list):
        return line
    kept = [text for text in targets if not (isinstance(text, str) and _is_lost(text, ids))]
    return line if kept == targets else json.dumps({**row, "targets": kept}, ensure_ascii=True)


def _is_lost(text: str, ids: Ids) -> bool:
    address = normalise(text)
    return address is not None and bool(np.isin(url_id(address), ids))


def _key(table: str) -> str:
    """Return the column that says which page a row belongs to."""
    name = table.removeprefix("_")
    return TABLES[name].key[0] if name in TABLES else "url_id"


def _names(column: pa.ChunkedArray, ids: Ids) -> pa.Array:
    """Tell which texts are addresses of forgotten pages."""
    encoded = pc.dictionary_encode(column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column)
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    known = np.array([url_id(text) for text in encoded.dictionary.to_pylist()], np.int64)
    hits = pa.array(np.isin(known, ids), pa.bool_())
    return pc.fill_null(hits.take(encoded.indices), fill_value=False)


def _turned_back(links: pa.Table, ids: Ids) -> pa.Table:
    lost = pa.array(np.isin(links["target"].to_numpy(), ids))
    replaced = {
        "target": links["page"],
        "fragment": pa.scalar(None, pa.string()),
        "label": pa.scalar("", pa.string()),
        "label_source": pa.scalar("none", pa.string()),
    }
    for name, value in replaced.items():
        place = links.schema.get_field_index(name)
        links = links.set_column(place, links.schema.field(name), pc.if_else(lost, value, links[name]))
    return links


def _without_steps(column: pa.ChunkedArray, ids: Ids, type_: pa.DataType) -> pa.Array:
    trails = column.to_pylist()
    if not any(trails):
        return pa.array(trails, type_)
    return pa.array(
        [
            [step for step in trail or () if step["url"] is None or not np.isin(url_id(step["url"]), ids)]
            for trail in trails
        ],
        type_,
    )
