"""The ontology stages of the plan: taxonomies of the domains that a collection covers, and their instances.

The links and segments of the sites' entry pages tell which sites overlap; each domain is then mined by itself over its
pages, as ``sitestrata ontology`` does (`sitestrata.ontology.expand`), within a smaller budget. Where the pages
themselves cannot be read any more, the links and segments are the label trees. What the domains have found is put
together by `sitestrata.ontology.joining`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import Any

import pyarrow as pa

from sitestrata.model import Decision, TableReader, table_from_records
from sitestrata.ontology.contents import contents_to_trees
from sitestrata.ontology.domains import find_domains
from sitestrata.ontology.entries import CONTENTS, DOMAINS, ENTRIES, ENTRY_LINKS, ENTRY_SEGMENTS, ENTRY_TABLES
from sitestrata.ontology.expand import Expansion, Ontology, ReadPages, expand
from sitestrata.ontology.options import OntologyOptions
from sitestrata.ontology.records import Extracted
from sitestrata.ontology.segment_trees import PageRows, segment_tree
from sitestrata.taxonomy.mine import TaxonomyHints, mine_taxonomy, paper_taxonomy, without_utilities
from sitestrata.taxonomy.owners import site_owners
from sitestrata.taxonomy.trees import SiteTree, naming
from sitestrata.taxonomy.wordnet import find_wordnet
from sitestrata.urls import host, registered_domain

__all__ = ["ONTOLOGY_TABLES", "OntologyStageOptions", "find_ontology", "find_site_domains"]

ONTOLOGY_TABLES = ("concepts", "labels", "is_a", "instances", "attributes")
SITES_AT_ONCE = 20_000  # whose entry pages are held with all their links: about a gigabyte


@dataclass(frozen=True, slots=True)
class OntologyStageOptions:
    """What the ontology stage can be told."""

    concept_support: int = 2  # owners that must print a concept
    concept_pages: int = 100  # of each domain, that are read for their instances
    detail_pages: int = 40  # that are read for each listing
    wordnet: str | None = None  # folder of WordNet's database files; else where Debian installs them
    profile: str = "default"
    concept_decisions: tuple[Decision, ...] = ()  # of a person; they overrule what was found


def find_site_domains(tables: TableReader, _options: object) -> dict[str, pa.Table]:
    """Group the sites of a collection into domains by the labels of their entry pages (`DOMAINS`)."""
    labels: dict[int, frozenset[str]] = {}
    hosts: dict[int, str] = {}
    for tree in _entry_trees(tables):
        labels[tree.site] = frozenset(intern(label) for _, label in naming(tree))
        hosts[tree.site] = host(tree.url)
    owners = site_owners(labels, hosts)
    rows = [(domain[0], site, owners[site]) for domain in find_domains(labels, owners=owners) for site in domain]
    return {DOMAINS: pa.table([list(column) for column in zip(*rows, strict=True)] or [[]] * 3, ENTRY_TABLES[DOMAINS])}


def find_ontology(
    tables: TableReader, options: OntologyStageOptions, *, pages: ReadPages | None = None
) -> dict[str, pa.Table]:
    """Mine one domain, over the pages themselves if they are at hand."""
    domain = tables.read(DOMAINS)
    owner = dict(zip(domain["page"].to_pylist(), domain["owner"].to_pylist(), strict=True))
    entries = sorted((row["site"], row["url"]) for row in tables.read(ENTRIES, ["site", "url"]).to_pylist())
    homes = {site: url for site, url in entries if site in owner}
    if not homes:  # no sites speak of the same things
        return {}
    hints = TaxonomyHints(wordnet=find_wordnet(options.wordnet))
    found = None if pages is None else _mine_pages(homes, options, hints, pages, tables.read(CONTENTS))
    if found is None:
        trees = [replace(tree, owner=owner[tree.site]) for tree in _entry_trees(tables) if tree.site in owner]
        found = _mine_trees(sorted(trees, key=lambda tree: tree.site), options, hints)
    taxonomy = found.taxonomy
    if not taxonomy.concepts:
        return {}
    return {
        "concepts": table_from_records("concepts", taxonomy.concepts),
        "labels": table_from_records("labels", taxonomy.labels),
        "is_a": table_from_records("is_a", taxonomy.is_a),
        "instances": table_from_records("instances", found.extracted.instances),
        "attributes": table_from_records("attributes", found.extracted.attributes),
    }


def _mine_pages(
    homes: Mapping[int, str], options: OntologyStageOptions, hints: TaxonomyHints, pages: ReadPages, contents: pa.Table
) -> Ontology | None:
    """Mine the pages of a domain, given its home pages by site; None if none of these can be read."""
    chosen = OntologyOptions(
        support=options.concept_support,
        concept_pages=options.concept_pages,
        detail_pages=options.detail_pages,
        profile=options.profile,
    )
    addresses = list(homes.values())
    found = expand(Expansion(addresses, chosen, hints, contents=contents_to_trees(contents, homes)), pages)
    return found if len(found.missing) < len(set(addresses)) else None


def _mine_trees(trees: Sequence[SiteTree], options: OntologyStageOptions, hints: TaxonomyHints) -> Ontology:
    """Mine the label trees of entry pages that cannot be read again."""
    if options.profile == "paper":
        home = {tree.site: registered_domain(tree.url) for tree in trees}
        taxonomy = paper_taxonomy(
            trees,
            support=options.concept_support,
            is_inside=lambda site, url: registered_domain(url) == home[site],
            brings=lambda _: None,
        )
    else:
        taxonomy = without_utilities(mine_taxonomy(trees, support=options.concept_support, hints=hints))
    return Ontology(taxonomy, Extracted(), {}, ())


def _entry_trees(tables: TableReader) -> Iterator[SiteTree]:
    """Yield the label trees of the sites' entry pages; the rows of so many sites are held at a time."""
    portions = -(-tables.query(f'SELECT count(*) AS sites FROM "{ENTRIES}"')["sites"][0].as_py() // SITES_AT_ONCE)  # noqa: S608
    for portion in range(portions):
        mine = f"WHERE site % {portions} IN ({portion}, {portion - portions})"  # ids may be negative
        links, segments = _by_site(tables, ENTRY_LINKS, mine), _by_site(tables, ENTRY_SEGMENTS, mine)
        for page in tables.query(f'SELECT * FROM "{ENTRIES}" {mine} ORDER BY url, site').to_pylist():  # noqa: S608
            site = page["site"]
            nodes = segment_tree(PageRows(page["page"], links.get(site, ()), segments.get(site, ())))
            yield SiteTree(site, "", page["url"], page["language"], nodes, page["title"])


def _by_site(tables: TableReader, name: str, mine: str) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for batch in tables.query(f'SELECT * FROM "{name}" {mine} ORDER BY site, ordinal').to_batches():  # noqa: S608
        for row in batch.to_pylist():
            found[row["site"]].append(row)
    return found
