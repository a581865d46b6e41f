"""``sitestrata pages``: the captured pages."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, output_options

__all__ = ["command"]

COLUMNS = (
    "url",
    "canonical",
    "site",
    "subsite",
    "title",
    "breadcrumb",
    "status",
    "method",
    "confidence",
    "subsite_nav",
)


@make_command(example="sitestrata pages ws --csv > pages.csv")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@output_options
def command(workspace: Path, output: str | None) -> None:
    """List the captured pages, one row a URL that answered with HTML."""
    from sitestrata.run.listing import list_pages
    from sitestrata.run.workspace import open_workspace

    emit(list_pages(open_workspace(workspace)), COLUMNS, output=output)
