"""Ontologies of domains, each mined by itself -> that of the collection: every record once, those of data tables too.

A page may be read for several domains. A record that several have found there is that of the largest, with the values
that it read. Instances that are one thing point to the first of them (`sitestrata.ontology.records.mark_same`), also
across domains. Rows of data tables on pages of concepts are records too.

Cost: tables are streamed, that of the values in data tables three times (and again for every 20,000 pages of
concepts); held are the concepts, and for each instance about 50 bytes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.model import TABLES, Attribute, Instance, TableReader, table_from_records
from sitestrata.model.regions import PARTS, part_batches
from sitestrata.ontology.decisions import apply_concept_decisions
from sitestrata.ontology.entries import DOMAINS
from sitestrata.ontology.records import Extracted, identity_of
from sitestrata.ontology.stage import OntologyStageOptions
from sitestrata.taxonomy.words import fold, readable
from sitestrata.urls import url_id

__all__ = ["join_ontologies"]

MAX_TABLE_ROWS = 2_000  # of one data table
PAGES_AT_ONCE = 20_000  # whose data tables are held
CELLS_AT_ONCE = 10_000  # that are looked at
OF_TABLES = 0  # stands for the domain of records of data tables; no id is 0

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def join_ontologies(
    tables: TableReader, options: OntologyStageOptions
) -> dict[str, pa.Table | Iterator[pa.RecordBatch]]:
    """Make one of what the domains have found."""
    rank = {**_ranked(tables), OF_TABLES: -1}
    mined = {name: tables.read(PARTS + name) for name in ("concepts", "labels", "is_a")}
    about = _pages_of_concepts(mined["concepts"], rank)
    whole = {name: table.drop_columns(["region"]) for name, table in mined.items()}
    seen = _look_at(tables, rank, about)
    decided = apply_concept_decisions(
        {**whole, "instances": table_from_records("instances", [])}, options.concept_decisions
    )

    def instances() -> Iterator[pa.RecordBatch]:
        begin = 0
        for region, batch in _instances(tables, about):
            rows = pa.Table.from_batches([seen.marked(begin, batch)])
            begin += batch.num_rows
            rows = rows.filter(pa.array(seen.is_kept(rank[region], batch)))
            if options.concept_decisions:
                rows = apply_concept_decisions({**whole, "instances": rows}, options.concept_decisions)["instances"]
            yield from rows.to_batches()

    def attributes() -> Iterator[pa.RecordBatch]:
        for region, batch in part_batches(tables, "attributes"):
            yield batch.filter(pa.array(seen.is_kept(rank[region], batch)))
        for found in _table_records(tables, about):
            yield from table_from_records("attributes", found.attributes).to_batches()

    return {**decided, "instances": instances(), "attributes": attributes()}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What has to be known of all instances before any can be told."""

    same_as: Ints  # of each instance, in the order in which they are streamed
    twice: Ints  # instances that several domains have found, sorted
    owner: Ints  # rank of the domain that each of these belongs to

    def marked(self, begin: int, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return instances, of which ``begin`` were before, with what they are the same as."""
        same = pa.array(self.same_as[begin : begin + batch.num_rows])
        columns = [same if name == "same_as" else batch[name] for name in batch.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    def is_kept(self, rank: int, batch: pa.RecordBatch) -> Flags:
        """Tell which rows, of a domain of this rank, are about instances that belong to it."""
        place, is_twice = positions_of(self.twice, batch["instance"].to_numpy())
        kept: Flags = ~is_twice
        if len(self.twice):
            kept |= self.owner[place] == rank
        return kept


def _look_at(tables: TableReader, rank: Mapping[int, int], about: Mapping[int, tuple[int, int]]) -> _Seen:
    """Look at all instances once."""
    numbers, identities, ranks = [], [], []
    for region, batch in _instances(tables, about):
        numbers.append(batch["instance"].to_numpy())
        identities.append(np.array([url_id(identity_of(Instance(**row))) for row in batch.to_pylist()], np.int64))
        ranks.append(np.full(batch.num_rows, rank[region], np.int64))
    none = np.zeros(0, np.int64)
    number, identity, of = (np.concatenate([none, *parts]) for parts in (numbers, identities, ranks))
    by_identity = np.lexsort((number, identity))
    begins = np.append(True, np.diff(identity[by_identity]) != 0)[: len(number)]
    same_as = np.empty_like(number)
    same_as[by_identity] = number[by_identity][np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    by_number = np.lexsort((of, number))
    number, of = number[by_number], of[by_number]
    is_first = np.append(True, np.diff(number) != 0)[: len(number)]
    is_twice = is_first & ~np.append(is_first[1:], True)[: len(number)]
    return _Seen(same_as, number[is_twice], of[is_twice])


def _instances(tables: TableReader, about: Mapping[int, tuple[int, int]]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Stream instances, always in the same order: the domain that has found them, and they."""
    yield from part_batches(tables, "instances")
    for found in _table_records(tables, about):
        for batch in table_from_records("instances", found.instances).to_batches():
            yield OF_TABLES, batch


def _ranked(tables: TableReader) -> dict[int, int]:
    """Return domains with their place, the largest first."""
    sites = Counter(tables.read(DOMAINS, ["group"])["group"].to_pylist())
    return {domain: place for place, domain in enumerate(sorted(sites, key=lambda one: (-sites[one], one)))}


def _pages_of_concepts(concepts: pa.Table, rank: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Return the pages of concepts, each with domain and concept; a page is of the largest domain that has it."""
    about: dict[int, tuple[int, int]] = {}
    for row in sorted(concepts.to_pylist(), key=lambda row: rank[row["region"]]):
        for url in row["urls"]:
            about.setdefault(url_id(url), (row["domain"], row["concept"]))
    return about


def _table_records(tables: TableReader, about: Mapping[int, tuple[int, int]]) -> Iterator[Extracted]:
    """Yield the records of data tables on pages of concepts, table by table; so many pages are held at a time."""
    pages = sorted(about)
    for begin in range(0, len(pages), PAGES_AT_ONCE):
        chosen = pa.array(pages[begin : begin + PAGES_AT_ONCE], pa.int64())
        parts = [batch.filter(pc.is_in(batch["page"], value_set=chosen)) for batch in tables.batches("table_values")]
        if not parts:
            continue
        rows = pa.Table.from_batches(parts).sort_by([(name, "ascending") for name in TABLES["table_values"].key])
        cells = (row for batch in rows.to_batches(CELLS_AT_ONCE) for row in batch.to_pylist())
        for (page, index), some in groupby(cells, key=itemgetter("page", "index")):
            yield _table_record(page, index, some, *about[page])


def _table_record(page: int, index: int, cells: Iterable[dict[str, Any]], domain: int, concept: int) -> Extracted:
    instances, attributes = [], []
    for line, some in islice(groupby(cells, key=itemgetter("record")), MAX_TABLE_ROWS):
        first, *others = some
        number = url_id(f"instance {page} table {index} {line}")
        name = readable(" ".join(first["record_path"]) if first["record_path"] else first["value"])
        if not fold(name):
            continue
        instances.append(Instance(page, number, domain, concept, name[:200], None, "table", None, 0, number, 0.7))
        for ordinal, cell in enumerate((first, *others)):
            attributes.append(
                Attribute(
                    page=page,
                    instance=number,
                    ordinal=ordinal,
                    label=readable(" ".join(cell["path"])) or None,
                    value=readable(cell["value"]),
                    kind=cell["kind"],
                    number=cell["number"],
                    unit=cell["unit"],
                    url=None,
                    path=f"table[{index}]",
                    node=0,
                )
            )
    return Extracted(tuple(instances), tuple(attributes))
