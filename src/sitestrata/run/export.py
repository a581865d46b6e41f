"""A workspace in other formats: which tables a format needs, the rows it is made of, and the files it becomes.

The formats themselves are in `sitestrata.export`. Whatever is written appears at its place only when it is complete;
file names are made of ids, never of what a page says.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.export.escape import file_id
from sitestrata.run import export_rows as rows
from sitestrata.run.plan import PLAN
from sitestrata.run.workspace import Workspace
from sitestrata.urls import normalise

__all__ = ["FORMATS", "ExportOptions", "Exported", "Format", "site_named", "write_export"]

Item = TypeVar("Item")

FILE, FOLDER = "file", "folder"
SITES = ("aliases", "boundaries", "sites")
ONTOLOGY = ("concepts", "labels", "is_a", "instances", "attributes")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What of a workspace is exported, and how."""

    sites: tuple[int, ...] = ()  # ids; empty = all
    level: str = "pages"  # of graphs: pages or sites
    base_url: str | None = None  # where sitemaps will be found; the root of their own host if not given


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, for a person."""

    path: Path
    counts: dict[str, int]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Job:
    """One export at work."""

    workspace: Workspace
    path: Path  # file or folder under its temporary name
    options: ExportOptions
    counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def count(self, what: str, more: int = 1) -> None:
        """Add to one of the counts."""
        self.counts[what] = self.counts.get(what, 0) + more

    def counted(self, items: Iterable[Item], what: str) -> Iterator[Item]:
        """Pass items on and count them."""
        for item in items:
            self.count(what)
            yield item

    def kept(self, items: Iterable[Item], is_good: Callable[[Item], bool], others: str) -> Iterator[Item]:
        """Pass good items on and count the others."""
        for item in items:
            if is_good(item):
                yield item
            else:
                self.count(others)

    @contextmanager
    def file(self, name: str = "") -> Iterator[BinaryIO]:
        """Open the export's file, or a file of its folder."""
        with (self.path / name if name else self.path).open("wb") as file:
            yield file


@dataclass(frozen=True, slots=True)
class Format:
    """One format: what it is, the tables it needs, and what writes it."""

    help: str
    needs: tuple[str, ...]
    write: Callable[[Job], None]
    shape: str = FILE


def write_export(
    workspace: Workspace,
    to: str,
    out: str | os.PathLike[str],
    *,
    sites: Sequence[str] = (),
    level: str = "pages",
    base_url: str | None = None,
) -> Exported:
    """Write a workspace in another format.

    Args:
        workspace: What to write.
        to: The format, one of ``FORMATS``.
        out: The file, or for formats of several files a folder that is new or empty.
        sites: Addresses of entry pages, or ids as in file names: only these sites.
        level: Whether the nodes of a graph are ``pages`` or ``sites``.
        base_url: Where the sitemaps will be found, for their index.
    """
    if to not in FORMATS:
        raise UsageError(f"There is no format {to!r}; there are: {', '.join(FORMATS)}.")
    if level not in ("pages", "sites"):
        raise UsageError(f"The level of a graph is pages or sites, not {level!r}.")
    chosen = FORMATS[to]
    _need(workspace, to, chosen.needs)
    options = ExportOptions(tuple(site_named(workspace, name) for name in sites), level, base_url)
    path = Path(out)
    with _place(path, is_folder=chosen.shape == FOLDER) as temporary:
        job = Job(workspace, temporary, options)
        chosen.write(job)
    return Exported(path, job.counts, tuple(job.notes))


def site_named(workspace: Workspace, name: str) -> int:
    """Return the id of the site that goes by an entry address, or by its id as file names give it."""
    _need(workspace, "a choice of sites", ("sites",))
    address = normalise(name)
    for row in workspace.arrow("sites", ["site", "entry_url"]).to_pylist():
        if row["entry_url"] == address or file_id(row["site"]) == name:
            found: int = row["site"]
            return found
    raise UsageError(
        f"No site of {workspace.folder} has the entry page {name}. List them: sitestrata sites {workspace.folder}"
    )


