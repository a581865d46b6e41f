"""``sitestrata sites``: the logical websites of a workspace."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, output_options

__all__ = ["command"]

COLUMNS = (
    "site",
    "name",
    "entry_url",
    "pages",
    "confidence",
    "hosts",
    "main_menu",
    "keywords",
    "access",
    "parent",
    "sections",
    "method",
)


@make_command(example="sitestrata sites ws --csv > sites.csv")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@output_options
def command(workspace: Path, output: str | None) -> None:
    """List the logical sites."""
    from sitestrata.run.listing import list_sites
    from sitestrata.run.workspace import open_workspace

    emit(list_sites(open_workspace(workspace)), COLUMNS, output=output)
