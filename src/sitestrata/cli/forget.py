"""``sitestrata forget``: remove pages from a workspace for good."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import note

__all__ = ["command"]


@make_command(example="sitestrata forget ws https://example.org/people/someone")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option(
    "--site", "sites", multiple=True, metavar="SITE", help="All pages of this site; may be given several times."
)
def command(workspace: Path, urls: tuple[str, ...], sites: tuple[str, ...]) -> None:
    """Remove pages from a workspace.

    Their rows leave all tables, the results are worked out again, and later runs leave the pages out. Archives that the
    workspace was made from are not changed.
    """
    from sitestrata.report import write_report
    from sitestrata.run.forget import forget_pages
    from sitestrata.run.workspace import open_workspace

    done = forget_pages(workspace, urls, sites=sites)
    if done.is_complete:
        write_report(open_workspace(workspace))
    else:
        note(f"The workspace was not finished; finish it with: sitestrata mine --resume -o {workspace}")
    if done.archives:
        note(f"What was captured is still in: {', '.join(done.archives)}")
    if any(path.suffix in (".state", ".cdxj") for path in (workspace / "spool").glob("*")):
        note(f"The crawl's own list of addresses is still in {workspace / 'spool'}; remove it if that must go, too.")
    if not done.rows:
        note("Nothing of this was in the workspace; it will stay out of it.")
    addresses, rows = "address" if done.addresses == 1 else "addresses", "row" if done.rows == 1 else "rows"
    click.echo(f"{done.addresses:,} {addresses} forgotten, {done.rows:,} {rows} removed.")
