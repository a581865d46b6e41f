"""What was captured of hosts -> votes about the rules they follow, links that can be compared, and twins.

All of it is about addresses of one host, so that hosts can be asked by themselves; what the answers of a host redirect
to lies anywhere, and is looked at with it.
"""

import numpy as np
import pyarrow as pa

from sitestrata.identity.captured import Ids, canonical_ids, positions, read_captured
from sitestrata.identity.content import Contents, follow, pages_to_sketch
from sitestrata.identity.evidence import tally_votes
from sitestrata.identity.links import sketch_links, sketches_to_table
from sitestrata.identity.options import IdentityOptions
from sitestrata.identity.rules import REDUCTIONS, scope
from sitestrata.identity.tables import CLAIMS, IDENTITY_TABLES, SKETCHES, TWINS, own_addresses
from sitestrata.identity.twins import find_twins
from sitestrata.model import TableReader

__all__ = ["find_evidence"]


def find_evidence(tables: TableReader, options: IdentityOptions) -> dict[str, pa.Table]:
    """Compare the captured addresses of hosts with each other (`CLAIMS`, `SKETCHES`, `TWINS`)."""
    rules = frozenset(options.rules)
    captured = read_captured(tables, first=options.captures == "first")
    own = own_addresses(tables)
    is_own = np.ones(len(captured.ids), dtype=bool) if own is None else positions(own, captured.ids) >= 0
    canonical = positions(captured.ids, canonical_ids(captured))
    rows = pages_to_sketch(captured, canonical) if rules else np.zeros(0, np.int64)
    sketches = sketch_links(tables, captured.ids, captured.urls, rows)
    contents = Contents(captured, *follow(captured), sketches)
    tallies = tally_votes(contents, rules) if rules & set(REDUCTIONS) else {}
    hosts = {scope(url) for url in captured.urls.filter(pa.array(is_own)).to_pylist()}
    claims = [
        (claim.scope, claim.rule, claim.name, tally.agree, tally.disagree)
        for claim, tally in tallies.items()
        if claim.scope in hosts
    ]
    twins = find_twins(contents) if "bytes" in rules else np.zeros((2, 0), np.int64)
    twins = twins[:, is_own[twins[0]]]
    return {
        CLAIMS: _table(CLAIMS, list(zip(*claims, strict=True)) or [()] * 5),
        SKETCHES: sketches_to_table(sketches, captured.ids, is_own),
        TWINS: _table(TWINS, list(captured.ids[twins])),
    }


def _table(name: str, columns: list[Ids] | list[tuple[str | int, ...]]) -> pa.Table:
    schema = IDENTITY_TABLES[name]
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)