def _need(workspace: Workspace, what: str, tables: Sequence[str]) -> None:
    missing = [table for table in tables if table not in workspace.tables]
    if missing:
        makers = [next((stage.name for stage in PLAN if table in stage.makes), None) for table in missing]
        hint = (
            f"run: sitestrata mine --resume -o {workspace.folder}"
            if all(makers)
            else "no stage of this version makes it"
        )
        stages = ", ".join(dict.fromkeys(maker for maker in makers if maker))
        made = f" (made by stage {stages})" if stages else ""
        raise WorkspaceError(f"For {what} {workspace.folder} lacks the table {', '.join(missing)}{made}; {hint}")


@contextmanager
def _place(path: Path, *, is_folder: bool) -> Iterator[Path]:
    """Give a temporary name beside a path; what was written under it takes the path's place at the end."""
    if is_folder and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} is not an empty folder. This format is several files: choose a new folder.")
    if not is_folder and path.is_dir():
        raise UsageError(f"{path} is a folder. This format is one file: choose a file name.")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".new")
    _remove(temporary)
    try:
        if is_folder:
            temporary.mkdir()
        yield temporary
        if is_folder and path.exists():
            path.rmdir()
        temporary.replace(path)
    except BaseException:
        _remove(temporary)
        raise


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sitemaps(job: Job) -> None:
    from sitestrata.export.sitemap import is_listable, write_index, write_sitemaps

    listed = set()
    for site, by_origin in rows.site_urls(job.workspace, job.options.sites):
        stem = f"site-{file_id(site)}"
        places: list[tuple[str, str]] = []  # origin, file
        for origin, urls in by_origin:

            @contextmanager
            def part(origin: str = origin) -> Iterator[BinaryIO]:
                places.append((origin, f"{stem}-{len(places) + 1}.xml"))  # noqa: B023 - called before the next site
                with job.file(places[-1][1]) as file:  # noqa: B023
                    yield file

            job.count("pages", write_sitemaps(job.kept(urls, is_listable, "too long, left out"), part))
        if len(places) == 1:
            (job.path / places[0][1]).rename(job.path / f"{stem}.xml")
        elif places:
            with job.file(f"{stem}.xml") as file:
                write_index((_sitemap_place(job.options.base_url, *place) for place in places), file)
        if places:
            listed.add(site)
            job.count("sites")
    for row in rows.sites(job.workspace, job.options.sites):
        if row["site"] not in listed:
            job.notes.append(f"{row['entry_url']} has no sitemap: none of its pages may be indexed.")
    _list_of_sites(job, ".xml")


def _sitemap_place(base_url: str | None, origin: str, name: str) -> str:
    return f"{base_url.rstrip('/')}/{name}" if base_url else f"{origin}{name}"


def _scopes(job: Job, suffix: str, text: Callable[[Any, str], str]) -> None:
    for site, scope in rows.site_scopes(job.workspace, job.options.sites):
        with job.file(f"site-{file_id(site['site'])}{suffix}") as file:
            file.write(text(scope, site["entry_url"]).encode())
        job.count("sites")
        job.count("pages that prefixes alone would miss", scope.missed)
        job.count("pages that prefixes would add", scope.added)
    _list_of_sites(job, suffix)


def _surts(job: Job) -> None:
    from sitestrata.flow.scope import surt_lines

    _scopes(job, ".surt", lambda scope, _: "".join(f"{line}\n" for line in surt_lines(scope)))


def _browsertrix(job: Job) -> None:
    from sitestrata.flow.scope import browsertrix_yaml

    _scopes(job, ".yaml", lambda scope, entry: browsertrix_yaml(scope, [entry]))


def _list_of_sites(job: Job, suffix: str) -> None:
    """Say which file is about which site: file names are ids."""
    from sitestrata.export.csvw import write_csv

    names = {path.name for path in job.path.iterdir()}
    listed = (
        {**site, "site": site["entry_url"], "file": name}
        for site in rows.sites(job.workspace, job.options.sites)
        if (name := f"site-{file_id(site['site'])}{suffix}") in names
    )
    with job.file("sites.csv") as file:
        write_csv(rows.FILES_SHEET, listed, file)


