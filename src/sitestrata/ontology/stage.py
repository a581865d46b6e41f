"""The ontology stage of the plan: taxonomies of the domains that a collection covers, and their instances.

The links and segments of the sites' entry pages tell which sites overlap; each domain is then mined over its pages, as
``sitestrata ontology`` does (`sitestrata.ontology.expand`), within a smaller budget. Where the pages themselves cannot
be read any more, the links and segments are the label trees. Records of data tables on pages of concepts join.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Attribute, Decision, Instance, TableReader, table_from_records
from sitestrata.ontology.contents import read_contents
from sitestrata.ontology.decisions import apply_concept_decisions
from sitestrata.ontology.domains import find_domains
from sitestrata.ontology.expand import Expansion, Ontology, ReadPages, expand
from sitestrata.ontology.options import OntologyOptions
from sitestrata.ontology.records import Extracted, join_extracted, mark_same
from sitestrata.ontology.segment_trees import PageRows, segment_tree
from sitestrata.taxonomy.mine import Taxonomy, TaxonomyHints, mine_taxonomy, paper_taxonomy
from sitestrata.taxonomy.owners import assign_owners
from sitestrata.taxonomy.trees import SiteTree, naming
from sitestrata.taxonomy.wordnet import find_wordnet
from sitestrata.taxonomy.words import fold, readable
from sitestrata.urls import registered_domain, url_id

__all__ = ["ONTOLOGY_TABLES", "OntologyStageOptions", "find_ontology"]

ONTOLOGY_TABLES = ("concepts", "labels", "is_a", "instances", "attributes")
MAX_TABLE_ROWS = 2_000  # of one data table
_LINKS = ["page", "ordinal", "target", "label", "landmark", "path", "segment", "node"]
_SEGMENTS = ["page", "ordinal", "parent", "path", "node"]


@dataclass(frozen=True, slots=True)
class OntologyStageOptions:
    """What the ontology stage can be told."""

    concept_support: int = 2  # owners that must print a concept
    concept_pages: int = 100  # of each domain, that are read for their instances
    detail_pages: int = 10  # that are read for each listing
    wordnet: str | None = None  # folder of WordNet's database files; else where Debian installs them
    profile: str = "default"
    concept_decisions: tuple[Decision, ...] = ()  # of a person; they overrule what was found


def find_ontology(
    tables: TableReader, options: OntologyStageOptions, *, pages: ReadPages | None = None
) -> dict[str, pa.Table]:
    """Mine the domains of a collection, over the pages themselves if they are at hand."""
    trees = _entry_trees(tables)
    owned = {tree.site: tree for tree in assign_owners(trees)}
    labels = {site: frozenset(label for _, label in naming(tree)) for site, tree in owned.items()}
    contents = read_contents(tables, {site: tree.url for site, tree in owned.items()})
    taxonomies, parts = [], []
    for domain in find_domains(labels, owners={site: tree.owner for site, tree in owned.items()}):
        found = _mine([owned[site] for site in domain], options, pages, contents)
        if found.taxonomy.concepts:
            taxonomies.append(found.taxonomy)
            parts.append(found.extracted)
    extracted = join_extracted([*parts, _table_records(tables, taxonomies)])
    made = {
        "concepts": table_from_records("concepts", [row for found in taxonomies for row in found.concepts]),
        "labels": table_from_records("labels", [row for found in taxonomies for row in found.labels]),
        "is_a": table_from_records("is_a", [row for found in taxonomies for row in found.is_a]),
        "instances": table_from_records("instances", mark_same(extracted.instances)),
        "attributes": table_from_records("attributes", extracted.attributes),
    }
    return apply_concept_decisions(made, options.concept_decisions)


def _mine(
    trees: list[SiteTree], options: OntologyStageOptions, pages: ReadPages | None, contents: dict[str, SiteTree]
) -> Ontology:
    hints = TaxonomyHints(wordnet=find_wordnet(options.wordnet))
    if pages is not None:
        chosen = OntologyOptions(
            support=options.concept_support,
            concept_pages=options.concept_pages,
            detail_pages=options.detail_pages,
            profile=options.profile,
        )
        found = expand(Expansion([tree.url for tree in trees], chosen, hints, contents=contents), pages)
        if len(found.missing) < len(trees):
            return found
    if options.profile == "paper":
        home = {tree.site: registered_domain(tree.url) for tree in trees}
        taxonomy = paper_taxonomy(
            trees,
            support=options.concept_support,
            is_inside=lambda site, url: registered_domain(url) == home[site],
            brings=lambda _: None,
        )
    else:
        taxonomy = mine_taxonomy(trees, support=options.concept_support, hints=hints)
    return Ontology(taxonomy, Extracted(), {}, ())


def _entry_trees(tables: TableReader) -> list[SiteTree]:
    """Return the label trees of the sites' entry pages."""
    sites = tables.read("sites", ["site", "entry_url"])
    entries = {
        url_id(url): site for site, url in zip(*(sites[name].to_pylist() for name in sites.column_names), strict=True)
    }
    chosen = pa.array(sorted(entries), pa.int64())
    links = _of_pages(tables, "links", _LINKS, chosen)
    segments = _of_pages(tables, "segments", _SEGMENTS, chosen)
    targets = pa.array(sorted({row["target"] for rows in links.values() for row in rows}), pa.int64())
    urls = tables.read("urls", ["url_id", "url"])
    urls = urls.filter(pc.is_in(urls["url_id"], value_set=targets))
    address = dict(zip(urls["url_id"].to_pylist(), urls["url"].to_pylist(), strict=True))
    pages = tables.read("pages", ["url_id", "url", "language", "title"])
    pages = pages.filter(pc.is_in(pages["url_id"], value_set=chosen))
    trees = []
    for page in sorted(pages.to_pylist(), key=lambda page: str(page["url"])):
        number = page["url_id"]
        rows = [{**row, "url": address.get(row["target"])} for row in links.get(number, ())]
        nodes = segment_tree(PageRows(number, rows, segments.get(number, ())))
        trees.append(SiteTree(entries[number], "", page["url"], page["language"], nodes, page["title"]))
    return trees


