"""The ontology of a domain from a workspace or the Web, as the record that ``sitestrata ontology`` prints."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from sitestrata.errors import UsageError
from sitestrata.export.rdf import OntologyRows
from sitestrata.ontology.expand import Expansion, Ontology, expand
from sitestrata.ontology.options import OntologyOptions
from sitestrata.run.one_page import page_reader
from sitestrata.run.workspace import Workspace
from sitestrata.taxonomy.mine import TaxonomyHints
from sitestrata.taxonomy.synonyms import synonyms_of_file
from sitestrata.taxonomy.wordnet import find_wordnet
from sitestrata.urls import normalise

__all__ = [
    "find_ontology",
    "live_ontology",
    "ontology_record",
    "ontology_rows",
    "read_hints",
    "workspace_ontology",
]


def read_hints(
    *, language: str | None = None, synonyms: Path | None = None, wordnet: str | None = None, use_wordnet: bool = True
) -> TaxonomyHints:
    """Gather what is known about labels besides the pages: a file of synonyms, and WordNet if it is there."""
    pairs = []
    if synonyms is not None:
        try:
            with synonyms.open(encoding="utf-8") as file:
                pairs = list(synonyms_of_file(file))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"Cannot read the synonyms in {synonyms}: {error}") from error
    found = find_wordnet(wordnet) if use_wordnet else None
    if wordnet and found is None:
        raise UsageError(f"{wordnet} holds no WordNet database (index.noun and data.noun).")
    return TaxonomyHints(wordnet=found, synonyms=tuple(pairs), language=language)


def workspace_ontology(
    workspace: Workspace,
    homes: Sequence[str],
    options: OntologyOptions | None = None,
    hints: TaxonomyHints | None = None,
    *,
    on_note: Callable[[str], None] | None = None,
) -> Ontology:
    """Mine the ontology of some home pages over the pages of a workspace."""
    return expand(Expansion(addresses_of(homes), options, hints), page_reader(workspace), on_note=on_note)


def find_ontology(
    workspace: Workspace,
    homes: Sequence[str] = (),
    *,
    support: int = 2,
    depth: int = 1,
    instances: bool = True,
    profile: str = "default",
) -> dict[str, Any]:
    """Build taxonomy and instances of a domain from home pages of a workspace.

    Args:
        workspace: Where the pages are.
        homes: Home pages of overlapping sites; the entry pages of all sites if none are given.
        support: Owners that must print a concept.
        depth: Levels of pages whose labels count.
        instances: Whether to look for instances too.
        profile: ``paper`` for OntoMiner's method.
    """
    options = OntologyOptions(support=support, depth=depth, instances=instances, profile=profile)
    found = workspace_ontology(workspace, homes or entry_pages(workspace), options, read_hints())
    return ontology_record(found)


def addresses_of(homes: Sequence[str]) -> list[str]:
    """Return home pages as addresses in canonical form."""
    found = []
    for home in homes:
        address = normalise(home)
        if address is None:
            raise UsageError(f"{home!r} is not a web address. Give it in full, as in https://example.org/")
        found.append(address)
    return found


def live_ontology(
    homes: Sequence[str],
    out: Path,
    crawl: Any,
    options: OntologyOptions | None = None,
    hints: TaxonomyHints | None = None,
    *,
    max_pages: int | None = None,
    max_time: float | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Ontology:
    """Mine the ontology of some home pages, fetching pages as they are needed."""
    from sitestrata.run.rounds import LiveFetcher, run_rounds

    asker = Expansion(addresses_of(homes), options, hints)
    with LiveFetcher(out, crawl, on_note=on_note) as fetcher:
        run_rounds(asker, fetcher, max_pages=max_pages, max_time=max_time)
    return asker.result()


def ontology_record(ontology: Ontology) -> dict[str, Any]:
    """Return an ontology as the JSON of the command line."""
    labels: dict[int, list[dict[str, Any]]] = {}
    for row in ontology.taxonomy.labels:
        labels.setdefault(row.concept, []).append(
            {
                "label": row.label,
                "language": row.language,
                "evidence": row.evidence,
                "merged_with": row.merged_with,
                "confidence": row.confidence,
            }
        )
    values: dict[int, list[dict[str, Any]]] = {}
    for attribute in ontology.extracted.attributes:
        values.setdefault(attribute.instance, []).append(
            {
                "label": attribute.label,
                "value": attribute.value,
                "type": attribute.kind,
                "unit": attribute.unit,
                "path": attribute.path,
            }
        )
    return {
        "concepts": [
            {
                "id": str(concept.concept),
                "label": concept.label,
                "labels": [row["label"] for row in labels.get(concept.concept, ())] or [concept.label],
                "support": concept.support,
                "urls": list(concept.urls),
                "confidence": concept.confidence,
                "evidence": labels.get(concept.concept, []),
            }
            for concept in ontology.taxonomy.concepts
        ],
        "is_a": [
            {
                "parent": str(pair.parent),
                "child": str(pair.child),
                "support": pair.support,
                "confidence": pair.confidence,
                "facet": pair.is_facet,
                "pages": list(pair.pages),
            }
            for pair in ontology.taxonomy.is_a
        ],
        "instances": [
            {
                "id": str(instance.instance),
                "concept": None if instance.concept is None else str(instance.concept),
                "name": instance.name,
                "url": instance.url,
                "page": ontology.pages.get(instance.page, ""),
                "kind": instance.kind,
                "same_as": str(instance.same_as),
                "attributes": values.get(instance.instance, []),
            }
            for instance in ontology.extracted.instances
        ],
        "missing": list(ontology.missing),
    }


def ontology_rows(ontology: Ontology) -> OntologyRows:
    """Return an ontology as rows for the exports."""
    return OntologyRows(
        concepts=_dicts(ontology.taxonomy.concepts),
        labels=_dicts(ontology.taxonomy.labels),
        is_a=_dicts(ontology.taxonomy.is_a),
        instances=_dicts(ontology.extracted.instances),
        attributes=_dicts(ontology.extracted.attributes),
        page_urls=ontology.pages,
    )


def _dicts(records: Iterable[Any]) -> list[dict[str, Any]]:
    return [asdict(record) for record in records]


def entry_pages(workspace: Workspace) -> list[str]:
    """Return the entry pages of the sites of a workspace."""
    if "sites" not in workspace.tables:
        raise UsageError(f"{workspace.folder} knows no sites yet; name the home pages, or mine it to the end.")
    sites: pa.Table = workspace.arrow("sites", ["entry_url", "pages"])
    return sorted(sites["entry_url"].to_pylist())
