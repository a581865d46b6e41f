"""``sitestrata export``: the results in another format."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import note
from sitestrata.run.export import FORMATS

__all__ = ["command"]

_HELP = "; ".join(f"{name}: {chosen.help}" for name, chosen in FORMATS.items())


@make_command(example="sitestrata export ws --to sitemap -o sitemaps")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@click.option("--to", type=click.Choice(list(FORMATS)), required=True, help=f"The format. {_HELP}.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file; for formats that are several files, a new folder.",
)
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be given several times.")
@click.option(
    "--level",
    type=click.Choice(["pages", "sites"]),
    default="pages",
    show_default=True,
    help="What the nodes of a graph are.",
)
@click.option("--base-url", metavar="URL", help="Where the sitemaps will be found.  [default: the root of their host]")
def command(workspace: Path, to: str, out: Path, sites: tuple[str, ...], level: str, base_url: str | None) -> None:
    """Write the results in another format.

    File names are ids; where there is a file per site, sites.csv says which is which.
    """
    from sitestrata.run.export import write_export
    from sitestrata.run.workspace import open_workspace

    done = write_export(open_workspace(workspace), to, out, sites=sites, level=level, base_url=base_url)
    for line in done.notes:
        note(line)
    counts = ", ".join(f"{count:,} {what}" for what, count in done.counts.items())
    click.echo(f"{done.path}: {counts or 'nothing to write'}")