def _of_pages(tables: TableReader, name: str, columns: list[str], pages: pa.Array) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for batch in tables.batches(name, columns):
        table = pa.Table.from_batches([batch])
        for row in table.filter(pc.is_in(table["page"], value_set=pages)).to_pylist():
            found[row["page"]].append(row)
    return {page: sorted(rows, key=lambda row: int(row["ordinal"])) for page, rows in found.items()}


def _table_records(tables: TableReader, taxonomies: list[Taxonomy]) -> Extracted:
    """Return the records of data tables that stand on pages of concepts."""
    about: dict[int, tuple[int, int]] = {}  # page -> (domain, concept)
    for taxonomy in taxonomies:
        for concept in taxonomy.concepts:
            for url in concept.urls:
                about.setdefault(url_id(url), (taxonomy.domain, concept.concept))
    chosen = pa.array(sorted(about), pa.int64())
    values = tables.read("table_values")
    values = values.filter(pc.is_in(values["page"], value_set=chosen))
    rows: dict[tuple[int, int, int], list[dict[str, Any]]] = defaultdict(list)
    for row in values.to_pylist():
        rows[row["page"], row["index"], row["record"]].append(row)
    instances, attributes = [], []
    for (page, index, line), cells in sorted(rows.items())[:MAX_TABLE_ROWS]:
        cells.sort(key=lambda cell: int(cell["attribute"]))
        number = url_id(f"instance {page} table {index} {line}")
        domain, concept_id = about[page]
        name = readable(" ".join(cells[0]["record_path"]) if cells[0]["record_path"] else cells[0]["value"])
        if not fold(name):
            continue
        instances.append(Instance(page, number, domain, concept_id, name[:200], None, "table", None, 0, number, 0.7))
        for ordinal, cell in enumerate(cells):
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