def _jsonld(job: Job) -> None:
    from sitestrata.export.jsonld import NavigationItem, write_site

    sites = {row["site"]: row for row in rows.sites(job.workspace, job.options.sites)}
    menus = rows.main_menus(job.workspace)
    if not menus:
        job.notes.append("No main menu was found (or menus were not mined), so there is no navigation.")
    for site, pages in rows.site_trails(job.workspace, job.options.sites):
        menu = [NavigationItem(item["label"], item["url"], item["level"]) for item in menus.get(site, ())]
        with job.file(f"site-{file_id(site)}.jsonld") as file:
            job.count("pages", write_site(sites[site]["name"], sites[site]["entry_url"], menu, pages, file))
        job.count("sites")
    _list_of_sites(job, ".jsonld")


def _graph(job: Job, write: Callable[..., None]) -> None:
    columns, nodes, edges = rows.graph(job.workspace, job.options.level, job.options.sites)
    with job.file() as file:
        write(
            columns,
            job.counted(nodes, "nodes"),
            job.counted(edges, "edges"),
            file,
        )


def _graphml(job: Job) -> None:
    from sitestrata.export.graphs import write_graphml

    _graph(job, write_graphml)


def _gexf(job: Job) -> None:
    from sitestrata.export.graphs import write_gexf

    _graph(job, write_gexf)


def _csv(job: Job) -> None:
    from sitestrata.export.csvw import metadata, write_csv

    sheets = []
    for sheet, content in rows.sheets(job.workspace, job.options.sites):
        with job.file(f"{sheet.name}.csv") as file:
            job.count(sheet.name, write_csv(sheet, content, file))
        sheets.append(sheet)
    with job.file("csv-metadata.json") as file:
        file.write(metadata(sheets).encode())


def _parquet(job: Job) -> None:
    from sitestrata.export.url_index import SCHEMA, index_batches
    from sitestrata.run.storage import write_file

    batches = index_batches(rows.captures(job.workspace, job.options.sites))
    job.count("captures", write_file(job.path, "", batches, schema=SCHEMA))


def _ontology(job: Job, parts: tuple[str, ...]) -> None:
    from sitestrata.export.rdf import DEFAULT_BASE, write_turtle

    found = rows.ontology(job.workspace, job.options.sites)
    with job.file() as file:
        job.count("triples", write_turtle(found, file, base=job.options.base_url or DEFAULT_BASE, parts=parts))


def _skos(job: Job) -> None:
    _ontology(job, ("skos",))


def _owl(job: Job) -> None:
    _ontology(job, ("owl",))


def _turtle(job: Job) -> None:
    _ontology(job, ("skos", "owl"))


def _ontology_xml(job: Job) -> None:
    from sitestrata.export.ontology_xml import write_xml

    with job.file() as file:
        job.count("concepts, relations and instances", write_xml(rows.ontology(job.workspace, job.options.sites), file))


# The name of a format, what it is, the tables it needs, what writes it; those that are several files say so.
FORMATS: dict[str, Format] = {
    "sitemap": Format("a sitemap.xml per site, split as the protocol asks", ("pages", *SITES), _sitemaps, FOLDER),
    "surt": Format("Heritrix SURT prefixes per site", SITES, _surts, FOLDER),
    "browsertrix": Format("a Browsertrix crawl configuration per site", SITES, _browsertrix, FOLDER),
    "jsonld": Format("breadcrumbs and navigation per site in schema.org's words", (*SITES, "tree"), _jsonld, FOLDER),
    "graphml": Format("the link graph as GraphML", ("links", "pages", *SITES), _graphml),
    "gexf": Format("the link graph as GEXF, for Gephi", ("links", "pages", *SITES), _gexf),
    "csv": Format("CSV files with a CSVW description", ("captures", "pages", *SITES), _csv, FOLDER),
    "parquet": Format("captures under the columns of Common Crawl's URL index", ("captures", "pages"), _parquet),
    "skos": Format("the taxonomy as SKOS in Turtle, for Skosmos", ONTOLOGY, _skos),
    "owl": Format("classes and individuals as OWL in Turtle, for Protégé", ONTOLOGY, _owl),
    "turtle": Format("the whole ontology as RDF in Turtle", ONTOLOGY, _turtle),
    "ontology-xml": Format("the whole ontology as XML", ONTOLOGY, _ontology_xml),
}
