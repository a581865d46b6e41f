"""Boundaries and sites as found -> the same with what a person decided.

Decisions are applied one after the other on the final partition: a merge joins two whole sites, a separation takes a
section out of its site, a move takes one page to another site, a name names. What a decision touched says so
(``method`` decision, confidence 1); everything else stays as it was, to the bit.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.model import Decision, Site
from sitestrata.urls import host, normalise, url_id

__all__ = ["apply_decisions", "decided_ids"]

METHOD = "decision"

Ints = NDArray[np.int64]


def decided_ids(decisions: Sequence[Decision]) -> list[int]:
    """Return the url_ids of all addresses that decisions about sites speak of."""
    texts = [text for decision in decisions for text in (decision.subject, decision.object)]
    addresses = [normalise(text) for text in texts if text.startswith(("http://", "https://"))]
    return sorted({url_id(address) for address in addresses if address is not None})


def apply_decisions(
    boundaries: pa.Table,
    sites: Sequence[Site],
    decisions: Sequence[Decision],
    *,
    url_of: Mapping[int, str],
    title_of: Mapping[int, str | None],
    page_of: Mapping[int, int],
) -> tuple[pa.Table, list[Site]]:
    """Return boundaries and sites with the decisions that concern them.

    Args:
        boundaries: the table of that name
        sites: the records of the table ``sites``
        decisions: in the order they were made; those about pages that are not there have no effect
        url_of: canonical address of each page
        title_of: title of each page
        page_of: for `decided_ids`: the page that the address stands for
    """
    if not any(decision.kind in ("merge", "separate", "move", "name") for decision in decisions):
        return boundaries, list(sites)
    page: Ints = boundaries.column("page_id").to_numpy()
    place = {int(number): row for row, number in enumerate(page.tolist())}
    site: Ints = boundaries.column("site").to_numpy().copy()
    section: Ints = boundaries.column("section").to_numpy().copy()
    is_decided = np.zeros(len(page), bool)
    names: dict[int, int] = {}  # decision number by page of the site that it names

    def row_of(text: str) -> int | None:
        address = normalise(text)
        return None if address is None else place.get(page_of.get(url_id(address), 0))

    for number, decision in enumerate(decisions):
        row = row_of(decision.subject)
        other = row_of(decision.object) if decision.kind in ("merge", "move") else row
        if row is None or other is None:
            continue
        if decision.kind == "merge" and site[row] != site[other]:
            members = site == site[row]
            site[members], is_decided[members] = site[other], True
        elif decision.kind == "move" and site[row] != site[other]:
            _leave(site, page, np.array([row]), url_of)
            site[row], section[row], is_decided[row] = site[other], section[other], True
        elif decision.kind == "separate":
            members = np.flatnonzero((section == section[row]) & (site == site[row]))
            if len(members) < np.count_nonzero(site == site[row]):
                _leave(site, page, members, url_of)
                site[members], is_decided[members] = page[row], True
        elif decision.kind == "name":
            names[row] = number
    made = _with(boundaries, site, section, is_decided)
    changed = set(site[is_decided].tolist()) | (set(boundaries.column("site").to_pylist()) ^ set(site.tolist()))
    changed |= set(boundaries.column("site").to_numpy()[is_decided].tolist())
    records = _sites(made, sites, changed, url_of, title_of)
    for row, number in names.items():
        key = int(site[row])
        records[key] = replace(records[key], name=decisions[number].object)
    return made, [records[key] for key in sorted(records)]


def _leave(site: Ints, page: Ints, rows: Ints, url_of: Mapping[int, str]) -> None:
    """Let some pages of a site go; if its entry page goes, the one with the shortest address takes its place."""
    old = int(site[rows[0]])
    if old not in set(page[rows].tolist()):
        return
    stay = np.setdiff1d(np.flatnonzero(site == old), rows)
    if len(stay):
        entry = min(page[stay].tolist(), key=lambda number: (len(url_of[number]), url_of[number]))
        site[stay] = entry


def _with(boundaries: pa.Table, site: Ints, section: Ints, is_decided: NDArray[np.bool_]) -> pa.Table:
    method = np.where(is_decided, METHOD, np.array(boundaries.column("method").to_pylist(), object))
    confidence = np.where(is_decided, 1.0, boundaries.column("confidence").to_numpy())
    columns = {"site": site, "section": section, "method": method, "confidence": confidence}
    for name, values in columns.items():
        field = boundaries.schema.field(name)
        boundaries = boundaries.set_column(boundaries.schema.get_field_index(name), field, pa.array(values, field.type))
    return boundaries


def _sites(
    boundaries: pa.Table,
    before: Sequence[Site],
    changed: set[int],
    url_of: Mapping[int, str],
    title_of: Mapping[int, str | None],
) -> dict[int, Site]:
    """Count the changed sites anew; the others stay as they are."""
    known = {record.site: record for record in before}
    members: dict[int, list[int]] = {}
    for row, key in enumerate(boundaries.column("site").to_pylist()):
        members.setdefault(key, []).append(row)
    pages, sections = boundaries.column("page_id").to_pylist(), boundaries.column("section").to_pylist()
    confidence = boundaries.column("confidence").to_numpy()
    records: dict[int, Site] = {}
    for key, rows in members.items():
        old = known.get(key)
        if old is not None and key not in changed:
            records[key] = old
            continue
        hosts = Counter(host(url_of[pages[row]]) for row in rows)
        fresh = old or Site(
            site=key,
            entry_url=url_of[key],
            name=title_of.get(key) or url_of[key],
            hosts=(),
            pages=0,
            sections=0,
            parent=None,
            method=METHOD,
            confidence=1.0,
        )
        records[key] = replace(
            fresh,
            hosts=tuple(sorted(hosts, key=lambda name: (-hosts[name], name))),
            pages=len(rows),
            sections=len({sections[row] for row in rows}),
            method=METHOD,
            confidence=float(confidence[rows].mean()),
        )
    kept = set(records)
    return {
        key: replace(record, parent=None) if record.parent is not None and record.parent not in kept else record
        for key, record in records.items()
    }
