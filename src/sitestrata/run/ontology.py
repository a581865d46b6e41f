"""The ontology of a domain from a workspace or the Web, as the record that ``sitestrata ontology`` prints."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from sitestrata.errors import UsageError
from sitestrata.export.rdf import OntologyRows
from sitestrata.ontology.contents import contents_to_trees
from sitestrata.ontology.entries import contents_of
from sitestrata.ontology.expand import Asker, Expansion, Ontology, expand
from sitestrata.ontology.options import OntologyOptions
from sitestrata.ontology.templates import KnownTemplate, TemplateReading, read_templates, write_templates
from sitestrata.run.one_page import page_reader
from sitestrata.run.vocabulary import read_seed
from sitestrata.run.workspace import Workspace
from sitestrata.taxonomy.encoder import find_encoder
from sitestrata.taxonomy.mine import TaxonomyHints
from sitestrata.taxonomy.seed import Seed
from sitestrata.taxonomy.synonyms import synonyms_of_file
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.taxonomy.wordnet import find_wordnet
from sitestrata.urls import normalise

__all__ = [
    "addresses_of",
    "find_ontology",
    "live_ontology",
    "load_templates",
    "ontology_record",
    "ontology_rows",
    "read_hints",
    "read_with_templates",
    "templates_text",
    "workspace_ontology",
]


def read_hints(
    *,
    language: str | None = None,
    synonyms: Path | None = None,
    vocabulary: Path | None = None,
    wordnet: str | None = None,
    use_wordnet: bool = True,
    sentence_model: str | None = None,
    use_sentence_model: bool = True,
) -> TaxonomyHints:
    """Gather what else is known about labels: synonyms in a file; WordNet and a sentence model, if they are there."""
    pairs = []
    if synonyms is not None:
        try:
            with synonyms.open(encoding="utf-8") as file:
                pairs = list(synonyms_of_file(file))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"Cannot read the synonyms in {synonyms}: {error}") from error
    found = find_wordnet(wordnet) if use_wordnet else None
    if wordnet and found is None:
        raise UsageError(f"{wordnet} holds no WordNet database (index.noun).")
    seed = read_seed(vocabulary) if vocabulary is not None else Seed()
    encoder = find_encoder(sentence_model) if use_sentence_model else None
    return TaxonomyHints(wordnet=found, encoder=encoder, synonyms=tuple(pairs), language=language, seed=seed)


def workspace_ontology(
    workspace: Workspace,
    homes: Sequence[str],
    options: OntologyOptions | None = None,
    hints: TaxonomyHints | None = None,
    *,
    on_note: Callable[[str], None] | None = None,
) -> Ontology:
    """Mine the ontology of some home pages over the pages of a workspace."""
    addresses = addresses_of(homes)
    asker = Expansion(addresses, options, hints, contents=_contents(workspace, addresses))
    return expand(asker, page_reader(workspace), on_note=on_note)


def _contents(workspace: Workspace, homes: Sequence[str]) -> dict[str, SiteTree]:
    """Return the contents of the sites of which some home pages are the entry pages."""
    if not {"sites", "tree"} <= set(workspace.tables):
        return {}
    sites = workspace.arrow("sites", ["site", "entry_url"]).to_pylist()
    chosen = {row["site"]: row["entry_url"] for row in sites if row["entry_url"] in set(homes)}
    numbers = ", ".join(map(str, sorted(chosen))) or "NULL"
    rows = workspace.query(contents_of(f"SELECT site FROM sites WHERE site IN ({numbers})"))  # noqa: S608 - numbers
    return contents_to_trees(rows, chosen)


def read_with_templates(
    workspace: Workspace, urls: Sequence[str], templates: Path, *, on_note: Callable[[str], None] | None = None
) -> Ontology:
    """Read the records of pages of a workspace by templates that were saved; without ``urls``, of all its pages."""
    chosen = addresses_of(urls) or sorted(workspace.arrow("pages", ["url"])["url"].to_pylist())
    return expand(TemplateReading(chosen, load_templates(templates)), page_reader(workspace), on_note=on_note)


def load_templates(path: Path) -> list[KnownTemplate]:
    """Read a file of templates."""
    try:
        return read_templates(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the templates in {path}: {error}") from error


def templates_text(ontology: Ontology) -> str:
    """Return the templates of an ontology's record pages as a file for later pages."""
    names = {concept.concept: concept.label for concept in ontology.taxonomy.concepts}
    concepts = {
        instance.template: names.get(instance.concept)
        for instance in ontology.extracted.instances
        if instance.template is not None and instance.concept is not None and instance.kind == "detail"
    }
    return write_templates(ontology.extracted.templates, concepts)


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
    asker: Asker,
    out: Path,
    crawl: Any,
    *,
    max_pages: int | None = None,
    max_time: float | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Ontology:
    """Mine an ontology, fetching pages as they are needed."""
    from sitestrata.run.rounds import LiveFetcher, run_rounds

    with LiveFetcher(out, crawl, on_note=on_note) as fetcher:
        run_rounds(asker, fetcher, max_pages=max_pages, max_time=max_time)
    return asker.result()


def ontology_record(ontology: Ontology) -> dict[str, Any]:
    """Return an ontology as the JSON of the command line."""
    known = ontology.taxonomy.known
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
                "iri": known[concept.concept].iri if concept.concept in known else None,
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
        iris={number: entry.iri for number, entry in ontology.taxonomy.known.items()},
        preferred={number: entry.labels[: entry.preferred] for number, entry in ontology.taxonomy.known.items()},
    )


def _dicts(records: Iterable[Any]) -> list[dict[str, Any]]:
    return [asdict(record) for record in records]


def entry_pages(workspace: Workspace) -> list[str]:
    """Return the entry pages of the sites of a workspace."""
    if "sites" not in workspace.tables:
        raise UsageError(f"{workspace.folder} knows no sites yet; name the home pages, or mine it to the end.")
    sites: pa.Table = workspace.arrow("sites", ["entry_url", "pages"])
    return sorted(sites["entry_url"].to_pylist())
